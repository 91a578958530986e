//! The large permutations, of 256 and of 512 bits: by name, on a back end, one block or many.
#![forbid(unsafe_code)]

use core::fmt;

use crate::aes::Lane;
use crate::backend::{Backend, BackendUnavailable};
use crate::cipher::{Error, check};

pub(crate) mod constants;
#[cfg(any(feature = "areion", feature = "haraka"))]
pub(crate) mod hash;
pub(crate) mod kernel;
mod name;
#[cfg(test)]
mod tests;

pub use name::{PermutationName, Rounds, UnknownPermutation};

use crate::feistel::SHUFFLE;
use kernel::Kernel;
use name::Kind;

macro_rules! names {
    ($($id:ident $name:literal $about:literal,)*) => { [$($name),*] };
}
const NAMES: &[&str] = &crate::for_each_permutation!(names);

/// Names of the permutations of this crate.
pub fn permutations() -> impl Iterator<Item = &'static str> {
    NAMES.iter().copied()
}

/// The back ends that every permutation is written for, slowest first.
pub(crate) const BACKENDS: &[Backend] = &[
    Backend::Portable,
    Backend::Aesni,
    Backend::Vaes256,
    Backend::Vaes512,
    Backend::Aarch64,
];

/// Any permutation, with slices for blocks.
pub trait Permutation: Send + Sync {
    /// What it is called.
    fn name(&self) -> PermutationName;

    /// The back end in use.
    fn backend(&self) -> Backend;

    /// Size of a block, in bytes.
    fn block_bytes(&self) -> usize {
        self.name().block_bytes()
    }

    /// Replaces a block by what it is mapped to.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if it has another size.
    fn permute(&self, block: &mut [u8]) -> Result<(), Error>;

    /// Replaces a block by what is mapped to it.
    ///
    /// # Errors
    ///
    /// As [`Permutation::permute`].
    fn inverse(&self, block: &mut [u8]) -> Result<(), Error>;

    /// As [`Permutation::permute`], so many times over, without a call in between.
    ///
    /// # Errors
    ///
    /// As [`Permutation::permute`].
    fn permute_times(&self, block: &mut [u8], times: usize) -> Result<(), Error>;

    /// As [`Permutation::inverse`], so many times over.
    ///
    /// # Errors
    ///
    /// As [`Permutation::permute`].
    fn inverse_times(&self, block: &mut [u8], times: usize) -> Result<(), Error>;

    /// As [`Permutation::permute`] of each of the blocks, which follow each other; as many side by
    /// side as the back end has room for.
    ///
    /// # Errors
    ///
    /// [`Error::Blocks`] if they do not end with a block.
    fn permute_many(&self, blocks: &mut [u8]) -> Result<(), Error>;

    /// As [`Permutation::inverse`] of each of the blocks.
    ///
    /// # Errors
    ///
    /// As [`Permutation::permute_many`].
    fn inverse_many(&self, blocks: &mut [u8]) -> Result<(), Error>;
}

/// What of a name a kernel wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parameters {
    rounds: Rounds,
    functions: [u8; 4],
    shuffle: [u8; 4],
}

impl Parameters {
    /// Of a permutation without other parameters.
    pub(crate) const fn of_rounds(rounds: u8) -> Self {
        Self {
            rounds: Rounds::whole(rounds),
            functions: [0; 4],
            shuffle: SHUFFLE,
        }
    }

    /// Whole rounds.
    #[inline(always)]
    pub(crate) fn rounds(&self) -> usize {
        self.halves() / 2
    }

    #[inline(always)]
    pub(crate) fn halves(&self) -> usize {
        self.rounds.halves()
    }

    /// Whether there is half a round behind the whole ones.
    #[inline(always)]
    pub(crate) fn half(&self) -> bool {
        self.halves() % 2 == 1
    }

    #[inline(always)]
    pub(crate) fn functions(&self) -> [u8; 4] {
        self.functions
    }

    #[inline(always)]
    pub(crate) fn shuffle(&self) -> [u8; 4] {
        self.shuffle
    }
}

