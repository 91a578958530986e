//! PLACEHOLDER until the core's own trait lands.
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    Length {
        what: &'static str,
        want: usize,
        got: usize,
    },
    BadTag,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { what, want, got } => write!(f, "{what}: want {want} bytes, got {got}"),
            Self::BadTag => f.write_str("authentication failed; the buffer was filled with zeros"),
        }
    }
}

pub trait Cipher: Send + Sync {
    fn name(&self) -> &'static str;
    fn nonce_bytes(&self) -> usize;
    fn tag_bytes(&self) -> usize;
    fn sealed_bytes(&self, len: usize) -> usize;
    fn backend_name(&self) -> &'static str;
    fn seal_into(
        &self,
        nonce: &[u8],
        ad: &[u8],
        data: &[u8],
        out: &mut [u8],
    ) -> Result<usize, Error>;
    fn open_into(
        &self,
        nonce: &[u8],
        ad: &[u8],
        sealed: &[u8],
        out: &mut [u8],
    ) -> Result<usize, Error>;
}
