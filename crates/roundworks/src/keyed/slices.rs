//! The methods of `Cipher`: slices in, sizes checked, then the typed ones.
#![forbid(unsafe_code)]

use inout::InOutBuf;

use super::Keyed;
use crate::cipher::{Error, check};
use crate::stream::{Bytes, Shape};

/// A key or a nonce, or `nonce: want 16 bytes, got 12`.
pub(crate) fn sized<B: Bytes>(what: &'static str, bytes: &[u8]) -> Result<B, Error> {
    B::try_from(bytes).map_err(|_| Error::Length {
        what,
        want: B::ZERO.as_ref().len(),
        got: bytes.len(),
    })
}

pub(crate) fn seal_into<A: Shape, const TAG: usize>(
    keyed: &Keyed<A, TAG>,
    nonce: &[u8],
    ad: &[u8],
    data: &[u8],
    out: &mut [u8],
) -> Result<usize, Error> {
    let nonce = sized("nonce", nonce)?;
    check("out", out.len(), data.len() + TAG)?;
    let (out, tag) = out.split_at_mut(data.len());
    let buf = InOutBuf::new(data, out).expect("split there");
    tag.copy_from_slice(keyed.encrypt(&nonce, ad, buf).as_ref());
    Ok(data.len() + TAG)
}

pub(crate) fn open_into<A: Shape, const TAG: usize>(
    keyed: &Keyed<A, TAG>,
    nonce: &[u8],
    ad: &[u8],
    sealed: &[u8],
    out: &mut [u8],
) -> Result<usize, Error> {
    let nonce = sized("nonce", nonce)?;
    let Some(len) = sealed.len().checked_sub(TAG) else {
        out.fill(0);
        return Err(Error::BadTag);
    };
    check("out", out.len(), len)?;
    let (ciphertext, tag) = sealed.split_at(len);
    let buf = InOutBuf::new(ciphertext, out).expect("checked above");
    keyed.decrypt(&nonce, ad, buf, tag)?;
    Ok(len)
}

pub(crate) fn seal_in_place<A: Shape, const TAG: usize>(
    keyed: &Keyed<A, TAG>,
    nonce: &[u8],
    ad: &[u8],
    buf: &mut [u8],
    data_bytes: usize,
) -> Result<usize, Error> {
    let nonce = sized("nonce", nonce)?;
    check("buf", buf.len(), data_bytes.saturating_add(TAG))?;
    let (data, tag) = buf.split_at_mut(data_bytes);
    tag.copy_from_slice(keyed.encrypt(&nonce, ad, data.into()).as_ref());
    Ok(data_bytes + TAG)
}

pub(crate) fn open_in_place<A: Shape, const TAG: usize>(
    keyed: &Keyed<A, TAG>,
    nonce: &[u8],
    ad: &[u8],
    buf: &mut [u8],
) -> Result<usize, Error> {
    let nonce = sized("nonce", nonce)?;
    let Some(len) = buf.len().checked_sub(TAG) else {
        buf.fill(0);
        return Err(Error::BadTag);
    };
    let (ciphertext, tag) = buf.split_at_mut(len);
    keyed.decrypt(&nonce, ad, ciphertext.into(), tag)?;
    Ok(len)
}
