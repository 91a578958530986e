//! What the yardsticks share: sizes checked once, and nothing left behind by a refusal.

use crate::cipher::Error;

/// Every yardstick's.
pub(crate) const TAG_BYTES: usize = 16;

/// One library's cipher, sizes right.
pub(crate) trait Library<const NONCE: usize> {
    /// Encrypts `data` to `out`, of the same length.
    fn seal(&self, nonce: &[u8; NONCE], ad: &[u8], data: &[u8], out: &mut [u8]) -> [u8; TAG_BYTES];

    /// Decrypts `data` to `out`, of the same length; whether the tag belongs to it. What a refusal
    /// leaves in `out` is the caller's to clear.
    fn open(
        &self,
        nonce: &[u8; NONCE],
        ad: &[u8],
        data: &[u8],
        tag: &[u8; TAG_BYTES],
        out: &mut [u8],
    ) -> bool;
}

pub(crate) fn seal_into<const NONCE: usize>(
    library: &impl Library<NONCE>,
    nonce: &[u8],
    ad: &[u8],
    data: &[u8],
    out: &mut [u8],
) -> Result<usize, Error> {
    let nonce = exact("nonce", nonce)?;
    let want = data.len() + TAG_BYTES;
    let (sealed, tag) = first("out", out, want)?.split_at_mut(data.len());
    tag.copy_from_slice(&library.seal(nonce, ad, data, sealed));
    Ok(want)
}

pub(crate) fn open_into<const NONCE: usize>(
    library: &impl Library<NONCE>,
    nonce: &[u8],
    ad: &[u8],
    sealed: &[u8],
    out: &mut [u8],
) -> Result<usize, Error> {
    let nonce = exact("nonce", nonce)?;
    let (data, tag) = sealed.split_last_chunk().ok_or(Error::BadTag)?;
    let out = first("out", out, data.len())?;
    if library.open(nonce, ad, data, tag, out) {
        Ok(data.len())
    } else {
        out.fill(0);
        Err(Error::BadTag)
    }
}

fn exact<'a, const N: usize>(what: &'static str, bytes: &'a [u8]) -> Result<&'a [u8; N], Error> {
    bytes.try_into().map_err(|_| Error::Length {
        what,
        want: N,
        got: bytes.len(),
    })
}

/// The first `want` bytes of a buffer that may be longer.
fn first<'a>(what: &'static str, out: &'a mut [u8], want: usize) -> Result<&'a mut [u8], Error> {
    let got = out.len();
    out.get_mut(..want).ok_or(Error::Length { what, want, got })
}

/// Defines a public yardstick around `$inner`, which is a `Library`.
macro_rules! yardstick {
    (
        $(#[$doc:meta])*
        $cipher:ident($inner:ty) {
            name: $name:literal,
            key_bytes: $key:literal,
            nonce_bytes: $nonce:literal,
            library: $library:literal,
        }
    ) => {
        $(#[$doc])*
        pub struct $cipher($inner);

        impl $cipher {
            /// Name on every surface.
            pub const NAME: &'static str = $name;
            /// Size of a key, in bytes.
            pub const KEY_BYTES: usize = $key;
            /// Size of a nonce, in bytes. A nonce must never serve twice under one key.
            pub const NONCE_BYTES: usize = $nonce;
            /// Size of a tag, in bytes.
            pub const TAG_BYTES: usize = $crate::frame::TAG_BYTES;
            /// Where the code is from; the name of its one back end.
            pub const LIBRARY: &'static str = $library;

            /// Sets the key.
            #[must_use]
            pub fn new(key: &[u8; $key]) -> Self {
                Self(<$inner>::new(key))
            }
        }

        impl $crate::cipher::Cipher for $cipher {
            fn name(&self) -> &'static str {
                Self::NAME
            }

            fn nonce_bytes(&self) -> usize {
                Self::NONCE_BYTES
            }

            fn tag_bytes(&self) -> usize {
                Self::TAG_BYTES
            }

            fn sealed_bytes(&self, len: usize) -> usize {
                len + Self::TAG_BYTES
            }

            fn backend_name(&self) -> &'static str {
                Self::LIBRARY
            }

            fn seal_into(
                &self,
                nonce: &[u8],
                ad: &[u8],
                data: &[u8],
                out: &mut [u8],
            ) -> Result<usize, $crate::cipher::Error> {
                $crate::frame::seal_into::<$nonce>(&self.0, nonce, ad, data, out)
            }

            fn open_into(
                &self,
                nonce: &[u8],
                ad: &[u8],
                sealed: &[u8],
                out: &mut [u8],
            ) -> Result<usize, $crate::cipher::Error> {
                $crate::frame::open_into::<$nonce>(&self.0, nonce, ad, sealed, out)
            }
        }

        impl core::fmt::Debug for $cipher {
            /// Names the library, never the key.
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let cipher = stringify!($cipher);
                f.debug_struct(cipher).field("library", &$library).finish_non_exhaustive()
            }
        }
    };
}

pub(crate) use yardstick;
