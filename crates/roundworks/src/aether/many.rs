//! AETHER on N messages under one key, in lockstep: the lanes of a back end's registers are filled
//! from different messages.

use super::{
    BLOCK, Block, Lanes, Variant, Word, Z0, Z1, Z2, absorb, bits, decrypt, encrypt,
    finalise, join, padded, update, word,
};
use crate::keyed::Direction;

/// The vector operations for N messages in lockstep; `self` proves that the CPU has them. Where
/// `active` is asked for, its bit n says whether message n takes part: if not, its state stays,
/// and its block may hold anything afterwards.
pub(crate) trait Lockstep<const N: usize>: Copy {
    /// S0..S8 of N messages.
    type State;

    /// From S0..S8 of each message.
    fn state(self, words: &[[Word; 9]; N]) -> Self::State;
    /// The inverse of `state`.
    fn words(self, s: &Self::State) -> [[Word; 9]; N];
    /// XORs keys\[which\[i\]\] to S\[i\] of every message.
    fn xor_keys(self, s: &mut Self::State, keys: [Word; 2], which: [usize; 9]);
    /// R(S; X0, X1, X2).
    fn update(self, s: &mut Self::State, x: [&Block; N], active: u16);
    /// [`ROUNDS`] times R, with the same block for all.
    fn rounds(self, s: &mut Self::State, x: &Block);
    /// A block of plaintext to ciphertext, and R.
    fn encrypt(self, s: &mut Self::State, blocks: [&mut Block; N], active: u16);
    /// A block of ciphertext to plaintext, and R.
    fn decrypt(self, s: &mut Self::State, blocks: [&mut Block; N], active: u16);
    /// The keystream for the next block.
    fn keystream(self, s: &Self::State) -> [Block; N];
    /// XOR of the nine words.
    fn fold(self, s: &Self::State) -> [Word; N];
}

/// With so many messages left of 16, or fewer, one after the other is as fast as lockstep.
const FEW: u32 = 8;

