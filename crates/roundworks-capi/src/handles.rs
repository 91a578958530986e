//! What a caller holds by a pointer: lent, taken back, freed.

use crate::error::Fault;
use crate::slices::target;

/// What a handle is of; `want` says it with its article.
///
/// # Safety
///
/// `handle` is NULL or from `Box::into_raw` and not freed while `'a` lasts.
pub(crate) unsafe fn lent<'a, T>(what: &str, want: &str, handle: *const T) -> Result<&'a T, Fault> {
    // SAFETY: the caller's promise.
    let held = unsafe { handle.as_ref() };
    held.ok_or_else(|| Fault::Argument(format!("{what}: want {want}, got NULL")))
}

/// What `get` finds in a handle, `none` of NULL: for functions that have no code to return.
///
/// # Safety
///
/// As of [`lent`].
pub(crate) unsafe fn asked<T, R>(handle: *const T, none: R, get: impl FnOnce(&T) -> R) -> R {
    // SAFETY: the caller's promise.
    unsafe { handle.as_ref() }.map_or(none, get)
}

/// The handle, to be freed here.
///
/// # Safety
///
/// `handle` is NULL or from `Box::into_raw` and not freed.
pub(crate) unsafe fn taken<T>(what: &str, handle: *mut T) -> Result<Box<T>, Fault> {
    // SAFETY: the caller's promise; not NULL.
    unsafe { target(what, handle).map(|handle| Box::from_raw(handle)) }
}

/// Frees what a handle is of. NULL is allowed.
///
/// # Safety
///
/// As of [`taken`].
pub(crate) unsafe fn freed<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: the caller's promise.
        drop(unsafe { Box::from_raw(handle) });
    }
}
