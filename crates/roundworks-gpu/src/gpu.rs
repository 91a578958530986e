//! One GPU, and work in order.

use std::collections::HashMap;
use std::ffi::{CStr, CString, OsStr, c_int};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::Error;
use crate::driver::{Functions, Handle, Stream, beside, call};
use crate::kernels::Kernel;
use crate::pinned::Host;

// Of cuDeviceGetAttribute.
const MULTIPROCESSORS: c_int = 16;
const MAJOR: c_int = 75;
const MINOR: c_int = 76;
const NON_BLOCKING: u32 = 1;
/// Bytes of a piece: a group of 32 blocks of Minalpher for each lane pair of some 130
/// multiprocessors, and few enough that the first one in and the last one out cost little.
const PIECE: usize = 1 << 24;
/// Each lane pair has 32 blocks of Minalpher, and their tweaks begin with a column.
const GROUP: usize = 1024;

/// A GPU with its machine code loaded. Threads may share it.
pub struct Gpu {
    pub(crate) driver: Functions,
    number: c_int,
    context: Handle,
    /// Of messages in host memory.
    pub(crate) stream: Stream,
    /// Of what is copied in by itself, so that no stream of a caller's has to be waited for.
    pub(crate) up: Stream,
    /// Of what is copied out beside the work on a long message.
    pub(crate) down: Stream,
    pub(crate) host: Host,
    /// Of the device's memory.
    pub(crate) pool: Handle,
    piece_bytes: AtomicUsize,
    pub(crate) modules: Vec<Handle>,
    pub(crate) kernels: HashMap<&'static str, Kernel>,
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
            down: 0,
            host: Host::default(),
            pool: 0,
            piece_bytes: AtomicUsize::new(PIECE),
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

    /// Bytes of memory that nobody has, or that are kept: see [`Gpu::keep_bytes`].
    ///
    /// # Errors
    ///
    /// [`Error::Driver`].
    pub fn free_bytes(&self) -> Result<usize, Error> {
        let _here = self.here()?;
        let (mut free, mut all) = (0, 0);
        call!(&self.driver, cuMemGetInfo_v2(&mut free, &mut all))?;
        Ok(free + self.kept_bytes()?)
    }

    /// Bytes of a piece, as which a message of more goes through: see [`Gpu::set_piece_bytes`].
    #[must_use]
    pub fn piece_bytes(&self) -> usize {
        self.piece_bytes.load(Ordering::Relaxed)
    }

    /// From now on a longer message of Minalpher or AES-GCM goes in pieces of so many bytes, 16 MiB
    /// unless set. Four of them are on the device at a time, and four in pinned memory unless the
    /// message lies in some.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] unless it is a multiple of 1024.
    pub fn set_piece_bytes(&self, bytes: usize) -> Result<(), Error> {
        if bytes == 0 || !bytes.is_multiple_of(GROUP) {
            let line = format!("piece_bytes: want a multiple of {GROUP} bytes, got {bytes}");
            return Err(Error::Argument(line));
        }
        self.piece_bytes.store(bytes, Ordering::Relaxed);
        Ok(())
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
        call!(driver, cuStreamCreate(&mut self.down, NON_BLOCKING))?;
        self.make_pool(self.number)?;
        self.load_kernels(folder)
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
            for stream in [self.stream, self.up, self.down] {
                if stream != 0 {
                    let _ = self.wait(stream);
                    let _ = call!(&self.driver, cuStreamDestroy_v2(stream));
                }
            }
            self.free_idle();
            self.free_pool();
            for module in &self.modules {
                let _ = call!(&self.driver, cuModuleUnload(*module));
            }
            drop(here);
        }
        let _ = call!(&self.driver, cuDevicePrimaryCtxRelease_v2(self.number));
    }
}