/// The cipher on N messages, as [`run`](super::run) on each: the tags, in order. All go in
/// lockstep as long as it pays; those left then are finished one by one, with `l`. What is compared
/// and branched on are lengths.
#[inline(always)]
pub(crate) fn run_many<V: Variant, L: Lanes, W: Lockstep<N>, const N: usize>(
    (l, w): (L, W),
    key: &[u8; 32],
    nonces: [&[u8; 16]; N],
    ads: [&[u8]; N],
    mut bufs: [&mut [u8]; N],
    direction: Direction,
) -> [Word; N] {
    const { assert!(N <= 16, "`active` has 16 bits") };
    let [k0, k1] = [0, 16].map(|at| word(&key[at..at + 16]));
    let keys = [k0, k1];
    let zero = [0; 16];
    let mut s = w.state(&nonces.map(|&n| {
        let n_k0 = core::array::from_fn(|i| n[i] ^ k0[i]);
        [Z1, k0, n_k0, zero, Z0, zero, n, k1, Z2]
    }));
    w.rounds(&mut s, &join(Z0, Z1, Z2));
    w.xor_keys(&mut s, keys, [0, 0, 0, 0, 1, 0, 1, 1, 1]);

    let mut tags = [zero; N];
    // The messages still in lockstep.
    let all = u16::MAX >> (16 - N);
    let mut here = all;

    // Whole blocks that all have; then the rest, with care.
    let shortest = ads.iter().map(|ad| ad.len()).min().unwrap_or(0);
    let mut done = shortest - shortest % BLOCK;
    for from in (0..done).step_by(BLOCK) {
        let blocks = ads.map(|ad| ad[from..].first_chunk().expect("a whole block"));
        w.update(&mut s, blocks, here);
    }
    loop {
        let active = select(here, |n| done < ads[n].len());
        if active.count_ones() <= FEW {
            if active != 0 {
                here &= !active;
                let words = w.words(&s);
                for n in each(active) {
                    let s = absorb(l, l.state(&words[n]), &ads[n][done..]);
                    tags[n] = finish::<V, L>(l, s, keys, ads[n], bufs[n], 0, direction);
                }
            }
            break;
        }
        let blocks: [Block; N] = core::array::from_fn(|n| block_at(ads[n], done));
        w.update(&mut s, blocks.each_ref(), active);
        done += BLOCK;
    }

    let shortest = each(here).map(|n| bufs[n].len()).min().unwrap_or(0);
    let mut done = 0;
    if here == all {
        while shortest - done >= BLOCK {
            let blocks = bufs
                .each_mut()
                .map(|buf| buf[done..].first_chunk_mut().expect("a whole block"));
            match direction {
                Direction::Encrypt => w.encrypt(&mut s, blocks, all),
                Direction::Decrypt => w.decrypt(&mut s, blocks, all),
            }
            done += BLOCK;
        }
    }
    loop {
        let active = select(here, |n| done < bufs[n].len());
        if active.count_ones() <= FEW {
            if active != 0 {
                here &= !active;
                let words = w.words(&s);
                for n in each(active) {
                    let s = l.state(&words[n]);
                    tags[n] = finish::<V, L>(l, s, keys, ads[n], bufs[n], done, direction);
                }
            }
            break;
        }
        step(w, &mut s, &mut bufs, done, active, direction);
        done += BLOCK;
    }
    if here == 0 {
        return tags;
    }

    if V::BIND_LENGTHS {
        let blocks: [Block; N] =
            core::array::from_fn(|n| join(bits(ads[n].len()), bits(bufs[n].len()), Z1));
        w.update(&mut s, blocks.each_ref(), here);
    }
    w.xor_keys(&mut s, keys, [0, 0, 1, 1, 0, 0, 1, 0, 1]);
    w.rounds(&mut s, &join(k0, Z0, k1));
    w.xor_keys(&mut s, keys, [1, 0, 0, 0, 1, 0, 0, 1, 1]);
    let sums = w.fold(&s);
    each(here).for_each(|n| tags[n] = sums[n]);
    tags
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

/// The block at byte `done` of `data`, padded if it is the last part; zeros beyond the end.
#[inline(always)]
fn block_at(data: &[u8], done: usize) -> Block {
    let rest = &data[done.min(data.len())..];
    match rest.first_chunk() {
        Some(block) => *block,
        None if rest.is_empty() => [0; BLOCK],
        None => padded(rest),
    }
}

/// A block of each active message, or the last part of one.
#[inline(always)]
fn step<W: Lockstep<N>, const N: usize>(
    w: W,
    s: &mut W::State,
    bufs: &mut [&mut [u8]; N],
    done: usize,
    active: u16,
    direction: Direction,
) {
    let mut spare = [[0; BLOCK]; N];
    let partial = select(active, |n| bufs[n].len() - done < BLOCK);
    if partial != 0 {
        let keystream = match direction {
            Direction::Encrypt => [[0; BLOCK]; N],
            Direction::Decrypt => w.keystream(s),
        };
        for n in each(partial) {
            // Deciphered, this is padding; and so it is when enciphered, without keystream.
            let rest = &bufs[n][done..];
            spare[n] = padded(rest);
            for (to, k) in spare[n].iter_mut().zip(keystream[n]).skip(rest.len()) {
                *to ^= k;
            }
        }
    }
    let mut n = 0;
    let mut blocks = bufs.iter_mut().zip(&mut spare).map(|(buf, spare)| {
        let whole = (active & !partial) >> n & 1 != 0;
        n += 1;
        match whole {
            true => buf[done..].first_chunk_mut().expect("a whole block"),
            false => spare,
        }
    });
    let blocks = core::array::from_fn(|_| blocks.next().expect("N blocks"));
    match direction {
        Direction::Encrypt => w.encrypt(s, blocks, active),
        Direction::Decrypt => w.decrypt(s, blocks, active),
    }
    for n in each(partial) {
        let rest = &mut bufs[n][done..];
        rest.copy_from_slice(&spare[n][..rest.len()]);
    }
}

/// The rest of one message, from byte `done` of its data; its tag.
#[inline(always)]
fn finish<V: Variant, L: Lanes>(
    l: L,
    mut s: L::State,
    [k0, k1]: [Word; 2],
    ad: &[u8],
    buf: &mut [u8],
    done: usize,
    direction: Direction,
) -> Word {
    let rest = &mut buf[done..];
    s = match direction {
        Direction::Encrypt => encrypt(l, s, rest),
        Direction::Decrypt => decrypt(l, s, rest),
    };
    if V::BIND_LENGTHS {
        let x = l.block(&join(bits(ad.len()), bits(buf.len()), Z1));
        s = update(l, s, x);
    }
    finalise(l, s, k0, k1)
}
