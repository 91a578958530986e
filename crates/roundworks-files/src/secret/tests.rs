//! Tests of `secret`.

use super::{MARK, nibble, parse_key};

#[test]
fn hex_digits() {
    for digit in 0..=u8::MAX {
        let want = char::from(digit).to_digit(16);
        assert_eq!(nibble(digit).1 == 0xff, want.is_some(), "{digit}");
        assert_eq!(u32::from(nibble(digit).0), want.unwrap_or(0), "{digit}");
    }
}

#[test]
fn key_files() {
    let hex = "00112233445566778899aabbccddeeff0123456789abcdefABCDEF0123456789";
    let want = [
        0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee,
        0xff, 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0xab, 0xcd, 0xef, 0x01, 0x23, 0x45,
        0x67, 0x89,
    ];
    for good in [
        format!("{MARK}\n{hex}\n"),
        format!("{MARK}\n{hex}"),
        format!("{MARK}\r\n{hex}\r\n"),
    ] {
        assert_eq!(**parse_key(good.as_bytes()).expect("a key"), want);
    }
    for bad in [
        String::new(),
        format!("{hex}\n"),
        format!("{MARK}\n{}\n", &hex[1..]),
        format!("{MARK}\n{hex}0\n"),
        format!("{MARK}\n{hex}\n\n"),
        format!("{MARK}\n{}g\n", &hex[1..]),
    ] {
        assert!(parse_key(bad.as_bytes()).is_none(), "{bad:?}");
    }
}
