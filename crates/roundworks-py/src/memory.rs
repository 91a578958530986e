//! Memory as much as an argument is long. What the system refuses is a `MemoryError`: `vec!`, `collect`
//! and the growth of a `Vec` would end the process, and with it whatever Python does at its end.

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Space for that many items, and no more.
pub(crate) fn space<T>(items: usize) -> PyResult<Vec<T>> {
    let mut space = Vec::new();
    space.try_reserve_exact(items).map_err(|_| {
        let bytes = items as u128 * size_of::<T>() as u128;
        PyMemoryError::new_err(format!("want {bytes} bytes, which the system refuses"))
    })?;
    Ok(space)
}

/// That many items, all the same.
pub(crate) fn filled<T: Clone>(item: T, items: usize) -> PyResult<Vec<T>> {
    let mut all = space(items)?;
    all.resize(items, item);
    Ok(all)
}

/// A copy.
pub(crate) fn copied(bytes: &[u8]) -> PyResult<Vec<u8>> {
    let mut copy = space(bytes.len())?;
    copy.extend_from_slice(bytes);
    Ok(copy)
}

/// The items, or the first error among them.
pub(crate) fn collected<T>(items: impl ExactSizeIterator<Item = PyResult<T>>) -> PyResult<Vec<T>> {
    let mut all = space(items.len())?;
    for item in items {
        all.push(item?);
    }
    Ok(all)
}

/// The bytes as Python's; [`PyBytes::new`] would panic.
pub(crate) fn object<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, bytes.len(), |copy| {
        copy.copy_from_slice(bytes);
        Ok(())
    })
}