macro_rules! sized {
    ($(
        $(#[$doc:meta])*
        $permutation:ident, $words:literal words, $bytes:literal bytes: $kernel:ident
    )+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $permutation {
            kernel: &'static Kernel<$words>,
            parameters: Parameters,
            kind: Kind,
        }

        impl $permutation {
            /// Size of a block, in bytes.
            pub const BLOCK_BYTES: usize = $bytes;
            /// The back ends it is written for, slowest first.
            pub const BACKENDS: &'static [Backend] = BACKENDS;

            /// The permutation of that name, on the fastest back end of this CPU or on that one.
            ///
            /// # Errors
            ///
            /// [`Error::Permutation`] if the name is none, or of a permutation of another size;
            /// [`Error::Unavailable`] if this CPU lacks the back end.
            pub fn new(name: &str, backend: Option<Backend>) -> Result<Self, Error> {
                let name: PermutationName = name.parse()?;
                let wrong = UnknownPermutation::Bytes { want: $bytes, got: name.block_bytes() };
                Self::named(name, backend)?.ok_or(wrong.into())
            }

            /// `None`: of another size.
            fn named(
                name: PermutationName,
                backend: Option<Backend>,
            ) -> Result<Option<Self>, Error> {
                let PermutationName { kind, parameters } = name;
                if name.block_bytes() != $bytes {
                    return Ok(None);
                }
                let at = |backend| name::$kernel(kind, parameters.functions, parameters.shuffle, backend);
                let kernel = match backend {
                    None => BACKENDS.iter().rev().find_map(|&b| at(b)),
                    Some(backend) => Some(at(backend).ok_or(BackendUnavailable {
                        cipher: kind.facts().name,
                        backend,
                        written: BACKENDS,
                    })?),
                };
                let kernel = kernel.expect("portable is always written and available");
                Ok(Some(Self { kernel, parameters, kind }))
            }

            /// Replaces a block by what it is mapped to.
            #[inline]
            pub fn permute(&self, block: &mut [u8; $bytes]) {
                (self.kernel.forward)(&self.parameters, words(block), 1);
            }

            /// As `permute`, so many times over: as for chains, without a call in between.
            #[inline]
            pub fn permute_times(&self, block: &mut [u8; $bytes], times: usize) {
                (self.kernel.forward)(&self.parameters, words(block), times);
            }

            /// As `inverse`, so many times over.
            #[inline]
            pub fn inverse_times(&self, block: &mut [u8; $bytes], times: usize) {
                (self.kernel.backward)(&self.parameters, words(block), times);
            }

            /// Replaces a block by what is mapped to it.
            #[inline]
            pub fn inverse(&self, block: &mut [u8; $bytes]) {
                (self.kernel.backward)(&self.parameters, words(block), 1);
            }

            /// As `permute` of each, as many side by side as the back end has room for.
            #[inline]
            pub fn permute_many(&self, blocks: &mut [[u8; $bytes]]) {
                let lanes = blocks.as_flattened_mut().as_chunks_mut().0;
                (self.kernel.forward_many)(&self.parameters, lanes.as_chunks_mut().0);
            }

            /// As `inverse` of each.
            #[inline]
            pub fn inverse_many(&self, blocks: &mut [[u8; $bytes]]) {
                let lanes = blocks.as_flattened_mut().as_chunks_mut().0;
                (self.kernel.backward_many)(&self.parameters, lanes.as_chunks_mut().0);
            }

            fn block(block: &mut [u8]) -> Result<&mut [u8; $bytes], Error> {
                check("block", block.len(), $bytes)?;
                Ok(block.try_into().expect("checked above"))
            }
        }

        impl Permutation for $permutation {
            fn name(&self) -> PermutationName {
                PermutationName { kind: self.kind, parameters: self.parameters }
            }

            fn backend(&self) -> Backend {
                self.kernel.backend
            }

            #[inline]
            fn permute(&self, block: &mut [u8]) -> Result<(), Error> {
                self.permute(Self::block(block)?);
                Ok(())
            }

            #[inline]
            fn inverse(&self, block: &mut [u8]) -> Result<(), Error> {
                self.inverse(Self::block(block)?);
                Ok(())
            }

            #[inline]
            fn permute_times(&self, block: &mut [u8], times: usize) -> Result<(), Error> {
                self.permute_times(Self::block(block)?, times);
                Ok(())
            }

            #[inline]
            fn inverse_times(&self, block: &mut [u8], times: usize) -> Result<(), Error> {
                self.inverse_times(Self::block(block)?, times);
                Ok(())
            }

            #[inline]
            fn permute_many(&self, blocks: &mut [u8]) -> Result<(), Error> {
                self.permute_many(self::blocks(blocks)?);
                Ok(())
            }

            #[inline]
            fn inverse_many(&self, blocks: &mut [u8]) -> Result<(), Error> {
                self.inverse_many(self::blocks(blocks)?);
                Ok(())
            }
        }

        impl fmt::Debug for $permutation {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({} on {})", stringify!($permutation), self.name(), self.backend())
            }
        }
    )+};
}

