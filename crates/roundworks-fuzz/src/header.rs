//! The beginning of a sealed file, from a stranger: what is read is what would have been written.

use roundworks_files::{Error, Header, Source, ciphers};

use crate::input::Input;

pub(crate) fn run(input: &[u8]) {
    read(input); // as it is, then as changes of a valid one

    let mut input = Input::new(input);
    let facts = ciphers().nth(usize::from(input.byte()) % ciphers().count());
    let header = Header {
        cipher: facts.expect("below the count"),
        source: Source::KeyFile,
        salt: [1; 32],
        check: [2; 32],
    };
    let mut bytes = header.to_bytes().to_vec();
    assert!(read(&bytes), "a valid header is refused");
    let kept = input.below(4 * Header::BYTES);
    for _ in 0..input.byte() % 8 {
        let place = input.below(Header::BYTES);
        bytes[place] = input.byte();
    }
    bytes.truncate(kept);
    read(&bytes);
}

/// Whether it is a header.
fn read(bytes: &[u8]) -> bool {
    match Header::from_bytes(bytes) {
        Ok(header) => {
            let same = header.to_bytes() == bytes[..Header::BYTES];
            assert!(same, "read as another header: {header:?}");
            true
        }
        Err(kind) => {
            let error = Error {
                file: String::from("file"),
                kind,
                released: None,
            };
            let said = error.to_string();
            let one_line = !said.is_empty() && said.chars().all(|c| !c.is_control());
            assert!(one_line, "not fit for a terminal: {said:?}");
            false
        }
    }
}
