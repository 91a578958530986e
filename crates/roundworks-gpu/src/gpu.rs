//! One GPU, and work in order.

use std::ffi::{CStr, CString, OsStr, c_int};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

use crate::Error;
use crate::cipher::families;
use crate::clock::Span;
use crate::driver::{Functions, Handle, Stream, call, next_to_us};
use crate::error::Result;
use crate::kernels::{Code, Images, in_folder};
use crate::pinned::{Host, lock};

// Of cuDeviceGetAttribute.
const CLOCK_KHZ: c_int = 13;
const MULTIPROCESSORS: c_int = 16;
const MAJOR: c_int = 75;
const MINOR: c_int = 76;
const NON_BLOCKING: u32 = 1;
/// Each lane pair has 32 blocks of Minalpher, and their tweaks begin with a column.
const GROUP: usize = 1024;

/// What may be chosen of a GPU, for speed and for the memory it takes. Results are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// A longer message of Minalpher or AES-GCM in host memory goes in increments of this many bytes,
    /// a multiple of 1024. Four of them are on the device at a time, and four in pinned memory unless
    /// the message lies in some.
    pub increment_bytes: usize,
    /// At most this many bytes of messages are in one launch, unless it is one message.
    pub launch_bytes: usize,
    /// From this size on each of many messages of AES-GCM has a warp, below it a lane.
    pub warp_bytes: usize,
    /// Counter mode of one message of AES-GCM by bit slices, not by tables.
    pub bit_slices: bool,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            // A group of 32 blocks of Minalpher for each lane pair of some 130 multiprocessors, and few
            // enough that the first one in and the last one out cost little.
            increment_bytes: 1 << 24,
            launch_bytes: 1 << 26,
            // By the instructions counted.
            warp_bytes: 1500,
            bit_slices: false,
        }
    }
}

/// A GPU with its machine code. Threads may share it.
pub struct Gpu {
    pub(crate) driver: Functions,
    number: c_int,
    context: Handle,
    /// Of messages in host memory.
    pub(crate) stream: Stream,
    /// Of what is copied in by itself, so that no stream of a caller's has to be waited for.
    pub(crate) up: Stream,
    /// Of what is copied out during the work on a long message.
    pub(crate) down: Stream,
    pub(crate) host: Host,
    /// Of the device's memory.
    pub(crate) pool: Handle,
    pub(crate) code: Code,
    /// While a timeline is wanted.
    pub(crate) spans: Mutex<Option<Vec<Span>>>,
    tuning: Mutex<Tuning>,
    stop: OnceLock<Box<dyn Fn() -> bool + Send + Sync>>,
    name: CString,
    architecture: CString,
    major: c_int,
    multiprocessors: u32,
    clock_khz: u32,
    version: u32,
}