sized! {
    /// A permutation of 32 bytes.
    ///
    /// ```
    /// let areion = roundworks::Permutation256::new("areion-256", None)?;
    /// let mut blocks = [[0; 32]; 3];
    /// areion.permute_many(&mut blocks);
    /// areion.inverse(&mut blocks[1]);
    /// assert_eq!(blocks[1], [0; 32]);
    /// # Ok::<(), roundworks::Error>(())
    /// ```
    Permutation256, 2 words, 32 bytes: kernel_256

    /// A permutation of 64 bytes, as [`Permutation256`].
    Permutation512, 4 words, 64 bytes: kernel_512
}

pub(crate) fn blocks<const BYTES: usize>(bytes: &mut [u8]) -> Result<&mut [[u8; BYTES]], Error> {
    let got = bytes.len();
    let (blocks, rest) = bytes.as_chunks_mut();
    if rest.is_empty() {
        Ok(blocks)
    } else {
        Err(Error::Blocks { want: BYTES, got })
    }
}

#[inline(always)]
pub(crate) fn words<const BYTES: usize, const W: usize>(block: &mut [u8; BYTES]) -> &mut [Lane; W] {
    let (lanes, _) = block.as_chunks_mut::<16>();
    lanes.try_into().expect("a block of W words")
}

/// A permutation of either size.
#[derive(Clone, Copy, Debug)]
pub enum AnyPermutation {
    /// Of 256 bits.
    Two(Permutation256),
    /// Of 512 bits.
    Four(Permutation512),
}

/// The permutation of that name: one of [`permutations`], any other configuration of the Feistel
/// family such as `feistel512:1-1,2-3,2-1,1-0/2,3,1,0`, any of them with a number of rounds behind,
/// such as `haraka-256:3.5`. `None` takes the fastest back end of this CPU.
///
/// ```
/// use roundworks::Permutation;
///
/// let haraka = roundworks::permutation("haraka-512:4.5", None)?;
/// let mut blocks = [7; 2 * 64];
/// haraka.permute_many(&mut blocks)?;
/// haraka.inverse_many(&mut blocks)?;
/// assert_eq!(blocks, [7; 2 * 64]);
/// # Ok::<(), roundworks::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::Permutation`] if there is none of that name; [`Error::Unavailable`] if this CPU lacks
/// the back end.
pub fn permutation(name: &str, backend: Option<Backend>) -> Result<AnyPermutation, Error> {
    let name = name.parse()?;
    if let Some(found) = Permutation256::named(name, backend)? {
        return Ok(AnyPermutation::Two(found));
    }
    let found = Permutation512::named(name, backend)?;
    Ok(AnyPermutation::Four(found.expect("there are two sizes")))
}

macro_rules! either {
    ($self:ident, $p:ident => $body:expr) => {
        match $self {
            AnyPermutation::Two($p) => $body,
            AnyPermutation::Four($p) => $body,
        }
    };
}

impl Permutation for AnyPermutation {
    fn name(&self) -> PermutationName {
        either!(self, p => p.name())
    }

    fn backend(&self) -> Backend {
        either!(self, p => p.backend())
    }

    #[inline]
    fn permute(&self, block: &mut [u8]) -> Result<(), Error> {
        either!(self, p => Permutation::permute(p, block))
    }

    #[inline]
    fn inverse(&self, block: &mut [u8]) -> Result<(), Error> {
        either!(self, p => Permutation::inverse(p, block))
    }

    #[inline]
    fn permute_times(&self, block: &mut [u8], times: usize) -> Result<(), Error> {
        either!(self, p => Permutation::permute_times(p, block, times))
    }

    #[inline]
    fn inverse_times(&self, block: &mut [u8], times: usize) -> Result<(), Error> {
        either!(self, p => Permutation::inverse_times(p, block, times))
    }

    #[inline]
    fn permute_many(&self, blocks: &mut [u8]) -> Result<(), Error> {
        either!(self, p => Permutation::permute_many(p, blocks))
    }

    #[inline]
    fn inverse_many(&self, blocks: &mut [u8]) -> Result<(), Error> {
        either!(self, p => Permutation::inverse_many(p, blocks))
    }
}
