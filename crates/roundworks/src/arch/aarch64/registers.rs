//! Registers after use, as on x86-64.

use core::arch::asm;

/// Clears the vector registers and the general ones that a function need not keep. Of the vector registers that
/// it has to keep the lower halves, loading those clears the upper ones.
#[inline(always)]
pub(in crate::arch) fn clear_registers() {
    if cfg!(miri) {
        return; // which has neither
    }
    // SAFETY: they change only registers that a function may change, and those are declared as changed.
    unsafe {
        asm!(
            ".irp i, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
            r"movi v\i\().2d, #0",
            ".endr",
            ".irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17",
            r"mov x\i, xzr",
            ".endr",
            clobber_abi("C"),
            options(nomem, nostack)
        );
    }
}
