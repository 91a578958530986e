//! libaegis, through the crate `aegis`: its C code, which chooses instructions at run time.

use roundworks_bench::{Entry, InPlace, counting};

/// The members of the family that libaegis has; AEGIS-128 is not one.
pub fn entries() -> Vec<Entry> {
    macro_rules! entry {
        ($name:literal, $module:ident, $cipher:ident) => {{
            let seal = |ad: &[u8], data: &mut [u8], tag: &mut [u8]| {
                let keyed = aegis::$module::$cipher::<16>::new(&counting(), &counting());
                tag.copy_from_slice(&keyed.encrypt_in_place(data, ad));
            };
            Entry {
                cipher: $name,
                library: "libaegis",
                version: "0.9.20".into(),
                backend: "run-time",
                many: None,
                witness: false,
                subject: Box::new(InPlace {
                    tag_bytes: 16,
                    first: seal, // no key is kept: every message is a first one
                    encrypt: seal,
                    decrypt: |ad: &[u8], data: &mut [u8], tag: &[u8]| {
                        let keyed = aegis::$module::$cipher::<16>::new(&counting(), &counting());
                        let tag = tag.try_into().expect("16 bytes");
                        keyed.decrypt_in_place(data, &tag, ad).is_ok()
                    },
                }),
            }
        }};
    }
    vec![
        entry!("aegis-128l", aegis128l, Aegis128L),
        entry!("aegis-128x2", aegis128x2, Aegis128X2),
        entry!("aegis-128x4", aegis128x4, Aegis128X4),
        entry!("aegis-256", aegis256, Aegis256),
        entry!("aegis-256x2", aegis256x2, Aegis256X2),
        entry!("aegis-256x4", aegis256x4, Aegis256X4),
    ]
}
