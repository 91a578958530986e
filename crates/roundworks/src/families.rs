//! The lists of what the crate has, of the families that are compiled in.
#![forbid(unsafe_code)]

/// Expands to `$with! { Type "what it is in a line", ... }` with every cipher of this crate, of the
/// families among its features.
///
/// The one list that bindings, benches and tests are generated from: a cipher added here is in
/// all of them.
///
/// ```
/// macro_rules! names {
///     ($($cipher:ident $about:literal,)*) => { [$(roundworks::$cipher::NAME),*] };
/// }
/// assert!(roundworks::for_each_cipher!(names).contains(&"aegis-128"));
/// ```
#[macro_export]
macro_rules! for_each_cipher {
    ($with:ident) => {
        $crate::for_each_streaming_cipher! {
            $with
            areion {
                Areion256Opp "OPP over Areion-256.",
                Areion512Opp "OPP over Areion-512.",
            }
            minalpher {
                Minalpher "Minalpher v1.1, AEAD and MAC.",
            }
        }
    };
}

/// As [`for_each_cipher!`], with those that take a message in pieces as
/// [`Encryptor`](crate::Encryptor) does: what a piece becomes is as long as the piece.
#[macro_export]
macro_rules! for_each_streaming_cipher {
    ($with:ident $($more:ident $entries:tt)*) => {
        $crate::__of_features! { $with [
            aether {
                Aether "AETHER as published: for study only, a forgery of it is known.",
                AetherLb "AETHER with lengths bound: our variant, for study.",
            }
            aegis {
                Aegis128 "AEGIS-128, CAESAR v1.1.",
                Aegis128L "AEGIS-128L.",
                Aegis128LTag32 "AEGIS-128L with a tag of 32 bytes.",
                Aegis128X2 "AEGIS-128X2.",
                Aegis128X2Tag32 "AEGIS-128X2 with a tag of 32 bytes.",
                Aegis128X4 "AEGIS-128X4.",
                Aegis128X4Tag32 "AEGIS-128X4 with a tag of 32 bytes.",
                Aegis256 "AEGIS-256.",
                Aegis256Tag32 "AEGIS-256 with a tag of 32 bytes.",
                Aegis256X2 "AEGIS-256X2.",
                Aegis256X2Tag32 "AEGIS-256X2 with a tag of 32 bytes.",
                Aegis256X4 "AEGIS-256X4.",
                Aegis256X4Tag32 "AEGIS-256X4 with a tag of 32 bytes.",
            }
            rocca {
                RoccaS "Rocca-S.",
            }
            $($more $entries)*
        ] }
    };
}

/// Expands to `$with! { identifier "name" "what it is in a line", ... }` with every permutation that
/// has a name of its own, of the families among the features; any other configuration of the Feistel
/// family and any other number of rounds has a name of the same form.
///
/// The one list that bindings, benches and tests are generated from.
///
/// ```
/// macro_rules! names {
///     ($($id:ident $name:literal $about:literal,)*) => { [$($name),*] };
/// }
/// let names = roundworks::for_each_permutation!(names);
/// assert!(names.contains(&"feistel256:2-0,1-1"));
/// # assert!(names.into_iter().eq(roundworks::permutations()));
/// ```
#[macro_export]
macro_rules! for_each_permutation {
    ($with:ident) => {
        $crate::__of_features! { $with [
            simpira {
                simpira_2 "simpira-2" "Simpira v2 of two words.",
                simpira_4 "simpira-4" "Simpira v2 of four words.",
            }
            haraka {
                haraka_256 "haraka-256" "Haraka-256 v2.",
                haraka_512 "haraka-512" "Haraka-512 v2.",
            }
            areion {
                areion_256 "areion-256" "Areion-256.",
                areion_512 "areion-512" "Areion-512.",
            }
            pholkos {
                pholkos_256 "pholkos-256" "Pholkos-256 without tweak and key.",
                pholkos_512 "pholkos-512" "Pholkos-512 without tweak and key.",
            }
            feistel {
                feistel256_10_20 "feistel256:1-0,2-0" "Feistel-256 (1-0,2-0).",
                feistel256_20_10 "feistel256:2-0,1-0" "Feistel-256 (2-0,1-0).",
                feistel256_20_20 "feistel256:2-0,2-0" "Feistel-256 (2-0,2-0).",
                feistel256_10_11 "feistel256:1-0,1-1" "Feistel-256 (1-0,1-1).",
                feistel256_20_11 "feistel256:2-0,1-1" "Feistel-256 (2-0,1-1).",
                feistel256_20_22 "feistel256:2-0,2-2" "Feistel-256 (2-0,2-2).",
                feistel512_10_20_20_10 "feistel512:1-0,2-0,2-0,1-0" "Feistel-512 (1-0,2-0,2-0,1-0).",
                feistel512_20_10_10_20 "feistel512:2-0,1-0,1-0,2-0" "Feistel-512 (2-0,1-0,1-0,2-0).",
                feistel512_20_10_20_10 "feistel512:2-0,1-0,2-0,1-0" "Feistel-512 (2-0,1-0,2-0,1-0).",
                feistel512_20_20_20_20 "feistel512:2-0,2-0,2-0,2-0" "Feistel-512 (2-0,2-0,2-0,2-0).",
                feistel512_20_22_20_22 "feistel512:2-0,2-2,2-0,2-2" "Feistel-512 (2-0,2-2,2-0,2-2).",
            }
        ] }
    };
}

/// `$with! { ... }` with the entries of the families among the features, in this order.
#[doc(hidden)]
#[macro_export]
macro_rules! __of_features {
    ($with:ident [] $($all:tt)*) => { $with! { $($all)* } };
    ($with:ident [$family:ident $entries:tt $($rest:tt)*] $($all:tt)*) => {
        $crate::feature::$family! { $with $entries [$($rest)*] $($all)* }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __with {
    ($with:ident { $($entries:tt)* } $rest:tt $($all:tt)*) => {
        $crate::__of_features! { $with $rest $($all)* $($entries)* }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __without {
    ($with:ident $entries:tt $rest:tt $($all:tt)*) => {
        $crate::__of_features! { $with $rest $($all)* }
    };
}

/// Whether each family is among the features: decided here, as those of the crate that expands the
/// lists are others.
pub mod feature {
    macro_rules! features {
        ($($family:ident $name:literal)+) => {$(
            #[cfg(feature = $name)]
            pub use crate::__with as $family;
            #[cfg(not(feature = $name))]
            pub use crate::__without as $family;
        )+};
    }
    features! {
        aegis "aegis"
        aether "aether"
        areion "areion"
        feistel "feistel"
        haraka "haraka"
        minalpher "minalpher"
        pholkos "pholkos"
        rocca "rocca"
        simpira "simpira"
    }
}
