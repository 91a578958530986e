//! What can be timed: one cipher of one library, under one key and nonce.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::clock;

/// What to time. Sizes in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct Workload {
    pub operation: Operation,
    pub data_bytes: usize,
    pub ad_bytes: usize,
}

/// Encryption, or decryption of what was encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Operation {
    Encrypt,
    Decrypt,
    /// Encryption of one message among many that are given in one call.
    SealMany,
    /// Key set-up and encryption of a first message, each time anew.
    Rekey,
    /// The same when neither code nor data is in the caches of the core.
    ColdStart,
}

impl Operation {
    /// Every operation.
    pub const ALL: [Self; 5] = [
        Self::Encrypt,
        Self::Decrypt,
        Self::SealMany,
        Self::Rekey,
        Self::ColdStart,
    ];

    /// `encrypt`, `decrypt`, `seal-many`, `rekey` or `cold-start`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Encrypt => "encrypt",
            Self::Decrypt => "decrypt",
            Self::SealMany => "seal-many",
            Self::Rekey => "rekey",
            Self::ColdStart => "cold-start",
        }
    }

    /// Whether each call sets the key.
    #[must_use]
    pub const fn sets_key(self) -> bool {
        matches!(self, Self::Rekey | Self::ColdStart)
    }
}

/// The byte at place i of every key, nonce, message and associated data is i modulo 256.
#[must_use]
pub fn counting<const N: usize>() -> [u8; N] {
    std::array::from_fn(|i| i as u8)
}

/// As [`counting`], for a size known at run time only.
pub(crate) fn bytes(n: usize) -> Vec<u8> {
    (0..n).map(|i| i as u8).collect()
}

/// Bytes that start on a cache line: a 64-byte load that straddles two costs twice as much, and
/// where an allocator puts a buffer is nobody's merit. Nor is the distance to the stack: a load
/// waits for a store that has the same last twelve bits of address, so the bytes move about.
pub(crate) struct Aligned {
    memory: Vec<u8>,
    start: usize,
    len: usize,
}

impl Aligned {
    /// Bytes counting up.
    pub(crate) fn counting(len: usize) -> Self {
        let mut memory = vec![0; PAGE + 64 + len + GROWTH];
        let start = memory.as_ptr().align_offset(64);
        for (i, byte) in memory[start..start + len].iter_mut().enumerate() {
            *byte = i as u8;
        }
        Self { memory, start, len }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Moves to another of the cache lines of a page; what the bytes are then is not said.
    pub(crate) fn move_to(&mut self, line: usize) {
        let first = self.memory.as_ptr().align_offset(64);
        self.start = first + line % (PAGE / 64) * 64;
    }

    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        &mut self.memory[self.start..self.start + self.len]
    }

    /// As [`Aligned::bytes`], and behind them the space that a cipher may want.
    fn space(&mut self) -> &mut [u8] {
        &mut self.memory[self.start..self.start + self.len + GROWTH]
    }
}

const PAGE: usize = 4096;

/// Longest a ciphertext here grows, tag included.
const GROWTH: usize = 64;

/// The memory of one message, shared by all subjects that are timed on it.
pub struct Message {
    ad: Vec<u8>,
    data: Aligned,
    sealed: Aligned,
    tags: Vec<u8>,
}

impl Message {
    /// Data and associated data of these sizes.
    #[must_use]
    pub fn new(data_bytes: usize, ad_bytes: usize) -> Self {
        Self {
            ad: bytes(ad_bytes),
            data: Aligned::counting(data_bytes),
            sealed: Aligned::counting(data_bytes),
            tags: vec![],
        }
    }

    /// Moves the message within its page, and its ciphertext apart from it.
    pub(crate) fn move_to(&mut self, line: usize) {
        self.data.move_to(line);
        self.sealed.move_to(line * 3 + 21);
    }

    pub(crate) fn data_bytes(&self) -> usize {
        self.data.len
    }

