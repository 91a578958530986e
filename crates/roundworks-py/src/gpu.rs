//! GPUs, their memory and their clock.
#![allow(unsafe_code)] // a driver by its name, arguments of kernels, memory of the driver's

use std::ffi::{OsStr, c_int};
use std::sync::Arc;

use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::types::{PyBytes, PyTuple};
use pyo3::{ffi, prelude::*};
use roundworks_gpu as rw;
use roundworks_gpu::{Arg, Entry, Error, Images, Tuning};

use crate::buffer::{Input, Output, Place, wrong_type};
use crate::errors::{DeviceMemoryError, DeviceUnavailable, KernelError, keep, kept, raised};

/// The back end of every cipher on one.
pub(crate) const NAME: &str = "gpu";

/// A GPU's refusal, in the words of Python.
pub(crate) fn py_error(error: Error) -> PyErr {
    match error {
        Error::Interrupted => kept().unwrap_or_else(|| PyKeyboardInterrupt::new_err(())),
        Error::Cipher(roundworks::Error::Most { what, most, got }) => {
            let what = if what == "ad" {
                "associated_data"
            } else {
                what
            };
            let line = format!("{what}: want at most {most} bytes, got {got}; use the CPU");
            PyValueError::new_err(line)
        }
        Error::Cipher(error) => raised(error),
        Error::Argument(line) => PyValueError::new_err(line),
        Error::Unavailable(line) => {
            let line = line.replace("use the CPU", "use the CPU: fallback=True");
            DeviceUnavailable::new_err(line)
        }
        Error::Memory(line) => DeviceMemoryError::new_err(line),
        error => KernelError::new_err(error.to_string()),
    }
}

/// What Python raised in a function that a GPU called.
fn stopped(error: PyErr) -> Error {
    keep(error);
    Error::Interrupted
}

#[doc = stub!("Gpu")]
#[pyclass(frozen, subclass, module = "roundworks._native")]
pub(crate) struct Gpu(pub(crate) Arc<rw::Gpu>);

/// An address: of memory, or a number.
pub(crate) fn place(object: &Bound<'_, PyAny>) -> PyResult<u64> {
    match object.cast::<DeviceMemory>() {
        Ok(memory) => Ok(memory.get().0.address()),
        Err(_) => object
            .extract()
            .map_err(|_| wrong_type("place", "DeviceMemory or int", object)),
    }
}

/// Of a kernel: a structure by value, or an address.
fn arg<'a>(object: &'a Bound<'_, PyAny>) -> PyResult<Arg<'a>> {
    match object.cast::<PyBytes>() {
        Ok(bytes) => Ok(Arg::Bytes(bytes.as_bytes())),
        Err(_) => place(object).map(Arg::Word),
    }
}

#[pymethods]
impl Gpu {
    #[new]
    fn new(number: u32, library: &str, image: Py<PyAny>) -> PyResult<Self> {
        let images: Images = Box::new(move |family| {
            let read = |py: Python<'_>| image.call1(py, (family,))?.extract(py);
            Python::attach(read).map_err(stopped)
        });
        // SAFETY: the library is NVIDIA's or has its functions, as the documentation wants it.
        let gpu = unsafe { rw::Gpu::with_images(number, images, Some(OsStr::new(library))) };
        let gpu = gpu.map_err(py_error)?;
        gpu.stop_when(Box::new(|| {
            let signals = Python::attach(|py| py.check_signals());
            signals.map_err(keep).is_err()
        }));
        Ok(Self(gpu))
    }

    #[doc = stub!("Gpu.name")]
    #[getter]
    fn name(&self) -> String {
        self.0.name().to_string_lossy().into_owned()
    }

    #[doc = stub!("Gpu.architecture")]
    #[getter]
    fn architecture(&self) -> String {
        self.0.architecture().to_string_lossy().into_owned()
    }

    #[doc = stub!("Gpu.multiprocessors")]
    #[getter]
    fn multiprocessors(&self) -> u32 {
        self.0.multiprocessors()
    }

    #[doc = stub!("Gpu.clock_mhz")]
    #[getter]
    fn clock_mhz(&self) -> f64 {
        f64::from(self.0.clock_khz()) / 1e3
    }

    #[doc = stub!("Gpu.driver_version")]
    #[getter]
    fn driver_version(&self) -> String {
        let version = self.0.driver_version();
        format!("{}.{}", version / 1000, version % 1000 / 10)
    }

    #[doc = stub!("Gpu.tune")]
    #[pyo3(signature = (*, increment_bytes=None, launch_bytes=None, warp_bytes=None, bit_slices=None))]
    fn tune(
        &self,
        increment_bytes: Option<usize>,
        launch_bytes: Option<usize>,
        warp_bytes: Option<usize>,
        bit_slices: Option<bool>,
    ) -> PyResult<()> {
        let now = self.0.tuning();
        let tuning = Tuning {
            increment_bytes: increment_bytes.unwrap_or(now.increment_bytes),
            launch_bytes: launch_bytes.unwrap_or(now.launch_bytes),
            warp_bytes: warp_bytes.unwrap_or(now.warp_bytes),
            bit_slices: bit_slices.unwrap_or(now.bit_slices),
        };
        self.0.tune(tuning).map_err(py_error)
    }

    #[doc = stub!("Gpu.free_bytes")]
    fn free_bytes(&self) -> PyResult<usize> {
        self.0.free_bytes().map_err(py_error)
    }

    #[doc = stub!("Gpu.owned_bytes")]
    fn owned_bytes(&self) -> PyResult<usize> {
        self.0.owned_bytes().map_err(py_error)
    }

