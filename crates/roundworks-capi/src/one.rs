//! One message at a caller's pointers, to be sealed or opened on the CPU or on a GPU: ciphers of both
//! have the same methods, with errors of their own.

use rw::Error;

use crate::error::Result;
use crate::slices::{Place, apart, bytes_of, check, input, output, place};

/// A message as a caller gives it: first bytes, and how many.
pub(crate) struct Given {
    pub nonce: (*const u8, usize),
    pub ad: (*const u8, usize),
    /// To be sealed or opened.
    pub data: (*const u8, usize),
    pub out: (*mut u8, usize),
}

/// Seals a [`Given`] message under a cipher.
macro_rules! seal {
    ($cipher:expr, $given:expr) => {{
        let (cipher, given) = ($cipher, $given);
        let bytes = given.data.1;
        let m = given.to_seal(cipher.sealed_bytes(bytes))?;
        match m.text {
            Text::InPlace(buf) => cipher.seal_in_place(m.nonce, m.ad, buf, bytes)?,
            Text::Apart(data, out) => cipher.seal_into(m.nonce, m.ad, data, out)?,
        };
        Ok(())
    }};
}
pub(crate) use seal;

/// Opens a [`Given`] message under a cipher; `$bytes` becomes the size of its data.
macro_rules! open {
    ($cipher:expr, $given:expr, $bytes:expr) => {{
        let (cipher, given, bytes) = ($cipher, $given, $bytes);
        let opened_bytes = cipher.opened_bytes(given.data.1);
        let m = given.to_open(cipher.facts().nonce_bytes, opened_bytes)?;
        given.apart_from(&raw const *bytes)?;
        *bytes = match m.text {
            Text::InPlace(buf) => cipher.open_in_place(m.nonce, m.ad, buf)?,
            Text::Apart(sealed, out) => cipher.open_into(m.nonce, m.ad, sealed, out)?,
        };
        Ok(())
    }};
}
pub(crate) use open;

/// What may be read and written of it.
pub(crate) struct Lent<'a> {
    pub nonce: &'a [u8],
    pub ad: &'a [u8],
    pub text: Text<'a>,
}

pub(crate) enum Text<'a> {
    /// The output begins where the data do: all that is read or written.
    InPlace(&'a mut [u8]),
    /// The data, and the output.
    Apart(&'a [u8], &'a mut [u8]),
}

impl Given {
    /// Refuses where its size goes, an output too, if that shares a byte with another part.
    pub(crate) fn apart_from(&self, size: *const usize) -> Result {
        let size = bytes_of(size);
        apart("data_bytes", size, (self.out.0.cast_const(), self.out.1))?;
        apart("sealed", self.data, size)?;
        apart("ad", self.ad, size)?;
        apart("nonce", self.nonce, size)
    }

    /// For a cipher that makes `sealed_bytes` of data of this size.
    ///
    /// # Safety
    ///
    /// Every pointer is good for its bytes while `'a` lasts; that they overlap only as they
    /// may is checked.
    pub(crate) unsafe fn to_seal<'a>(&self, sealed_bytes: usize) -> Result<Lent<'a>> {
        check("out", self.out.1, sealed_bytes)?;
        unsafe { self.lent("data", self.out.1) }
    }

    /// For a cipher that makes `opened_bytes` of a sealed message of this size, or none of it.
    ///
    /// # Safety
    ///
    /// As of [`Given::to_seal`].
    pub(crate) unsafe fn to_open<'a>(
        &self,
        nonce_bytes: usize,
        opened_bytes: Option<usize>,
    ) -> Result<Lent<'a>> {
        check("nonce", self.nonce.1, nonce_bytes)?;
        let Some(want) = opened_bytes else {
            unsafe { output("out", self.out.0, self.out.1) }?.fill(0);
            return Err(Error::BadTag.into());
        };
        check("out", self.out.1, want)?;
        unsafe { self.lent("sealed", self.data.1) } // in place the tag is overwritten, too
    }

    /// # Safety
    ///
    /// As of [`Given::to_seal`], and of `in_place` bytes from the output's first if the data begin there.
    unsafe fn lent<'a>(&self, what: &str, in_place: usize) -> Result<Lent<'a>> {
        let out = (self.out.0.cast_const(), self.out.1);
        let place = place(self.data, out)?;
        let written = match place {
            Place::Same => in_place,
            Place::Apart => out.1,
        };
        apart("nonce", self.nonce, (out.0, written))?;
        apart("ad", self.ad, (out.0, written))?;
        unsafe {
            Ok(Lent {
                nonce: input("nonce", self.nonce.0, self.nonce.1)?,
                ad: input("ad", self.ad.0, self.ad.1)?,
                text: match place {
                    Place::Same => Text::InPlace(output("out", self.out.0, in_place)?),
                    Place::Apart => Text::Apart(
                        input(what, self.data.0, self.data.1)?,
                        output("out", self.out.0, self.out.1)?,
                    ),
                },
            })
        }
    }
}