    pub(crate) fn ad(&self) -> &[u8] {
        &self.ad
    }
}

/// One window: its length, and the cycles of the core in it.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Window {
    pub time: Duration,
    pub cycles: Option<f64>,
}

/// A cipher with its key set, used the way its library makes cheapest.
pub trait Subject {
    /// Ciphertext || tag of the first encryption of `message`, as `operation` makes it.
    fn sealed(&mut self, operation: Operation, message: &mut Message) -> Vec<u8>;

    /// Times `calls` calls, after one that is not timed and brings code and data into the caches;
    /// a cold start is what it says, each time.
    ///
    /// # Panics
    ///
    /// If a timed decryption refuses its ciphertext or does not give the plaintext back, and for
    /// [`Operation::SealMany`], which is not a subject's own.
    fn window(&mut self, operation: Operation, message: &mut Message, calls: usize) -> Window;
}

/// A subject that works in place: `encrypt(ad, data, tag)`, `decrypt(ad, data, tag) -> accepted`, and
/// `first`, which sets the key and then does what `encrypt` does.
#[allow(missing_docs)]
pub struct InPlace<F, E, D> {
    pub tag_bytes: usize,
    pub first: F,
    pub encrypt: E,
    pub decrypt: D,
}

impl<F, E, D> Subject for InPlace<F, E, D>
where
    F: FnMut(&[u8], &mut [u8], &mut [u8]),
    E: FnMut(&[u8], &mut [u8], &mut [u8]),
    D: FnMut(&[u8], &mut [u8], &[u8]) -> bool,
{
    fn sealed(&mut self, operation: Operation, message: &mut Message) -> Vec<u8> {
        let mut data = Aligned::counting(message.data.len);
        let mut tag = vec![0; self.tag_bytes];
        if operation.sets_key() {
            (self.first)(&message.ad, data.bytes(), &mut tag);
        } else {
            (self.encrypt)(&message.ad, data.bytes(), &mut tag);
        }
        [&*data.bytes(), &tag].concat()
    }

    /// Encrypts `calls` times, each time the result of the last, or takes that back by the same number of
    /// decryptions: so every timed decryption succeeds, and nothing is copied in between.
    fn window(&mut self, operation: Operation, message: &mut Message, calls: usize) -> Window {
        let size = self.tag_bytes;
        let (ad, buf) = (&message.ad[..], message.data.bytes());
        let tags = &mut message.tags;
        match operation {
            Operation::Encrypt => {
                tags.resize(size, 0);
                warm(calls, || {
                    (self.encrypt)(black_box(ad), black_box(buf), black_box(tags));
                })
            }
            Operation::Rekey => {
                tags.resize(size, 0);
                warm(calls, || {
                    (self.first)(black_box(ad), black_box(buf), black_box(tags));
                })
            }
            Operation::ColdStart => {
                tags.resize(size, 0);
                cold(calls, || {
                    (self.first)(black_box(ad), black_box(buf), black_box(tags));
                })
            }
            Operation::Decrypt => {
                let before = buf.to_vec();
                tags.resize(size * (calls + 1), 0);
                for tag in tags.chunks_exact_mut(size) {
                    (self.encrypt)(ad, buf, tag);
                }
                let mut accepted = (self.decrypt)(ad, buf, &tags[size * calls..]);
                let window = timed(|| {
                    for tag in tags[..size * calls].chunks_exact(size).rev() {
                        accepted &= (self.decrypt)(black_box(ad), black_box(buf), tag);
                    }
                });
                assert!(accepted, "a decryption refused its own ciphertext");
                assert!(buf == before, "decryption did not give the plaintext back");
                window
            }
            Operation::SealMany => unreachable!("`Many` times it"),
        }
    }
}

/// A subject that reads one place and writes another: `encrypt(ad, data, sealed) -> bytes`,
/// `decrypt(ad, sealed, data) -> accepted`, and `first` as of [`InPlace`].
#[allow(missing_docs)]
pub struct Across<F, E, D> {
    pub first: F,
    pub encrypt: E,
    pub decrypt: D,
}

