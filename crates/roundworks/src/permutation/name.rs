//! What a permutation is called, and what the name stands for.
#![forbid(unsafe_code)]

use core::fmt;
use core::str::FromStr;

use super::Parameters;
use super::kernel::Kernel;
#[cfg(any(
    feature = "areion",
    feature = "haraka",
    feature = "pholkos",
    feature = "simpira"
))]
use crate::arch::permuting;
#[cfg(feature = "areion")]
use crate::areion::Areion;
use crate::backend::Backend;
use crate::feistel::{CODES, FOUND_256, FOUND_512, SHUFFLE};
#[cfg(feature = "haraka")]
use crate::haraka::Haraka;
#[cfg(feature = "pholkos")]
use crate::pholkos::Pholkos;
#[cfg(feature = "simpira")]
use crate::simpira::Simpira;

/// A number of rounds; of Haraka and Pholkos the last may be half a one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rounds {
    halves: u16,
}

impl Rounds {
    /// That many.
    #[must_use]
    pub const fn whole(rounds: u8) -> Self {
        Self {
            halves: 2 * rounds as u16,
        }
    }

    /// That many, and half a one.
    #[must_use]
    pub const fn and_a_half(rounds: u8) -> Self {
        Self {
            halves: 2 * rounds as u16 + 1,
        }
    }

    #[inline(always)]
    pub(crate) fn halves(self) -> usize {
        self.halves.into()
    }
}

impl From<Rounds> for f64 {
    fn from(rounds: Rounds) -> Self {
        Self::from(rounds.halves) / 2.0
    }
}

impl fmt::Display for Rounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let half = if self.halves % 2 == 1 { ".5" } else { "" };
        write!(f, "{}{half}", self.halves / 2)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Simpira2,
    Simpira4,
    Haraka256,
    Haraka512,
    Areion256,
    Areion512,
    Pholkos256,
    Pholkos512,
    Feistel256,
    Feistel512,
}

/// What is fixed about a kind.
pub struct Facts {
    kind: Kind,
    pub(super) name: &'static str,
    words: usize,
    /// Whether its family is among the features.
    written: bool,
    /// As its designers set them; of the Feistel family, of those that its paper does not list.
    rounds: u8,
    /// As many as there are constants for.
    most: Rounds,
    halves: bool,
}

#[rustfmt::skip] // a table
const KINDS: &[Facts] = &[
    // name, family among the features, words, rounds, at most, halves
    facts(Kind::Simpira2, "simpira-2", cfg!(feature = "simpira"), 2, 15, Rounds::whole(64), false),
    facts(Kind::Simpira4, "simpira-4", cfg!(feature = "simpira"), 4, 15, Rounds::whole(64), false),
    facts(Kind::Haraka256, "haraka-256", cfg!(feature = "haraka"), 2, 5, Rounds::whole(10), true),
    facts(Kind::Haraka512, "haraka-512", cfg!(feature = "haraka"), 4, 5, Rounds::whole(5), true),
    facts(Kind::Areion256, "areion-256", cfg!(feature = "areion"), 2, 10, Rounds::whole(64), false),
    facts(Kind::Areion512, "areion-512", cfg!(feature = "areion"), 4, 15, Rounds::whole(64), false),
    facts(Kind::Pholkos256, "pholkos-256", cfg!(feature = "pholkos"), 2, 8, Rounds::and_a_half(19), true),
    facts(Kind::Pholkos512, "pholkos-512", cfg!(feature = "pholkos"), 4, 10, Rounds::and_a_half(19), true),
    facts(Kind::Feistel256, "feistel256", cfg!(feature = "feistel"), 2, 8, Rounds::whole(64), false),
    facts(Kind::Feistel512, "feistel512", cfg!(feature = "feistel"), 4, 10, Rounds::whole(32), false),
];

const fn facts(
    kind: Kind,
    name: &'static str,
    written: bool,
    words: usize,
    rounds: u8,
    most: Rounds,
    halves: bool,
) -> Facts {
    Facts {
        kind,
        name,
        words,
        written,
        rounds,
        most,
        halves,
    }
}

/// Of every kind but the Feistel family the name; of that what [AESNI-PERM] found.
const FEISTEL: [&str; 11] = [
    "feistel256:1-0,2-0",
    "feistel256:2-0,1-0",
    "feistel256:2-0,2-0",
    "feistel256:1-0,1-1",
    "feistel256:2-0,1-1",
    "feistel256:2-0,2-2",
    "feistel512:1-0,2-0,2-0,1-0",
    "feistel512:2-0,1-0,1-0,2-0",
    "feistel512:2-0,1-0,2-0,1-0",
    "feistel512:2-0,2-0,2-0,2-0",
    "feistel512:2-0,2-2,2-0,2-2",
];

