//! NVIDIA's driver, called directly: its library is all that a machine with a GPU must have.

use std::ffi::{CStr, CString, OsStr, c_char, c_int, c_uint, c_void};
use std::mem::transmute_copy;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::ptr::null;

use crate::Error;
use crate::error::Result;
use crate::pool::PoolProps;

/// Where the driver is looked for unless somebody says so.
const LIBRARY: &str = "libcuda.so.1";
const WANTED: c_int = 13_000; // CUDA 13.0, with which the kernels are compiled
const NO_DEVICE: c_int = 100;

/// Memory of a device, as the driver counts it.
pub(crate) type Address = u64;
/// A context, a module or a function of the driver. Threads share them: the driver locks.
pub(crate) type Handle = usize;

/// A queue of work on a device: 0, or a `CUstream`.
pub type Stream = usize;

/// The functions that we call, with their types: handles and addresses are as wide as a pointer.
macro_rules! functions {
    ($($name:ident($($argument:ty),*);)+) => {
        #[allow(non_snake_case)] // the driver's names
        pub(crate) struct Functions {
            $(pub $name: unsafe extern "C" fn($($argument),*) -> c_int,)+
        }

        impl Functions {
            /// # Safety
            ///
            /// `library` is NVIDIA's driver, or has functions of the same types.
            unsafe fn load(library: *mut c_void) -> std::result::Result<Self, &'static str> {
                Ok(Self {
                    $($name: {
                        let name = concat!(stringify!($name), "\0");
                        // SAFETY: a name with its end.
                        let address = unsafe { libc::dlsym(library, name.as_ptr().cast()) };
                        if address.is_null() {
                            return Err(stringify!($name));
                        }
                        // SAFETY: the caller's promise; a pointer to a function, as dlsym gives it.
                        unsafe { transmute_copy(&address) }
                    },)+
                })
            }
        }
    };
}

functions! {
    cuInit(c_uint);
    cuGetErrorName(c_int, *mut *const c_char);
    cuDeviceGetCount(*mut c_int);
    cuDeviceGet(*mut c_int, c_int);
    cuDeviceGetName(*mut c_char, c_int, c_int);
    cuDeviceGetAttribute(*mut c_int, c_int, c_int);
    cuDevicePrimaryCtxRetain(*mut Handle, c_int);
    cuDevicePrimaryCtxRelease_v2(c_int);
    cuCtxPushCurrent_v2(Handle);
    cuCtxPopCurrent_v2(*mut Handle);
    cuMemGetInfo_v2(*mut usize, *mut usize);
    cuMemPoolCreate(*mut Handle, *const PoolProps);
    cuMemPoolSetAttribute(Handle, c_int, *mut c_void);
    cuMemPoolGetAttribute(Handle, c_int, *mut c_void);
    cuMemPoolTrimTo(Handle, usize);
    cuMemPoolDestroy(Handle);
    cuMemAllocFromPoolAsync(*mut Address, usize, Handle, Stream);
    cuMemFreeAsync(Address, Stream);
    cuMemsetD8Async(Address, u8, usize, Stream);
    cuMemcpyHtoDAsync_v2(Address, *const c_void, usize, Stream);
    cuMemcpyDtoHAsync_v2(*mut c_void, Address, usize, Stream);
    cuMemcpyDtoDAsync_v2(Address, Address, usize, Stream);
    cuMemHostAlloc(*mut *mut c_void, usize, c_uint);
    cuMemFreeHost(*mut c_void);
    cuEventCreate(*mut Handle, c_uint);
    cuEventRecord(Handle, Stream);
    cuEventSynchronize(Handle);
    cuEventElapsedTime(*mut f32, Handle, Handle);
    cuEventDestroy_v2(Handle);
    cuStreamCreate(*mut Stream, c_uint);
    cuStreamSynchronize(Stream);
    cuStreamWaitEvent(Stream, Handle, c_uint);
    cuStreamDestroy_v2(Stream);
    cuModuleLoadData(*mut Handle, *const c_void);
    cuModuleUnload(Handle);
    cuModuleGetFunction(*mut Handle, Handle, *const c_char);
    cuFuncGetAttribute(*mut c_int, c_int, Handle);
    cuFuncSetAttribute(Handle, c_int, c_int);
    cuOccupancyMaxActiveBlocksPerMultiprocessor(*mut c_int, Handle, c_int, usize);
    cuLaunchKernel(
        Handle, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, Stream,
        *const *const c_void, *const c_void
    );
}

