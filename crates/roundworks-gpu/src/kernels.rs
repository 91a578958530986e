//! Machine code of a GPU, loaded when an entry of it is first launched, and launches of entries.

use std::collections::HashMap;
use std::ffi::{CString, c_int, c_void};
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;

use crate::Error;
use crate::driver::{Address, Handle, Stream, call};
use crate::error::Result;
use crate::gpu::Gpu;
use crate::memory::Memory;
use crate::pinned::lock;

const NO_BINARY: c_int = 209;
const OLD_DRIVER: c_int = 222;
// Of cuFuncGetAttribute and cuFuncSetAttribute.
const MAX_THREADS: c_int = 0;
const SHARED: c_int = 8;

/// From a family to its machine code, as `nvcc -fatbin` or `-cubin` makes it.
pub type Images = Box<dyn Fn(&str) -> Result<Vec<u8>> + Send + Sync>;

/// The files `<family>.fatbin` of a folder.
pub(crate) fn in_folder(folder: PathBuf) -> Images {
    Box::new(move |family| {
        let path = folder.join(family).with_extension("fatbin");
        fs::read(&path).map_err(|error| {
            let path = path.display();
            Error::Unavailable(format!("{path}: {error}; make install-gpu, or use the CPU"))
        })
    })
}

/// An entry of `kernels/<family>/`.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// Its folder.
    pub family: &'a str,
    /// Its name.
    pub name: &'a str,
    /// What a launch's block shares in addition to what the entry declares.
    pub shared_bytes: u32,
}

impl<'a> Entry<'a> {
    /// An entry whose block shares what it declares.
    #[must_use]
    pub fn new(family: &'a str, name: &'a str) -> Self {
        Self {
            family,
            name,
            shared_bytes: 0,
        }
    }

    /// With more.
    #[must_use]
    pub fn sharing(self, shared_bytes: u32) -> Self {
        Self {
            shared_bytes,
            ..self
        }
    }
}

/// An argument of a kernel.
#[derive(Clone, Copy, Debug)]
pub enum Arg<'a> {
    /// An address or a number, in the low bytes of a word.
    Word(u64),
    /// A structure by value.
    Bytes(&'a [u8]),
}

impl From<Address> for Arg<'_> {
    fn from(word: Address) -> Self {
        Self::Word(word)
    }
}

impl From<usize> for Arg<'_> {
    fn from(number: usize) -> Self {
        Self::Word(number as u64)
    }
}

impl From<bool> for Arg<'_> {
    fn from(flag: bool) -> Self {
        Self::Word(flag.into())
    }
}

impl<'a> From<&'a [u8; 16]> for Arg<'a> {
    fn from(bytes: &'a [u8; 16]) -> Self {
        Self::Bytes(bytes)
    }
}

impl From<&Memory> for Arg<'_> {
    fn from(memory: &Memory) -> Self {
        Self::Word(memory.address)
    }
}

/// Arguments of several types, in the order of the entry.
macro_rules! args {
    ($($arg:expr),* $(,)?) => { &[$($crate::kernels::Arg::from($arg)),*] };
}
pub(crate) use args;

#[derive(Clone, Copy)]
struct Kernel {
    function: Handle,
    threads: u64,
    max_blocks: u64,
}

/// What is loaded of a device's machine code.
pub(crate) struct Code {
    images: Images,
    modules: Mutex<HashMap<String, Handle>>,
    kernels: Mutex<HashMap<String, Kernel>>,
}

impl Code {
    pub(crate) fn new(images: Images) -> Self {
        Self {
            images,
            modules: Mutex::default(),
            kernels: Mutex::default(),
        }
    }
}

impl Gpu {
    /// Starts an entry on `lanes` threads, or on as many as the device holds at once: entries go
    /// round. Returns how many threads were started.
    ///
    /// # Errors
    ///
    /// [`Error::Unavailable`] without machine code for this device, [`Error::Driver`].
    ///
    /// # Safety
    ///
    /// Arguments are those of the entry; memory that it reads or writes stays until the stream's work
    /// is done.
    pub unsafe fn launch_on(
        &self,
        stream: Stream,
        entry: Entry<'_>,
        lanes: u64,
        args: &[Arg<'_>],
    ) -> Result<u64> {
        let _here = self.here()?;
        self.launch(stream, entry, lanes, args)
    }

    pub(crate) fn launch(
        &self,
        stream: Stream,
        entry: Entry<'_>,
        lanes: u64,
        args: &[Arg<'_>],
    ) -> Result<u64> {
        let kernel = self.kernel(entry)?;
        let blocks = lanes
            .div_ceil(kernel.threads)
            .clamp(1, kernel.max_blocks.max(1));
        let mut places: Vec<*const c_void> = args
            .iter()
            .map(|arg| match arg {
                Arg::Word(word) => (&raw const *word).cast(),
                Arg::Bytes(bytes) => bytes.as_ptr().cast(),
            })
            .collect();
        // An end, for a driver that does not know the kernel's list.
        places.push(std::ptr::null());
        self.spanned(entry.name, stream, || {
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
                    entry.shared_bytes,
                    stream,
                    places.as_ptr(),
                    std::ptr::null(),
                )
            )
        })?;
        Ok(blocks * kernel.threads)
    }

    /// The machine code of a family, loaded once.
    pub(crate) fn module(&self, family: &str) -> Result<Handle> {
        if let Some(module) = lock(&self.code.modules).get(family) {
            return Ok(*module);
        }
        // Without the lock: whoever has the image may have to wait for another thread.
        let mut image = (self.code.images)(family)?;
        image.push(0); // the driver needs an end
        let mut modules = lock(&self.code.modules);
        if let Some(module) = modules.get(family) {
            return Ok(*module);
        }
        let mut module = 0;
        // SAFETY: an image with its end, and a place for a handle.
        let code = unsafe { (self.driver.cuModuleLoadData)(&mut module, image.as_ptr().cast()) };
        if let NO_BINARY | OLD_DRIVER = code {
            return Err(Error::Unavailable(format!(
                "{family}: no machine code for {} of {}; compile it for that, or use the CPU",
                self.architecture().to_string_lossy(),
                self.name().to_string_lossy()
            )));
        }
        self.driver.checked("cuModuleLoadData", code)?;
        modules.insert(family.to_owned(), module);
        Ok(module)
    }

    fn kernel(&self, entry: Entry<'_>) -> Result<Kernel> {
        if let Some(kernel) = lock(&self.code.kernels).get(entry.name) {
            return Ok(*kernel);
        }
        let module = self.module(entry.family)?;
        let (driver, mut function, mut threads, mut each) = (&self.driver, 0, 0, 0);
        let Ok(name) = CString::new(entry.name) else {
            return Err(Error::Argument("entry: want a name without NUL".into()));
        };
        let shared = entry.shared_bytes as c_int;
        call!(
            driver,
            cuModuleGetFunction(&mut function, module, name.as_ptr())
        )?;
        call!(
            driver,
            cuFuncGetAttribute(&mut threads, MAX_THREADS, function)
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
                entry.shared_bytes as usize,
            )
        )?;
        let kernel = Kernel {
            function,
            threads: threads as u64,
            max_blocks: each as u64 * u64::from(self.multiprocessors()),
        };
        lock(&self.code.kernels).insert(entry.name.to_owned(), kernel);
        Ok(kernel)
    }

    /// When nothing of it runs any more.
    pub(crate) fn unload(&self) {
        for module in lock(&self.code.modules).values() {
            let _ = call!(&self.driver, cuModuleUnload(*module));
        }
    }
}
