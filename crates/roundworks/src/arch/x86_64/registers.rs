//! Registers after use. A call leaves there what it computed with, until another needs them. Before that the
//! dynamic linker, which resolves a function at its first call, or the system, which delivers a signal,
//! may write all of them to the stack.

use core::arch::asm;

cpufeatures::new!(avx, "avx");
cpufeatures::new!(avx512, "avx512f", "avx512vl");

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
