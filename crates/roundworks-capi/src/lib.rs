//! The C interface of Roundworks.
//!
//! The header `include/roundworks.h` is made from this crate by cbindgen (`make header`), and a
//! test keeps it so. A panic in here ends the process: it does not cross into C.
//!
//! Doc comments are those of the header, so they speak of C: the first comment of a module is its
//! heading there, and what every caller promises stands once, at the header's top.

#![allow(unsafe_code)]
// Every function and every block rests on the same promise, at the top of the header.
#![allow(clippy::missing_safety_doc, clippy::undocumented_unsafe_blocks)]
#![allow(non_camel_case_types)] // C's names

mod any;
mod ciphers;
mod error;
mod gpu;
mod gpu_device;
mod gpu_memory;
mod handles;
mod incremental;
mod mac;
mod macs;
mod minalpher;
mod one;
mod permutations;
mod slices;

pub use any::*;
pub use ciphers::*;
pub use error::*;
pub use gpu::*;
pub use gpu_device::*;
pub use gpu_memory::*;
pub use incremental::*;
pub use mac::*;
pub use macs::*;
pub use minalpher::*;
pub use permutations::*;
