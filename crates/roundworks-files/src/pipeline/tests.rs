//! Tests of `pipeline`.

use std::io::ErrorKind;

use super::*;

#[test]
fn fewer_threads_do_and_none_is_an_error() {
    let mut given = 0;
    let mut up_to = |most| {
        given = 0;
        workers(4, || {
            given += 1;
            if given > most {
                return Err(ErrorKind::WouldBlock.into());
            }
            thread::Builder::new().spawn(|| ())
        })
    };
    assert_eq!(up_to(2).expect("two threads").len(), 2);
    assert_eq!(up_to(9).expect("all threads").len(), 4);
    let none = up_to(0).expect_err("no thread");
    assert_eq!(
        Kind::Threads(none).to_string(),
        "no thread to work in: operation would block"
    );
}

#[test]
fn no_space_is_as_no_thread() {
    let none = space(isize::MAX as usize / RUN_CHUNKS).expect_err("no such memory");
    assert_eq!(none.kind(), ErrorKind::OutOfMemory);
    let (from, to) = (space(7).expect("little"), space(0).expect("nothing"));
    assert!(from.capacity() == RUN_CHUNKS * 7 && from.is_empty() && to.is_empty());
}
