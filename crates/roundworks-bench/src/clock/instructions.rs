//! Cycles of single instructions, by chains of them: what no cipher on this CPU can beat.

/// A chain that was timed. `samples_cycles` are cycles of the core for one instruction.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Instruction {
    pub name: &'static str,
    /// Width of its registers.
    pub bits: u32,
    pub measure: Measure,
    pub samples_cycles: Vec<f64>,
}

/// What a chain measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Twelve chains interleaved: how often the CPU can begin one.
    Throughput,
    /// One chain, each instruction waiting for the last: how long it takes to give a result.
    Latency,
}

impl Measure {
    /// `throughput` or `latency`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Throughput => "throughput",
            Self::Latency => "latency",
        }
    }
}

/// Times the AES round and the exclusive or at every width this CPU has, and logic of three operands at the
/// widest: bit-sliced code consists of it, and on Zen 4 one takes the time of two exclusive ors.
#[must_use]
pub fn instructions(samples: usize) -> Vec<Instruction> {
    #[cfg(target_arch = "x86_64")]
    return x86_64::instructions(samples);
    #[cfg(not(target_arch = "x86_64"))]
    return {
        let _ = samples;
        vec![]
    };
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use super::{Instruction, Measure};
    use crate::clock::{ticks, ticks_per_cycle};

    /// Instructions in one turn of a loop, and turns in one window.
    const TURN: u64 = 120;
    const TURNS: u64 = 40;

    pub(super) fn instructions(samples: usize) -> Vec<Instruction> {
        use std::arch::is_x86_feature_detected as has;
        let xmm = has!("avx") && has!("aes");
        let ymm = has!("avx2") && has!("vaes");
        let zmm = has!("avx512f") && has!("vaes");
        let chains = [
            (xmm, "aesenc", 128, Measure::Throughput, aes_xmm as Chain),
            (xmm, "aesenc", 128, Measure::Latency, aes_xmm_chain),
            (xmm, "xor", 128, Measure::Latency, xor_xmm_chain),
            (ymm, "aesenc", 256, Measure::Throughput, aes_ymm),
            (ymm, "aesenc", 256, Measure::Latency, aes_ymm_chain),
            (ymm, "xor", 256, Measure::Latency, xor_ymm_chain),
            (zmm, "aesenc", 512, Measure::Throughput, aes_zmm),
            (zmm, "aesenc", 512, Measure::Latency, aes_zmm_chain),
            (zmm, "xor", 512, Measure::Throughput, xor_zmm),
            (zmm, "xor", 512, Measure::Latency, xor_zmm_chain),
            (zmm, "ternary", 512, Measure::Throughput, ternary_zmm),
            (zmm, "ternary", 512, Measure::Latency, ternary_zmm_chain),
        ];
        chains
            .into_iter()
            .filter(|chain| chain.0)
            .map(|(_, name, bits, measure, chain)| Instruction {
                name,
                bits,
                measure,
                samples_cycles: (0..samples).map(|_| cycles(chain)).collect(),
            })
            .collect()
    }

    /// Runs that many turns.
    type Chain = unsafe fn(u64);

    /// Cycles for one instruction of `chain`, whose CPU features were detected.
    fn cycles(chain: Chain) -> f64 {
        let window = |turns| {
            let start = ticks();
            // SAFETY: `instructions` passes only chains whose features this CPU has.
            unsafe { chain(turns) };
            ticks() - start
        };
        window(TURNS); // wakes the wide units, which sleep when nothing uses them
        let before = ticks_per_cycle();
        let empty = (0..4).map(|_| window(1)).min().unwrap_or(0);
        let full = (0..4).map(|_| window(TURNS + 1)).min().unwrap_or(0);
        let after = ticks_per_cycle();
        let clock = before.zip(after).map_or(1.0, |(a, b)| a.min(b));
        full.saturating_sub(empty) as f64 / clock / (TURN * TURNS) as f64
    }

    /// Defines a chain: its lines, repeated to a turn, `turns` times.
    macro_rules! chain {
        ($name:ident, $repeat:expr, $($line:expr),+) => {
            /// # Safety
            ///
            /// The CPU must have the instruction at this width.
            #[inline(never)]
            unsafe fn $name(turns: u64) {
                // SAFETY: touches only the vector registers named as clobbered and its counter;
                // the caller promises the instructions.
                unsafe {
                    core::arch::asm!(
                        "2:",
                        concat!(".rept ", $repeat),
                        $($line,)+
                        ".endr",
                        "dec {turns}",
                        "jnz 2b",
                        turns = inout(reg) turns => _,
                        out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
                        out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
                        out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
                        options(nomem, nostack)
                    );
                }
            }
        };
    }

    /// Twelve chains interleaved, ten times: a turn.
    macro_rules! wide {
        ($name:ident, $op:literal, $r:literal) => {
            chain!(
                $name,
                10,
                concat!($op, " ", $r, "0, ", $r, "0, ", $r, "15"),
                concat!($op, " ", $r, "1, ", $r, "1, ", $r, "15"),
                concat!($op, " ", $r, "2, ", $r, "2, ", $r, "15"),
                concat!($op, " ", $r, "3, ", $r, "3, ", $r, "15"),
                concat!($op, " ", $r, "4, ", $r, "4, ", $r, "15"),
                concat!($op, " ", $r, "5, ", $r, "5, ", $r, "15"),
                concat!($op, " ", $r, "6, ", $r, "6, ", $r, "15"),
                concat!($op, " ", $r, "7, ", $r, "7, ", $r, "15"),
                concat!($op, " ", $r, "8, ", $r, "8, ", $r, "15"),
                concat!($op, " ", $r, "9, ", $r, "9, ", $r, "15"),
                concat!($op, " ", $r, "10, ", $r, "10, ", $r, "15"),
                concat!($op, " ", $r, "11, ", $r, "11, ", $r, "15")
            );
        };
    }

    /// One chain of a turn's length.
    macro_rules! deep {
        ($name:ident, $op:literal, $r:literal) => {
            chain!(
                $name,
                120,
                concat!($op, " ", $r, "0, ", $r, "0, ", $r, "15")
            );
        };
    }

    wide!(aes_xmm, "vaesenc", "xmm");
    wide!(aes_ymm, "vaesenc", "ymm");
    wide!(aes_zmm, "vaesenc", "zmm");
    wide!(xor_zmm, "vpxorq", "zmm");
    deep!(aes_xmm_chain, "vaesenc", "xmm");
    deep!(aes_ymm_chain, "vaesenc", "ymm");
    deep!(aes_zmm_chain, "vaesenc", "zmm");
    deep!(xor_xmm_chain, "vpxor", "xmm");
    deep!(xor_ymm_chain, "vpxor", "ymm");
    deep!(xor_zmm_chain, "vpxorq", "zmm");
    // Three registers each, none of them the same for all: those have to be read, and not just passed on.
    chain!(
        ternary_zmm,
        10,
        "vpternlogq zmm0, zmm5, zmm7, 0x96",
        "vpternlogq zmm1, zmm6, zmm8, 0x96",
        "vpternlogq zmm2, zmm7, zmm9, 0x96",
        "vpternlogq zmm3, zmm8, zmm10, 0x96",
        "vpternlogq zmm4, zmm9, zmm11, 0x96",
        "vpternlogq zmm5, zmm10, zmm0, 0x96",
        "vpternlogq zmm6, zmm11, zmm1, 0x96",
        "vpternlogq zmm7, zmm0, zmm2, 0x96",
        "vpternlogq zmm8, zmm1, zmm3, 0x96",
        "vpternlogq zmm9, zmm2, zmm4, 0x96",
        "vpternlogq zmm10, zmm3, zmm5, 0x96",
        "vpternlogq zmm11, zmm4, zmm6, 0x96"
    );
    chain!(
        ternary_zmm_chain,
        120,
        "vpternlogq zmm0, zmm11, zmm10, 0x96"
    );
}
