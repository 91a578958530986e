//! What the baselines share: sizes checked once, and nothing left behind by a refusal.

use roundworks::{Cipher, Error, Facts};

/// Every baseline's.
pub(crate) const TAG_BYTES: usize = 16;
pub(crate) type Tag = [u8; TAG_BYTES];

/// One library's cipher. Sizes are right, and the data not too long, wherever it is called.
pub(crate) trait Library<const NONCE: usize>: Send + Sync + 'static {
    /// Name and sizes, and no back end of ours.
    const FACTS: &'static Facts;
    /// Where the code is from; the name of its one back end.
    const NAME: &'static str;

    /// Sets the key.
    fn new(key: &[u8]) -> Self;

    /// Encrypts in place.
    fn seal_in_place(&self, nonce: &[u8; NONCE], ad: &[u8], data: &mut [u8]) -> Tag;

    /// Decrypts in place; whether the tag belongs to the data. What a refusal leaves is the
    /// caller's to clear.
    fn open_in_place(&self, nonce: &[u8; NONCE], ad: &[u8], data: &mut [u8], tag: &Tag) -> bool;

    /// Encrypts `data` to `out`, of the same length.
    fn seal(&self, nonce: &[u8; NONCE], ad: &[u8], data: &[u8], out: &mut [u8]) -> Tag {
        out.copy_from_slice(data);
        self.seal_in_place(nonce, ad, out)
    }

    /// As [`Library::open_in_place`], from `data` to `out`, of the same length.
    fn open(&self, nonce: &[u8; NONCE], ad: &[u8], data: &[u8], tag: &Tag, out: &mut [u8]) -> bool {
        out.copy_from_slice(data);
        self.open_in_place(nonce, ad, out, tag)
    }
}

/// A library's cipher behind the trait of ours.
struct Baseline<L, const NONCE: usize>(L);

/// A baseline without its key.
pub(crate) struct Entry {
    pub facts: &'static Facts,
    new: fn(&[u8]) -> Box<dyn Cipher>,
}

impl Entry {
    pub(crate) const fn of<L: Library<NONCE>, const NONCE: usize>() -> Self {
        Self {
            facts: L::FACTS,
            new: |key| Box::new(Baseline::<L, NONCE>(L::new(key))),
        }
    }

    /// Sets the key.
    pub(crate) fn keyed(&self, key: &[u8]) -> Result<Box<dyn Cipher>, Error> {
        length("key", key.len(), self.facts.key_bytes)?;
        Ok((self.new)(key))
    }
}

impl<L: Library<NONCE>, const NONCE: usize> Cipher for Baseline<L, NONCE> {
    fn facts(&self) -> &'static Facts {
        L::FACTS
    }

    fn backend_name(&self) -> &'static str {
        L::NAME
    }

    fn seal_into(
        &self,
        nonce: &[u8],
        ad: &[u8],
        data: &[u8],
        out: &mut [u8],
    ) -> Result<usize, Error> {
        let nonce = exact("nonce", nonce)?;
        not_too_long(L::FACTS, data.len())?;
        length("out", out.len(), data.len() + TAG_BYTES)?;
        let (sealed, tag) = out.split_at_mut(data.len());
        tag.copy_from_slice(&self.0.seal(nonce, ad, data, sealed));
        Ok(out.len())
    }

    fn open_into(
        &self,
        nonce: &[u8],
        ad: &[u8],
        sealed: &[u8],
        out: &mut [u8],
    ) -> Result<usize, Error> {
        let nonce = exact("nonce", nonce)?;
        let Some((data, tag)) = sealed.split_last_chunk() else {
            out.fill(0);
            return Err(Error::BadTag);
        };
        length("out", out.len(), data.len())?;
        if not_too_long(L::FACTS, data.len()).is_ok() && self.0.open(nonce, ad, data, tag, out) {
            Ok(data.len())
        } else {
            out.fill(0);
            Err(Error::BadTag)
        }
    }

    fn seal_in_place(
        &self,
        nonce: &[u8],
        ad: &[u8],
        buf: &mut [u8],
        data_bytes: usize,
    ) -> Result<usize, Error> {
        let nonce = exact("nonce", nonce)?;
        not_too_long(L::FACTS, data_bytes)?;
        length("buf", buf.len(), data_bytes.saturating_add(TAG_BYTES))?;
        let (data, tag) = buf.split_at_mut(data_bytes);
        tag.copy_from_slice(&self.0.seal_in_place(nonce, ad, data));
        Ok(buf.len())
    }

    fn open_in_place(&self, nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Result<usize, Error> {
        let nonce = exact("nonce", nonce)?;
        if let Some((data, tag)) = buf.split_last_chunk_mut()
            && not_too_long(L::FACTS, data.len()).is_ok()
            && self.0.open_in_place(nonce, ad, data, tag)
        {
            Ok(data.len())
        } else {
            buf.fill(0);
            Err(Error::BadTag)
        }
    }
}

fn not_too_long(facts: &Facts, data_bytes: usize) -> Result<(), Error> {
    let (what, most) = ("message", facts.max_message_bytes);
    if data_bytes as u64 <= most {
        Ok(())
    } else {
        Err(Error::TooLong { what, most })
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
