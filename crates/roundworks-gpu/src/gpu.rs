//! One GPU: its machine code, launches, and work in order.

use std::collections::HashMap;
use std::ffi::{CStr, CString, OsStr, c_int, c_void};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::Error;
use crate::driver::{Functions, Handle, Stream, beside, call};
use crate::entries::ENTRIES;
use crate::gcm::{Counter, Keys};

const NO_BINARY: c_int = 209;
const OLD_DRIVER: c_int = 222;
// Of cuDeviceGetAttribute, and of cuFuncGetAttribute and cuFuncSetAttribute.
const MULTIPROCESSORS: c_int = 16;
const MAJOR: c_int = 75;
const MINOR: c_int = 76;
const MOST_THREADS: c_int = 0;
const SHARED: c_int = 8;
const NON_BLOCKING: u32 = 1;

struct Kernel {
    function: Handle,
    threads: u64,
    most_blocks: u64,
    shared_bytes: u32,
}

/// An argument of a kernel: an address or a number in a word of its own, or a structure by value.
#[derive(Clone, Copy)]
pub(crate) enum Arg<'a> {
    Word(u64),
    Keys(&'a Keys),
    Counter(Counter),
}

/// A GPU with its machine code loaded. Threads may share it.
pub struct Gpu {
    pub(crate) driver: Functions,
    number: c_int,
    context: Handle,
    /// Of messages in host memory.
    pub(crate) stream: Stream,
    /// Of what is copied in by itself, so that no stream of a caller's has to be waited for.
    pub(crate) up: Stream,
    modules: Vec<Handle>,
    kernels: HashMap<&'static str, Kernel>,
    name: CString,
    architecture: CString,
    multiprocessors: u32,
}

impl Gpu {
    /// The GPU of that number, as the driver counts them.
    ///
    /// `kernels` is the folder of its machine code, `<family>.fatbin`, as `make install-gpu` makes
    /// it; `None` takes `roundworks` beside the library or program. `driver` is NVIDIA's library;
    /// `None` takes `libcuda.so.1`.
    ///
    /// # Errors
    ///
    /// [`Error::Unavailable`] in one line: no driver, no GPU, an old driver, no machine code.
    ///
    /// # Safety
    ///
    /// `driver` is NVIDIA's library, or has its functions.
    pub unsafe fn open(
        number: u32,
        kernels: Option<&Path>,
        driver: Option<&OsStr>,
    ) -> Result<Arc<Self>, Error> {
        let (driver, count) = Functions::start(driver)?;
        if i64::from(number) >= i64::from(count) {
            return Err(Error::Unavailable(format!(
                "device {number}: not here; the driver sees {count}, from 0 on"
            )));
        }
        let (mut device, mut context, mut name) = (0, 0, [0; 256]);
        call!(&driver, cuDeviceGet(&mut device, number as c_int))?;
        call!(&driver, cuDeviceGetName(name.as_mut_ptr(), 255, device))?;
        let attribute = |which| {
            let mut value = 0;
            call!(&driver, cuDeviceGetAttribute(&mut value, which, device)).map(|()| value)
        };
        let architecture = format!("sm_{}{}", attribute(MAJOR)?, attribute(MINOR)?);
        let multiprocessors = attribute(MULTIPROCESSORS)? as u32;
        call!(&driver, cuDevicePrimaryCtxRetain(&mut context, device))?;
        // From here on what was made goes back if a later step fails.
        let mut gpu = Self {
            driver,
            number: device,
            context,
            stream: 0,
            up: 0,
            modules: Vec::new(),
            kernels: HashMap::new(),
            // SAFETY: one byte more than the driver was told of, so that there is an end.
            name: unsafe { CStr::from_ptr(name.as_ptr()) }.to_owned(),
            architecture: CString::new(architecture).expect("digits"),
            multiprocessors,
        };
        gpu.load(&kernels.map_or_else(beside, Path::to_owned))?;
        Ok(Arc::new(gpu))
    }

    /// Such as "NVIDIA H200".
    #[must_use]
    pub fn name(&self) -> &CStr {
        &self.name
    }

    /// Such as "sm_90".
    #[must_use]
    pub fn architecture(&self) -> &CStr {
        &self.architecture
    }

    /// How many multiprocessors it has.
    #[must_use]
    pub fn multiprocessors(&self) -> u32 {
        self.multiprocessors
    }

    /// Bytes of memory that nobody has.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`].
    pub fn free_bytes(&self) -> Result<usize, Error> {
        let _here = self.here()?;
        let (mut free, mut all) = (0, 0);
        call!(&self.driver, cuMemGetInfo_v2(&mut free, &mut all))?;
        Ok(free)
    }

    /// Streams, then the machine code of every family.
    fn load(&mut self, folder: &Path) -> Result<(), Error> {
        let context = self.context;
        call!(&self.driver, cuCtxPushCurrent_v2(context))?;
        let loaded = self.load_here(folder);
        call!(&self.driver, cuCtxPopCurrent_v2(&mut 0))?;
        loaded
    }

