//! Many messages in one call, interleaved where a back end can.

use std::hint::black_box;

use roundworks::{Cipher, Message as One};

use crate::subject::{Aligned, Window, bytes, timed};

/// Messages in one call: more than any back end interleaves.
const MESSAGES: usize = 16;

/// A keyed cipher whose `seal_many` is timed.
pub struct Many {
    cipher: Box<dyn Cipher>,
    nonce: Vec<u8>,
    buffers: Vec<(Aligned, Aligned)>,
    windows: usize,
}

impl Many {
    /// Around a cipher with its key set.
    #[must_use]
    pub fn new(cipher: Box<dyn Cipher>) -> Self {
        let nonce = bytes(cipher.facts().nonce_bytes);
        Self {
            cipher,
            nonce,
            buffers: vec![],
            windows: 0,
        }
    }

    /// As [`Subject::window`](crate::Subject::window), of `calls` messages among many. Where that
    /// is no whole number of calls, the time is scaled to that number.
    pub(crate) fn window(&mut self, data_bytes: usize, ad: &[u8], calls: usize) -> Window {
        let runs = calls.div_ceil(MESSAGES);
        self.prepare(data_bytes);
        self.windows += 1;
        for (place, (data, out)) in self.buffers.iter_mut().enumerate() {
            data.move_to((self.windows + place) * 27);
            out.move_to((self.windows + place) * 81 + 21);
        }
        let whole = self.run(ad, runs);
        let share = calls as f64 / (runs * MESSAGES) as f64;
        Window {
            time: whole.time.mul_f64(share),
            cycles: whole.cycles.map(|cycles| cycles * share),
        }
    }

    /// Ciphertext || tag of each of the messages, which are all the same.
    ///
    /// # Panics
    ///
    /// If they differ.
    pub(crate) fn sealed(&mut self, data_bytes: usize, ad: &[u8]) -> Vec<u8> {
        self.buffers.clear(); // what was moved does not count up any more
        self.prepare(data_bytes);
        self.run(ad, 1);
        let mut made = self.buffers.iter_mut().map(|(_, out)| out.bytes().to_vec());
        let first = made.next().expect("more than one message");
        assert!(made.all(|other| other == first), "messages interleaved");
        first
    }

    fn prepare(&mut self, data_bytes: usize) {
        if !matches!(&self.buffers[..], [(data, _), ..] if data.len() == data_bytes) {
            let sealed_bytes = self.cipher.sealed_bytes(data_bytes);
            self.buffers.clear();
            self.buffers.resize_with(MESSAGES, || {
                (
                    Aligned::counting(data_bytes),
                    Aligned::counting(sealed_bytes),
                )
            });
        }
    }

    fn run(&mut self, ad: &[u8], runs: usize) -> Window {
        let Self {
            cipher,
            nonce,
            buffers,
            ..
        } = self;
        let mut messages: Vec<_> = buffers
            .iter_mut()
            .map(|(data, out)| One {
                nonce,
                ad,
                data: data.bytes(),
                out: out.bytes(),
            })
            .collect();
        cipher.seal_many(&mut messages).expect("sizes as requested");
        timed(|| {
            for _ in 0..runs {
                let done = cipher.seal_many(black_box(&mut messages));
                black_box(done).expect("sizes as requested");
            }
        })
    }
}