/// The permutations that have a name of their own, of the families among the features.
pub(super) fn listed() -> impl Iterator<Item = &'static str> {
    let written = KINDS.iter().filter(|facts| facts.written);
    let designs = written.filter(|facts| !facts.kind.is_feistel());
    let result = FEISTEL.iter().filter(|_| cfg!(feature = "feistel"));
    designs.map(|facts| facts.name).chain(result.copied())
}

impl Kind {
    pub(super) fn facts(self) -> &'static Facts {
        &KINDS[self as usize]
    }

    fn is_feistel(self) -> bool {
        matches!(self, Self::Feistel256 | Self::Feistel512)
    }
}

/// Name of a permutation: its family and size, the functions and the shuffle if it is of the Feistel
/// family, and how many rounds. It prints in the shortest form.
///
/// ```
/// use roundworks::PermutationName;
///
/// let name: PermutationName = "feistel256:2-0,1-1:5".parse()?;
/// assert_eq!((name.to_string().as_str(), name.block_bytes()), ("feistel256:2-0,1-1", 32));
/// # Ok::<(), roundworks::UnknownPermutation>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PermutationName {
    pub(super) kind: Kind,
    pub(super) parameters: Parameters,
}

impl PermutationName {
    /// Size of a block, in bytes.
    #[must_use]
    pub fn block_bytes(&self) -> usize {
        16 * self.kind.facts().words
    }

    /// How many rounds.
    #[must_use]
    pub fn rounds(&self) -> Rounds {
        self.parameters.rounds
    }

    /// The rounds without any in the name: as designed, or as in the tables of the paper.
    fn standard_rounds(&self) -> Rounds {
        let Parameters {
            functions, shuffle, ..
        } = self.parameters;
        let two = FOUND_256
            .iter()
            .find(|(found, _)| self.kind == Kind::Feistel256 && found[..] == functions[..2]);
        let four = FOUND_512.iter().find(|(found, _)| {
            self.kind == Kind::Feistel512 && *found == functions && shuffle == SHUFFLE
        });
        let listed = two.map(|found| found.1).or(four.map(|found| found.1));
        Rounds::whole(listed.unwrap_or(self.kind.facts().rounds))
    }

    /// As that many rounds of it.
    ///
    /// # Errors
    ///
    /// [`UnknownPermutation::Rounds`] if it cannot have that many, or no half one.
    pub fn with_rounds(mut self, rounds: Rounds) -> Result<Self, UnknownPermutation> {
        let facts = self.kind.facts();
        let odd = rounds.halves % 2 == 1 && !facts.halves;
        if rounds.halves == 0 || rounds > facts.most || odd {
            return Err(UnknownPermutation::Rounds {
                permutation: facts.name,
                most: facts.most,
                halves: facts.halves,
            });
        }
        self.parameters.rounds = rounds;
        Ok(self)
    }
}

impl fmt::Display for PermutationName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let facts = self.kind.facts();
        f.write_str(facts.name)?;
        let Parameters {
            rounds,
            functions,
            shuffle,
        } = self.parameters;
        if self.kind.is_feistel() {
            for (i, &code) in functions[..facts.words].iter().enumerate() {
                let before = if i == 0 { ":" } else { "," };
                write!(f, "{before}{}", CODES[usize::from(code)])?;
            }
        }
        if self.kind == Kind::Feistel512 && shuffle != SHUFFLE {
            let [a, b, c, d] = shuffle;
            write!(f, "/{a},{b},{c},{d}")?;
        }
        if rounds != self.standard_rounds() {
            write!(f, ":{rounds}")?;
        }
        Ok(())
    }
}

impl FromStr for PermutationName {
    type Err = UnknownPermutation;

    fn from_str(name: &str) -> Result<Self, UnknownPermutation> {
        let (base, rest) = name
            .split_once(':')
            .map_or((name, None), |(b, r)| (b, Some(r)));
        let facts = KINDS
            .iter()
            .find(|facts| facts.written && facts.name == base)
            .ok_or(UnknownPermutation::Name)?;
        let mut parameters = Parameters::of_rounds(facts.rounds);
        let mut rounds = rest;
        if facts.kind.is_feistel() {
            let rest = rest.unwrap_or_default();
            let (configuration, last) = rest
                .split_once(':')
                .map_or((rest, None), |(c, r)| (c, Some(r)));
            rounds = last;
            let (functions, shuffle) = configuration
                .split_once('/')
                .map_or((configuration, None), |(f, s)| (f, Some(s)));
            parameters.functions = read_functions(functions, facts.words)?;
            if let Some(shuffle) = shuffle {
                parameters.shuffle = read_shuffle(shuffle, facts.words)?;
            }
        }
        let mut result = Self {
            kind: facts.kind,
            parameters,
        };
        result.parameters.rounds = result.standard_rounds();
        match rounds {
            None => Ok(result),
            Some(rounds) => result.with_rounds(read_rounds(rounds)),
        }
    }
}

