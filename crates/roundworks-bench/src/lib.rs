//! Times the Roundworks ciphers inside one process.
//!
//! A sample is the time of one call, averaged over a window shorter than 2 ms, so that the clock
//! of the core hardly changes within it. Beside each window a chain of 2000 dependent additions is
//! timed, which takes 2000 cycles on any core: that turns ticks into cycles where hardware counters
//! are not to be had. Compare samples of one run; absolute times differ between runs.
//!
//! ```
//! use roundworks::Backend;
//! use roundworks_bench::{Operation, Workload};
//!
//! let load = Workload { operation: Operation::Encrypt, data_bytes: 64, ad_bytes: 0 };
//! let timing = roundworks_bench::time("aegis-128", Backend::Portable, load, 3, 10_000)?;
//! assert_eq!(timing.samples_ns.len(), 3);
//! # Ok::<(), roundworks_bench::Error>(())
//! ```

#![deny(unsafe_code)] // `clock` alone lifts this

mod clock;

use std::fmt;
use std::time::{Duration, Instant};

use roundworks::{Backend, BackendUnavailable, Tag, for_each_streaming_cipher};
use sha2::{Digest, Sha256};

/// Longest window, unless one call alone takes longer.
const LONGEST_WINDOW: Duration = Duration::from_millis(2);

/// What to time. Sizes in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Workload {
    pub operation: Operation,
    pub data_bytes: usize,
    pub ad_bytes: usize,
}

/// Encryption, or decryption of what was encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Operation {
    Encrypt,
    Decrypt,
}

/// One number per sample, each for one call.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// Nanoseconds for one call.
    pub samples_ns: Vec<f64>,
    /// Cycles for one call; empty on a CPU for which no chain is written.
    pub samples_cycles: Vec<f64>,
    /// SHA-256 of ciphertext || tag of the first encryption, in hex.
    pub digest: String,
}

/// Why nothing was timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// No cipher of that name.
    UnknownCipher,
    /// The cipher cannot run on that back end here.
    Unavailable(BackendUnavailable),
    /// No samples were asked for.
    NoSamples,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownCipher => {
                let mut names: Vec<_> = roundworks::ciphers().map(|facts| facts.name).collect();
                names.dedup();
                let names = names.join(", ");
                write!(f, "cipher: unknown name, want one of {names}")
            }
            Self::Unavailable(error) => error.fmt(f),
            Self::NoSamples => f.write_str("samples: want at least 1, got 0"),
        }
    }
}

impl std::error::Error for Error {}

/// Times `samples` windows of at least `min_sample_ns` (and at most 2 ms) each.
///
/// Inputs are fixed: byte i of the key, of the nonce, of the associated data and of the first
/// plaintext is i modulo 256.
///
/// # Errors
///
/// [`Error`] if the cipher or the back end is not there, or no samples are wanted.
///
/// # Panics
///
/// If a timed decryption refuses its ciphertext or does not give the plaintext back.
pub fn time(
    cipher: &str,
    backend: Backend,
    load: Workload,
    samples: usize,
    min_sample_ns: u64,
) -> Result<Timing, Error> {
    macro_rules! time {
        ($cipher:ident) => {{
            let key = std::array::from_fn(|i| i as u8);
            let nonce = std::array::from_fn(|i| i as u8);
            let cipher = roundworks::$cipher::with_backend(&key, backend);
            let cipher = cipher.map_err(Error::Unavailable)?;
            let encrypt = |ad: &[u8], buf: &mut [u8]| cipher.encrypt_in_place(&nonce, ad, buf);
            let decrypt =
                |ad: &[u8], buf: &mut [u8], tag: &Tag<{ roundworks::$cipher::TAG_BYTES }>| {
                    cipher
                        .decrypt_in_place(&nonce, ad, buf, tag)
                        .expect("own ciphertext");
                };
            Ok(Bench::<_, _, { roundworks::$cipher::TAG_BYTES }> {
                encrypt,
                decrypt,
                load,
            }
            .run(samples, min_sample_ns))
        }};
    }
    if samples == 0 {
        return Err(Error::NoSamples);
    }
    macro_rules! by_name {
        ($($cipher:ident $about:literal,)*) => {
            match cipher {
                $(name if name == roundworks::$cipher::NAME => time!($cipher),)*
                _ => Err(Error::UnknownCipher),
            }
        };
    }
    for_each_streaming_cipher!(by_name)
}

/// `n` bytes, counting up.
fn counting(n: usize) -> Vec<u8> {
    (0..n).map(|i| i as u8).collect()
}

