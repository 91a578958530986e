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
use crate::{NONCE, RATE, State, TAG};

type V = {{ b.value }};

{% include "values.rs" %}

{% for f in b.functions %}
{{ f }}

{% endfor %}
{{ feature }}
#[inline]
fn get(state: &State) -> [V; {{ sizes.s * P }}] {
{% if b.bits == 64 %}
    *state.0.first_chunk().unwrap()
{% else %}
    let mut s = [bytes16(0, 0); {{ sizes.s }}];
    for (value, half) in s.iter_mut().zip(state.0.chunks_exact(2)) {
        *value = bytes16(half[0], half[1]);
    }
    s
{% endif %}
}

{{ feature }}
#[inline]
fn put(state: &mut State, s: &[V; {{ sizes.s * P }}]) {
{% if b.bits == 64 %}
    state.0[..s.len()].copy_from_slice(s);
{% else %}
    for (&value, half) in s.iter().zip(state.0.chunks_exact_mut(2)) {
        let mut whole = [0_u8; 16];
        to_bytes(&mut whole, value);
        half[0] = u64::from_le_bytes(*whole.first_chunk().unwrap());
        half[1] = u64::from_le_bytes(*whole.last_chunk().unwrap());
    }
{% endif %}
}

{% set zero = "0" if b.bits == 64 else "bytes16(0, 0)" %}
{{ feature }}
pub(crate) fn start(state: &mut State, key: &[u8], nonce: &[u8; NONCE]) {
    let k: [V; {{ sizes.k * P }}] = words(key);
    let n: [V; {{ sizes.n * P }}] = words(nonce);
    let mut s = [{{ zero }}; {{ sizes.s * P }}];
    let mut x = [{{ zero }}; {{ sizes.x * P }}];
    let mut v = [{{ zero }}; {{ b.kept * P }}];
    {{ b.load }}
{{ b.steps.init }}
    put(state, &s);
}

/// Blocks of associated data.
{{ feature }}
pub(crate) fn absorb(state: &mut State, data: &[u8]) {
    let mut s = get(state);
    for block in data.chunks_exact(RATE) {
        let mut x: [V; {{ sizes.x * P }}] = words(block);
{{ b.steps.absorb }}
    }
    put(state, &s);
}

{{ feature }}
pub(crate) fn separate(state: &mut State) {
    let mut s = get(state);
    let mut x = [{{ zero }}; {{ sizes.x * P }}];
{{ b.steps.separate }}
    put(state, &s);
}

/// Whole blocks of a message in place, none of them one that is absorbed as the last.
{{ feature }}
pub(crate) fn crypt<const OPEN: bool>(state: &mut State, data: &mut [u8]) {
    let mut s = get(state);
    for block in data.chunks_exact_mut(RATE) {
        let mut x: [V; {{ sizes.x * P }}] = words(block);
        let mut z = [{{ zero }}; {{ sizes.x * P }}];
        {{ b.keystream }}
        for (z, x) in z.iter_mut().zip(&x) {
            *z = {{ "*z ^ *x" if b.bits == 64 else "veorq_u8(*z, *x)" if b.name == "aarch64" else "_mm_xor_si128(*z, *x)" }};
        }
        bytes(block, &z);
        if OPEN {
            x = z;
        }
        {{ b.round }}
    }
    put(state, &s);
}

/// The keystream of the block that begins.
{{ feature }}
pub(crate) fn stream(state: &State, out: &mut [u8; RATE]) {
    let s = get(state);
    let mut z = [{{ zero }}; {{ sizes.x * P }}];
    {{ b.keystream }}
    bytes(out, &z);
}

/// A block of message whose keystream was used; the last one, or not.
{{ feature }}
pub(crate) fn take<const LAST: bool>(state: &mut State, block: &[u8; RATE]) {
    let mut s = get(state);
    let mut x: [V; {{ sizes.x * P }}] = words(block);
{% if has_last %}
    if LAST {
{{ b.steps.last }}
    } else {
        {{ b.round }}
    }
{% else %}
    {{ b.round }}
{% endif %}
    put(state, &s);
}

{{ feature }}
pub(crate) fn finish(state: &State, key: &[u8], lengths: &[u8], out: &mut [u8; TAG]) {
    let mut s = get(state);
    let k: [V; {{ sizes.k * P }}] = words(key);
{% if sizes.l %}
    let l: [V; {{ sizes.l * P }}] = words(lengths);
{% endif %}
    let mut x = [{{ zero }}; {{ sizes.x * P }}];
    let mut v = [{{ zero }}; {{ b.kept * P }}];
    let mut t = [{{ zero }}; {{ sizes.t * P }}];
{{ b.steps.finalise }}
    {{ b.tag }}
    let mut whole = [0_u8; {{ sizes.t }} * {{ word }}];
    bytes(&mut whole, &t);
    out.copy_from_slice(&whole[..TAG]);
}
