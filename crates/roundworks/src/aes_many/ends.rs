//! The incomplete blocks that interleaved messages end with, all of one length.
#![forbid(unsafe_code)]
#![allow(clippy::needless_range_loop)] // as in `aes_many`

use super::{Alone, SideBySide, State, crowded};
use crate::aes::{AesLanes, part};
use crate::aes_aead::{AesAead, Words};
use crate::arch::Apart;
use crate::cipher::Message;
use crate::stream::{Block, Direction};

/// Runs what ends messages. Where registers are few, as a function of its own: next to it, a loop over whole blocks had
/// a word of the state in memory.
#[inline(always)]
pub(super) fn end<A, L, const R: usize, const W: usize>(l: L, what: &mut impl Apart<L>)
where
    A: AesAead<R>,
    L: AesLanes<W> + SideBySide,
{
    if const { crowded::<A, L, R, W>() } {
        l.apart(what);
    } else {
        what.run(l);
    }
}

/// The state, and what is left of associated data, less than a block.
pub(super) struct LastAd<'a, A: AesAead<R>, L: AesLanes<W>, const R: usize, const W: usize>(
    pub(super) State<A, L, R, W>,
    pub(super) [&'a [u8]; W],
);

impl<A, L, const R: usize, const W: usize> Apart<L> for LastAd<'_, A, L, R, W>
where
    A: AesAead<R>,
    L: AesLanes<W> + SideBySide,
{
    #[inline(always)]
    fn run(&mut self, l: L) {
        let Self(s, ad) = self;
        *s = A::update::<L, W>(l, *s, read_part::<L, R, W>(l, *ad));
    }
}

/// The state, and the incomplete last block of each message, whose plaintext has that many bytes.
pub(super) struct LastBlocks<'a, 'm, A: AesAead<R>, L: AesLanes<W>, const R: usize, const W: usize>(
    pub(super) State<A, L, R, W>,
    pub(super) &'a mut [Message<'m>; W],
    pub(super) usize,
    pub(super) Direction,
);

impl<A, L, const R: usize, const W: usize> Apart<L> for LastBlocks<'_, '_, A, L, R, W>
where
    A: AesAead<R>,
    L: AesLanes<W> + SideBySide,
    [(); R]: Words,
{
    #[inline(always)]
    fn run(&mut self, l: L) {
        let Self(s, messages, bytes, direction) = self;
        let n = *bytes % size_of::<Block<Alone<A, R>>>();
        let rest = *bytes - n..*bytes;
        let mut parts = [&[][..]; W];
        for j in 0..W {
            parts[j] = &messages[j].data[rest.clone()];
        }
        let input = read_part::<L, R, W>(l, parts);
        let (output, next) = match direction {
            Direction::Encrypt => A::encrypt::<L, W>(l, *s, input),
            Direction::Decrypt => {
                // Absorbed as in encryption: a block of plaintext, padded.
                let mut m = A::mask::<L, W>(l, *s, input);
                for (r, word) in m.iter_mut().enumerate() {
                    let kept = AesLanes::<W>::one_part(l, &[0xff; 16][..part::<1>(n, r).len()]);
                    *word = AesLanes::<W>::and(l, *word, AesLanes::<W>::join(l, [kept; W]));
                }
                (m, A::update::<L, W>(l, *s, m))
            }
        };
        for (r, word) in output.into_iter().enumerate() {
            let ones = AesLanes::<W>::split(l, word);
            for j in 0..W {
                let rest = &mut messages[j].out[rest.clone()];
                AesLanes::<W>::put_part(l, ones[j], &mut rest[part::<1>(n, r)]);
            }
        }
        *s = next;
    }
}

/// The words of what begins a block of each message, as much of all; zeros follow.
#[inline(always)]
fn read_part<L: AesLanes<W>, const R: usize, const W: usize>(
    l: L,
    parts: [&[u8]; W],
) -> [L::Word; R] {
    let mut words = [l.splat(&[0; 16]); R];
    for r in 0..R {
        let here = part::<1>(parts[0].len(), r);
        let mut ones = [l.one(&[0; 16]); W];
        for j in 0..W {
            ones[j] = l.one_part(&parts[j][here.clone()]);
        }
        words[r] = l.join(ones);
    }
    words
}
