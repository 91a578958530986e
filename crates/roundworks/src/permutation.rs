//! The large permutations, of 256 and of 512 bits: by name, on a back end, one block or many.
#![forbid(unsafe_code)]

use core::fmt;

use crate::aes::Lane;
use crate::backend::{Backend, BackendUnavailable};
use crate::cipher::{Error, check};

/// `$body` with the value of either size in an `$Any` as `$p`.
macro_rules! either {
    ($any:expr, $Any:ident, $p:ident => $body:expr) => {
        match $any {
            $Any::Two($p) => $body,
            $Any::Four($p) => $body,
        }
    };
}
pub(crate) use either;

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
use name::{Kernels, Kind};

/// Names of the permutations of this crate.
pub fn permutations() -> impl Iterator<Item = &'static str> {
    name::listed()
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

    /// As [`Permutation::permute`], that many times over, without a call in between.
    ///
    /// # Errors
    ///
    /// As [`Permutation::permute`].
    fn permute_times(&self, block: &mut [u8], times: usize) -> Result<(), Error>;

    /// As [`Permutation::inverse`], that many times over.
    ///
    /// # Errors
    ///
    /// As [`Permutation::permute`].
    fn inverse_times(&self, block: &mut [u8], times: usize) -> Result<(), Error>;

    /// As [`Permutation::permute`] of each of the blocks, which follow each other, interleaved as far as the
    /// back end has registers.
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
pub struct Parameters {
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
pub type Permutation256 = SizedPermutation<32, 2>;

/// A permutation of 64 bytes, as [`Permutation256`].
pub type Permutation512 = SizedPermutation<64, 4>;

/// A permutation of `BYTES` bytes, in `WORDS` words of 16: [`Permutation256`] or [`Permutation512`].
#[derive(Clone, Copy)]
pub struct SizedPermutation<const BYTES: usize, const WORDS: usize> {
    kernel: &'static Kernel<WORDS>,
    parameters: Parameters,
    kind: Kind,
}

impl<const BYTES: usize, const WORDS: usize> SizedPermutation<BYTES, WORDS>
where
    Kind: Kernels<WORDS>,
{
    /// Size of a block, in bytes.
    pub const BLOCK_BYTES: usize = BYTES;
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
        let (want, got) = (BYTES, name.block_bytes());
        Self::named(name, backend)?.ok_or(UnknownPermutation::Bytes { want, got }.into())
    }

    /// `None`: of another size.
    fn named(name: PermutationName, backend: Option<Backend>) -> Result<Option<Self>, Error> {
        let PermutationName { kind, parameters } = name;
        if name.block_bytes() != BYTES {
            return Ok(None);
        }
        let kernel = best(kind.facts().name, backend, |b| kind.kernel(&parameters, b))?;
        Ok(Some(Self {
            kernel,
            parameters,
            kind,
        }))
    }

    /// Replaces a block by what it is mapped to.
    #[inline]
    pub fn permute(&self, block: &mut [u8; BYTES]) {
        (self.kernel.forward)(&self.parameters, words(block), 1);
    }

    /// As `permute`, that many times over: as for chains, without a call in between.
    #[inline]
    pub fn permute_times(&self, block: &mut [u8; BYTES], times: usize) {
        (self.kernel.forward)(&self.parameters, words(block), times);
    }

    /// Replaces a block by what is mapped to it.
    #[inline]
    pub fn inverse(&self, block: &mut [u8; BYTES]) {
        (self.kernel.backward)(&self.parameters, words(block), 1);
    }

    /// As `inverse`, that many times over.
    #[inline]
    pub fn inverse_times(&self, block: &mut [u8; BYTES], times: usize) {
        (self.kernel.backward)(&self.parameters, words(block), times);
    }

    /// As `permute` of each, as many interleaved as the back end has space for.
    #[inline]
    pub fn permute_many(&self, blocks: &mut [[u8; BYTES]]) {
        (self.kernel.forward_many)(&self.parameters, all_words(blocks));
    }

    /// As `inverse` of each.
    #[inline]
    pub fn inverse_many(&self, blocks: &mut [[u8; BYTES]]) {
        (self.kernel.backward_many)(&self.parameters, all_words(blocks));
    }
}

