//! Independent messages under one key, several interleaved where a back end has the lanes.
#![forbid(unsafe_code)]

use core::array::from_fn;

use crate::cipher::{Cipher, Message};
use crate::keyed::Streaming;
use crate::stream::{Batch, Direction, LARGEST_TAG, Shape, wipe};
use crate::tag::equal;

/// Messages that are put in order of length together, so that those interleaved are much alike.
const WINDOW: usize = 64;
/// The most that any cipher interleaves.
const WIDEST: usize = 16;

/// Of sizes that were checked; so below.
pub(crate) fn seal<C: Streaming>(cipher: &C, messages: &mut [Message<'_>]) {
    cleared(cipher, messages, Direction::Encrypt, &mut |_| {});
}

/// How many were refused; which, and what sizes the others have, is in `opened`.
pub(crate) fn open<C: Streaming>(
    cipher: &C,
    messages: &mut [Message<'_>],
    opened: &mut [Option<usize>],
) -> usize {
    for (m, opened) in messages.iter().zip(&mut *opened) {
        *opened = Some(m.out.len());
    }
    let mut refused = 0;
    cleared(cipher, messages, Direction::Decrypt, &mut |i| {
        opened[i] = None;
        refused += 1;
    });
    refused
}

/// Clears what `run` leaves, its own frame with it.
fn cleared<C: Streaming>(
    cipher: &C,
    messages: &mut [Message<'_>],
    direction: Direction,
    refuse: &mut dyn FnMut(usize),
) {
    if let Some(wipe) = run(cipher, messages, direction, refuse) {
        wipe();
    }
}

/// Calls `refuse` with the place of every message that is not authentic. What clears the stack, if something is
/// left there.
#[inline(never)]
fn run<C: Streaming>(
    cipher: &C,
    messages: &mut [Message<'_>],
    direction: Direction,
    refuse: &mut dyn FnMut(usize),
) -> Option<fn()> {
    let kernel = cipher.keyed().parts().0;
    let (tag_bytes, width) = (C::FACTS.tag_bytes, kernel.width);
    let one = |m: &mut Message<'_>| match direction {
        Direction::Encrypt => cipher.seal_into(m.nonce, m.ad, m.data, m.out).is_ok(),
        Direction::Decrypt => cipher.open_into(m.nonce, m.ad, m.data, m.out).is_ok(),
    };
    if width == 1 {
        for (i, m) in messages.iter_mut().enumerate() {
            if !one(m) {
                refuse(i);
            }
        }
        return None;
    }
    let (mut left_stack, mut in_order) = (false, false);
    let mut crypt = |group: &mut [Message<'_>], refuse: &mut dyn FnMut(usize)| {
        let pays = const { C::Algorithm::WIDEST > 1 } && (kernel.pays)(group, direction);
        left_stack |= pays;
        // No code for a number of messages that the cipher never has interleaved.
        if const { C::Algorithm::WIDEST == 16 } && pays {
            interleaved::<C, 16>(cipher, group, direction, refuse);
        } else if const { C::Algorithm::WIDEST == 4 } && pays {
            interleaved::<C, 4>(cipher, group, direction, refuse);
        } else {
            for (i, m) in group.iter_mut().enumerate() {
                if !one(m) {
                    refuse(i);
                }
            }
        }
    };
    for (number, window) in messages.chunks_mut(WINDOW).enumerate() {
        let mut refuse = |i: usize| refuse(number * WINDOW + i);
        in_order |= in_groups(window, tag_bytes, width, direction, &mut refuse, &mut crypt);
    }
    left_stack.then_some(if in_order {
        kernel.wipe_many
    } else {
        kernel.wipe_alike
    })
}

type Crypt<'a> = dyn FnMut(&mut [Message<'_>], &mut dyn FnMut(usize)) + 'a;

/// Gives `crypt` those messages of a window that it takes together: `width`, in order of length. It
/// calls back with places in what it was given. Not generic: a sort for each cipher is much code. Whether they had to be
/// put in order, by a function of its own, since the stack below its frame takes time to clear.
fn in_groups(
    window: &mut [Message<'_>],
    tag_bytes: usize,
    width: usize,
    direction: Direction,
    refuse: &mut dyn FnMut(usize),
    crypt: &mut Crypt<'_>,
) -> bool {
    let shortest = match direction {
        Direction::Encrypt => 0,
        Direction::Decrypt => tag_bytes,
    };
    let first = sizes(&window[0]);
    if first.0 >= shortest && window.iter().all(|m| sizes(m) == first) {
        for (number, group) in window.chunks_mut(width).enumerate() {
            crypt(group, &mut |i| refuse(number * width + i));
        }
        return false;
    }
    put_in_order(window, shortest, width, refuse, crypt);
    true
}

/// Of data and associated data.
fn sizes(m: &Message<'_>) -> (usize, usize) {
    (m.data.len(), m.ad.len())
}

/// The same for messages of different lengths.
#[inline(never)]
fn put_in_order(
    window: &mut [Message<'_>],
    shortest: usize,
    width: usize,
    refuse: &mut dyn FnMut(usize),
    crypt: &mut Crypt<'_>,
) {
    let mut placed: [_; WINDOW] = from_fn(|_| None);
    let mut possible = 0;
    for (i, m) in window.iter_mut().enumerate() {
        if m.data.len() < shortest {
            m.out.fill(0);
            refuse(i);
        } else {
            placed[possible] = Some((i, m));
            possible += 1;
        }
    }
    let placed = &mut placed[..possible];
    placed.sort_unstable_by_key(|placed| placed.as_ref().map(|(_, m)| sizes(m)));
    for placed in placed.chunks_mut(width) {
        let (count, mut places) = (placed.len(), [0; WIDEST]);
        let mut placed = placed.iter_mut().flatten().zip(&mut places);
        let mut group: [Message<'_>; WIDEST] = from_fn(|_| match placed.next() {
            None => Message {
                nonce: &[],
                ad: &[],
                data: &[],
                out: &mut [],
            },
            Some(((i, m), place)) => {
                *place = *i;
                let Message {
                    nonce,
                    ad,
                    data,
                    out,
                } = &mut **m;
                Message {
                    nonce,
                    ad,
                    data,
                    out,
                }
            }
        });
        crypt(&mut group[..count], &mut |i| refuse(places[i]));
    }
}

/// At most N messages.
fn interleaved<C: Streaming, const N: usize>(
    cipher: &C,
    group: &mut [Message<'_>],
    direction: Direction,
    refuse: &mut dyn FnMut(usize),
) {
    let (kernel, key) = cipher.keyed().parts();
    let mut tags = [[0; LARGEST_TAG]; N];
    (kernel.many)(
        key,
        Batch {
            messages: &mut *group,
            tags: &mut tags,
            direction,
        },
    );
    if let Direction::Encrypt = direction {
        return;
    }
    for (i, (m, tag)) in group.iter_mut().zip(&tags).enumerate() {
        if !equal(&tag[..C::FACTS.tag_bytes], &m.data[m.out.len()..]) {
            m.out.fill(0);
            refuse(i);
        }
    }
    // Valid tags for forged messages are secrets.
    wipe(tags.as_flattened_mut());
}
