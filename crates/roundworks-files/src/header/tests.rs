//! Tests of `header`.

use super::*;

fn header(source: Source) -> Header {
    Header {
        cipher: cipher::named("aegis-256x4").expect("known"),
        source,
        salt: std::array::from_fn(|i| i as u8),
        check: [0xcc; 32],
    }
}

#[test]
fn there_and_back() {
    for source in [
        Source::KeyFile,
        Source::Passphrase(Argon2id::RECOMMENDED),
        Source::Passphrase(Argon2id::MOST),
    ] {
        let header = header(source);
        assert_eq!(
            Header::from_bytes(&header.to_bytes()).expect("its own"),
            header
        );
    }
}

/// Every byte but salt and key check has few values: any other is refused.
#[test]
fn no_byte_is_free() {
    let bytes = header(Source::KeyFile).to_bytes();
    for at in (0..32).chain(64..80) {
        for flip in 1..=255 {
            let mut changed = bytes;
            changed[at] ^= flip;
            if let Ok(read) = Header::from_bytes(&changed) {
                // The name of another cipher, or a key file where a passphrase could be.
                assert!(read.cipher.name != "aegis-256x4", "byte {at} ^ {flip:02x}");
            }
        }
    }
    for len in 0..Header::BYTES {
        assert!(Header::from_bytes(&bytes[..len]).is_err(), "{len} bytes");
    }
}
