//! Minalpher on x86-64.

mod narrow;
mod wide256;
mod wide512;

use inout::InOutBuf;

use super::{Avx2, Avx512};
use crate::backend::Backend;
use crate::minalpher::lanes::BLOCK;
use crate::minalpher::mode::{self, Chain, Engine, Kernel, LAST};
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

macro_rules! kernel {
    ($name:ident: $token:ident, $features:literal, $much:literal or $little:literal bytes of stack) => {
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
            wipe_stack: mode::wipe_stack::<$token, $much, $little>,
        };
    };
}

kernel! { MINALPHER_AVX2: Avx2, "avx2", 16384 or 2048 bytes of stack }
kernel! {
    MINALPHER_AVX512: Avx512, "avx512f,avx512bw,avx512vl,avx512vbmi,gfni", 16384 or 2048 bytes of stack
}
