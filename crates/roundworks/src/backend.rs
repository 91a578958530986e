//! Back ends by name, and what this CPU can run.
#![forbid(unsafe_code)]

use core::fmt;
use core::str::FromStr;

pub use crate::arch::Backend;

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Backend {
    type Err = UnknownBackend;

    fn from_str(name: &str) -> Result<Self, UnknownBackend> {
        Self::ALL
            .into_iter()
            .find(|b| b.name() == name)
            .ok_or(UnknownBackend)
    }
}

/// No back end has that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownBackend;

impl fmt::Display for UnknownBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("backend: unknown name, want ")?;
        list(f, &Backend::ALL)
    }
}

impl core::error::Error for UnknownBackend {}

/// The back end requested cannot run this cipher here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BackendUnavailable {
    /// Name of the cipher, as in [`Aether::NAME`](crate::Aether::NAME).
    pub cipher: &'static str,
    /// The back end requested.
    pub backend: Backend,
    /// The back ends the cipher is written for.
    pub written: &'static [Backend],
}

impl fmt::Display for BackendUnavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            cipher,
            backend,
            written,
        } = self;
        if written.contains(backend) {
            write!(
                f,
                "backend '{backend}': this CPU lacks it; available for {cipher}: "
            )?;
            let mut usable = written.iter().filter(|b| b.is_available());
            usable
                .try_fold("", |comma, b| write!(f, "{comma}{b}").map(|()| ", "))
                .map(drop)
        } else {
            write!(
                f,
                "backend '{backend}': {cipher} is not written for it, want "
            )?;
            list(f, written)
        }
    }
}

impl core::error::Error for BackendUnavailable {}

/// `portable, aesni or avx2`
fn list(f: &mut fmt::Formatter<'_>, backends: &[Backend]) -> fmt::Result {
    for (i, b) in backends.iter().enumerate() {
        let before = match i {
            0 => "",
            _ if i + 1 == backends.len() => " or ",
            _ => ", ",
        };
        write!(f, "{before}{b}")?;
    }
    Ok(())
}
