//! {{ title }}{% if summary %}: {{ summary }}{% endif %}

//!
//! Made by `roundworks generate` from the description of the cipher; make it again rather than edit it.
{% if cipher.warning %}
//! {{ cipher.warning }}
{% endif %}
//!
//! Nothing is looked up in memory by a secret, and no branch depends on one. A nonce must never serve
//! twice under one key.

#![no_std]
#![warn(missing_docs)]

#[cfg(feature = "std")]
extern crate std;

{% for b in backends %}
{% if b.cfg %}
#[cfg({{ b.cfg }})]
{% endif %}
mod {{ b.name }};
{% endfor %}

pub use aead;
use aead::array::typenum::consts;
use aead::inout::InOutBuf;
use aead::{AeadCore, AeadInOut, Error, Key, KeyInit, KeySizeUser, Nonce, Tag, TagPosition};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Bytes of a key.
pub const KEY: usize = {{ key }};
/// Bytes of a nonce.
pub const NONCE: usize = {{ nonce }};
/// Bytes of a tag.
pub const TAG: usize = {{ tag }};
const RATE: usize = {{ rate }};

{% include "backends.rs" %}

/// The cipher under a key, which is wiped when it goes.
#[derive(Clone)]
pub struct {{ type }} {
    key: [u8; KEY],
    backend: Backend,
}

impl Drop for {{ type }} {
    fn drop(&mut self) {
        self.key.zeroize();
    }
}

impl ZeroizeOnDrop for {{ type }} {}

impl {{ type }} {
    /// Under a key, on a back end; `None` where this CPU lacks it.
    pub fn with_backend(key: &[u8; KEY], backend: Backend) -> Option<Self> {
        backend.is_available().then_some(Self { key: *key, backend })
    }

    /// Encrypt in place; the tag.
    pub fn encrypt_in_place(&self, nonce: &[u8; NONCE], ad: &[u8], data: &mut [u8]) -> [u8; TAG] {
        let mut tag = [0; TAG];
        on!(self.backend, message::<false>(&self.key, nonce, ad, data, &mut tag));
        on!(self.backend, clear());
        tag
    }

    /// Decrypt in place.
    ///
    /// # Errors
    ///
    /// If the tag does not belong to the message; `data` is all zero then.
    pub fn decrypt_in_place(
        &self,
        nonce: &[u8; NONCE],
        ad: &[u8],
        data: &mut [u8],
        tag: &[u8; TAG],
    ) -> Result<(), Error> {
        let mut want = [0; TAG];
        on!(self.backend, message::<true>(&self.key, nonce, ad, data, &mut want));
        let refused = different(&want, tag);
        want.zeroize();
        if refused {
            data.zeroize();
        }
        on!(self.backend, clear());
        if refused { Err(Error) } else { Ok(()) }
    }
}

/// In a time that does not depend on the tags, and in a frame of its own, which is cleared afterwards.
#[inline(never)]
fn different(a: &[u8; TAG], b: &[u8; TAG]) -> bool {
    opaque(a.iter().zip(b).fold(0, |bits, (a, b)| bits | u64::from(a ^ b))) != 0
}

/// A number of which a compiler knows nothing, in a register where it can be: `black_box` leaves it on the stack.
fn opaque(number: u64) -> u64 {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        let mut number = number;
        // SAFETY: no instruction.
        unsafe { core::arch::asm!("/* {0} */", inout(reg) number, options(pure, nomem, nostack, preserves_flags)) };
        number
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    core::hint::black_box(number)
}

