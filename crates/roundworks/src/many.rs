//! Independent messages under one key, several side by side where a back end has the lanes.
#![forbid(unsafe_code)]

use core::array::from_fn;

use inout::InOutBuf;
use zeroize::Zeroize;

use crate::cipher::{Error, Message, check};
use crate::keyed::{Keyed, sized};
use crate::stream::{Bytes, Direction, Lane, Shape};
use crate::tag::equal;

/// Messages that are put in order of length together, so that those side by side are much alike.
const WINDOW: usize = 64;

pub(crate) fn seal_many<A: Shape, const TAG: usize>(
    keyed: &Keyed<A, TAG>,
    messages: &mut [Message<'_>],
) -> Result<(), Error> {
    check_sizes::<A>(messages, |m| m.data.len() + TAG, |m| m.out.len())?;
    run(keyed, messages, Direction::Encrypt, |_| {});
    Ok(())
}

/// How many were refused; which, and what sizes the others have, is in `opened`.
pub(crate) fn open_many<A: Shape, const TAG: usize>(
    keyed: &Keyed<A, TAG>,
    messages: &mut [Message<'_>],
    opened: &mut [Option<usize>],
) -> Result<usize, Error> {
    // No message is shorter than a tag: refused later, whatever its `out`.
    let got = |m: &Message<'_>| {
        if m.data.len() < TAG {
            TAG
        } else {
            m.out.len() + TAG
        }
    };
    check_sizes::<A>(messages, |m| m.data.len().max(TAG), got)?;
    assert_eq!(opened.len(), messages.len(), "a result for each message");
    for (m, opened) in messages.iter().zip(&mut *opened) {
        *opened = Some(m.out.len());
    }
    let mut refused = 0;
    run(keyed, messages, Direction::Decrypt, |i| {
        opened[i] = None;
        refused += 1;
    });
    Ok(refused)
}

fn check_sizes<A: Shape>(
    messages: &[Message<'_>],
    want: impl Fn(&Message<'_>) -> usize,
    got: impl Fn(&Message<'_>) -> usize,
) -> Result<(), Error> {
    for m in messages {
        sized::<A::Nonce>("nonce", m.nonce)?;
        let (want, got) = (want(m), got(m));
        if want != got {
            // In terms of `out`, whichever side has the tag.
            check("out", m.out.len(), want + m.out.len() - got)?;
        }
    }
    Ok(())
}

/// Calls `refuse` with the place of every message that is not authentic.
fn run<A: Shape, const TAG: usize>(
    keyed: &Keyed<A, TAG>,
    messages: &mut [Message<'_>],
    direction: Direction,
    mut refuse: impl FnMut(usize),
) {
    let kernel = keyed.parts().0;
    let width = kernel.width;
    for (number, window) in messages.chunks_mut(WINDOW).enumerate() {
        let mut refuse = |i: u8| refuse(number * WINDOW + usize::from(i));
        let (mut order, mut possible) = ([0; WINDOW], 0);
        for (i, m) in (0..).zip(window.iter_mut()) {
            if matches!(direction, Direction::Decrypt) && m.data.len() < TAG {
                m.out.fill(0);
                refuse(i);
            } else {
                order[possible] = i;
                possible += 1;
            }
        }
        let order = &mut order[..possible];
        if width > 1 {
            order.sort_unstable_by_key(|&i| {
                let m = &window[usize::from(i)];
                (m.data.len(), m.ad.len())
            });
        }
        for group in order.chunks(width) {
            // In order of length: the first has the fewest bytes.
            let bytes = window[usize::from(group[0])].data.len();
            // No code for a number of messages that the cipher never has side by side.
            let pays = A::WIDEST > 1 && width > 1 && (kernel.pays)(group.len(), bytes, direction);
            if pays && A::WIDEST == 16 {
                side_by_side::<A, TAG, 16>(keyed, window, group, direction, &mut refuse);
            } else if pays && A::WIDEST == 4 {
                side_by_side::<A, TAG, 4>(keyed, window, group, direction, &mut refuse);
            } else {
                for &i in group {
                    if !one(keyed, &mut window[usize::from(i)], direction) {
                        refuse(i);
                    }
                }
            }
        }
    }
}

/// False if it was refused.
fn one<A: Shape, const TAG: usize>(
    keyed: &Keyed<A, TAG>,
    m: &mut Message<'_>,
    direction: Direction,
) -> bool {
    let result = match direction {
        Direction::Encrypt => crate::keyed::seal_into(keyed, m.nonce, m.ad, m.data, m.out),
        Direction::Decrypt => crate::keyed::open_into(keyed, m.nonce, m.ad, m.data, m.out),
    };
    result.is_ok()
}

/// Those of the window that `group` names, at most N.
fn side_by_side<A: Shape, const TAG: usize, const N: usize>(
    keyed: &Keyed<A, TAG>,
    window: &mut [Message<'_>],
    group: &[u8],
    direction: Direction,
    refuse: &mut impl FnMut(u8),
) {
    let (kernel, key) = keyed.parts();
    let mut window = window.iter_mut();
    let mut window: [_; WINDOW] = from_fn(|_| window.next());
    let mut messages: [Option<&mut Message<'_>>; N] = from_fn(|n| {
        let i = usize::from(*group.get(n)?);
        Some(window[i].take().expect("a permutation of the window"))
    });
    let mut tags = [[0; TAG]; N];
    {
        let mut messages = messages.iter_mut().zip(&mut tags);
        let mut lanes: [_; N] = from_fn(|_| {
            let (m, tag) = messages.next().expect("N messages");
            let Some(m) = m else {
                return Lane {
                    nonce: A::Nonce::ZERO,
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
    tags.zeroize(); // valid tags for forged messages are secrets
}
