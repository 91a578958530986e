//! Why there is no permutation of a name.
#![forbid(unsafe_code)]

use core::fmt;

use super::name::{Rounds, listed};
use crate::feistel::CODES;

/// No permutation has that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnknownPermutation {
    /// None begins so.
    Name,
    /// A number of functions that the size does not have.
    Functions {
        /// 2 or 4.
        want: usize,
        /// How many there were.
        got: usize,
    },
    /// A function that does not exist.
    Function,
    /// Not an order of the words, or their own, which never mixes the halves.
    Shuffle {
        /// How many words.
        words: usize,
    },
    /// A number of rounds for which there are no constants, or half a one where there is none.
    Rounds {
        /// Of which permutation.
        permutation: &'static str,
        /// As many as there are constants for.
        most: Rounds,
        /// Whether the last may be half a one.
        halves: bool,
    },
    /// Of another size than its type.
    Bytes {
        /// Of the type.
        want: usize,
        /// Of the permutation.
        got: usize,
    },
}

impl fmt::Display for UnknownPermutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, names: &[&str]| {
            let mut names = names.iter();
            names
                .try_fold("", |comma, name| write!(f, "{comma}{name}").map(|()| ", "))
                .map(drop)
        };
        f.write_str("permutation: ")?;
        match *self {
            Self::Name => {
                f.write_str("unknown name, want one of ")?;
                let mut names = listed();
                names.try_fold("", |comma, name| write!(f, "{comma}{name}").map(|()| ", "))?;
                if cfg!(feature = "feistel") {
                    f.write_str(", or another configuration of feistel256 and feistel512")?;
                }
                Ok(())
            }
            Self::Functions { want, got } => {
                write!(f, "want {want} functions of ")?;
                list(f, &CODES)?;
                write!(f, ", got {got}")
            }
            Self::Function => {
                f.write_str("unknown function, want one of ")?;
                list(f, &CODES)
            }
            Self::Shuffle { words: 2 } => f.write_str("want the shuffle 1,0 of two words, or none"),
            Self::Shuffle { words } => {
                write!(
                    f,
                    "want a shuffle with every word 0..{} once and not all in place, as 3,0,1,2",
                    words - 1
                )
            }
            Self::Rounds {
                permutation,
                most,
                halves,
            } => {
                let (minimum, steps) = if halves {
                    ("0.5", " in halves")
                } else {
                    ("1", "")
                };
                write!(
                    f,
                    "{permutation} has {minimum} to {most} rounds{steps}, as in {permutation}"
                )?;
                let codes = match permutation {
                    "feistel256" => ":2-0,1-1",
                    "feistel512" => ":2-0,2-2,2-0,2-2",
                    _ => "",
                };
                write!(f, "{codes}:{}", if halves { "3.5" } else { "8" })
            }
            Self::Bytes { want, got } => write!(f, "want one of {want} bytes, got one of {got}"),
        }
    }
}

impl core::error::Error for UnknownPermutation {}