fn read_functions(text: &str, words: usize) -> Result<[u8; 4], UnknownPermutation> {
    let mut functions = [0; 4];
    let actual = text.split(',').count();
    if actual != words {
        return Err(UnknownPermutation::Functions {
            want: words,
            got: actual,
        });
    }
    for (function, code) in functions.iter_mut().zip(text.split(',')) {
        let place = CODES.iter().position(|&known| known == code);
        *function = place.ok_or(UnknownPermutation::Function)? as u8;
    }
    Ok(functions)
}

/// Of two words there is one, which is not looked at.
fn read_shuffle(text: &str, words: usize) -> Result<[u8; 4], UnknownPermutation> {
    let mut shuffle = [0; 4];
    let mut seen = [false; 4];
    let mut count = 0;
    for word in text.split(',') {
        let place = (0..words).find(|&i| word.as_bytes() == [b'0' + i as u8] && !seen[i]);
        let place = place.ok_or(UnknownPermutation::Shuffle { words })?;
        seen[place] = true;
        shuffle[count] = place as u8;
        count += 1;
    }
    // The order of the words themselves never mixes the halves.
    if count != words || (0..words).all(|i| usize::from(shuffle[i]) == i) {
        return Err(UnknownPermutation::Shuffle { words });
    }
    Ok(if words == 2 { SHUFFLE } else { shuffle })
}

/// What cannot be read is no number of rounds: 0, which is refused.
fn read_rounds(text: &str) -> Rounds {
    let (whole, half) = match text.strip_suffix(".5") {
        Some(whole) => (whole, true),
        None => (text, false),
    };
    let digits = whole.bytes().all(|c| c.is_ascii_digit());
    match whole.parse() {
        Ok(rounds) if digits && half => Rounds::and_a_half(rounds),
        Ok(rounds) if digits => Rounds::whole(rounds),
        _ => Rounds::whole(0),
    }
}

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

/// The kernel of a permutation of `W` words, if this CPU has the back end. There is no name of a family
/// that is not among the features.
pub trait Kernels<const W: usize> {
    fn kernel(self, p: &Parameters, backend: Backend) -> Option<&'static Kernel<W>>;
}

#[cfg_attr(not(feature = "permutations"), allow(unused_variables))]
impl Kernels<2> for Kind {
    fn kernel(self, p: &Parameters, backend: Backend) -> Option<&'static Kernel<2>> {
        match self {
            #[cfg(feature = "simpira")]
            Self::Simpira2 => permuting::<Simpira, _, 2>(backend),
            #[cfg(feature = "haraka")]
            Self::Haraka256 => permuting::<Haraka, _, 2>(backend),
            #[cfg(feature = "areion")]
            Self::Areion256 => permuting::<Areion, _, 2>(backend),
            #[cfg(feature = "pholkos")]
            Self::Pholkos256 => permuting::<Pholkos, _, 2>(backend),
            #[cfg(feature = "feistel")]
            Self::Feistel256 => crate::feistel::kernel_256(p.functions, backend),
            _ => None,
        }
    }
}

#[cfg_attr(not(feature = "permutations"), allow(unused_variables))]
impl Kernels<4> for Kind {
    fn kernel(self, p: &Parameters, backend: Backend) -> Option<&'static Kernel<4>> {
        match self {
            #[cfg(feature = "simpira")]
            Self::Simpira4 => permuting::<Simpira, _, 4>(backend),
            #[cfg(feature = "haraka")]
            Self::Haraka512 => permuting::<Haraka, _, 4>(backend),
            #[cfg(feature = "areion")]
            Self::Areion512 => permuting::<Areion, _, 4>(backend),
            #[cfg(feature = "pholkos")]
            Self::Pholkos512 => permuting::<Pholkos, _, 4>(backend),
            #[cfg(feature = "feistel")]
            Self::Feistel512 => crate::feistel::kernel_512(p.functions, p.shuffle, backend),
            _ => None,
        }
    }
}
