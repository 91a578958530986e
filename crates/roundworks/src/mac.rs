//! MACs by name.
#![forbid(unsafe_code)]

use alloc::boxed::Box;

use crate::backend::Backend;
use crate::cipher::{Error, check};
use crate::registry::find;

/// A MAC that takes its data in parts, whichever it is.
pub trait Mac: Send {
    /// Size of the tag.
    fn tag_bytes(&self) -> usize;

    /// More data.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`]; nothing was taken in.
    fn update(&mut self, data: &[u8]) -> Result<(), Error>;

    /// Writes the tag of all data to `tag`.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if it has another size than [`Mac::tag_bytes`]; nothing was written.
    fn finish_into(self: Box<Self>, tag: &mut [u8]) -> Result<(), Error>;

    /// Whether `tag` is that of all data.
    ///
    /// # Errors
    ///
    /// [`Error::BadTag`] if it is not, [`Error::Length`] as in [`Mac::finish_into`].
    fn verify(self: Box<Self>, tag: &[u8]) -> Result<(), Error>;
}

/// Begins the MAC called `name`, that of the cipher of this name; `None` takes the default size of
/// tag and the fastest back end. Minalpher's takes no nonce.
///
/// ```
/// let mut mac = roundworks::mac("aegis-128x2", &[7; 16], &[1; 16], None, None)?;
/// mac.update(b"a message")?;
/// let mut tag = [0; 16];
/// mac.finish_into(&mut tag)?;
/// # Ok::<(), roundworks::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::UnknownMac`], [`Error::TagSize`], [`Error::Length`] of key or nonce,
/// [`Error::Unavailable`].
pub fn mac(
    name: &str,
    key: &[u8],
    nonce: &[u8],
    tag_bytes: Option<usize>,
    backend: Option<Backend>,
) -> Result<Box<dyn Mac>, Error> {
    let entry = find(name, tag_bytes, Error::UnknownMac, |entry| {
        entry.mac.is_some()
    })?;
    let (nonce_bytes, new) = entry.mac.expect("found so");
    check("key", key.len(), entry.facts.key_bytes)?;
    check("nonce", nonce.len(), nonce_bytes)?;
    new(key, nonce, backend)
}

#[cfg(all(test, feature = "all"))]
mod tests {
    use alloc::string::ToString;

    use super::*;
    use crate::macs;

    #[test]
    fn by_name() {
        let error = |name, key: &[u8], nonce: &[u8], tag, backend| {
            let error = mac(name, key, nonce, tag, backend).err().expect("refused");
            error.to_string()
        };
        let key = [3; 32];
        let mut names: alloc::vec::Vec<_> = macs().map(|(name, ..)| name).collect();
        names.dedup();
        assert!(Error::UnknownMac.to_string().ends_with(&names.join(", ")));
        assert!(
            error("rocca-s", &key, &key, None, None)
                .starts_with("mac: unknown name, want one of aegis-128l, ")
        );
        assert_eq!(
            error("aegis-256", &key, &key, Some(8), None),
            "tag_bytes: aegis-256 has tags of 16 or 32 bytes, got 8"
        );
        assert_eq!(
            error("aegis-256", &key[1..], &key, None, None),
            "key: want 32 bytes, got 31"
        );
        assert_eq!(
            error("minalpher", &key[..16], &key[..13], None, None),
            "nonce: want 0 bytes, got 13"
        );
        for (name, nonce_bytes, tag_bytes) in macs() {
            let facts = crate::ciphers().find(|facts| facts.name == name).unwrap();
            let (key, nonce) = (&key[..facts.key_bytes], &key[..nonce_bytes]);
            let new = |backend| mac(name, key, nonce, Some(tag_bytes), backend).unwrap();
            let (mut made, mut tag) = (new(None), [0; 32]);
            assert_eq!(made.tag_bytes(), tag_bytes);
            made.update(b"a message").unwrap();
            let tag = &mut tag[..tag_bytes];
            made.finish_into(tag).unwrap();
            for part in [3, 9] {
                let mut again = new(Some(Backend::Portable));
                for data in b"a message".chunks(part) {
                    again.update(data).unwrap();
                }
                assert_eq!(again.verify(tag), Ok(()));
            }
            assert_eq!(new(None).verify(tag), Err(Error::BadTag), "{name}");
            let short = Error::Length {
                what: "tag",
                want: tag_bytes,
                got: 3,
            };
            assert_eq!(new(None).finish_into(&mut tag[..3]), Err(short));
        }
    }

    #[test]
    fn those_of_the_types() {
        let tag = crate::Aegis256X2::new(&[1; 32]).mac(&[2; 32], b"data");
        let mut by_name = mac("aegis-256x2", &[1; 32], &[2; 32], None, None).unwrap();
        by_name.update(b"data").unwrap();
        assert_eq!(by_name.verify(tag.as_ref()), Ok(()));
        let tag = crate::Minalpher::new(&[1; 16]).mac(b"data");
        let mut by_name = mac("minalpher", &[1; 16], &[], None, None).unwrap();
        by_name.update(b"data").unwrap();
        assert_eq!(by_name.verify(tag.as_ref()), Ok(()));
    }
}
