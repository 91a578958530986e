{% if b.bits == 64 %}
/// At most 8 bytes as a number, the {{ "highest" if b.order == "big" else "lowest" }} first.
#[inline]
fn from_bytes(p: &[u8]) -> u64 {
    p.iter(){{ ".rev()" if b.order == "little" }}.fold(0, |x, &byte| x << 8 | u64::from(byte))
}

#[inline]
fn to_bytes(p: &mut [u8], x: u64) {
    let size = p.len();
    for (i, byte) in p.iter_mut().enumerate() {
{% if b.order == "big" %}
        *byte = (x >> (8 * (size - 1 - i))) as u8;
{% else %}
        let _ = size;
        *byte = (x >> (8 * i)) as u8;
{% endif %}
    }
}
{% elif b.name == "aarch64" %}
{{ feature }}
#[inline]
fn bytes16(low: u64, high: u64) -> V {
    vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(low), vcreate_u64(high)))
}

{{ feature }}
#[inline]
fn to_bytes(p: &mut [u8], x: V) {
    let halves = vreinterpretq_u64_u8(x);
    let mut whole = [0_u8; 16];
    whole[..8].copy_from_slice(&vgetq_lane_u64::<0>(halves).to_le_bytes());
    whole[8..].copy_from_slice(&vgetq_lane_u64::<1>(halves).to_le_bytes());
    p.copy_from_slice(&whole[..p.len()]);
}
{% else %}
{{ feature }}
#[inline]
fn bytes16(low: u64, high: u64) -> V {
    _mm_set_epi64x(high as i64, low as i64)
}

{{ feature }}
#[inline]
fn to_bytes(p: &mut [u8], x: V) {
    let mut whole = [0_u8; 16];
    whole[..8].copy_from_slice(&_mm_cvtsi128_si64(x).to_le_bytes());
    whole[8..].copy_from_slice(&_mm_cvtsi128_si64(_mm_unpackhi_epi64(x, x)).to_le_bytes());
    p.copy_from_slice(&whole[..p.len()]);
}
{% endif %}
{% if b.bits != 64 %}

{{ feature }}
#[inline]
fn from_bytes(p: &[u8]) -> V {
    let mut whole = [0_u8; 16];
    whole[..p.len()].copy_from_slice(p);
    bytes16(
        u64::from_le_bytes(*whole.first_chunk().unwrap()),
        u64::from_le_bytes(*whole.last_chunk().unwrap()),
    )
}
{% endif %}

/// Words of bytes; a last one that is shorter is a number at the end of its word.
{{ feature }}
#[inline]
fn words<const N: usize>(p: &[u8]) -> [V; N] {
{% if b.bits == 64 %}
    let mut out = [0; N];
{% else %}
    let mut out = [bytes16(0, 0); N];
{% endif %}
    for (word, bytes) in out.chunks_exact_mut({{ b.parts }}).zip(p.chunks({{ word }})) {
{% if b.tails.k or b.tails.n %}
        let mut whole = [0_u8; {{ word }}];
        whole[{{ word }} - bytes.len()..].copy_from_slice(bytes);
        let bytes = &whole[..];
{% endif %}
{% if b.bits == 64 %}
        for (value, part) in word.iter_mut().zip(bytes.chunks(8)) {
            *value = from_bytes(part);
        }
{% else %}
        word[0] = from_bytes(bytes);
{% endif %}
    }
    out
}

{{ feature }}
#[inline]
fn bytes<const N: usize>(p: &mut [u8], words: &[V; N]) {
    for (word, bytes) in words.chunks_exact({{ b.parts }}).zip(p.chunks_mut({{ word }})) {
{% if b.bits == 64 %}
        for (&value, part) in word.iter().zip(bytes.chunks_mut(8)) {
            to_bytes(part, value);
        }
{% else %}
        to_bytes(bytes, word[0]);
{% endif %}
    }
}