/// Registers after use, where a call leaves what it computed with until another needs them. Those that a function has
/// to keep have again what its caller had there. Given the instructions for those of each kind.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! clear_registers {
    (sse) => { $crate::clear_registers!(x86 r"pxor xmm\i, xmm\i",) };
    (avx) => { $crate::clear_registers!(x86 r"vpxor xmm\i, xmm\i, xmm\i",) };
    (avx512) => {
        $crate::clear_registers!(
            x86 r"vpxor xmm\i, xmm\i, xmm\i",
            ".irp i, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
            r"vpxord zmm\i, zmm\i, zmm\i",
            ".endr",
            ".irp i, 0, 1, 2, 3, 4, 5, 6, 7",
            r"kxorw k\i, k\i, k\i",
            ".endr",
        )
    };
    (x86 $first:literal, $($more:literal,)*) => {
        // SAFETY: only registers are changed, and those are declared.
        unsafe {
            core::arch::asm!(
                ".irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
                $first,
                ".endr",
                $($more,)*
                ".irp r, eax, ecx, edx, esi, edi, r8d, r9d, r10d, r11d",
                r"xor \r, \r",
                ".endr",
                clobber_abi("sysv64"),
                options(nomem, nostack)
            );
        }
    };
    (neon) => {
        // SAFETY: as above.
        unsafe {
            core::arch::asm!(
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
    };
}
#[cfg(target_arch = "x86_64")]
pub(crate) use clear_registers;

{% if backends | rejectattr("registers") | list %}
/// By what the whole crate is compiled for.
fn clear_any_registers() {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx512f"))]
    clear_registers!(avx512);
    #[cfg(all(target_arch = "x86_64", target_feature = "avx", not(target_feature = "avx512f")))]
    clear_registers!(avx);
    #[cfg(all(target_arch = "x86_64", not(target_feature = "avx")))]
    clear_registers!(sse);
    #[cfg(target_arch = "aarch64")]
    clear_registers!(neon);
}

{% endif %}
/// Bytes of the blocks of a message that are whole and none of which is absorbed as the last one.
fn whole_blocks(size: usize) -> usize {
{% if has_last and not padding.full %}
    size.saturating_sub(1) / RATE * RATE
{% else %}
    size / RATE * RATE
{% endif %}
}

{% macro pad(name, rule) %}
fn {{ name }}(data: &[u8]) -> [u8; RATE] {
    let mut block = [0; RATE];
    block[..data.len()].copy_from_slice(data);
{% if rule.table %}
    const PADDING: [[u8; RATE]; RATE] = [
{% for row in rule.table %}
        [{{ row | hex }}],
{% endfor %}
    ];
    block[data.len()..].copy_from_slice(&PADDING[data.len()][data.len()..]);
{% elif rule.first %}
    block[data.len()] = {{ "0x%02x" % rule.first }};
{% endif %}
    block
}
{% endmacro %}
{{ pad("padded_ad", ad_padding) }}
{{ pad("padded_data", padding) }}
{% if lengths %}
/// The words that the lengths make, from both in bits.
fn encoded(ad_bits: u64, data_bits: u64) -> [u8; {{ lengths | length * word }}] {
    let mut words = [
{% for l in lengths %}
        {{ l.start | hex }},
{% endfor %}
    ];
{% for l in lengths %}
{% set at = loop.index0 * word %}
{% for place in l.places %}
{% set number = ("ad_bits", "data_bits")[loop.index0] %}
{% if place is none %}
    const ADDED_{{ at }}_{{ loop.index0 }}: [[u8; {{ word }}]; 64] = [
{% for row in l.tables[loop.index0] %}
        [{{ row | hex }}],
{% endfor %}
    ];
    for (i, row) in ADDED_{{ at }}_{{ loop.index0 }}.iter().enumerate() {
        for (byte, added) in words[{{ at }}..].iter_mut().zip(row) {
            *byte ^= if {{ number }} >> i & 1 == 1 { *added } else { 0 };
        }
    }
{% elif place[0] != "none" %}
    for (byte, added) in words[{{ at + place[1] }}..].iter_mut().zip({{ number }}.to_{{ "be" if place[0] == "big" else "le" }}_bytes()) {
        *byte ^= added;
    }
{% endif %}
{% endfor %}
{% endfor %}
    words
}

{% endif %}
impl KeySizeUser for {{ type }} {
    type KeySize = consts::U{{ key }};
}

impl KeyInit for {{ type }} {
    fn new(key: &Key<Self>) -> Self {
        Self { key: key.0, backend: Backend::best() }
    }
}

impl AeadCore for {{ type }} {
    type NonceSize = consts::U{{ nonce }};
    type TagSize = consts::U{{ tag }};
    const TAG_POSITION: TagPosition = TagPosition::Postfix;
}

impl AeadInOut for {{ type }} {
    fn encrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        ad: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
    ) -> Result<Tag<Self>, Error> {
        Ok(self.encrypt_in_place(&nonce.0, ad, buffer.into_out_with_copied_in()).into())
    }

    fn decrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        ad: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
        tag: &Tag<Self>,
    ) -> Result<(), Error> {
        self.decrypt_in_place(&nonce.0, ad, buffer.into_out_with_copied_in(), &tag.0)
    }
}
