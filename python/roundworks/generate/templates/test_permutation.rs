//! The vectors of the description on every back end that this CPU has, one by one and together.

use {{ crate | replace("-", "_") }}::{BLOCK, Backend, permute_with};

/// A block and its image.
const VECTORS: [[&str; 2]; {{ vectors | length }}] = [
{% for row in vectors %}
    ["{{ row | join('", "') }}"],
{% endfor %}
];

fn unhex(text: &str) -> [u8; BLOCK] {
    core::array::from_fn(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap())
}

#[test]
fn vectors() {
    let (blocks, images): (Vec<_>, Vec<_>) = VECTORS.iter().map(|[b, i]| (unhex(b), unhex(i))).unzip();
    for &backend in Backend::ALL {
        for count in 0..=blocks.len() {
            let mut made = blocks[..count].to_vec();
            if permute_with(backend, &mut made).is_none() {
                println!("{backend:?}: skipped, this CPU lacks it");
                break;
            }
            assert_eq!(made, images[..count], "{backend:?}, {count} blocks");
        }
    }
}
