//! Hash functions of short inputs made of a permutation: feed-forward, and 32 bytes are kept.
//! [HARAKA, section 2.1] [AREION-CODE]
#![forbid(unsafe_code)]

use super::name::{Kernels, Kind};
use super::{AnyPermutation, Permutation, SizedPermutation};
use crate::backend::Backend;
use crate::cipher::{Error, check};

/// Blocks that are permuted at a time.
const BATCH: usize = 64;

/// The hash functions of one block: name, permutation, family among the features.
const HASHES: [(&str, &str, bool); 4] = [
    ("haraka-256", "haraka-256", cfg!(feature = "haraka")),
    ("haraka-512", "haraka-512", cfg!(feature = "haraka")),
    ("areion-256-dm", "areion-256", cfg!(feature = "areion")),
    ("areion-512-dm", "areion-512", cfg!(feature = "areion")),
];

/// A hash function of one block of `BYTES` bytes to 32: [`Haraka256`] or one of its like.
#[derive(Clone, Copy, Debug)]
pub struct BlockHash<const BYTES: usize, const WORDS: usize, const AREION: bool>(
    SizedPermutation<BYTES, WORDS>,
)
where
    Kind: Kernels<WORDS>;

/// The hash function of 32 bytes to 32. [HARAKA, section 2.1]
///
/// ```
/// let haraka = roundworks::Haraka256::new(None)?;
/// let hash = haraka.hash(&core::array::from_fn(|i| i as u8));
/// assert_eq!(hash[..4], [0x80, 0x27, 0xcc, 0xb8]);
/// # Ok::<(), roundworks::Error>(())
/// ```
#[cfg(feature = "haraka")]
pub type Haraka256 = BlockHash<32, 2, false>;

/// The hash function of 64 bytes to 32, as [`Haraka256`]: half of each word is kept.
#[cfg(feature = "haraka")]
pub type Haraka512 = BlockHash<64, 4, false>;

/// Areion-256 as a hash function of 32 bytes to 32, as [`Haraka256`]. [AREION-CODE]
#[cfg(feature = "areion")]
pub type Areion256Dm = BlockHash<32, 2, true>;

/// Areion-512 as a hash function of 64 bytes to 32, as [`Haraka512`].
#[cfg(feature = "areion")]
pub type Areion512Dm = BlockHash<64, 4, true>;

impl<const BYTES: usize, const WORDS: usize, const AREION: bool> BlockHash<BYTES, WORDS, AREION>
where
    Kind: Kernels<WORDS>,
{
    /// On the fastest back end of this CPU, or on that one.
    ///
    /// # Errors
    ///
    /// [`Error::Unavailable`] if this CPU lacks it.
    pub fn new(backend: Option<Backend>) -> Result<Self, Error> {
        let (_, permutation, _) = HASHES[2 * usize::from(AREION) + usize::from(BYTES == 64)];
        SizedPermutation::new(permutation, backend).map(Self)
    }

    /// The hash of one input.
    #[must_use]
    #[inline]
    pub fn hash(&self, input: &[u8; BYTES]) -> [u8; 32] {
        let mut block = *input;
        self.0.permute(&mut block);
        output(input, &block)
    }

    /// As `hash` of each, many interleaved.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if there are not as many outputs as inputs; then nothing was written.
    pub fn hash_many(&self, inputs: &[[u8; BYTES]], outputs: &mut [[u8; 32]]) -> Result<(), Error> {
        check("outputs", 32 * outputs.len(), 32 * inputs.len())?;
        hash_many(&self.0, inputs, outputs);
        Ok(())
    }
}

/// As many outputs as inputs.
fn hash_many<const BYTES: usize, const WORDS: usize>(
    permutation: &SizedPermutation<BYTES, WORDS>,
    inputs: &[[u8; BYTES]],
    outputs: &mut [[u8; 32]],
) where
    Kind: Kernels<WORDS>,
{
    let mut space = [[0; BYTES]; BATCH];
    for (inputs, outputs) in inputs.chunks(BATCH).zip(outputs.chunks_mut(BATCH)) {
        let blocks = &mut space[..inputs.len()];
        blocks.copy_from_slice(inputs);
        permutation.permute_many(blocks);
        for ((input, block), to) in inputs.iter().zip(blocks).zip(outputs) {
            *to = output(input, block);
        }
    }
}

/// Feed-forward, and what is kept of it: all of two words, and of four half of each, as both designs do.
#[inline]
fn output<const BYTES: usize>(input: &[u8; BYTES], block: &[u8; BYTES]) -> [u8; 32] {
    let kept = if BYTES == 32 {
        [0, 1, 2, 3]
    } else {
        [1, 3, 4, 6]
    };
    let mut output = [0; 32];
    let (halves, _) = output.as_chunks_mut::<8>();
    for (to, from) in halves.iter_mut().zip(kept) {
        for i in 0..8 {
            to[i] = input[8 * from + i] ^ block[8 * from + i];
        }
    }
    output
}

/// Any of the hash functions of one block.
#[derive(Clone, Copy, Debug)]
pub struct AnyHash {
    name: &'static str,
    permutation: AnyPermutation,
}

