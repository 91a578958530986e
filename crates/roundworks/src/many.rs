//! Independent messages under one key, several interleaved where a back end has the lanes.
#![forbid(unsafe_code)]

use core::array::from_fn;

use inout::InOutBuf;
use zeroize::Zeroize;

use crate::cipher::{Cipher, Message};
use crate::keyed::{LARGEST_TAG, Streaming, sized};
use crate::stream::{Bytes, Direction, Lane, Shape};
use crate::tag::equal;

/// Messages that are put in order of length together, so that those interleaved are much alike.
const WINDOW: usize = 64;

/// Of sizes that were checked; so below.
pub(crate) fn seal<C: Streaming>(cipher: &C, messages: &mut [Message<'_>]) {
    run(cipher, messages, Direction::Encrypt, &mut |_| {});
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
    run(cipher, messages, Direction::Decrypt, &mut |i| {
        opened[i] = None;
        refused += 1;
    });
    refused
}

/// Calls `refuse` with the place of every message that is not authentic.
fn run<C: Streaming>(
    cipher: &C,
    messages: &mut [Message<'_>],
    direction: Direction,
    refuse: &mut dyn FnMut(usize),
) {
    let (kernel, widest) = (cipher.keyed().parts().0, C::Algorithm::WIDEST);
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
        return;
    }
    let mut crypt = |window: &mut [Message<'_>], group: &[u8], refuse: &mut dyn FnMut(u8)| {
        // In order of length: the first has the fewest bytes.
        let bytes = window[usize::from(group[0])].data.len();
        // No code for a number of messages that the cipher never has interleaved.
        let pays = widest > 1 && (kernel.pays)(group.len(), bytes, direction);
        if pays && widest == 16 {
            interleaved::<C, 16>(cipher, window, group, direction, refuse);
        } else if pays && widest == 4 {
            interleaved::<C, 4>(cipher, window, group, direction, refuse);
        } else {
            for &i in group {
                if !one(&mut window[usize::from(i)]) {
                    refuse(i);
                }
            }
        }
    };
    in_groups(messages, tag_bytes, width, direction, refuse, &mut crypt);
}

type Crypt<'a> = dyn FnMut(&mut [Message<'_>], &[u8], &mut dyn FnMut(u8)) + 'a;

/// Gives `crypt` a window of messages and which of them it takes together: `width`, in order of length. Not
/// generic: a sort for each cipher is much code.
fn in_groups(
    messages: &mut [Message<'_>],
    tag_bytes: usize,
    width: usize,
    direction: Direction,
    refuse: &mut dyn FnMut(usize),
    crypt: &mut Crypt<'_>,
) {
    for (number, window) in messages.chunks_mut(WINDOW).enumerate() {
        let mut refuse = |i: u8| refuse(number * WINDOW + usize::from(i));
        let (mut order, mut possible) = ([0; WINDOW], 0);
        for (i, m) in (0..).zip(window.iter_mut()) {
            if matches!(direction, Direction::Decrypt) && m.data.len() < tag_bytes {
                m.out.fill(0);
                refuse(i);
            } else {
                order[possible] = i;
                possible += 1;
            }
        }
        let order = &mut order[..possible];
        order.sort_unstable_by_key(|&i| {
            let m = &window[usize::from(i)];
            (m.data.len(), m.ad.len())
        });
        for group in order.chunks(width) {
            crypt(window, group, &mut refuse);
        }
    }
}

/// Those of the window that `group` names, at most N.
fn interleaved<C: Streaming, const N: usize>(
    cipher: &C,
    window: &mut [Message<'_>],
    group: &[u8],
    direction: Direction,
    refuse: &mut dyn FnMut(u8),
) {
    let (kernel, key) = cipher.keyed().parts();
    let mut window = window.iter_mut();
    let mut window: [_; WINDOW] = from_fn(|_| window.next());
    let mut messages: [Option<&mut Message<'_>>; N] = from_fn(|n| {
        let i = usize::from(*group.get(n)?);
        Some(window[i].take().expect("a permutation of the window"))
    });
    let mut tags = [[0; LARGEST_TAG]; N];
    let mut tags = tags.each_mut().map(|tag| &mut tag[..C::FACTS.tag_bytes]);
    {
        let mut messages = messages.iter_mut().zip(&mut tags);
        let mut lanes: [_; N] = from_fn(|_| {
            let (m, tag) = messages.next().expect("N messages");
            let Some(m) = m else {
                return Lane {
                    nonce: Bytes::ZERO,
                    ad: &[],
                    buf: InOutBuf::from(&mut [][..]),
                    tag,
                };
            };
            let bytes = m.data.len().min(m.out.len());
            let buf = InOutBuf::new(&m.data[..bytes], &mut m.out[..bytes]);
            Lane {
                nonce: sized("nonce", m.nonce).expect("checked before"),
                ad: m.ad,
                buf: buf.expect("cut to the same length"),
                tag,
            }
        });
        (kernel.many)(key, &mut lanes[..group.len()], direction);
        (kernel.wipe_many)();
    }
    for ((&i, m), tag) in group.iter().zip(messages.into_iter().flatten()).zip(&tags) {
        match direction {
            Direction::Encrypt => m.out[m.data.len()..].copy_from_slice(tag),
            Direction::Decrypt if equal(tag, &m.data[m.out.len()..]) => {}
            Direction::Decrypt => {
                m.out.fill(0);
                refuse(i);
            }
        }
    }
    // Valid tags for forged messages are secrets.
    tags.into_iter().for_each(|tag| tag.zeroize());
}