impl<F, E, D> Subject for Across<F, E, D>
where
    F: FnMut(&[u8], &[u8], &mut [u8]) -> usize,
    E: FnMut(&[u8], &[u8], &mut [u8]) -> usize,
    D: FnMut(&[u8], &[u8], &mut [u8]) -> bool,
{
    fn sealed(&mut self, operation: Operation, message: &mut Message) -> Vec<u8> {
        let mut data = Aligned::counting(message.data.len);
        let sealed = message.sealed.space();
        let n = if operation.sets_key() {
            (self.first)(&message.ad, data.bytes(), sealed)
        } else {
            (self.encrypt)(&message.ad, data.bytes(), sealed)
        };
        sealed[..n].to_vec()
    }

    fn window(&mut self, operation: Operation, message: &mut Message, calls: usize) -> Window {
        let (ad, len) = (&message.ad[..], message.data.len);
        let (data, sealed) = (message.data.space(), message.sealed.space());
        let n = (self.encrypt)(ad, &data[..len], sealed);
        match operation {
            Operation::Encrypt => warm(calls, || {
                let data = black_box(&data[..len]);
                black_box((self.encrypt)(black_box(ad), data, black_box(sealed)));
            }),
            Operation::Rekey => warm(calls, || {
                let data = black_box(&data[..len]);
                black_box((self.first)(black_box(ad), data, black_box(sealed)));
            }),
            Operation::ColdStart => cold(calls, || {
                let data = black_box(&data[..len]);
                black_box((self.first)(black_box(ad), data, black_box(sealed)));
            }),
            Operation::Decrypt => {
                let before = data[..len].to_vec();
                let sealed = &sealed[..n];
                let mut accepted = (self.decrypt)(ad, sealed, data);
                let window = timed(|| {
                    for _ in 0..calls {
                        accepted &= (self.decrypt)(black_box(ad), black_box(sealed), data);
                    }
                });
                assert!(accepted, "a decryption refused its own ciphertext");
                let opened = &data[..len];
                assert!(
                    opened == before,
                    "decryption did not give the plaintext back"
                );
                window
            }
            Operation::SealMany => unreachable!("`Many` times it"),
        }
    }
}

/// Times `calls` calls, after one that is not timed.
fn warm(calls: usize, mut call: impl FnMut()) -> Window {
    call();
    timed(|| (0..calls).for_each(|_| call()))
}

/// Times `calls` calls, each with empty caches.
fn cold(calls: usize, mut call: impl FnMut()) -> Window {
    let mut windows = (0..calls).map(|_| {
        clock::empty_caches();
        timed(&mut call)
    });
    let first = windows.next().expect("at least one call");
    windows.fold(first, |sum, next| Window {
        time: sum.time + next.time,
        cycles: sum.cycles.zip(next.cycles).map(|(a, b)| a + b),
    })
}

/// How many calls fill a window, by the windows that `run` takes for a number of them.
pub(crate) fn calibrate(window: Duration, mut run: impl FnMut(usize) -> Window) -> usize {
    let mut calls = 1;
    loop {
        let took = run(calls).time;
        if took * 4 >= window {
            let scaled = calls as f64 * window.as_secs_f64() / took.as_secs_f64();
            return (scaled as usize).max(1);
        }
        calls *= 2;
    }
}

/// Times `work`, between two measurements of the clock.
pub(crate) fn timed(work: impl FnOnce()) -> Window {
    let before = clock::ticks_per_cycle();
    let (start, first) = (Instant::now(), clock::ticks());
    work();
    let (time, last) = (start.elapsed(), clock::ticks());
    let after = clock::ticks_per_cycle();
    // An interrupt makes one of the chains longer, never shorter.
    let cycles = before
        .zip(after)
        .map(|(a, b)| (last - first) as f64 / a.min(b));
    Window { time, cycles }
}
