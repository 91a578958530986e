//! Pholkos with its key and tweak. [PHOLKOS, section 3]
//!
//! A round tweakey is the key of that round, the tweak of that round in every word, and a constant
//! in the first. From round to round the cells of a tweak are permuted; the columns and the cells
//! of a key are, and every byte is doubled. `spec/pholkos/permutation.toml` says how sure that is.
#![forbid(unsafe_code)]

use core::fmt;

use super::Pholkos;
use crate::aes::Lane;
use crate::aes_layers::{AesLayers, Layer, same};
use crate::arch::{clear_stack, permuting};
use crate::backend::Backend;
use crate::cipher::Error;
use crate::permutation::constants::HARAKA;
use crate::permutation::kernel::{Family, Kernel};
use crate::permutation::{all_words, best, blocks, either, words};
use crate::steps::{Pairs, Shuffle, added, keys, step};
use crate::stream::wipe;

/// New cell i is old cell `CELLS[i]`.
const CELLS: [usize; 16] = [11, 12, 1, 2, 15, 0, 5, 6, 3, 4, 9, 10, 7, 8, 13, 14];

/// New column j is old column `COLUMNS[j]`: of two words, and of four.
const COLUMNS_2: [usize; 8] = [0, 5, 2, 7, 4, 1, 6, 3];
const COLUMNS_4: [usize; 16] = [0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11];

/// AES layers of ten steps, and one more key than layers.
const MOST: usize = 21;

/// What is added before the first layer and in each; of two words the last four are not used.
#[derive(Clone)]
pub(crate) struct Tweakeys<const W: usize>([[Lane; W]; MOST]);

impl<const W: usize> Drop for Tweakeys<W> {
    fn drop(&mut self) {
        wipe(self.0.as_flattened_mut().as_flattened_mut());
    }
}

impl<const W: usize> Tweakeys<W> {
    /// Without a tweak. Each key is made where it stays, so that no copy is left.
    fn of_key(key: &[u8], columns: &[usize]) -> Self {
        let mut all = Self([[[0; 16]; W]; MOST]);
        all.0[0].as_flattened_mut().copy_from_slice(key);
        for round in 1..MOST {
            let (done, next) = all.0.split_at_mut(round);
            let (old, new) = (&done[round - 1], &mut next[0]);
            for (j, &from) in columns.iter().enumerate() {
                let column = &old[from / 4][from % 4 * 4..][..4];
                new[j / 4][j % 4 * 4..][..4].copy_from_slice(column);
            }
            for word in new {
                *word = permuted(word).map(doubled);
            }
        }
        for (round, constant) in all.0.iter_mut().zip(&HARAKA) {
            add(&mut round[0], constant);
        }
        all
    }

    fn tweaked(&self, tweak: &Lane) -> Self {
        let mut all = Self([[[0; 16]; W]; MOST]);
        let mut tweak = *tweak;
        for (round, key) in all.0.iter_mut().zip(&self.0) {
            *round = *key;
            round.iter_mut().for_each(|word| add(word, &tweak));
            tweak = permuted(&tweak);
        }
        all
    }

    /// The key before the first layer, those of the layers of every step but the last, and of the
    /// two of that.
    #[inline(always)]
    fn parts(&self) -> (&[Lane; W], Pairs<'_, W>, &[[Lane; W]; 2]) {
        let steps = if W == 2 { 8 } else { 10 };
        let [first, rest @ ..] = &self.0;
        let (pairs, _) = rest.as_chunks();
        (first, &pairs[..steps - 1], &pairs[steps - 1])
    }
}

fn permuted(word: &Lane) -> Lane {
    CELLS.map(|from| word[from])
}

/// In the field of AES, without a branch: it is a byte of a key. [FIPS197, section 4.2]
fn doubled(byte: u8) -> u8 {
    (byte << 1) ^ ((byte >> 7) * 0x1b)
}

fn add(word: &mut Lane, other: &Lane) {
    for i in 0..16 {
        word[i] ^= other[i];
    }
}

/// Clears the frames through which a key moved, when the caller has it: from a variable of the function
/// that returns it, it would be moved once more.
struct ClearAfterKey;

