//! Where a message begins and ends: its masks, padding and tag.
#![forbid(unsafe_code)]

use super::lanes::{BLOCK, Block};
use super::mode::{Chain, Kernel, LAST, xor};
use crate::stream::wipe;
use crate::tag::Tag;

/// The hash of up to 32 bytes at the end: padded only if there are fewer.
pub(super) fn last_of_hash(chain: &mut Chain, rest: &[u8]) -> [Block; 2] {
    match rest.try_into() {
        Ok(block) => chain.last(block, 1),
        Err(_) => chain.last(&padded(rest), 2),
    }
}

/// After L is known.
pub(super) struct Start {
    pub(super) chain: Chain,
    pub(super) ad_hash: Block,
}

impl Start {
    /// The tag, when all blocks but the last are hashed.
    pub(super) fn finish(&mut self, kernel: &Kernel, very_last: &Block) -> Tag {
        let mut last = self.chain.last(&xor(&self.ad_hash, very_last), 1);
        let mut hash = image_of_last(kernel, &last);
        let (tag, _) = hash.split_first_chunk().expect("16 of 32 bytes");
        let tag = Tag::from(*tag);
        [last.as_flattened_mut(), &mut hash]
            .into_iter()
            .for_each(wipe);
        tag
    }
}

impl Drop for Start {
    fn drop(&mut self) {
        self.chain.wipe();
        wipe(&mut self.ad_hash);
    }
}

/// The end of a message: up to three full blocks, and the padded one.
pub(super) struct Last {
    pub(super) bytes: [u8; LAST * BLOCK],
    /// Blocks.
    pub(super) count: usize,
    /// Bytes of the message.
    pub(super) filled: usize,
}

impl Last {
    /// Of a message of that many bytes, still empty.
    pub(super) fn new(message_bytes: usize) -> Self {
        let filled = message_bytes % (LAST * BLOCK);
        Self {
            bytes: [0; LAST * BLOCK],
            count: filled / BLOCK + 1,
            filled,
        }
    }

    /// Where it stays: if it were moved then, a copy would be left on the stack, and only one of
    /// the two is overwritten by the ciphertext.
    pub(super) fn fill(&mut self, message: &[u8]) {
        let rest = &message[message.len() - self.filled..];
        self.bytes[..self.filled].copy_from_slice(rest);
        self.bytes[self.filled] = 0x80;
    }

    pub(super) fn blocks(&self) -> &[u8] {
        &self.bytes[..BLOCK * self.count]
    }

    pub(super) fn very_last(&self) -> &Block {
        &self.bytes.as_chunks::<BLOCK>().0[self.count - 1]
    }
}

/// Behind the ciphertext there are images under the key: blocks are encrypted in pairs.
impl Drop for Last {
    fn drop(&mut self) {
        wipe(&mut self.bytes);
    }
}

/// K || flag || 00 00 || N, from which masks come.
pub(super) fn seed(key: &[u8; 16], flag: u8, nonce: &[u8; 13]) -> Block {
    let mut block = [0; BLOCK];
    block[..16].copy_from_slice(key);
    block[16] = flag;
    block[19..].copy_from_slice(nonce);
    block
}

/// The hash, given what P takes last for it and the mask to be added.
pub(super) fn image_of_last(kernel: &Kernel, [x, mask]: &[Block; 2]) -> Block {
    let mut blocks = [*x, [0; BLOCK]];
    (kernel.permute)(&mut blocks, 1);
    let image = xor(&blocks[0], mask);
    wipe(blocks.as_flattened_mut());
    image
}

/// Byte 80, then zeros.
fn padded(rest: &[u8]) -> Block {
    let mut block = [0; BLOCK];
    block[..rest.len()].copy_from_slice(rest);
    block[rest.len()] = 0x80;
    block
}

/// The size of what was padded, in a time that depends on nothing but the size of `data`, whose
/// padding becomes zeros.
pub(super) fn unpadded(data: &mut [u8]) -> Option<usize> {
    let before = data.len() - BLOCK;
    let last = &mut data[before..];
    // All ones as long as nothing but zeros came from behind.
    let (mut only_zeros, mut good, mut len) = (0xff_u8, 0_u8, 0_u8);
    for (i, byte) in last.iter_mut().enumerate().rev() {
        let zero = is_zero(*byte);
        let end = only_zeros & is_zero(*byte ^ 0x80);
        good |= end;
        len |= end & i as u8;
        *byte &= !end;
        only_zeros &= zero;
    }
    (good != 0).then(|| before + usize::from(len))
}

/// All ones for zero, else none.
fn is_zero(byte: u8) -> u8 {
    ((u16::from(byte).wrapping_sub(1)) >> 8) as u8
}
