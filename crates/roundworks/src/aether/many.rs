//! AETHER on N messages under one key, in a batch: the lanes of a back end's registers are filled
//! from different messages.

use core::array::from_fn;

use hybrid_array::{Array, typenum::U48};
use inout::{InOut, InOutBuf};

use super::{Algorithm, BLOCK, Lanes, Variant, Word, Z0, Z1, Z2, bits, halves, join};
use crate::stream::{self, Direction, Lane, Stream};

/// The vector operations for N messages in a batch; `self` proves that the CPU has them. Where
/// `active` is requested, its bit n says whether message n takes part: if not, its state stays,
/// and its block may hold anything afterwards.
pub(crate) trait Batched<const N: usize>: Lanes {
    /// S0..S8 of N messages.
    type Many;

    fn zero(self) -> Self::Many;
    /// S0..S8 of each message, before the first round.
    fn load(self, s: &mut Self::Many, words: &[[Word; 9]; N]);
    /// The inverse of `load`.
    fn words(self, s: &Self::Many) -> [[Word; 9]; N];
    /// XORs keys\[which\[i\]\] to S\[i\] of every message.
    fn xor_keys(self, s: &mut Self::Many, keys: [Word; 2], which: [usize; 9]);
    /// R(S; X0, X1, X2).
    fn update(self, s: &mut Self::Many, x: [&[u8; BLOCK]; N], active: u16);
    /// [`ROUNDS`](super::ROUNDS) times R, with the same block for all.
    fn rounds(self, s: &mut Self::Many, x: &[u8; BLOCK]);
    /// A block of plaintext to ciphertext or back, and R.
    fn crypt(self, s: &mut Self::Many, blocks: [InPlace<'_>; N], active: u16, way: Direction);
    /// The keystream for the next block.
    fn keystreams(self, s: &Self::Many) -> [[u8; BLOCK]; N];
    /// XOR of the nine words.
    fn folds(self, s: &Self::Many) -> [Word; N];
}

/// A block, here or on its way.
pub(crate) type InPlace<'a> = InOut<'a, 'a, Array<u8, U48>>;
/// Whole blocks, and what is left.
type Data<'a> = (InOutBuf<'a, 'a, Array<u8, U48>>, InOutBuf<'a, 'a, u8>);

/// With that many messages left of 16, or fewer, one after the other is as fast as a batch.
const FEW: u32 = 8;

/// Whole messages, at most N. All go in a batch as long as it pays; those left then are finished one by
/// one. What is compared and branched on are lengths.
#[inline(always)]
pub(crate) fn run_many<V: Variant, L: Batched<N>, const N: usize>(
    l: L,
    key: &[u8; 32],
    lanes: &mut [Lane<'_, [u8; 16]>],
    direction: Direction,
) {
    const { assert!(N <= 16, "`active` has 16 bits") };
    let keys @ [k0, k1] = halves(key);
    let zero = [0; 16];
    // What has no message does as the last one does, but for its output.
    let last = lanes.len() - 1;
    let ads: [_; N] = from_fn(|n| lanes[n.min(last)].ad);
    let lengths: [_; N] = from_fn(|n| {
        let lane = &lanes[n.min(last)];
        [lane.ad.len() as u64, lane.buf.len() as u64]
    });
    // In place: what is returned is copied, and has to be cleared from the stack twice.
    let mut s = l.zero();
    let words = from_fn(|n| {
        let n = lanes[n.min(last)].nonce;
        let n_k0 = from_fn(|i| n[i] ^ k0[i]);
        [Z1, k0, n_k0, zero, Z0, zero, n, k1, Z2]
    });
    l.load(&mut s, &words);
    l.rounds(&mut s, &join(Z0, Z1, Z2));
    l.xor_keys(&mut s, keys, [0, 0, 0, 0, 1, 0, 1, 1, 1]);

    // The messages still in a batch; those that leave it do so by state and blocks of message.
    let all = u16::MAX >> (16 - N);
    let real = u16::MAX >> (15 - last);
    let mut here = real;

    // Whole blocks that all have; then the rest, with care.
    let shortest = ads.iter().map(|ad| ad.len()).min().unwrap_or(0);
    let mut done = shortest - shortest % BLOCK;
    for from in (0..done).step_by(BLOCK) {
        let blocks = ads.map(|ad| ad[from..].first_chunk().expect("a whole block"));
        l.update(&mut s, blocks, all);
    }
    loop {
        let active = select(real, |n| done < ads[n].len());
        if active.count_ones() <= FEW {
            if active != 0 {
                here &= !active;
                let words = l.words(&s);
                for n in each(active) {
                    let s = l.state(&words[n]);
                    let s = stream::absorb::<Algorithm<V>, L>(l, s, &ads[n][done..]);
                    let (data, tag) = parts(&mut lanes[n]);
                    finish::<V, L>(l, s, key, lengths[n], data, 0, tag, direction);
                }
            }
            break;
        }
        let blocks: [[u8; BLOCK]; N] = from_fn(|n| match &ads[n][done.min(ads[n].len())..] {
            [] => [0; BLOCK],
            rest => rest.first_chunk().copied().unwrap_or_else(|| padded(rest)),
        });
        l.update(&mut s, blocks.each_ref(), active);
        done += BLOCK;
    }

    let shortest = each(here).map(|n| lengths[n][1]).min().unwrap_or(0) as usize / BLOCK;
    let mut done = 0;
    let mut bufs = lanes.iter_mut().map(|lane| lane.buf.reborrow());
    let mut data: [Data<'_>; N] = from_fn(|_| {
        bufs.next()
            .unwrap_or_else(|| InOutBuf::from(&mut [][..]))
            .into_chunks()
    });
    drop(bufs);
    if here == real {
        let mut spare = [Array::from([0; BLOCK]); N];
        for i in 0..shortest {
            let mut blocks = data.iter_mut().zip(&mut spare).map(|((blocks, _), spare)| {
                if i < blocks.len() {
                    blocks.get(i)
                } else {
                    InOut::from(spare)
                }
            });
            let blocks = from_fn(|_| blocks.next().expect("N blocks"));
            l.crypt(&mut s, blocks, all, direction);
        }
        done = shortest;
    }
    let longer = |data: &Data<'_>, done| done < data.0.len() + usize::from(!data.1.is_empty());
    let left = loop {
        let active = select(here, |n| longer(&data[n], done));
        if active.count_ones() <= FEW {
            break active;
        }
        step(l, &mut s, &mut data, done, active, direction);
        done += 1;
    };
    if left != 0 {
        here &= !left;
        let words = l.words(&s);
        for n in each(left) {
            let (data, tag) = parts(&mut lanes[n]);
            let s = l.state(&words[n]);
            finish::<V, L>(l, s, key, lengths[n], data, done, tag, direction);
        }
    }
    if here == 0 {
        return;
    }

    if V::BIND_LENGTHS {
        let blocks = lengths.map(|[ad, message]| join(bits(ad), bits(message), Z1));
        l.update(&mut s, blocks.each_ref(), all);
    }
    l.xor_keys(&mut s, keys, [0, 0, 1, 1, 0, 0, 1, 0, 1]);
    l.rounds(&mut s, &join(k0, Z0, k1));
    l.xor_keys(&mut s, keys, [1, 0, 0, 0, 1, 0, 0, 1, 1]);
    let sums = l.folds(&s);
    each(here).for_each(|n| lanes[n].tag.copy_from_slice(&sums[n]));
}

/// The messages of `among` that satisfy `condition`, one bit each.
#[inline(always)]
fn select(among: u16, condition: impl Fn(usize) -> bool) -> u16 {
    each(among)
        .filter(|&n| condition(n))
        .fold(0, |all, n| all | 1 << n)
}

/// The numbers of the bits set.
#[inline(always)]
fn each(set: u16) -> impl Iterator<Item = usize> {
    (0..16).filter(move |n| set >> n & 1 != 0)
}

#[inline(always)]
fn padded(rest: &[u8]) -> [u8; BLOCK] {
    stream::padded::<super::AsPublished>(rest).0
}

#[inline(always)]
fn parts<'a>(lane: &'a mut Lane<'_, [u8; 16]>) -> (Data<'a>, &'a mut [u8]) {
    (lane.buf.reborrow().into_chunks(), lane.tag)
}

/// Block number `done` of each active message, or its incomplete last one.
#[inline(always)]
fn step<L: Batched<N>, const N: usize>(
    l: L,
    s: &mut L::Many,
    data: &mut [Data<'_>; N],
    done: usize,
    active: u16,
    direction: Direction,
) {
    let mut spare = [Array::from([0; BLOCK]); N];
    let partial = select(active, |n| done == data[n].0.len());
    if partial != 0 {
        let keystream = match direction {
            Direction::Encrypt => [[0; BLOCK]; N],
            Direction::Decrypt => l.keystreams(s),
        };
        for n in each(partial) {
            // Deciphered, this is padding; and so it is when enciphered, without keystream.
            let rest = data[n].1.get_in();
            spare[n].0 = padded(rest);
            for (to, k) in spare[n].iter_mut().zip(keystream[n]).skip(rest.len()) {
                *to ^= k;
            }
        }
    }
    let mut n = 0;
    let mut blocks = data.iter_mut().zip(&mut spare).map(|((blocks, _), spare)| {
        n += 1;
        if (active & !partial) >> (n - 1) & 1 != 0 {
            blocks.get(done)
        } else {
            InOut::from(spare)
        }
    });
    let blocks = from_fn(|_| blocks.next().expect("N blocks"));
    l.crypt(s, blocks, active, direction);
    for n in each(partial) {
        let rest = data[n].1.get_out();
        rest.copy_from_slice(&spare[n][..rest.len()]);
    }
}

/// The rest of one message, from block number `done`, and its tag.
#[inline(always)]
#[allow(clippy::too_many_arguments)] // the state of one message that leaves the others
fn finish<V: Variant, L: Lanes>(
    l: L,
    s: L::State,
    key: &[u8; 32],
    lengths: [u64; 2],
    (blocks, rest): Data<'_>,
    done: usize,
    tag: &mut [u8],
    direction: Direction,
) {
    let (_, blocks) = blocks.split_at(done);
    let s = match direction {
        Direction::Encrypt => Algorithm::<V>::crypt_whole::<true>(l, s, blocks),
        Direction::Decrypt => Algorithm::<V>::crypt_whole::<false>(l, s, blocks),
    };
    let s = stream::crypt_either::<Algorithm<V>, L>(l, s, rest, direction);
    Algorithm::<V>::finish(l, s, key, lengths, tag);
}