/// Calls a function of the driver; an error of it is ours, with its name.
macro_rules! call {
    ($driver:expr, $name:ident($($argument:expr),* $(,)?)) => {{
        let driver: &$crate::driver::Functions = $driver;
        // SAFETY: arguments of the types that `functions!` has for it; what an address or a handle
        // is good for is the caller's to know.
        let code = unsafe { (driver.$name)($($argument),*) };
        driver.checked(stringify!($name), code)
    }};
}
pub(crate) use call;

impl Functions {
    /// The driver's library, started, how many devices it sees, and the CUDA that it has, such as
    /// 13000. It stays until the process ends, since a driver has threads of its own.
    pub(crate) fn start(library: Option<&OsStr>) -> Result<(Self, c_int, c_int)> {
        let path = library.unwrap_or(OsStr::new(LIBRARY));
        let said = path.to_string_lossy();
        let name = CString::new(path.as_bytes()).unwrap_or_default();
        // SAFETY: a path with its end; running what a library does when it is loaded is the
        // promise of `Gpu::open`.
        let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        if library.is_null() {
            let line = format!("{said}: not found; install NVIDIA's driver, or use the CPU");
            return Err(Error::Unavailable(line));
        }
        // Before all others: an old driver lacks some of them.
        let (have, want) = (version(library), WANTED);
        if have < want {
            let (major, minor) = (have / 1000, have % 1000 / 10);
            return Err(Error::Unavailable(format!(
                "driver: want CUDA 13.0 or newer, got {major}.{minor}; update NVIDIA's driver, or use the CPU"
            )));
        }
        // SAFETY: as above.
        let driver = unsafe { Self::load(library) }.map_err(|missing| {
            let line = format!("{said}: no {missing}; update NVIDIA's driver, or use the CPU");
            Error::Unavailable(line)
        })?;
        let mut count = 0;
        // SAFETY: a number, and a place for one.
        let code = unsafe {
            match (driver.cuInit)(0) {
                0 => (driver.cuDeviceGetCount)(&mut count),
                code => code,
            }
        };
        match (code, count) {
            (NO_DEVICE, _) | (0, 0) => Err(Error::Unavailable(
                "no GPU: the driver sees none; lend this machine one, or use the CPU".into(),
            )),
            (0, _) => Ok((driver, count, have)),
            _ => Err(Error::Unavailable(format!(
                "the driver does not start: {}; use the CPU",
                driver.name_of(code)
            ))),
        }
    }

    pub(crate) fn checked(&self, function: &str, code: c_int) -> Result {
        match code {
            0 => Ok(()),
            _ => Err(Error::Driver(format!("{function}: {}", self.name_of(code)))),
        }
    }

    pub(crate) fn name_of(&self, code: c_int) -> String {
        let mut name = null();
        // SAFETY: a place for a pointer.
        let unknown = unsafe { (self.cuGetErrorName)(code, &mut name) } != 0 || name.is_null();
        if unknown {
            return format!("error {code}");
        }
        // SAFETY: a name of the driver's has an end and stays.
        let name = unsafe { CStr::from_ptr(name) };
        name.to_string_lossy().into_owned()
    }
}

/// What the driver says of itself; 0 where it says nothing.
fn version(library: *mut c_void) -> c_int {
    let mut version = 0;
    // SAFETY: the driver's function of that name, which may be called before all others.
    unsafe {
        let address = libc::dlsym(library, c"cuDriverGetVersion".as_ptr());
        let get: Option<unsafe extern "C" fn(*mut c_int) -> c_int> = transmute_copy(&address);
        match get.map(|get| get(&mut version)) {
            Some(0) => version,
            _ => 0,
        }
    }
}

/// The folder `roundworks` next to the library or program that this code is in: where
/// `make install-gpu` puts machine code.
pub(crate) fn next_to_us() -> PathBuf {
    let here = next_to_us as fn() -> PathBuf as *const c_void;
    // SAFETY: an address of ours, and a place for a record, whose name has an end.
    let file = unsafe {
        let mut info: libc::Dl_info = std::mem::zeroed();
        match libc::dladdr(here, &mut info) {
            0 => PathBuf::new(),
            _ => OsStr::from_bytes(CStr::from_ptr(info.dli_fname).to_bytes()).into(),
        }
    };
    file.with_file_name("roundworks")
}
