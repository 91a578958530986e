//! Tests of `chunk`.

use roundworks::Facts;

use super::*;

fn chunks(name: &str) -> Chunks {
    let facts = crate::cipher::named(name).expect("known");
    let cipher = crate::cipher::keyed(facts, &vec![7; facts.key_bytes]);
    Chunks::new(cipher, &[9; 64]).expect("a nonce that is long enough")
}

/// Sealed as `seal` would not: any length, any flag.
fn forced(chunks: &Chunks, index: u64, last: bool, data: &[u8]) -> Vec<u8> {
    let (nonce, len) = chunks.nonce(index, last);
    let mut sealed = vec![0; chunks.cipher.sealed_bytes(data.len())];
    let made = chunks
        .cipher
        .seal_into(&nonce[..len], &[], data, &mut sealed);
    made.expect("right sizes");
    sealed
}

#[test]
fn nonces_hold_counter_and_flag() {
    let chunks = chunks("aegis-128");
    let (nonce, len) = chunks.nonce(0x0102, true);
    assert_eq!(
        nonce[..len],
        [9, 9, 9, 9, 9, 9, 9, 0, 0, 0, 0, 0, 0, 1, 2, 1]
    );
    assert_eq!(chunks.nonce(0x0102, false).0[len - 1], 0);
}

#[test]
fn the_counter_has_an_end() {
    let chunks = chunks("aegis-256x2");
    let (data, mut space) = ([3; 5], [0; 64]);
    let last = MAX_CHUNKS - 1;
    let made = chunks
        .seal(last, true, &data, &mut space)
        .expect("the last that fits");
    let sealed = space[..made].to_vec();
    assert_eq!(
        chunks
            .open(last, true, &sealed, &mut space)
            .expect("its own"),
        5
    );
    assert_eq!(space[..5], data);
    for index in [MAX_CHUNKS, u64::MAX] {
        let refused = chunks.seal(index, true, &data, &mut space);
        assert!(matches!(refused, Err(Kind::TooLong)));
        let refused = chunks.open(index, true, &sealed, &mut space);
        assert!(matches!(refused, Err(Kind::TooLong)));
    }
}

#[test]
fn what_no_sealer_makes_is_refused() {
    let chunks = chunks("rocca-s");
    let mut space = vec![0; CHUNK_BYTES];
    let empty = forced(&chunks, 1, true, &[]);
    let refused = chunks.open(1, true, &empty, &mut space);
    assert!(matches!(refused, Err(Kind::EmptyLast { index: 1 })));
    // A short chunk in the middle: authentic, but the bytes after it are at the wrong place.
    let short = forced(&chunks, 2, false, &[8; 100]);
    let refused = chunks.open(2, false, &short, &mut space);
    assert!(matches!(
        refused,
        Err(Kind::BadChunk {
            index: 2,
            at_end: false
        })
    ));
    assert!(space.iter().all(|byte| *byte == 0));
}

#[test]
fn the_flag_of_the_other_kind_says_cut_or_extended() {
    let chunks = chunks("aegis-128l");
    let mut space = vec![0; CHUNK_BYTES];
    let data = vec![8; CHUNK_BYTES];
    let inner = forced(&chunks, 4, false, &data);
    let refused = chunks.open(4, true, &inner, &mut space);
    assert!(matches!(refused, Err(Kind::CutAfter { index: 4 })));
    assert!(space.iter().all(|byte| *byte == 0));
    let last = forced(&chunks, 4, true, &data);
    let refused = chunks.open(4, false, &last, &mut space);
    assert!(matches!(refused, Err(Kind::Extended { index: 4 })));
    assert!(space.iter().all(|byte| *byte == 0));
}

/// With a nonce of 8 bytes, as older ciphers have it.
struct Short;

impl Cipher for Short {
    fn facts(&self) -> &'static Facts {
        const FACTS: Facts = Facts::new("short", 16, 8, 16, 1 << 32);
        &FACTS
    }
    fn backend_name(&self) -> &'static str {
        "none"
    }
    fn seal_into(&self, _: &[u8], _: &[u8], _: &[u8], _: &mut [u8]) -> Result<usize, Error> {
        panic!("never used")
    }
    fn open_into(&self, _: &[u8], _: &[u8], _: &[u8], _: &mut [u8]) -> Result<usize, Error> {
        panic!("never used")
    }
    fn seal_in_place(&self, _: &[u8], _: &[u8], _: &mut [u8], _: usize) -> Result<usize, Error> {
        panic!("never used")
    }
    fn open_in_place(&self, _: &[u8], _: &[u8], _: &mut [u8]) -> Result<usize, Error> {
        panic!("never used")
    }
}

#[test]
fn a_short_nonce_is_refused() {
    let refused = Chunks::new(Box::new(Short), &[0; 64])
        .err()
        .expect("refused");
    assert_eq!(
        refused.to_string(),
        "cipher short: nonce: want 12 bytes or more for the chunk counter, got 8"
    );
    for facts in crate::cipher::ciphers() {
        assert!(facts.nonce_bytes >= MIN_NONCE_BYTES, "{}", facts.name);
        assert!(facts.key_bytes <= 32 && facts.tag_bytes <= 32 && facts.name.len() <= 16);
    }
}
