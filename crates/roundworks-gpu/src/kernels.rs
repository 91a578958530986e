//! Machine code of a GPU, and launches of its entries.

use std::ffi::{CString, c_int, c_void};
use std::fs;
use std::path::Path;

use crate::Error;
use crate::driver::{Handle, Stream, call};
use crate::entries::ENTRIES;
use crate::gcm::{Counter, Keys};
use crate::gpu::Gpu;

const NO_BINARY: c_int = 209;
const OLD_DRIVER: c_int = 222;
// Of cuFuncGetAttribute and cuFuncSetAttribute.
const MOST_THREADS: c_int = 0;
const SHARED: c_int = 8;

/// An entry as the device has it.
pub(crate) struct Kernel {
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

impl Gpu {
    /// The machine code of every family.
    pub(crate) fn load_kernels(&mut self, folder: &Path) -> Result<(), Error> {
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
            let code =
                unsafe { (self.driver.cuModuleLoadData)(&mut module, image.as_ptr().cast()) };
            if let NO_BINARY | OLD_DRIVER = code {
                return Err(Error::Unavailable(format!(
                    "{family}: no machine code for {} of {}; compile it for that, or use the CPU",
                    self.architecture().to_string_lossy(),
                    self.name().to_string_lossy()
                )));
            }
            self.driver.checked("cuModuleLoadData", code)?;
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
            most_blocks: each as u64 * u64::from(self.multiprocessors()),
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
}
