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

mod columns;
mod narrow;
mod pair;
mod wide256;
mod wide512;

use core::mem::transmute;

use inout::InOutBuf;

use super::{Avx2, Avx512, detect_evex256};
use crate::arch::entry::clear_stack;
use crate::backend::Backend;
use crate::minalpher::lanes::{BLOCK, Block};
use crate::minalpher::mode::{
    self, Chain, Data, Decrypt, Encrypt, Engine, Hash, HashCiphertext, Kernel, LAST, Step, Wide,
};
use narrow::Narrow;
use wide256::Wide256;
use wide512::Wide512;

impl Wide for Avx2 {
    type Lanes = Wide256;
    const FROM: usize = 24;

    #[inline(always)]
    fn wide(self) -> Wide256 {
        Wide256(self)
    }
}

impl Engine for Avx2 {
    type Narrow = Narrow<Avx2>;

    #[inline(always)]
    fn narrow(self) -> Narrow<Avx2> {
        Narrow(self)
    }

    #[inline(always)]
    fn permute(self, blocks: &mut [Block; 2], _: usize) {
        pair::permute(self, blocks);
    }
}

impl Wide for Avx512 {
    type Lanes = Wide512;
    const FROM: usize = 28;

    #[inline(always)]
    fn wide(self) -> Wide512 {
        Wide512::new(self, detect_evex256::get())
    }
}

impl Engine for Avx512 {
    type Narrow = Narrow<Avx512>;

    #[inline(always)]
    fn narrow(self) -> Narrow<Avx512> {
        Narrow(self)
    }

    #[inline(always)]
    fn permute(self, blocks: &mut [Block; 2], _: usize) {
        pair::permute(self, blocks);
    }
}

/// The mode, compiled for the instructions that the token proves. The wide form of a step has a frame of its
/// own, several times as large, so that a short message neither makes nor clears it;
/// less than a block has only P on a pair.
macro_rules! kernel {
    ($name:ident: $token:ident, $features:literal, $much:literal, $some:literal or $little:literal blocks of stack) => {
        #[allow(clippy::missing_transmute_annotations)] // said by the types on both sides
        pub(crate) static $name: Kernel = {
            #[target_feature(enable = $features)]
            fn permute(blocks: &mut [Block; 2], n: usize) {
                mode::permute($token::here(), blocks, n);
            }

            #[target_feature(enable = $features)]
            fn encrypt_last(chain: &mut Chain, blocks: &mut [u8; LAST * BLOCK], n: usize) {
                mode::encrypt_last($token::here(), chain, blocks, n);
            }

            #[target_feature(enable = $features)]
            fn step<S, D: Data>(chain: &mut Chain, mut data: D)
            where
                S: Step<<$token as Wide>::Lanes> + Step<<$token as Engine>::Narrow>,
            {
                if data.blocks() >= <$token as Wide>::FROM {
                    data = wide::<S, D>(chain, data);
                }
                if data.blocks() > 0 {
                    narrow::<S, D>(chain, data);
                }
            }

            #[target_feature(enable = $features)]
            #[inline(never)]
            fn wide<S: Step<<$token as Wide>::Lanes>, D: Data>(chain: &mut Chain, data: D) -> D {
                mode::batches::<_, S, _>($token::here().wide(), chain, data, <$token as Wide>::FROM)
            }

            #[target_feature(enable = $features)]
            #[inline(never)]
            fn narrow<S: Step<<$token as Engine>::Narrow>, D: Data>(chain: &mut Chain, data: D) {
                mode::narrow::<_, S, _>($token::here(), chain, data);
            }

            type Buf<'a> = InOutBuf<'a, 'a, u8>;
            // SAFETY: `arch::minalpher` hands the pointers out after it detected the instructions.
            unsafe {
                Kernel {
                    backend: Backend::$token,
                    permute: transmute(permute as unsafe fn(_, _)),
                    encrypt: transmute(step::<Encrypt, Buf<'_>> as unsafe fn(_, _)),
                    encrypt_last: transmute(encrypt_last as unsafe fn(_, _, _)),
                    hash_ciphertext: transmute(step::<HashCiphertext, &[u8]> as unsafe fn(_, _)),
                    decrypt: transmute(step::<Decrypt, Buf<'_>> as unsafe fn(_, _)),
                    hash: transmute(step::<Hash, &[u8]> as unsafe fn(_, _)),
                    wipe_stack: |data_bytes| {
                        if data_bytes >= BLOCK * <$token as Wide>::FROM {
                            clear_stack::<$much>();
                        } else if data_bytes >= BLOCK {
                            clear_stack::<$some>();
                        } else {
                            clear_stack::<$little>();
                        }
                    },
                }
            }
        };
    };
}

kernel! { MINALPHER_AVX2: Avx2, "avx2", 64, 26 or 8 blocks of stack }
kernel! {
    MINALPHER_AVX512: Avx512, "avx512f,avx512bw,avx512vl,avx512vbmi,gfni",
    64, 38 or 8 blocks of stack
}
