//! {{ title }}{% if summary %}: {{ summary }}{% endif %}

//!
//! Made by `roundworks generate` from the description of the permutation; make it again rather than edit it.
//! Nothing is looked up in memory by a secret, and no branch depends on one.

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

/// Bytes of a block.
pub const BLOCK: usize = {{ block }};

{% include "backends.rs" %}

/// Every block becomes its image.
pub fn permute(blocks: &mut [[u8; BLOCK]]) {
    on!(Backend::best(), permute(blocks.as_flattened_mut()));
}

/// The same on a back end; `None`, and nothing is done, where this CPU lacks it.
pub fn permute_with(backend: Backend, blocks: &mut [[u8; BLOCK]]) -> Option<()> {
    backend.is_available().then(|| on!(backend, permute(blocks.as_flattened_mut())))
}
