{% set feature = '#[target_feature(enable = "' ~ b.features ~ '")]' if b.features else "" %}
//! {{ title }}, {{ b.name }}: made by `roundworks generate`. Above a group of operations stands the line of
//! the description that they compute.

#![allow(clippy::all, unused_assignments, unused_mut, unused_variables)]

{% if b.name == "aarch64" %}
use core::arch::aarch64::*;

{% elif b.bits == 128 %}
use core::arch::x86_64::*;

{% endif %}
use crate::BLOCK;

type V = {{ b.value }};

{% include "values.rs" %}

{% for f in b.functions %}
{{ f }}

{% endfor %}
{% for r in b.runs if r.table %}
/// Constants of the {{ r.times }} rounds.
const {{ r.name | upper }}: [[u64; {{ r.row }}]; {{ r.times }}] = [
{% for row in r.table %}
    [{{ row }}],
{% endfor %}
];

{% endfor %}
/// `N` blocks, interleaved.
{{ feature }}
fn several<const N: usize>(data: &mut [u8]) {
    let mut s: [[V; {{ b.words }}]; N] = core::array::from_fn(|j| words(&data[BLOCK * j..BLOCK * (j + 1)]));
{% for r in b.runs %}
    for i in 0..{{ r.times }} {
{% if r.table %}
        let c: [V; {{ r.constants }}] = {% if b.bits == 64 %}{{ r.name | upper }}[i]{% else %}core::array::from_fn(|k| bytes16({{ r.name | upper }}[i][2 * k], {{ r.name | upper }}[i][2 * k + 1])){% endif %};
{% endif %}
        for s in &mut s {
{% if r.alone != r.name %}
            if N == 1 {
                {{ r.alone }}(s{{ ", &c" if r.table }});
            } else {
                {{ r.name }}(s{{ ", &c" if r.table }});
            }
{% else %}
            {{ r.name }}(s{{ ", &c" if r.table }});
{% endif %}
        }
    }
{% endfor %}
    for (j, s) in s.iter().enumerate() {
        bytes(&mut data[BLOCK * j..BLOCK * (j + 1)], s);
    }
}

{{ feature }}
pub(crate) fn permute(blocks: &mut [u8]) {
    let mut groups = blocks.chunks_exact_mut({{ b.blocks }} * BLOCK);
    for group in &mut groups {
        several::<{{ b.blocks }}>(group);
    }
    for block in groups.into_remainder().chunks_exact_mut(BLOCK) {
        several::<1>(block);
    }
}