struct Bench<E, D, const T: usize> {
    encrypt: E,
    decrypt: D,
    load: Workload,
}

/// One window: its length, and the cycles of the core in it.
struct Window {
    time: Duration,
    cycles: Option<f64>,
}

impl<E, D, const T: usize> Bench<E, D, T>
where
    E: Fn(&[u8], &mut [u8]) -> Tag<T>,
    D: Fn(&[u8], &mut [u8], &Tag<T>),
{
    fn run(&self, samples: usize, min_sample_ns: u64) -> Timing {
        let ad = counting(self.load.ad_bytes);
        let mut buf = counting(self.load.data_bytes);
        let digest = self.digest(&ad, &mut buf.clone());

        // Warm up and find how many calls fill a window.
        let mut calls = 1;
        let shortest = Duration::from_nanos(min_sample_ns).min(LONGEST_WINDOW);
        loop {
            let took = self.window(&ad, &mut buf, calls).time;
            if took >= shortest || took * 2 > LONGEST_WINDOW {
                break;
            }
            calls *= 2;
        }
        let mut timing = Timing {
            samples_ns: vec![],
            samples_cycles: vec![],
            digest,
        };
        for _ in 0..samples {
            let window = self.window(&ad, &mut buf, calls);
            timing
                .samples_ns
                .push(window.time.as_nanos() as f64 / calls as f64);
            timing
                .samples_cycles
                .extend(window.cycles.map(|cycles| cycles / calls as f64));
        }
        timing
    }

    fn digest(&self, ad: &[u8], buf: &mut [u8]) -> String {
        let tag = (self.encrypt)(ad, buf);
        let digest = Sha256::new()
            .chain_update(&*buf)
            .chain_update(tag.as_bytes())
            .finalize();
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Encrypts `calls` times, each time the result of the last, or takes that back by as many
    /// decryptions: so every timed decryption succeeds, and nothing is copied in between.
    fn window(&self, ad: &[u8], buf: &mut [u8], calls: usize) -> Window {
        match self.load.operation {
            Operation::Encrypt => timed(|| {
                for _ in 0..calls {
                    std::hint::black_box((self.encrypt)(ad, buf));
                }
            }),
            Operation::Decrypt => {
                let before = buf.to_vec();
                let tags: Vec<Tag<T>> = (0..calls).map(|_| (self.encrypt)(ad, buf)).collect();
                let window = timed(|| {
                    tags.iter()
                        .rev()
                        .for_each(|tag| (self.decrypt)(ad, buf, tag))
                });
                assert!(buf == before, "decryption did not give the plaintext back");
                window
            }
        }
    }
}

/// Times `work`, between two measurements of the clock.
fn timed(work: impl FnOnce()) -> Window {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digest_is_the_same_everywhere_and_samples_are_counted() {
        macro_rules! every {
            ($($cipher:ident $about:literal,)*) => {
                [$((roundworks::$cipher::NAME, roundworks::$cipher::BACKENDS)),*]
            };
        }
        for (name, backends) in for_each_streaming_cipher!(every) {
            let mut digests = std::collections::BTreeSet::new();
            for backend in backends.iter().filter(|b| b.is_available()) {
                for operation in [Operation::Encrypt, Operation::Decrypt] {
                    let load = Workload {
                        operation,
                        data_bytes: 100,
                        ad_bytes: 10,
                    };
                    let timing = time(name, *backend, load, 5, 20_000).unwrap();
                    assert_eq!(timing.samples_ns.len(), 5);
                    assert!(timing.samples_ns.iter().all(|&ns| ns > 0.0));
                    if cfg!(target_arch = "x86_64") {
                        assert_eq!(timing.samples_cycles.len(), 5);
                        assert!(timing.samples_cycles.iter().all(|&cycles| cycles > 0.0));
                    }
                    digests.insert(timing.digest);
                }
            }
            assert_eq!(digests.len(), 1, "{name}: {digests:?}");
        }
    }

    #[test]
    fn errors() {
        let load = Workload {
            operation: Operation::Encrypt,
            data_bytes: 0,
            ad_bytes: 0,
        };
        let error = time("aes", Backend::Portable, load, 1, 0).unwrap_err();
        let text = error.to_string();
        assert!(
            text.starts_with("cipher: unknown name, want one of aether, aether-lb, aegis-128, "),
            "{text}"
        );
        assert_eq!(
            time("aether", Backend::Portable, load, 0, 0),
            Err(Error::NoSamples)
        );
        let error = time("aether", Backend::Aesni, load, 1, 0).unwrap_err();
        assert!(matches!(error, Error::Unavailable(_)), "{error}");
    }
}
