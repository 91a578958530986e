//! Back ends by name, and what this CPU can run.
#![forbid(unsafe_code)]

use core::fmt;
use core::str::FromStr;

use crate::arch;

/// A set of CPU instructions that ciphers here are written for, slowest first.
///
/// Each cipher lists those it has, for example [`Aether::BACKENDS`](crate::Aether::BACKENDS).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backend {
    /// Any CPU: bit-sliced, so no table lookup and no branch depends on a secret.
    Portable,
    /// x86-64 with AES-NI.
    Aesni,
    /// x86-64 with AVX2.
    Avx2,
    /// x86-64 with AVX2 and VAES: two AES rounds an instruction.
    Vaes256,
    /// x86-64 with AVX-512 F, BW and VL, and VAES: four AES rounds an instruction, 32 registers.
    Vaes512,
    /// x86-64 with AVX-512 F, BW, VL and VBMI, and with GFNI.
    Avx512,
    /// 64-bit Arm with its AES instructions.
    Aarch64,
}

impl Backend {
    /// Every back end, slowest first.
    pub const ALL: [Self; 7] = [
        Self::Portable,
        Self::Aesni,
        Self::Avx2,
        Self::Vaes256,
        Self::Vaes512,
        Self::Avx512,
        Self::Aarch64,
    ];

    /// The name used on every surface: `portable`, `aesni`, ...
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Aesni => "aesni",
            Self::Avx2 => "avx2",
            Self::Vaes256 => "vaes256",
            Self::Vaes512 => "vaes512",
            Self::Avx512 => "avx512",
            Self::Aarch64 => "aarch64",
        }
    }

    /// Whether this CPU and operating system can run it. Does not change while the process lives.
    pub fn is_available(self) -> bool {
        arch::is_available(self)
    }
}

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

/// The back end asked for cannot run this cipher here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BackendUnavailable {
    /// Name of the cipher, as in [`Aether::NAME`](crate::Aether::NAME).
    pub cipher: &'static str,
    /// The back end asked for.
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
