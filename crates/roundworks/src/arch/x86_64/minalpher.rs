//! Minalpher on x86-64.

mod narrow;
mod wide256;
mod wide512;

use inout::InOutBuf;
use zeroize::zeroize_stack;

use super::{Avx2, Avx512, DETECTED};
use crate::backend::Backend;
use crate::minalpher::lanes::BLOCK;
use crate::minalpher::mode::{self, Chain, Engine, Kernel, LAST};
pub(crate) use narrow::Narrow;
pub(crate) use wide256::Wide256;
pub(crate) use wide512::Wide512;

impl Engine for Avx2 {
    type Wide = Wide256;
    type Narrow = Narrow;
    const WIDE_FROM: usize = 24;

    #[inline(always)]
    fn wide(self) -> Wide256 {
        Wide256(self)
    }

    #[inline(always)]
    fn narrow(self) -> Narrow {
        Narrow(self)
    }
}

impl Engine for Avx512 {
    type Wide = Wide512;
    type Narrow = Narrow;
    const WIDE_FROM: usize = 28;

    #[inline(always)]
    fn wide(self) -> Wide512 {
        Wide512(self)
    }

    #[inline(always)]
    fn narrow(self) -> Narrow {
        Narrow(Avx2::detect().expect("AVX-512 F includes AVX2"))
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
            let cpu = $token::detect().expect(DETECTED);
            // SAFETY: `cpu` proves the features.
            unsafe { run(cpu, $($name),+) }
        }
        enter
    }};
}

macro_rules! kernel {
    ($name:ident: $token:ident, $features:literal, $stack:literal bytes of stack) => {
        pub(crate) static $name: Kernel = Kernel {
            backend: Backend::$token,
            permute: entry!($token, $features, permute(blocks: &mut [u8; LAST * BLOCK])),
            encrypt: entry!(
                $token, $features, encrypt(chain: &mut Chain, data: InOutBuf<'_, '_, u8>)
            ),
            encrypt_last: entry!(
                $token, $features,
                encrypt_last(chain: &mut Chain, blocks: &mut [u8; LAST * BLOCK], n: usize)
            ),
            hash_ciphertext: entry!(
                $token, $features, hash_ciphertext(chain: &mut Chain, data: &[u8])
            ),
            decrypt: entry!(
                $token, $features, decrypt(chain: &mut Chain, data: InOutBuf<'_, '_, u8>)
            ),
            hash: entry!($token, $features, hash(chain: &mut Chain, data: &[u8])),
            wipe_stack: zeroize_stack::<$stack>,
        };
    };
}

kernel! { MINALPHER_AVX2: Avx2, "avx2", 16384 bytes of stack }
kernel! {
    MINALPHER_AVX512: Avx512, "avx512f,avx512bw,avx512vl,avx512vbmi,gfni", 16384 bytes of stack
}