/// The kernel of the fastest back end of this CPU, or of that one.
pub(crate) fn best<K>(
    cipher: &'static str,
    backend: Option<Backend>,
    kernel: impl Fn(Backend) -> Option<&'static K>,
) -> Result<&'static K, BackendUnavailable> {
    let Some(backend) = backend else {
        let best = BACKENDS.iter().rev().find_map(|&b| kernel(b));
        return Ok(best.expect("portable is always written and available"));
    };
    kernel(backend).ok_or(BackendUnavailable {
        cipher,
        backend,
        written: BACKENDS,
    })
}

impl<const BYTES: usize, const WORDS: usize> Permutation for SizedPermutation<BYTES, WORDS>
where
    Kind: Kernels<WORDS>,
{
    fn name(&self) -> PermutationName {
        PermutationName {
            kind: self.kind,
            parameters: self.parameters,
        }
    }

    fn backend(&self) -> Backend {
        self.kernel.backend
    }

    #[inline]
    fn permute(&self, block: &mut [u8]) -> Result<(), Error> {
        self.permute(one_block(block)?);
        Ok(())
    }

    #[inline]
    fn inverse(&self, block: &mut [u8]) -> Result<(), Error> {
        self.inverse(one_block(block)?);
        Ok(())
    }

    #[inline]
    fn permute_times(&self, block: &mut [u8], times: usize) -> Result<(), Error> {
        self.permute_times(one_block(block)?, times);
        Ok(())
    }

    #[inline]
    fn inverse_times(&self, block: &mut [u8], times: usize) -> Result<(), Error> {
        self.inverse_times(one_block(block)?, times);
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

impl<const BYTES: usize, const WORDS: usize> fmt::Debug for SizedPermutation<BYTES, WORDS>
where
    Kind: Kernels<WORDS>,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bits, name, backend) = (8 * BYTES, self.name(), self.backend());
        write!(f, "Permutation{bits}({name} on {backend})")
    }
}

fn one_block<const BYTES: usize>(block: &mut [u8]) -> Result<&mut [u8; BYTES], Error> {
    check("block", block.len(), BYTES)?;
    Ok(block.try_into().expect("checked above"))
}

pub(crate) fn blocks<const BYTES: usize>(bytes: &mut [u8]) -> Result<&mut [[u8; BYTES]], Error> {
    let actual = bytes.len();
    let (blocks, rest) = bytes.as_chunks_mut();
    if rest.is_empty() {
        Ok(blocks)
    } else {
        Err(Error::Blocks {
            want: BYTES,
            got: actual,
        })
    }
}

#[inline(always)]
pub(crate) fn words<const BYTES: usize, const W: usize>(block: &mut [u8; BYTES]) -> &mut [Lane; W] {
    let (lanes, _) = block.as_chunks_mut::<16>();
    lanes.try_into().expect("a block of W words")
}

#[inline(always)]
pub(crate) fn all_words<const BYTES: usize, const W: usize>(
    blocks: &mut [[u8; BYTES]],
) -> &mut [[Lane; W]] {
    let lanes = blocks.as_flattened_mut().as_chunks_mut().0;
    lanes.as_chunks_mut().0
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
    let result = Permutation512::named(name, backend)?;
    Ok(AnyPermutation::Four(result.expect("there are two sizes")))
}

impl Permutation for AnyPermutation {
    fn name(&self) -> PermutationName {
        either!(self, Self, p => p.name())
    }

    fn backend(&self) -> Backend {
        either!(self, Self, p => p.backend())
    }

    #[inline]
    fn permute(&self, block: &mut [u8]) -> Result<(), Error> {
        either!(self, Self, p => Permutation::permute(p, block))
    }

    #[inline]
    fn inverse(&self, block: &mut [u8]) -> Result<(), Error> {
        either!(self, Self, p => Permutation::inverse(p, block))
    }

    #[inline]
    fn permute_times(&self, block: &mut [u8], times: usize) -> Result<(), Error> {
        either!(self, Self, p => Permutation::permute_times(p, block, times))
    }

    #[inline]
    fn inverse_times(&self, block: &mut [u8], times: usize) -> Result<(), Error> {
        either!(self, Self, p => Permutation::inverse_times(p, block, times))
    }

    #[inline]
    fn permute_many(&self, blocks: &mut [u8]) -> Result<(), Error> {
        either!(self, Self, p => Permutation::permute_many(p, blocks))
    }

    #[inline]
    fn inverse_many(&self, blocks: &mut [u8]) -> Result<(), Error> {
        either!(self, Self, p => Permutation::inverse_many(p, blocks))
    }
}