    #[doc = stub!("Gpu.trim")]
    #[pyo3(signature = (size_bytes=0))]
    fn trim(&self, py: Python<'_>, size_bytes: usize) -> PyResult<()> {
        py.detach(|| self.0.trim(size_bytes)).map_err(py_error)
    }

    #[doc = stub!("Gpu.zeros")]
    fn zeros(&self, size_bytes: usize) -> PyResult<DeviceMemory> {
        self.0.zeros(size_bytes).map(DeviceMemory).map_err(py_error)
    }

    #[doc = stub!("Gpu.put")]
    fn put(&self, data: &Bound<'_, PyAny>) -> PyResult<DeviceMemory> {
        let data = Input::get("data", data)?;
        self.0.put(data.bytes()).map(DeviceMemory).map_err(py_error)
    }

    #[doc = stub!("Gpu.launch")]
    #[pyo3(signature = (family, entry, lanes, *args, shared_bytes=0))]
    fn launch(
        &self,
        family: &str,
        entry: &str,
        lanes: u64,
        args: &Bound<'_, PyTuple>,
        shared_bytes: u32,
    ) -> PyResult<u64> {
        let given: Vec<_> = args.iter().collect();
        let args: Vec<_> = given.iter().map(arg).collect::<PyResult<_>>()?;
        let (gpu, entry) = (&self.0, Entry::new(family, entry).sharing(shared_bytes));
        // SAFETY: arguments are as the documentation wants them.
        unsafe { gpu.launch_on(gpu.own_stream(), entry, lanes, &args) }.map_err(py_error)
    }

    #[doc = stub!("Gpu.wait")]
    fn wait(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.0.wait_all()).map_err(py_error)
    }

    #[doc = stub!("Gpu.elapsed_ns")]
    fn elapsed_ns(&self, work: &Bound<'_, PyAny>) -> PyResult<f64> {
        let run = || work.call0().map(drop).map_err(stopped);
        self.0.elapsed_ns(run).map_err(py_error)
    }

    #[doc = stub!("Gpu.timeline")]
    fn timeline(&self, work: &Bound<'_, PyAny>) -> PyResult<Vec<(String, f64)>> {
        let run = || work.call0().map(drop).map_err(stopped);
        self.0.timeline(run).map_err(py_error)
    }

    #[doc = stub!("Gpu.copy_in")]
    fn copy_in(&self, to: &DeviceMemory, pinned: &Pinned) -> PyResult<()> {
        // SAFETY: both stay, as the documentation wants it.
        unsafe { self.0.copy_in(&to.0, &pinned.0) }.map_err(py_error)
    }

    #[doc = stub!("Gpu.copy_out")]
    fn copy_out(&self, pinned: &Pinned, memory: &DeviceMemory) -> PyResult<()> {
        // SAFETY: as above.
        unsafe { self.0.copy_out(&pinned.0, &memory.0) }.map_err(py_error)
    }

    #[doc = stub!("Gpu.pipeline")]
    fn pipeline(
        &self,
        data: &Bound<'_, PyAny>,
        out: &Bound<'_, PyAny>,
        increment_bytes: usize,
        work: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let (data, mut out) = (Input::get("data", data)?, Output::get("out", out)?);
        if out.place(&data) != Place::Apart {
            let text = "out: overlaps data; want memory of its own";
            return Err(PyValueError::new_err(text));
        }
        let (data, out) = (data.bytes(), out.bytes());
        let run = |step: &rw::Increment| {
            let done = work.call1((step.data, step.out, step.bytes));
            done.map(drop).map_err(stopped)
        };
        let gpu = &self.0;
        gpu.pipeline(data, out, increment_bytes, run)
            .map_err(py_error)
    }

    fn __repr__(&self) -> String {
        format!("<{} ({})>", self.name(), self.architecture())
    }
}

#[doc = stub!("DeviceMemory")]
#[pyclass(frozen, module = "roundworks._native")]
pub(crate) struct DeviceMemory(rw::Memory);

#[pymethods]
impl DeviceMemory {
    #[doc = stub!("DeviceMemory.address")]
    #[getter]
    fn address(&self) -> u64 {
        self.0.address()
    }

    #[doc = stub!("DeviceMemory.read")]
    fn read<'py>(&self, py: Python<'py>, size_bytes: usize) -> PyResult<Bound<'py, PyBytes>> {
        PyBytes::new_with(py, size_bytes, |to| self.0.read(to).map_err(py_error))
    }
}

#[doc = stub!("Pinned")]
#[pyclass(frozen, module = "roundworks._native")]
pub(crate) struct Pinned(rw::Pinned);

#[pymethods]
impl Pinned {
    #[new]
    fn new(gpu: &Gpu, size_bytes: usize) -> PyResult<Self> {
        rw::Pinned::new(&gpu.0, size_bytes)
            .map(Self)
            .map_err(py_error)
    }

    /// Writable bytes, which keep the object.
    ///
    /// # Safety
    ///
    /// As Python calls it.
    unsafe fn __getbuffer__(
        slf: Bound<'_, Self>,
        view: *mut ffi::Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        let (start, bytes) = (slf.get().0.start(), slf.get().0.len());
        // SAFETY: memory that lives as long as the object, which the view takes a reference of.
        let filled = unsafe {
            ffi::PyBuffer_FillInfo(view, slf.as_ptr(), start.cast(), bytes as isize, 0, flags)
        };
        match filled {
            0 => Ok(()),
            _ => Err(PyErr::fetch(slf.py())),
        }
    }
}