    fn load_here(&mut self, folder: &Path) -> Result<(), Error> {
        let driver = &self.driver;
        call!(driver, cuStreamCreate(&mut self.stream, NON_BLOCKING))?;
        call!(driver, cuStreamCreate(&mut self.up, NON_BLOCKING))?;
        for (family, entries) in ENTRIES {
            let path = folder.join(family).with_extension("fatbin");
            let mut image = fs::read(&path).map_err(|error| {
                let line = format!(
                    "{}: {error}; make install-gpu, or use the CPU",
                    path.display()
                );
                Error::Unavailable(line)
            })?;
            image.push(0); // the driver asks for an end
            let mut module = 0;
            // SAFETY: an image with its end, and a place for a handle.
            let code = unsafe { (driver.cuModuleLoadData)(&mut module, image.as_ptr().cast()) };
            if let NO_BINARY | OLD_DRIVER = code {
                return Err(Error::Unavailable(format!(
                    "{family}: no machine code for {} of {}; compile it for that, or use the CPU",
                    self.architecture.to_string_lossy(),
                    self.name.to_string_lossy()
                )));
            }
            driver.checked("cuModuleLoadData", code)?;
            self.modules.push(module);
            for (entry, shared_bytes) in entries {
                let kernel = self.kernel(module, entry, *shared_bytes)?;
                self.kernels.insert(entry, kernel);
            }
        }
        Ok(())
    }

    fn kernel(&self, module: Handle, entry: &str, shared_bytes: u32) -> Result<Kernel, Error> {
        let (driver, mut function, mut threads, mut each) = (&self.driver, 0, 0, 0);
        let name = CString::new(entry).expect("a name");
        let shared = shared_bytes as c_int;
        call!(
            driver,
            cuModuleGetFunction(&mut function, module, name.as_ptr())
        )?;
        call!(
            driver,
            cuFuncGetAttribute(&mut threads, MOST_THREADS, function)
        )?;
        if shared > 0 {
            call!(driver, cuFuncSetAttribute(function, SHARED, shared))?;
        }
        call!(
            driver,
            cuOccupancyMaxActiveBlocksPerMultiprocessor(
                &mut each,
                function,
                threads,
                shared_bytes as usize,
            )
        )?;
        Ok(Kernel {
            function,
            threads: threads as u64,
            most_blocks: each as u64 * u64::from(self.multiprocessors),
            shared_bytes,
        })
    }

    /// Starts an entry on `work` threads, or on as many as the device holds at once: entries go
    /// round.
    pub(crate) fn launch(
        &self,
        stream: Stream,
        entry: &str,
        work: u64,
        args: &[Arg<'_>],
    ) -> Result<(), Error> {
        let kernel = &self.kernels[entry];
        let blocks = work.div_ceil(kernel.threads).min(kernel.most_blocks).max(1);
        let mut places: Vec<*const c_void> = args
            .iter()
            .map(|arg| match arg {
                Arg::Word(word) => (&raw const *word).cast(),
                Arg::Keys(keys) => (&raw const **keys).cast(),
                Arg::Counter(counter) => (&raw const *counter).cast(),
            })
            .collect();
        // An end, for a driver that does not know the kernel's list.
        places.push(std::ptr::null());
        call!(
            &self.driver,
            cuLaunchKernel(
                kernel.function,
                blocks as u32,
                1,
                1,
                kernel.threads as u32,
                1,
                1,
                kernel.shared_bytes,
                stream,
                places.as_ptr(),
                std::ptr::null(),
            )
        )
    }

    pub(crate) fn wait(&self, stream: Stream) -> Result<(), Error> {
        call!(&self.driver, cuStreamSynchronize(stream))
    }

    /// This thread may call the driver while what is returned lives; then its context is again
    /// the one it had.
    pub(crate) fn here(&self) -> Result<Here<'_>, Error> {
        call!(&self.driver, cuCtxPushCurrent_v2(self.context))?;
        Ok(Here(&self.driver))
    }
}

pub(crate) struct Here<'a>(&'a Functions);

impl Drop for Here<'_> {
    fn drop(&mut self) {
        let _ = call!(self.0, cuCtxPopCurrent_v2(&mut 0));
    }
}

impl Drop for Gpu {
    // Nobody can be told of an error here.
    fn drop(&mut self) {
        if let Ok(here) = self.here() {
            for stream in [self.stream, self.up] {
                if stream != 0 {
                    let _ = self.wait(stream);
                    let _ = call!(&self.driver, cuStreamDestroy_v2(stream));
                }
            }
            for module in &self.modules {
                let _ = call!(&self.driver, cuModuleUnload(*module));
            }
            drop(here);
        }
        let _ = call!(&self.driver, cuDevicePrimaryCtxRelease_v2(self.number));
    }
}
