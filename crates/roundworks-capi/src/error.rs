//! Return values, and the line that explains the last error.

use std::cell::{Cell, RefCell};
use std::collections::TryReserveError;
use std::ffi::{CStr, CString, c_char, c_int};

use rw::Error;

/// Success.
pub const ROUNDWORKS_OK: c_int = 0;
/// Not authentic; the output is all zero.
pub const ROUNDWORKS_ERROR_TAG: c_int = -1;
/// A size is wrong; nothing was written.
pub const ROUNDWORKS_ERROR_LENGTH: c_int = -2;
/// NULL for bytes, buffers that overlap, or text that is not UTF-8; nothing was written.
pub const ROUNDWORKS_ERROR_ARGUMENT: c_int = -3;
/// No such cipher, tag size, back end or GPU here; nothing was written.
pub const ROUNDWORKS_ERROR_UNAVAILABLE: c_int = -4;
/// The process or the GPU has too little memory; ignore the output, which holds nothing decrypted.
pub const ROUNDWORKS_ERROR_MEMORY: c_int = -5;
/// The GPU's driver refused a call; ignore the output, which is all zero after decryption.
pub const ROUNDWORKS_ERROR_DRIVER: c_int = -6;

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
    /// Of a process that has no memory, which a line of [`LAST`] would want.
    static NO_MEMORY: Cell<bool> = const { Cell::new(false) };
}

/// What was wrong in this thread's last failed call, as one line such as
/// "nonce: want 16 bytes, got 12". Valid until the next failed call in this thread.
#[unsafe(no_mangle)]
pub extern "C" fn roundworks_error_text() -> *const c_char {
    if NO_MEMORY.get() {
        return c"memory: the process has too little; give it more, or do less at once".as_ptr();
    }
    LAST.with_borrow(|text| text.as_ptr())
}

/// The version of the library, such as "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn roundworks_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => panic!("a version has no NUL"),
        };
    VERSION.as_ptr()
}

/// What goes wrong in here.
pub(crate) enum Fault {
    Core(Error),
    /// A size that is wrong where there are several right ones.
    Length(String),
    Argument(String),
    Gpu(rw_gpu::Error),
    /// Of the process.
    Memory,
}

/// What most calls here give to [`report`].
pub(crate) type Result<T = ()> = std::result::Result<T, Fault>;

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        match error {
            Error::BadTag => rw::BadTag.into(),
            error => Self::Core(error),
        }
    }
}

impl From<rw::BadTag> for Fault {
    /// Called, so that the one branch is on whether the tag is right, and none on a fault computed from that.
    #[cold]
    #[inline(never)]
    fn from(error: rw::BadTag) -> Self {
        Self::Core(error.into())
    }
}

impl From<TryReserveError> for Fault {
    fn from(_: TryReserveError) -> Self {
        Self::Memory
    }
}

impl From<rw_gpu::Error> for Fault {
    fn from(error: rw_gpu::Error) -> Self {
        match error {
            rw_gpu::Error::Cipher(error) => Self::Core(error),
            rw_gpu::Error::Argument(text) => Self::Argument(text),
            error => Self::Gpu(error),
        }
    }
}

impl Fault {
    pub(crate) fn code(&self) -> c_int {
        match self {
            Self::Core(Error::BadTag) => ROUNDWORKS_ERROR_TAG,
            Self::Core(
                Error::Length { .. }
                | Error::Blocks { .. }
                | Error::NoRoom { .. }
                | Error::TooLong { .. }
                | Error::Most { .. }
                | Error::KeySize { .. },
            )
            | Self::Length(_) => ROUNDWORKS_ERROR_LENGTH,
            Self::Core(Error::AdAfterData) | Self::Argument(_) => ROUNDWORKS_ERROR_ARGUMENT,
            Self::Gpu(rw_gpu::Error::Memory(_)) | Self::Memory => ROUNDWORKS_ERROR_MEMORY,
            Self::Gpu(rw_gpu::Error::Driver(_)) => ROUNDWORKS_ERROR_DRIVER,
            Self::Core(_) | Self::Gpu(_) => ROUNDWORKS_ERROR_UNAVAILABLE,
        }
    }
}

/// As [`report`], of a call that has a key in its frames: these are cleared behind it, and so are the registers.
#[inline(always)]
pub(crate) fn report_cleared(run: impl FnOnce() -> Result) -> c_int {
    rw::cleared::<4, _>(|| report(run))
}

/// Runs a call; keeps the line of its fault, and gives its code.
pub(crate) fn report(run: impl FnOnce() -> Result) -> c_int {
    match run() {
        Ok(()) => ROUNDWORKS_OK,
        Err(fault) => kept(fault),
    }
}

/// Once, for all calls.
#[cold]
#[inline(never)]
fn kept(fault: Fault) -> c_int {
    let text = match &fault {
        Fault::Core(error) => error.to_string(),
        Fault::Length(text) | Fault::Argument(text) => text.clone(),
        Fault::Gpu(error) => error.to_string(),
        Fault::Memory => {
            NO_MEMORY.set(true);
            return fault.code();
        }
    };
    NO_MEMORY.set(false);
    LAST.set(CString::new(text).expect("messages have no NUL"));
    fault.code()
}
