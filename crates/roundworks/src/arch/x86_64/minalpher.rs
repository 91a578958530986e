//! Minalpher on x86-64.

/// Written out, so that what the arrays hold stays in registers.
macro_rules! sixteen {
    ($i:ident => $value:expr) => {
        sixteen!($i => $value; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    ($i:ident => $value:expr; $($n:literal)+) => {
        [$({
            let $i: usize = $n;
            $value
        }),+]
    };
}

mod narrow;
mod pair;
mod wide256;
mod wide512;

use inout::InOutBuf;

use super::{Avx2, Avx512};
use crate::arch::entry::clear_stack;
use crate::backend::Backend;
use crate::minalpher::lanes::{BLOCK, Block};
use crate::minalpher::mode::{self, Chain, Data, Engine, Kernel, LAST};
use narrow::Narrow;
use wide256::Wide256;
use wide512::Wide512;

impl Engine for Avx2 {
    type Wide = Wide256;
    type Narrow = Narrow<Avx2>;
    const WIDE_FROM: usize = 24;

    #[inline(always)]
    fn wide(self) -> Wide256 {
        Wide256(self)
    }

    #[inline(always)]
    fn narrow(self) -> Narrow<Avx2> {
        Narrow(self)
    }

    #[inline(always)]
    fn permute(self, blocks: &mut [Block; 2]) {
        pair::permute(self, blocks);
    }
}

impl Engine for Avx512 {
    type Wide = Wide512;
    type Narrow = Narrow<Avx512>;
    const WIDE_FROM: usize = 28;

    #[inline(always)]
    fn wide(self) -> Wide512 {
        Wide512(self)
    }

    #[inline(always)]
    fn narrow(self) -> Narrow<Avx512> {
        Narrow(self)
    }

    #[inline(always)]
    fn permute(self, blocks: &mut [Block; 2]) {
        pair::permute(self, blocks);
    }
}

/// A function of the mode, compiled for the instructions that the token proves.
macro_rules! entry {
    ($token:ident, $features:literal, $function:ident($($name:ident: $type:ty),+)) => {{
        fn enter($($name: $type),+) {
            #[target_feature(enable = $features)]
            fn run(cpu: $token, $($name: $type),+) {
                mode::$function(cpu, $($name),+);
            }
            let cpu = $token::detect().expect("handed out only after its back end was detected");
            // SAFETY: `cpu` proves the features.
            unsafe { run(cpu, $($name),+) }
        }
        enter
    }};
}

/// A step on any number of blocks. The wide form has a frame of its own, several times as large, so
/// that a short message neither makes nor clears it.
macro_rules! blocks {
    ($token:ident, $features:literal, $step:ident($data:ty)) => {{
        fn enter(chain: &mut Chain, data: $data) {
            #[target_feature(enable = $features)]
            #[inline(never)]
            fn wide<D: Data>(cpu: $token, chain: &mut Chain, data: D) -> D {
                mode::wide::<_, mode::$step, _>(cpu, chain, data)
            }

            #[target_feature(enable = $features)]
            #[inline(never)]
            fn narrow<D: Data>(cpu: $token, chain: &mut Chain, data: D) {
                mode::narrow::<_, mode::$step, _>(cpu, chain, data);
            }

            let cpu = $token::detect().expect("handed out only after its back end was detected");
            let mut data = data;
            if data.blocks() >= <$token as Engine>::WIDE_FROM {
                // SAFETY: `cpu` proves the features.
                data = unsafe { wide(cpu, chain, data) };
            }
            if data.blocks() > 0 {
                // SAFETY: as above.
                unsafe { narrow(cpu, chain, data) };
            }
        }
        enter
    }};
}

macro_rules! kernel {
    ($name:ident: $token:ident, $features:literal, $much:literal or $little:literal blocks of stack) => {
        pub(crate) static $name: Kernel = Kernel {
            backend: Backend::$token,
    permute: entry!($token, $features, permute(blocks: &mut [Block; 2])),
            encrypt: blocks!($token, $features, Encrypt(InOutBuf<'_, '_, u8>)),
            encrypt_last: entry!(
                $token, $features,
                encrypt_last(chain: &mut Chain, blocks: &mut [u8; LAST * BLOCK], n: usize)
            ),
            hash_ciphertext: blocks!($token, $features, HashCiphertext(&[u8])),
            decrypt: blocks!($token, $features, Decrypt(InOutBuf<'_, '_, u8>)),
            hash: blocks!($token, $features, Hash(&[u8])),
            wipe_stack: |data_bytes| {
                if data_bytes >= BLOCK * <$token as Engine>::WIDE_FROM {
                    clear_stack::<$much>();
                } else {
                    clear_stack::<$little>();
                }
            },
        };
    };
}

kernel! { MINALPHER_AVX2: Avx2, "avx2", 64 or 8 blocks of stack }
kernel! {
    MINALPHER_AVX512: Avx512, "avx512f,avx512bw,avx512vl,avx512vbmi,gfni",
    64 or 8 blocks of stack
}
