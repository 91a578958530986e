{% set feature = '#[target_feature(enable = "' ~ b.features ~ '")]' if b.features else "" %}
{% set P = b.parts %}
//! {{ title }}, {{ b.name }}: made by `roundworks generate`. Above a group of operations stands the line of
//! the description that they compute.

#![allow(clippy::all, unused_assignments, unused_mut, unused_variables)]

{% if b.name == "aarch64" %}
use core::arch::aarch64::*;

{% elif b.bits == 128 %}
use core::arch::x86_64::*;

{% endif %}
use zeroize::Zeroize;

use crate::{KEY, NONCE, RATE, TAG, {{ "encoded, " if sizes.l }}padded_ad, padded_data, whole_blocks};

type V = {{ b.value }};

{% include "values.rs" %}

{% for f in b.functions %}
{{ f }}

{% endfor %}
{% set zero = "0" if b.bits == 64 else "bytes16(0, 0)" %}
/// A whole message in place, whose state stays in registers where there are enough. In a frame of its own, which is
/// cleared afterwards.
{{ feature }}
#[inline(never)]
pub(crate) fn message<const OPEN: bool>(key: &[u8; KEY], nonce: &[u8; NONCE], ad: &[u8], data: &mut [u8], out: &mut [u8; TAG]) {
    let k: [V; {{ b.count.k }}] = words(key);
    let n: [V; {{ b.count.n }}] = words(nonce);
    let mut s = [{{ zero }}; {{ b.count.s }}];
    let mut x = [{{ zero }}; {{ b.count.x }}];
    let mut z = [{{ zero }}; {{ b.count.x }}];
    let mut v = [{{ zero }}; {{ b.count.v }}];
    let mut t = [{{ zero }}; {{ b.count.t }}];
    {{ b.load }}
{{ b.steps.init }}
    let mut blocks = ad.chunks_exact(RATE);
    for block in &mut blocks {
        x = words(block);
{{ b.steps.absorb }}
    }
    let rest = blocks.remainder();
    if !rest.is_empty() || (if ad.is_empty() { {{ ad_padding.empty | lower }} } else { {{ ad_padding.full | lower }} }) {
        x = words(&padded_ad(rest));
{{ b.steps.absorb }}
    }
{{ b.steps.separate }}
    let size = data.len();
    let (whole, rest) = data.split_at_mut(whole_blocks(size));
    for block in whole.chunks_exact_mut(RATE) {
        x = words(block);
        if OPEN {
            {{ b.open }}
        } else {
            {{ b.seal }}
        }
        bytes(block, &z);
    }
    let last = if !rest.is_empty() {
        let (mut stream, mut plain) = ([0; RATE], [0; RATE]);
        {{ b.keystream }}
        bytes(&mut stream, &z);
        for ((byte, key), plain) in rest.iter_mut().zip(&stream).zip(&mut plain) {
            *plain = if OPEN { *byte ^ key } else { *byte };
            *byte ^= key;
        }
        let block = if rest.len() == RATE { plain } else { padded_data(&plain[..rest.len()]) };
        stream.zeroize();
        plain.zeroize();
        Some(block)
    } else if if size == 0 { {{ padding.empty | lower }} } else { {{ padding.full | lower }} } {
        Some(padded_data(&[]))
    } else {
        None
    };
    if let Some(block) = last {
        x = words(&block);
{{ b.steps.last if has_last else "        " ~ b.round }}
    }
{% if sizes.l %}
    let l: [V; {{ b.count.l }}] = words(&encoded(8 * ad.len() as u64, 8 * size as u64));
{% endif %}
{{ b.steps.finalise }}
    {{ b.tag }}
    let mut whole = [0_u8; {{ sizes.t }} * {{ word }}];
    bytes(&mut whole, &t);
    out.copy_from_slice(&whole[..TAG]);
}

/// What a message left below its caller: its arrays, and what registers had no place for; then what is in registers.
{{ feature }}
#[inline(never)]
pub(crate) fn clear() {
{% if b.bits == 64 %}
    let mut stack = core::mem::MaybeUninit::uninit();
    zeroize::optimization_barrier(stack.write([0_u64; {{ b.stack // 8 }}]));
{% else %}
    let mut stack = [const { core::mem::MaybeUninit::<V>::uninit() }; {{ b.stack // 16 }}];
    for part in &mut stack {
        // SAFETY: it is borrowed. Not `memset`, which takes longer than a short message.
        unsafe { core::ptr::write_volatile(part.as_mut_ptr(), {{ zero }}) };
    }
{% endif %}
{% if b.registers == "avx512" %}
    crate::clear_registers!(avx512);
{% elif b.registers == "avx" %}
    #[cfg(not(target_feature = "avx512f"))]
    crate::clear_registers!(avx);
    #[cfg(target_feature = "avx512f")]
    crate::clear_registers!(avx512);
{% else %}
    crate::clear_any_registers();
{% endif %}
}
