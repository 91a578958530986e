//! The lists of what the crate has, of the families that are compiled in.
#![forbid(unsafe_code)]

/// Expands to `$with! { Type "what it is in a line", ... }` with every cipher of this crate, of the
/// families among its features.
///
/// The one list that bindings, benches and tests are generated from: a cipher added here is in
/// all of them.
///
/// ```
/// assert!(roundworks::for_each_cipher!(stringify).contains("Aegis128L"));
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

/// As [`for_each_cipher!`], with those that take a message incrementally as
/// [`Encryptor`](crate::Encryptor) does: what a part becomes is as long as the part.
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

/// `$with! { ... }` with the entries of the families among the features, in this order: a family that is
/// among them is this macro by another name, one that is not is the next.
#[doc(hidden)]
#[macro_export]
macro_rules! __of_features {
    ($with:ident [] $($all:tt)*) => { $with! { $($all)* } };
    ($with:ident [$family:ident $entries:tt $($rest:tt)*] $($all:tt)*) => {
        $crate::feature::$family! { $with $entries [$($rest)*] $($all)* }
    };
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

/// Whether each family of ciphers is among the features: decided here, as those of the crate that expands
/// the lists are others.
pub mod feature {
    #[cfg(feature = "aegis")]
    pub use crate::__of_features as aegis;
    #[cfg(feature = "aether")]
    pub use crate::__of_features as aether;
    #[cfg(feature = "areion")]
    pub use crate::__of_features as areion;
    #[cfg(feature = "minalpher")]
    pub use crate::__of_features as minalpher;
    #[cfg(feature = "rocca")]
    pub use crate::__of_features as rocca;
    #[cfg(not(feature = "aegis"))]
    pub use crate::__without as aegis;
    #[cfg(not(feature = "aether"))]
    pub use crate::__without as aether;
    #[cfg(not(feature = "areion"))]
    pub use crate::__without as areion;
    #[cfg(not(feature = "minalpher"))]
    pub use crate::__without as minalpher;
    #[cfg(not(feature = "rocca"))]
    pub use crate::__without as rocca;
}