/// The hash function of that name: one of [`hashes`]. `None` takes the fastest back end of this CPU.
///
/// ```
/// let haraka = roundworks::hash_function("haraka-512", None)?;
/// let mut outputs = [0; 2 * 32];
/// haraka.hash_many(&[7; 2 * 64], &mut outputs)?;
/// assert_eq!(outputs[..32], outputs[32..]);
/// # Ok::<(), roundworks::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::UnknownHash`] if there is none of that name; [`Error::Unavailable`] if this CPU lacks the
/// back end.
pub fn hash_function(name: &str, backend: Option<Backend>) -> Result<AnyHash, Error> {
    let known = HASHES
        .into_iter()
        .find(|&(known, _, written)| written && known == name);
    let (name, permutation, _) = known.ok_or(Error::UnknownHash)?;
    let permutation = super::permutation(permutation, backend)?;
    Ok(AnyHash { name, permutation })
}

impl AnyHash {
    /// Name on every surface.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Size of an input, in bytes.
    #[must_use]
    pub fn input_bytes(&self) -> usize {
        self.permutation.block_bytes()
    }

    /// The back end in use.
    #[must_use]
    pub fn backend(&self) -> Backend {
        self.permutation.backend()
    }

    /// The hash of each of the inputs, which follow each other, as do their outputs of 32 bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Blocks`] if they do not end with an input, [`Error::Length`] unless there is an
    /// output for each; then nothing was written.
    pub fn hash_many(&self, inputs: &[u8], outputs: &mut [u8]) -> Result<(), Error> {
        let (want, got) = (self.input_bytes(), inputs.len());
        if got % want != 0 {
            return Err(Error::Blocks { want, got });
        }
        check("outputs", outputs.len(), got / want * 32)?;
        let outputs = outputs.as_chunks_mut().0;
        either!(&self.permutation, AnyPermutation, p => hash_many(p, inputs.as_chunks().0, outputs));
        Ok(())
    }
}

/// Names of the hash functions of one block.
pub fn hashes() -> impl Iterator<Item = &'static str> {
    let written = HASHES.iter().filter(|&&(_, _, written)| written);
    written.map(|&(name, ..)| name)
}

/// A hash function of short messages to 32 bytes: [`Areion512Dm`] of a block of message and of the
/// hash so far, one block after the other. [AREION-CODE]
///
/// ```
/// let areion = roundworks::Areion512Md::new(None)?;
/// let hash = areion.hash(&[0; 128])?;
/// assert_eq!(hash[..4], [0x7f, 0x22, 0x34, 0x44]);
/// # Ok::<(), roundworks::Error>(())
/// ```
#[cfg(feature = "areion")]
#[derive(Clone, Copy, Debug)]
pub struct Areion512Md(Areion512Dm);

#[cfg(feature = "areion")]
impl Areion512Md {
    /// Longest message, in bytes: its end holds their number in bits, of which it has 32.
    pub const MAX_MESSAGE_BYTES: usize = (1 << 29) - 1;

    /// That of SHA-256, most significant byte first.
    const INITIAL: [u8; 32] = [
        0x6a, 0x09, 0xe6, 0x67, 0xbb, 0x67, 0xae, 0x85, 0x3c, 0x6e, 0xf3, 0x72, 0xa5, 0x4f, 0xf5,
        0x3a, 0x51, 0x0e, 0x52, 0x7f, 0x9b, 0x05, 0x68, 0x8c, 0x1f, 0x83, 0xd9, 0xab, 0x5b, 0xe0,
        0xcd, 0x19,
    ];

    /// On the fastest back end of this CPU, or on that one.
    ///
    /// # Errors
    ///
    /// [`Error::Unavailable`] if this CPU lacks it.
    pub fn new(backend: Option<Backend>) -> Result<Self, Error> {
        Areion512Dm::new(backend).map(Self)
    }

    /// The hash of a message.
    ///
    /// # Errors
    ///
    /// [`Error::Most`] if it is longer than [`Self::MAX_MESSAGE_BYTES`].
    pub fn hash(&self, message: &[u8]) -> Result<[u8; 32], Error> {
        let (most, got) = (Self::MAX_MESSAGE_BYTES, message.len());
        if got > most {
            let what = "message";
            return Err(Error::Most { what, most, got });
        }
        let (blocks, rest) = message.as_chunks();
        let absorbed = |hash, block| self.absorbed(hash, block);
        let mut hash = blocks.iter().fold(Self::INITIAL, absorbed);
        let mut last = [0; 32];
        last[..rest.len()].copy_from_slice(rest);
        last[rest.len()] = 0x80;
        if rest.len() >= 28 {
            hash = self.absorbed(hash, &last);
            last = [0; 32];
        }
        last[28..].copy_from_slice(&(8 * got as u32).to_be_bytes());
        Ok(self.absorbed(hash, &last))
    }

    fn absorbed(&self, hash: [u8; 32], block: &[u8; 32]) -> [u8; 32] {
        let mut input = [0; 64];
        input[..32].copy_from_slice(block);
        input[32..].copy_from_slice(&hash);
        self.0.hash(&input)
    }
}
