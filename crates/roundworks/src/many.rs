//! Independent messages under one key, several side by side where a back end has the lanes.
#![forbid(unsafe_code)]

use inout::InOutBuf;
use zeroize::Zeroize;

use crate::cipher::{Error, Message, check};
use crate::keyed::{Keyed, sized};
use crate::stream::{Direction, Lane, Shape};
use crate::tag::equal;

/// Messages that are put in order of length together, so that those side by side are much alike.
const WINDOW: usize = 64;

pub(crate) fn seal_many<A: Shape, const TAG: usize>(
    keyed: &Keyed<A, TAG>,
    messages: &mut [Message<'_>],
) -> Result<(), Error> {
    check_sizes::<A>(messages, |m| m.data.len() + TAG, |m| m.out.len())?;
    run(keyed, messages, Direction::Encrypt);
    Ok(())
}

/// How many were refused.
pub(crate) fn open_many<A: Shape, const TAG: usize>(
    keyed: &Keyed<A, TAG>,
    messages: &mut [Message<'_>],
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
    Ok(run(keyed, messages, Direction::Decrypt))
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

fn run<A: Shape, const TAG: usize>(
    keyed: &Keyed<A, TAG>,
    messages: &mut [Message<'_>],
    direction: Direction,
) -> usize {
    let width = keyed.parts().0.width;
    let mut refused = 0;
    for window in messages.chunks_mut(WINDOW) {
        let (mut order, mut possible) = ([0; WINDOW], 0);
        for (i, m) in window.iter_mut().enumerate() {
            if matches!(direction, Direction::Decrypt) && m.data.len() < TAG {
                m.out.fill(0);
                refused += 1;
            } else {
                order[possible] = i as u8;
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
            refused += match *group {
                _ if width == 16 && group.len() == 16 => {
                    let group = group.try_into().expect("sixteen");
                    side_by_side::<A, TAG, 16>(keyed, window, group, direction)
                }
                [a, b, c, d] if width == 4 => side_by_side(keyed, window, [a, b, c, d], direction),
                [a, b] if width == 2 => side_by_side(keyed, window, [a, b], direction),
                // Fewer than the lanes.
                _ => group
                    .iter()
                    .map(|&i| one(keyed, &mut window[usize::from(i)], direction))
                    .sum(),
            };
        }
    }
    refused
}

fn one<A: Shape, const TAG: usize>(
    keyed: &Keyed<A, TAG>,
    m: &mut Message<'_>,
    direction: Direction,
) -> usize {
    let result = match direction {
        Direction::Encrypt => crate::keyed::seal_into(keyed, m.nonce, m.ad, m.data, m.out),
        Direction::Decrypt => crate::keyed::open_into(keyed, m.nonce, m.ad, m.data, m.out),
    };
    usize::from(result.is_err())
}

fn side_by_side<A: Shape, const TAG: usize, const N: usize>(
    keyed: &Keyed<A, TAG>,
    window: &mut [Message<'_>],
    group: [u8; N],
    direction: Direction,
) -> usize {
    let (kernel, key) = keyed.parts();
    let group = window.get_disjoint_mut(group.map(usize::from));
    let mut messages = group.expect("a permutation of the window");
    let mut tags = [[0; TAG]; N];
    let mut tag = tags.iter_mut();
    {
        let mut lanes = messages.each_mut().map(|m| {
            let nonce = sized("nonce", m.nonce).expect("checked before");
            let bytes = m.data.len().min(m.out.len());
            let buf = InOutBuf::new(&m.data[..bytes], &mut m.out[..bytes]);
            let buf = buf.expect("cut to the same length");
            let tag = tag.next().expect("N tags");
            Lane {
                nonce,
                ad: m.ad,
                buf,
                tag,
            }
        });
        (kernel.many)(key, &mut lanes, direction);
        (kernel.wipe_many)();
    }
    let mut refused = 0;
    for (m, tag) in messages.into_iter().zip(&tags) {
        match direction {
            Direction::Encrypt => m.out[m.data.len()..].copy_from_slice(tag),
            Direction::Decrypt if equal(tag, &m.data[m.out.len()..]) => {}
            Direction::Decrypt => {
                m.out.fill(0);
                refused += 1;
            }
        }
    }
    tags.zeroize(); // valid tags for forged messages are secrets
    refused
}
