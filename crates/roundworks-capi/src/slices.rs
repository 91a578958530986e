//! Pointers and sizes to slices.

use std::ffi::{CStr, c_char};
use std::ops::Range;
use std::slice;

use rw::Error;

use crate::error::{Fault, Result};

fn null(what: &str, bytes: usize) -> Fault {
    Fault::Argument(format!("{what}: want {bytes} bytes, got NULL"))
}

/// Most bytes of an object: those between any two of its bytes are a `ptrdiff_t`. More is what becomes of a
/// negative size.
const MOST: usize = isize::MAX as usize;

/// # Errors
///
/// Refuses a size that no object has, before anything is made of a pointer.
pub(crate) fn possible(what: &str, bytes: usize) -> Result {
    if bytes <= MOST {
        Ok(())
    } else {
        let text = format!("{what}: want at most {MOST} bytes, got {bytes}");
        Err(Fault::Length(text))
    }
}

/// # Safety
///
/// `start` is NULL or the first of `bytes` readable bytes that nobody writes while `'a` lasts.
pub(crate) unsafe fn input<'a>(what: &str, start: *const u8, bytes: usize) -> Result<&'a [u8]> {
    possible(what, bytes)?;
    match (start.is_null(), bytes) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(null(what, bytes)),
        _ => Ok(unsafe { slice::from_raw_parts(start, bytes) }),
    }
}

/// # Safety
///
/// `start` is NULL or the first of `bytes` writable bytes that nobody else uses while `'a` lasts.
pub(crate) unsafe fn output<'a>(what: &str, start: *mut u8, bytes: usize) -> Result<&'a mut [u8]> {
    possible(what, bytes)?;
    match (start.is_null(), bytes) {
        (_, 0) => Ok(&mut []),
        (true, _) => Err(null(what, bytes)),
        _ => Ok(unsafe { slice::from_raw_parts_mut(start, bytes) }),
    }
}

/// Exactly `N` bytes, where the caller has them: a copy of a key would be one more to wipe.
///
/// # Safety
///
/// `start` is NULL or the first of `N` readable bytes that nobody writes while `'a` lasts.
pub(crate) unsafe fn array<'a, const N: usize>(
    what: &str,
    start: *const u8,
) -> Result<&'a [u8; N]> {
    let bytes = unsafe { input(what, start, N) }?;
    Ok(bytes.try_into().expect("N bytes"))
}

/// # Errors
///
/// Refuses a number of things that no array has, and NULL for any.
pub(crate) fn countable<T>(what: &str, start: *const T, count: usize) -> Result {
    possible(what, count.saturating_mul(size_of::<T>()))?;
    if start.is_null() && count > 0 {
        return Err(Fault::Argument(format!("{what}: want {count}, got NULL")));
    }
    Ok(())
}

/// # Safety
///
/// `text` is NULL or ends in a NUL, and nobody writes it while `'a` lasts.
pub(crate) unsafe fn text<'a>(what: &str, text: *const c_char) -> Result<&'a str> {
    if text.is_null() {
        return Err(Fault::Argument(format!("{what}: want a name, got NULL")));
    }
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str()
        .map_err(|_| Fault::Argument(format!("{what}: want UTF-8")))
}

/// The bytes of where one value goes.
pub(crate) fn bytes_of<T>(to: *const T) -> (*const u8, usize) {
    (to.cast(), size_of::<T>())
}

/// Where one value goes.
///
/// # Safety
///
/// `to` is NULL or good for a value that nobody else uses while `'a` lasts.
pub(crate) unsafe fn target<'a, T>(what: &str, to: *mut T) -> Result<&'a mut T> {
    unsafe { to.as_mut() }.ok_or_else(|| Fault::Argument(format!("{what}: want a place, got NULL")))
}

/// How two buffers lie.
pub(crate) enum Place {
    /// Both begin at the same byte.
    Same,
    /// No byte is in both.
    Apart,
}

/// # Errors
///
/// Refuses what is neither.
pub(crate) fn place(data: (*const u8, usize), out: (*const u8, usize)) -> Result<Place> {
    let ((from, from_bytes), (to, to_bytes)) = (data, out);
    possible("data", from_bytes)?;
    possible("out", to_bytes)?;
    let (a, b) = (from as usize, to as usize);
    if from_bytes == 0 || to_bytes == 0 {
        Ok(Place::Apart)
    } else if a == b {
        Ok(Place::Same)
    } else if a.saturating_add(from_bytes) <= b || b.saturating_add(to_bytes) <= a {
        Ok(Place::Apart)
    } else {
        let text = "out: overlaps data; want the same first byte, or no common byte";
        Err(Fault::Argument(text.into()))
    }
}

/// A size that does not fit is a wrong size.
pub(crate) fn check(what: &'static str, got: usize, want: usize) -> Result {
    if got == want {
        Ok(())
    } else {
        Err(Error::Length { what, want, got }.into())
    }
}

/// Refuses two buffers that share a byte.
pub(crate) fn apart(
    what: &str,
    (a, a_bytes): (*const u8, usize),
    (out, out_bytes): (*const u8, usize),
) -> Result {
    possible(what, a_bytes)?;
    possible("out", out_bytes)?;
    match place((a, a_bytes), (out, out_bytes)) {
        Ok(Place::Apart) => Ok(()),
        _ => Err(overlaps(what)),
    }
}

/// The outputs of many messages, in order of place.
pub(crate) struct Outputs(Vec<Range<usize>>);

impl Outputs {
    /// # Errors
    ///
    /// Refuses two that share a byte.
    pub(crate) fn of(outs: impl ExactSizeIterator<Item = (*const u8, usize)>) -> Result<Self> {
        let mut all = Vec::new();
        all.try_reserve_exact(outs.len())?;
        all.extend(
            outs.filter(|(start, bytes)| !start.is_null() && *bytes > 0)
                .map(addresses),
        );
        all.sort_unstable_by_key(|out| out.start);
        if all.windows(2).any(|two| two[0].end > two[1].start) {
            return Err(overlaps("out"));
        }
        Ok(Self(all))
    }

    /// Refuses what shares a byte with any of them.
    pub(crate) fn apart(&self, what: &str, part: (*const u8, usize)) -> Result {
        let part = addresses(part);
        let next = self.0.partition_point(|out| out.end <= part.start);
        match self.0.get(next) {
            Some(out) if !part.is_empty() && out.start < part.end => Err(overlaps(what)),
            _ => Ok(()),
        }
    }
}

fn addresses((start, bytes): (*const u8, usize)) -> Range<usize> {
    start as usize..(start as usize).saturating_add(bytes)
}

fn overlaps(what: &str) -> Fault {
    Fault::Argument(format!("{what}: overlaps an output; want no common byte"))
}
