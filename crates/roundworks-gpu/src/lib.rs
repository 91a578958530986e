//! Minalpher, AES-GCM, AEGIS-128L, Rocca-S and AETHER on a GPU.
//!
//! NVIDIA's driver is called directly, and machine code of `kernels/` is read from files: whoever
//! builds this needs no CUDA, and whoever runs it the driver only.
//!
//! ```no_run
//! use roundworks_gpu::{Cipher, Gpu};
//!
//! // SAFETY: the library of that name is NVIDIA's.
//! let gpu = unsafe { Gpu::open(0, None, None) }?; // in one line what is missing
//! let cipher = Cipher::new(&gpu, "aes-128-gcm", &[7; 16], None)?;
//! let mut sealed = vec![0; cipher.sealed_bytes(14)];
//! cipher.seal_into(&[1; 12], b"header", b"attack at dawn", &mut sealed)?;
//!
//! let mut opened = [0; 14];
//! cipher.open_into(&[1; 12], b"header", &sealed, &mut opened)?;
//! # Ok::<(), roundworks_gpu::Error>(())
//! ```
//!
//! A tag is found right before plaintext is written, on the device too. Memory there is wiped as
//! soon as nobody has it; what frees it waits for the work before it, so that sealing need not.

mod batch;
mod blocks;
mod buffers;
mod cipher;
mod clock;
mod copies;
mod driver;
mod error;
mod gcm;
mod gpu;
mod host;
mod increments;
mod kernels;
mod long;
mod many;
mod memory;
mod minalpher;
mod minalpher_many;
mod on_device;
mod pinned;
mod pool;
mod rows;
mod staged;
mod streams;

pub use crate::cipher::{Cipher, names};
pub use crate::driver::Stream;
pub use crate::error::Error;
pub use crate::gpu::{Gpu, Tuning};
pub use crate::increments::Increment;
pub use crate::kernels::{Arg, Entry, Images};
pub use crate::memory::Memory;
pub use crate::on_device::OnDevice;
pub use crate::pinned::Pinned;
pub use crate::rows::Rows;
pub use crate::staged::{Contents, Staged};