impl Gpu {
    /// The GPU of that number, as the driver counts them, with the machine code of every cipher.
    ///
    /// `kernels` is the folder of machine code, `<family>.fatbin`, as `make install-gpu` makes
    /// it; `None` takes `roundworks` next to the library or program. `driver` is NVIDIA's library;
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
    ) -> Result<Arc<Self>> {
        let folder = kernels.map_or_else(next_to_us, Path::to_owned);
        // SAFETY: the caller's promise.
        let gpu = unsafe { Self::with_images(number, in_folder(folder), driver) }?;
        let here = gpu.here()?;
        for family in families() {
            gpu.module(family)?;
        }
        drop(here);
        Ok(gpu)
    }

    /// As [`Gpu::open`], with machine code from a function, which is called with a family when an
    /// entry of it is first launched.
    ///
    /// # Errors
    ///
    /// As of [`Gpu::open`], but for machine code.
    ///
    /// # Safety
    ///
    /// As of [`Gpu::open`].
    pub unsafe fn with_images(
        number: u32,
        images: Images,
        driver: Option<&OsStr>,
    ) -> Result<Arc<Self>> {
        let (driver, count, version) = Functions::start(driver)?;
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
        let major = attribute(MAJOR)?;
        let architecture = format!("sm_{major}{}", attribute(MINOR)?);
        let multiprocessors = attribute(MULTIPROCESSORS)? as u32;
        let clock_khz = attribute(CLOCK_KHZ)? as u32;
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
            code: Code::new(images),
            spans: Mutex::default(),
            tuning: Mutex::default(),
            stop: OnceLock::new(),
            // SAFETY: one byte more than the driver may write, so that there is an end.
            name: unsafe { CStr::from_ptr(name.as_ptr()) }.to_owned(),
            architecture: CString::new(architecture).expect("digits"),
            major,
            multiprocessors,
            clock_khz,
            version: version as u32,
        };
        call!(&gpu.driver, cuCtxPushCurrent_v2(context))?;
        let made = gpu.make_streams();
        call!(&gpu.driver, cuCtxPopCurrent_v2(&mut 0))?;
        made.map(|()| Arc::new(gpu))
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

    /// Whether tiles of `kernels/common/tile.hpp` are twice as large: from sm_90 on, which has space.
    pub(crate) fn has_large_tiles(&self) -> bool {
        self.major >= 9
    }

    /// How many multiprocessors it has.
    #[must_use]
    pub fn multiprocessors(&self) -> u32 {
        self.multiprocessors
    }

    /// Highest clock of the multiprocessors, in kHz.
    #[must_use]
    pub fn clock_khz(&self) -> u32 {
        self.clock_khz
    }

    /// CUDA that the driver has: 13020 is 13.2.
    #[must_use]
    pub fn driver_version(&self) -> u32 {
        self.version
    }

    /// Bytes of memory that nobody has, or that are kept: see [`Gpu::keep_bytes`].
    ///
    /// # Errors
    ///
    /// [`Error::Driver`].
    pub fn free_bytes(&self) -> Result<usize> {
        let _here = self.here()?;
        let (mut free, mut all) = (0, 0);
        call!(&self.driver, cuMemGetInfo_v2(&mut free, &mut all))?;
        Ok(free + self.kept_bytes()?)
    }

    /// What was chosen.
    #[must_use]
    pub fn tuning(&self) -> Tuning {
        *lock(&self.tuning)
    }

    /// From now on calls go by that.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] unless `increment_bytes` is a multiple of 1024.
    pub fn tune(&self, tuning: Tuning) -> Result {
        let bytes = tuning.increment_bytes;
        if bytes == 0 || !bytes.is_multiple_of(GROUP) {
            let line = format!("increment_bytes: want a multiple of {GROUP} bytes, got {bytes}");
            return Err(Error::Argument(line));
        }
        *lock(&self.tuning) = tuning;
        Ok(())
    }

    /// From now on `stop` is called before each increment of a long message and each launch of many:
    /// where it says true, the call ends with [`Error::Interrupted`]. The first such function stays.
    pub fn stop_when(&self, stop: Box<dyn Fn() -> bool + Send + Sync>) {
        let _ = self.stop.set(stop);
    }

    pub(crate) fn go_on(&self) -> Result {
        match self.stop.get() {
            Some(stop) if stop() => Err(Error::Interrupted),
            _ => Ok(()),
        }
    }

    /// Until all work on messages in host memory, and every copy, is done.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`].
    pub fn wait_all(&self) -> Result {
        let _here = self.here()?;
        let waited = [self.up, self.stream, self.down].map(|stream| self.wait(stream));
        waited.into_iter().collect()
    }

    /// The queue of work on messages in host memory.
    #[must_use]
    pub fn own_stream(&self) -> Stream {
        self.stream
    }

    fn make_streams(&mut self) -> Result {
        let driver = &self.driver;
        call!(driver, cuStreamCreate(&mut self.stream, NON_BLOCKING))?;
        call!(driver, cuStreamCreate(&mut self.up, NON_BLOCKING))?;
        call!(driver, cuStreamCreate(&mut self.down, NON_BLOCKING))?;
        self.make_pool(self.number)
    }

    pub(crate) fn wait(&self, stream: Stream) -> Result {
        call!(&self.driver, cuStreamSynchronize(stream))
    }

    /// This thread may call the driver while what is returned lives; then its context is again
    /// the one it had.
    pub(crate) fn here(&self) -> Result<Here<'_>> {
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
    // An error has nowhere to go here.
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
            self.unload();
            drop(here);
        }
        let _ = call!(&self.driver, cuDevicePrimaryCtxRelease_v2(self.number));
    }
}
