//! What is freed holds nothing of a key. A program of its own, since it replaces the allocator.
#![cfg(feature = "alloc")]
#![cfg(any(feature = "aegis", feature = "areion", feature = "minalpher"))] // those checked below

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use roundworks::Cipher;

thread_local! {
    /// Blocks freed with eight bytes of the key in them.
    static KEYS: Cell<usize> = const { Cell::new(0) };
}

/// A key that no other data resembles.
const KEY: [u8; 32] = *b"a key of which nothing may stay!";

struct Watched;

// SAFETY: all is left to the system's allocator, which is given what it wants; a block is read
// before it is freed, and only as far as it goes.
unsafe impl GlobalAlloc for Watched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise. Zeros, so that there are no bytes that nobody wrote.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        let bytes = unsafe { std::slice::from_raw_parts(block, layout.size()) };
        if bytes
            .windows(8)
            .any(|word| KEY.windows(8).any(|of_key| of_key == word))
        {
            KEYS.set(KEYS.get() + 1);
        }
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// Otherwise the tests below could not fail.
#[test]
fn what_is_freed_is_seen() {
    drop(Box::new(KEY));
    assert_eq!(KEYS.get(), 1);
}

#[test]
fn incremental_messages_leave_no_key() {
    fn check(cipher: Box<dyn Cipher>) {
        let nonce = vec![1; cipher.facts().nonce_bytes];
        let name = cipher.facts().name;
        let sealing = cipher.sealing(&nonce).unwrap();
        let mut out = vec![0; sealing.finish_bytes()];
        sealing.finish_into(&mut out).unwrap();
        assert_eq!(KEYS.get(), 0, "{name}: sealed");
        drop(cipher.sealing(&nonce).unwrap());
        assert_eq!(KEYS.get(), 0, "{name}: sealing given up");

        let (text, tag) = out.split_at(out.len() - cipher.facts().tag_bytes);
        for tag in [tag, &vec![0; tag.len()]] {
            let mut space = vec![0; text.len()];
            let mut opening = cipher.opening(&nonce, &mut space).unwrap();
            opening.update(text).unwrap();
            let _ = opening.finish(tag);
            assert_eq!(KEYS.get(), 0, "{name}: opened");
        }
        drop(cipher);
        assert_eq!(KEYS.get(), 0, "{name}: freed");
    }
    #[cfg(any(feature = "areion", feature = "minalpher"))]
    let half = KEY.first_chunk().expect("16 of 32 bytes");
    #[cfg(feature = "aegis")]
    check(Box::new(roundworks::Aegis256::new(&KEY)));
    #[cfg(feature = "areion")]
    check(Box::new(roundworks::Areion256Opp::new(half)));
    #[cfg(feature = "minalpher")]
    check(Box::new(roundworks::Minalpher::new(half)));
}