impl Drop for ClearAfterKey {
    fn drop(&mut self) {
        clear_stack::<32>();
    }
}

/// Below what has used the keys of rounds, once for all blocks: what a kernel had to put down, which is up
/// to 6 KiB where it is compiled with little optimisation.
fn clear_after_blocks() {
    clear_stack::<32>();
}

struct Tweakable;

impl<const W: usize> Family<W, Tweakeys<W>> for Tweakable
where
    Pholkos: Shuffle<W>,
{
    type Portable = Self;
    type Inverse = Self;

    #[inline(always)]
    fn forward<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        t: &Tweakeys<W>,
        x: Layer<L::Word, N, W>,
    ) -> Layer<L::Word, N, W> {
        let (whitening, pairs, [before, last]) = t.parts();
        let mut x = added(l, x, keys(l, whitening));
        for [first, second] in pairs {
            x = step::<Pholkos, _, _, _, _>(l, [keys(l, first), keys(l, second)], x);
        }
        x = l.enc(x, keys(l, before));
        l.enc_last(x, keys(l, last))
    }

    /// InvMixColumns goes over the words, not over the keys: these are made anew for each tweak.
    #[inline(always)]
    fn backward<L: AesLayers<D>, const D: usize, const N: usize>(
        l: L,
        t: &Tweakeys<W>,
        x: Layer<L::Word, N, W>,
    ) -> Layer<L::Word, N, W> {
        let zero = same(l.zero());
        let (whitening, pairs, [before, last]) = t.parts();
        let mut x = l.dec_last(added(l, x, keys(l, last)), keys(l, before));
        x = l.dec_last(l.unmix(x), zero);
        for [first, second] in pairs.iter().rev() {
            x = added(l, Pholkos::unshuffle(l, x), keys(l, second));
            x = l.dec_last(l.unmix(x), keys(l, first));
            x = l.dec_last(l.unmix(x), zero);
        }
        added(l, x, keys(l, whitening))
    }
}

/// Pholkos with a block and a key of 32 bytes: no vectors of its designers are known.
///
/// ```
/// let cipher = roundworks::Pholkos256::new(&[7; 32], None)?;
/// let (tweak, mut block) = ([1; 16], *b"attack at dawn, or a little late");
/// cipher.encrypt(&tweak, &mut block);
/// cipher.decrypt(&tweak, &mut block);
/// assert_eq!(&block[..14], b"attack at dawn");
/// # Ok::<(), roundworks::Error>(())
/// ```
pub type Pholkos256 = SizedPholkos<32, 2>;

/// Pholkos with a block and a key of 64 bytes, as [`Pholkos256`].
pub type Pholkos512 = SizedPholkos<64, 4>;

/// Pholkos with a block and a key of `BYTES` bytes, `WORDS` words of 16: [`Pholkos256`] or [`Pholkos512`].
#[derive(Clone)]
pub struct SizedPholkos<const BYTES: usize, const WORDS: usize> {
    kernel: &'static Kernel<WORDS, Tweakeys<WORDS>>,
    key: Tweakeys<WORDS>,
}

