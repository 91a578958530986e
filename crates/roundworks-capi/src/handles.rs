//! What a caller has by a pointer: made, lent, taken back, freed.

use std::hint::black_box;
use std::ptr::null_mut;

use crate::error::{Fault, Result, report};
use crate::slices::target;

/// Refuses where memory is short, before a key is read or a box made: that of the core, which has the key,
/// would end the process if it found none. Much more must be free than all of it takes, so that threads
/// which look at the same time find enough.
#[inline(never)]
fn space() -> Result {
    let mut space = Vec::<u8>::new();
    space.try_reserve_exact(1 << 15)?;
    drop(black_box(space)); // what nobody uses would not be allocated
    Ok(())
}

/// A handle of what `make` makes.
pub(crate) fn made<T>(make: impl FnOnce() -> Result<T>) -> Result<*mut T> {
    space()?;
    make().map(|made| Box::into_raw(Box::new(made)))
}

/// The same, or NULL with its fault kept.
pub(crate) fn or_null<T>(make: impl FnOnce() -> Result<T>) -> *mut T {
    made(make).unwrap_or_else(|fault| {
        report(|| Err(fault));
        null_mut()
    })
}

/// What a handle is of; `want` says it with its article.
///
/// # Safety
///
/// `handle` is NULL or from `Box::into_raw` and not freed while `'a` lasts.
pub(crate) unsafe fn lent<'a, T>(what: &str, want: &str, handle: *const T) -> Result<&'a T> {
    unsafe { handle.as_ref() }
        .ok_or_else(|| Fault::Argument(format!("{what}: want {want}, got NULL")))
}

/// What `get` finds in a handle, `none` of NULL: for functions that have no code to return.
///
/// # Safety
///
/// As of [`lent`].
pub(crate) unsafe fn get_or<T, R>(handle: *const T, none: R, get: impl FnOnce(&T) -> R) -> R {
    unsafe { handle.as_ref() }.map_or(none, get)
}

/// The handle, to be freed here.
///
/// # Safety
///
/// `handle` is NULL or from `Box::into_raw` and not freed.
pub(crate) unsafe fn taken<T>(what: &str, handle: *mut T) -> Result<Box<T>> {
    unsafe { target(what, handle).map(|handle| Box::from_raw(handle)) }
}

/// Frees what a handle is of. NULL is allowed.
///
/// # Safety
///
/// As of [`taken`].
pub(crate) unsafe fn freed<T>(handle: *mut T) {
    if !handle.is_null() {
        drop(unsafe { Box::from_raw(handle) });
    }
}
