//! Registers after use. A call leaves there what it computed with, until another needs them. Before that the
//! dynamic linker, which resolves a function at its first call, or the system, which delivers a signal,
//! may write all of them to the stack.

use core::arch::asm;

use crate::arch::entry::{self, StackBlock};

cpufeatures::new!(avx, "avx");
cpufeatures::new!(avx512, "avx512f", "avx512vl");

/// Zeros, 32 bytes at a time where the CPU has AVX, whatever the caller is compiled for: the stores wait in a
/// queue, of which another thread of the core may have half; with fewer of them a short message ends sooner.
#[inline(always)]
pub(in crate::arch) fn clear_blocks(stack: &mut [StackBlock]) {
    if cfg!(miri) || !avx::get() {
        entry::clear_blocks(stack);
    } else if stack.len() > FEW {
        clear_aligned(stack);
    } else {
        for block in stack {
            // SAFETY: the CPU has the instructions; they write the block, which is borrowed, and a register that
            // is declared as changed.
            unsafe {
                asm!(
                    "vpxor xmm0, xmm0, xmm0",
                    ".irp to, 0, 32, 64, 96, 128, 160, 192, 224",
                    r"vmovdqu [{block} + \to], ymm0",
                    ".endr",
                    block = in(reg) block,
                    out("xmm0") _,
                    options(nostack, preserves_flags)
                );
            }
        }
    }
}

/// Blocks for which a boundary is not worth finding.
const FEW: usize = 2;

/// None but the first and the last store crosses a cache line, which takes as long as several others: with half
/// of all callers the stack begins where every second one would.
#[inline(always)]
fn clear_aligned(stack: &mut [StackBlock]) {
    // SAFETY: the CPU has AVX. Written are the first 32 bytes, the last 32, and from the next boundary on all parts
    // of 32 but one, a block or what is left of it each time; and registers that are declared as changed.
    unsafe {
        asm!(
            "vpxor xmm0, xmm0, xmm0",
            "vmovdqu [{to}], ymm0",
            "vmovdqu [{to} + {bytes} - 32], ymm0",
            "add {to}, 31",
            "and {to}, -32",
            "jmp 3f",
            "2:",
            "vmovdqa [{to} + 224], ymm0",
            "add {to}, 256",
            "3:",
            ".irp at, 0, 32, 64, 96, 128, 160, 192",
            r"vmovdqa [{to} + \at], ymm0",
            ".endr",
            "sub {bytes:e}, 256",
            "jnz 2b",
            to = inout(reg) stack.as_mut_ptr() => _,
            bytes = inout(reg) size_of_val(stack) => _,
            out("xmm0") _,
            options(nostack)
        );
    }
}

/// Clears the vector and mask registers of this CPU, in full, and the general ones that a function need not
/// keep: exclusive ors of a register with itself, which a CPU recognises and, but for masks, does not compute.
#[inline(always)]
pub(in crate::arch) fn clear_registers() {
    if cfg!(miri) {
        return; // which has neither
    }
    // SAFETY: the CPU has the instructions, and they change only registers, of which those that a function
    // may change are declared as changed.
    unsafe {
        if avx::get() {
            asm!(
                ".irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
                r"vpxor xmm\i, xmm\i, xmm\i",
                ".endr",
                clobber_abi("sysv64"),
                options(nomem, nostack)
            );
        } else {
            asm!(
                ".irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
                r"pxor xmm\i, xmm\i",
                ".endr",
                clobber_abi("sysv64"),
                options(nomem, nostack)
            );
        }
        if avx512::get() {
            asm!(
                ".irp i, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
                r"vpxord xmm\i, xmm\i, xmm\i",
                ".endr",
                ".irp i, 0, 1, 2, 3, 4, 5, 6, 7",
                r"kxorw k\i, k\i, k\i",
                ".endr",
                clobber_abi("sysv64"),
                options(nomem, nostack)
            );
        }
        asm!(
            ".irp r, eax, ecx, edx, esi, edi, r8d, r9d, r10d, r11d",
            r"xor \r, \r",
            ".endr",
            clobber_abi("sysv64"),
            options(nomem, nostack)
        );
    }
}

#[cfg(test)]
mod tests {
    use super::{StackBlock, clear_blocks};

    /// However it lies in a cache line, and not a byte around it.
    #[test]
    fn the_whole_is_cleared_and_nothing_else() {
        const AROUND: usize = 64;
        for blocks in [1, 2, 3, 4, 19] {
            for at in AROUND..2 * AROUND {
                let mut bytes = [0xff_u8; 19 * 256 + 3 * AROUND];
                let end = at + 256 * blocks;
                let stack = bytes[at..end].as_mut_ptr().cast::<StackBlock>();
                // SAFETY: that many blocks of 256 bytes, which may be anything.
                clear_blocks(unsafe { core::slice::from_raw_parts_mut(stack, blocks) });
                for (i, byte) in bytes.into_iter().enumerate() {
                    let want = if (at..end).contains(&i) { 0 } else { 0xff };
                    assert_eq!(byte, want, "{blocks} blocks at {at}: byte {i}");
                }
            }
        }
    }
}