impl<const BYTES: usize, const WORDS: usize> SizedPholkos<BYTES, WORDS>
where
    Pholkos: Shuffle<WORDS>,
{
    /// Size of a block and of a key, in bytes.
    pub const BLOCK_BYTES: usize = BYTES;
    /// Size of a tweak, in bytes.
    pub const TWEAK_BYTES: usize = 16;

    /// Sets the key, for the fastest back end of this CPU or for that one.
    ///
    /// # Errors
    ///
    /// [`Error::Unavailable`] if this CPU lacks it.
    pub fn new(key: &[u8; BYTES], backend: Option<Backend>) -> Result<Self, Error> {
        let _below = ClearAfterKey;
        Self::keyed(key, backend)
    }

    #[inline(never)]
    fn keyed(key: &[u8; BYTES], backend: Option<Backend>) -> Result<Self, Error> {
        let (name, columns) = match WORDS {
            2 => ("pholkos-256", &COLUMNS_2[..]),
            _ => ("pholkos-512", &COLUMNS_4[..]),
        };
        let kernel = best(name, backend, permuting::<Tweakable, _, WORDS>)?;
        Ok(Self {
            kernel,
            key: Tweakeys::of_key(key, columns),
        })
    }

    /// The back end in use.
    #[must_use]
    pub fn backend(&self) -> Backend {
        self.kernel.backend
    }

    /// Encrypts a block.
    pub fn encrypt(&self, tweak: &[u8; 16], block: &mut [u8; BYTES]) {
        (self.kernel.forward)(&self.key.tweaked(tweak), words(block), 1);
        clear_after_blocks();
    }

    /// Decrypts a block.
    pub fn decrypt(&self, tweak: &[u8; 16], block: &mut [u8; BYTES]) {
        (self.kernel.backward)(&self.key.tweaked(tweak), words(block), 1);
        clear_after_blocks();
    }

    /// Encrypts each block under one tweak, as many interleaved as the back end has space for.
    pub fn encrypt_many(&self, tweak: &[u8; 16], blocks: &mut [[u8; BYTES]]) {
        (self.kernel.forward_many)(&self.key.tweaked(tweak), all_words(blocks));
        clear_after_blocks();
    }

    /// As `encrypt_many`, the other way.
    pub fn decrypt_many(&self, tweak: &[u8; 16], blocks: &mut [[u8; BYTES]]) {
        (self.kernel.backward_many)(&self.key.tweaked(tweak), all_words(blocks));
        clear_after_blocks();
    }
}

impl<const BYTES: usize, const WORDS: usize> fmt::Debug for SizedPholkos<BYTES, WORDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pholkos{}(on {})", 8 * BYTES, self.kernel.backend)
    }
}

/// Pholkos of either size.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)] // both are keys that are set once
pub enum AnyPholkos {
    /// Of 256 bits.
    Two(Pholkos256),
    /// Of 512 bits.
    Four(Pholkos512),
}

/// Pholkos with blocks as long as the key, of 32 or 64 bytes. `None` takes the fastest back end of
/// this CPU.
///
/// # Errors
///
/// [`Error::KeySize`] of any other key; [`Error::Unavailable`] if this CPU lacks the back end.
pub fn pholkos(key: &[u8], backend: Option<Backend>) -> Result<AnyPholkos, Error> {
    let _below = ClearAfterKey;
    of_either_size(key, backend)
}

#[inline(never)]
fn of_either_size(key: &[u8], backend: Option<Backend>) -> Result<AnyPholkos, Error> {
    if let Ok(key) = key.try_into() {
        return Pholkos256::new(key, backend).map(AnyPholkos::Two);
    }
    let actual = key.len();
    let key = key.try_into().map_err(|_| Error::KeySize { got: actual })?;
    Pholkos512::new(key, backend).map(AnyPholkos::Four)
}

impl AnyPholkos {
    /// Size of a block, in bytes.
    #[must_use]
    pub fn block_bytes(&self) -> usize {
        match self {
            Self::Two(_) => Pholkos256::BLOCK_BYTES,
            Self::Four(_) => Pholkos512::BLOCK_BYTES,
        }
    }

    /// The back end in use.
    #[must_use]
    pub fn backend(&self) -> Backend {
        either!(self, Self, p => p.backend())
    }

    /// Encrypts each of the blocks, which follow each other, under one tweak.
    ///
    /// # Errors
    ///
    /// [`Error::Blocks`] if they do not end with a block.
    pub fn encrypt_many(&self, tweak: &[u8; 16], bytes: &mut [u8]) -> Result<(), Error> {
        either!(self, Self, p => p.encrypt_many(tweak, blocks(bytes)?));
        Ok(())
    }

    /// As `encrypt_many`, the other way.
    ///
    /// # Errors
    ///
    /// As `encrypt_many`.
    pub fn decrypt_many(&self, tweak: &[u8; 16], bytes: &mut [u8]) -> Result<(), Error> {
        either!(self, Self, p => p.decrypt_many(tweak, blocks(bytes)?));
        Ok(())
    }
}
