//! Tests of the crate's root.

use super::*;
use crate::types::hex;

#[test]
fn hex_wants_lower_case_pairs() {
    assert_eq!(hex("00ff"), Some(vec![0, 255]));
    assert_eq!(
        [hex("0"), hex("0g"), hex("FF"), hex("0x")],
        [None, None, None, None]
    );
}

#[test]
fn unknown_and_missing_fields_are_errors() {
    let whole = r#"{"id": "a", "input": "00", "output": "01", "comment": ""}"#;
    assert!(serde_json::from_str::<FunctionVector>(whole).is_ok());
    for broken in [
        r#"{"id": "a", "input": "00", "output": "01"}"#,
        r#"{"id": "a", "input": "00", "output": "01", "comment": "", "extra": 1}"#,
        r#"{"id": "a", "input": "00", "output": "1", "comment": ""}"#,
    ] {
        assert!(
            serde_json::from_str::<FunctionVector>(broken).is_err(),
            "{broken}"
        );
    }
}

#[test]
#[should_panic(expected = "holds 1 vectors, header says 2")]
fn wrong_count_is_an_error() {
    check("x.json", 2, [String::from("a")].iter());
}

#[test]
#[should_panic(expected = "id 'a' stands twice")]
fn repeated_id_is_an_error() {
    check("x.json", 2, [String::from("a"), String::from("a")].iter());
}
