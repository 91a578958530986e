//! Nanoseconds for a byte of messages of several sizes, on every back end: `cargo bench`.

use std::time::Instant;

use {{ crate | replace("-", "_") }}::{Backend, KEY, NONCE, {{ type }}};

fn main() {
    for &backend in Backend::ALL {
        let Some(cipher) = {{ type }}::with_backend(&[7; KEY], backend) else { continue };
        for size in [0_usize, 64, 1500, 16384] {
            let mut data = vec![0; size];
            let calls = (1 << 22) / (size + 1000);
            let best = (0..20)
                .map(|_| {
                    let start = Instant::now();
                    for _ in 0..calls {
                        std::hint::black_box(cipher.encrypt_in_place(&[1; NONCE], &[], &mut data));
                    }
                    start.elapsed().as_secs_f64() / calls as f64
                })
                .fold(f64::INFINITY, f64::min);
            println!("{backend:?} {size:6} bytes: {:9.1} ns a message", best * 1e9);
        }
    }
}
