//! What the yardsticks share: sizes checked once, and nothing left behind by a refusal.

use roundworks::Error;

/// Every yardstick's.
pub(crate) const TAG_BYTES: usize = 16;

/// One library's cipher, sizes right.
pub(crate) trait Library<const NONCE: usize> {
    /// Encrypts in place.
    fn seal_in_place(&self, nonce: &[u8; NONCE], ad: &[u8], data: &mut [u8]) -> [u8; TAG_BYTES];

    /// Decrypts in place; whether the tag belongs to the data. What a refusal leaves is the
    /// caller's to clear.
    fn open_in_place(
        &self,
        nonce: &[u8; NONCE],
        ad: &[u8],
        data: &mut [u8],
        tag: &[u8; TAG_BYTES],
    ) -> bool;

    /// Encrypts `data` to `out`, of the same length.
    fn seal(&self, nonce: &[u8; NONCE], ad: &[u8], data: &[u8], out: &mut [u8]) -> [u8; TAG_BYTES] {
        out.copy_from_slice(data);
        self.seal_in_place(nonce, ad, out)
    }

    /// As [`Library::open_in_place`], from `data` to `out`, of the same length.
    fn open(
        &self,
        nonce: &[u8; NONCE],
        ad: &[u8],
        data: &[u8],
        tag: &[u8; TAG_BYTES],
        out: &mut [u8],
    ) -> bool {
        out.copy_from_slice(data);
        self.open_in_place(nonce, ad, out, tag)
    }
}

/// How long the data may be.
pub(crate) struct Most(pub u64);

impl Most {
    fn check(&self, data_bytes: usize) -> Result<(), Error> {
        let Self(most) = *self;
        if data_bytes as u64 <= most {
            Ok(())
        } else {
            Err(Error::TooLong {
                what: "message",
                most,
            })
        }
    }
}

pub(crate) fn seal_into<const NONCE: usize>(
    library: &impl Library<NONCE>,
    most: Most,
    (nonce, ad): (&[u8], &[u8]),
    data: &[u8],
    out: &mut [u8],
) -> Result<usize, Error> {
    let nonce = exact("nonce", nonce)?;
    most.check(data.len())?;
    let want = data.len() + TAG_BYTES;
    length("out", out.len(), want)?;
    let (sealed, tag) = out.split_at_mut(data.len());
    tag.copy_from_slice(&library.seal(nonce, ad, data, sealed));
    Ok(want)
}

pub(crate) fn open_into<const NONCE: usize>(
    library: &impl Library<NONCE>,
    most: Most,
    (nonce, ad): (&[u8], &[u8]),
    sealed: &[u8],
    out: &mut [u8],
) -> Result<usize, Error> {
    let nonce = exact("nonce", nonce)?;
    let Some((data, tag)) = sealed.split_last_chunk() else {
        out.fill(0);
        return Err(Error::BadTag);
    };
    length("out", out.len(), data.len())?;
    if most.check(data.len()).is_ok() && library.open(nonce, ad, data, tag, out) {
        Ok(data.len())
    } else {
        out.fill(0);
        Err(Error::BadTag)
    }
}

pub(crate) fn seal_in_place<const NONCE: usize>(
    library: &impl Library<NONCE>,
    most: Most,
    (nonce, ad): (&[u8], &[u8]),
    buf: &mut [u8],
    data_bytes: usize,
) -> Result<usize, Error> {
    let nonce = exact("nonce", nonce)?;
    most.check(data_bytes)?;
    let want = data_bytes.saturating_add(TAG_BYTES);
    length("buf", buf.len(), want)?;
    let (data, tag) = buf.split_at_mut(data_bytes);
    tag.copy_from_slice(&library.seal_in_place(nonce, ad, data));
    Ok(want)
}

pub(crate) fn open_in_place<const NONCE: usize>(
    library: &impl Library<NONCE>,
    most: Most,
    (nonce, ad): (&[u8], &[u8]),
    buf: &mut [u8],
) -> Result<usize, Error> {
    let nonce = exact("nonce", nonce)?;
    if let Some((data, tag)) = buf.split_last_chunk_mut()
        && most.check(data.len()).is_ok()
        && library.open_in_place(nonce, ad, data, tag)
    {
        Ok(data.len())
    } else {
        buf.fill(0);
        Err(Error::BadTag)
    }
}

fn exact<'a, const N: usize>(what: &'static str, bytes: &'a [u8]) -> Result<&'a [u8; N], Error> {
    length(what, bytes.len(), N)?;
    Ok(bytes.try_into().expect("measured"))
}

fn length(what: &'static str, got: usize, want: usize) -> Result<(), Error> {
    if got == want {
        Ok(())
    } else {
        Err(Error::Length { what, want, got })
    }
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
            max_bytes: $most:expr,
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
            /// The above, and no back end of ours.
            pub const FACTS: &'static roundworks::Facts =
                &roundworks::Facts::new($name, $key, $nonce, Self::TAG_BYTES, $most);
            /// Where the code is from; the name of its one back end.
            pub const LIBRARY: &'static str = $library;

            /// Sets the key.
            #[must_use]
            pub fn new(key: &[u8; $key]) -> Self {
                Self(<$inner>::new(key))
            }
        }

        impl roundworks::Cipher for $cipher {
            fn facts(&self) -> &'static roundworks::Facts {
                Self::FACTS
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
            ) -> Result<usize, roundworks::Error> {
                let most = $crate::frame::Most($most);
                $crate::frame::seal_into::<$nonce>(&self.0, most, (nonce, ad), data, out)
            }

            fn open_into(
                &self,
                nonce: &[u8],
                ad: &[u8],
                sealed: &[u8],
                out: &mut [u8],
            ) -> Result<usize, roundworks::Error> {
                let most = $crate::frame::Most($most);
                $crate::frame::open_into::<$nonce>(&self.0, most, (nonce, ad), sealed, out)
            }

            fn seal_in_place(
                &self,
                nonce: &[u8],
                ad: &[u8],
                buf: &mut [u8],
                data_bytes: usize,
            ) -> Result<usize, roundworks::Error> {
                let most = $crate::frame::Most($most);
                $crate::frame::seal_in_place::<$nonce>(&self.0, most, (nonce, ad), buf, data_bytes)
            }

            fn open_in_place(
                &self,
                nonce: &[u8],
                ad: &[u8],
                buf: &mut [u8],
            ) -> Result<usize, roundworks::Error> {
                let most = $crate::frame::Most($most);
                $crate::frame::open_in_place::<$nonce>(&self.0, most, (nonce, ad), buf)
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
