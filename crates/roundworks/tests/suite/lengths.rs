//! Every length, every alignment, in place and from buffer to buffer, cut anywhere: all back ends
//! give what the portable one gives.

use roundworks::{Cipher, Error, for_each_cipher};

use crate::{Subject, Whole, noise, short, subjects};

/// Lengths up to this one: whole blocks of every cipher several times, and all rests.
const LONGEST: usize = 1100;

/// All of them; in short all up to a block of every cipher; under miri a block and a rest of most.
fn lengths() -> impl Iterator<Item = usize> {
    let kept = |n: &usize| match *n {
        53 => true,
        _ if cfg!(miri) => false,
        n => n < 130 || n % 97 == 0 || !short(),
    };
    (0..=LONGEST).filter(kept)
}

/// Data of each length, with associated data of each length in another order.
fn every_length(subject: Subject) {
    let (key, nonce) = subject.key_and_nonce(51);
    let (all_ad, all_data) = (noise(52, LONGEST), noise(53, LONGEST));
    let all = subject.everywhere(&key);
    for len in lengths() {
        // 7 and LONGEST + 1 have no common divisor: each length of associated data comes once.
        let ad_len = if cfg!(miri) {
            7
        } else {
            7 * len % (LONGEST + 1)
        };
        let (ad, data) = (&all_ad[..ad_len], &all_data[..len]);
        let want = all[0].1.seal(&nonce, ad, data);
        for (backend, cipher) in &all {
            let at = format!(
                "{}/{backend}: {ad_len} bytes of ad, {len} of data",
                subject.name
            );
            assert_eq!(cipher.seal(&nonce, ad, data), want, "{at}");
            assert_eq!(cipher.open(&nonce, ad, &want).as_deref(), Ok(data), "{at}");
            in_place(&**cipher, &nonce, ad, data, &want, &at);
        }
    }
}

/// One buffer for input and output, wholly overlapping: any other overlap a safe caller cannot
/// make.
fn in_place(cipher: &dyn Cipher, nonce: &[u8], ad: &[u8], data: &[u8], want: &[u8], at: &str) {
    let mut buf = data.to_vec();
    buf.resize(want.len(), 0x55);
    let sealed = cipher.seal_in_place(nonce, ad, &mut buf, data.len());
    assert_eq!((sealed, &buf[..]), (Ok(want.len()), want), "{at}: in place");
    let opened = cipher.open_in_place(nonce, ad, &mut buf);
    assert_eq!(opened, Ok(data.len()), "{at}: in place");
    assert_eq!(&buf[..data.len()], data, "{at}: in place");

    let mut forged = want.to_vec();
    *forged.last_mut().expect("a tag") ^= 0x80;
    let ciphertext = cipher.opened_bytes(want.len()).expect("was sealed");
    let opened = cipher.open_in_place(nonce, ad, &mut forged);
    assert_eq!(opened, Err(Error::BadTag), "{at}: in place");
    let zeros = forged[..ciphertext].iter().all(|&b| b == 0);
    assert!(zeros, "{at}: in place: plaintext left");
}

/// Key, nonce, associated data, input and output, each at every address modulo 64.
fn every_alignment(subject: Subject) {
    const LEN: usize = if cfg!(miri) { 53 } else { 333 };
    let (key, nonce) = subject.key_and_nonce(54);
    let (ad, data) = (noise(55, LEN), noise(56, LEN));
    let all = subject.everywhere(&key);
    let want = all[0].1.seal(&nonce, &ad, &data);
    let step = match () {
        () if cfg!(miri) => 64,
        () if short() => 9,
        () => 1,
    };
    for offset in (0..64).step_by(step) {
        // Different offsets for each, so that no two are aligned alike by accident.
        let nonce = At::new(&nonce, offset + 9);
        let ad = At::new(&ad, 5 * offset + 1);
        let data = At::new(&data, offset);
        let sealed = At::new(&want, 3 * offset + 2);
        for (backend, cipher) in &all {
            let at = format!("{}/{backend}: offset {offset}", subject.name);
            let mut out = At::new(&vec![0x55; want.len()], 63 - offset);
            let len = cipher.seal_into(nonce.get(), ad.get(), data.get(), out.get_mut());
            assert_eq!((len, out.get()), (Ok(want.len()), &want[..]), "{at}");
            let space = cipher.opened_bytes(want.len()).expect("was sealed");
            let mut out = At::new(&vec![0x55; space], 63 - offset);
            let len = cipher.open_into(nonce.get(), ad.get(), sealed.get(), out.get_mut());
            assert_eq!(len, Ok(LEN), "{at}");
            assert_eq!(&out.get()[..LEN], data.get(), "{at}");
        }
    }
}

/// Bytes at an address that is `offset` modulo 64.
struct At {
    store: Vec<u8>,
    start: usize,
    len: usize,
}

impl At {
    fn new(bytes: &[u8], offset: usize) -> Self {
        let mut store = vec![0x55; bytes.len() + 128];
        let start = store.as_ptr().align_offset(64) + offset % 64;
        store[start..][..bytes.len()].copy_from_slice(bytes);
        let len = bytes.len();
        Self { store, start, len }
    }

    fn get(&self) -> &[u8] {
        &self.store[self.start..][..self.len]
    }

    fn get_mut(&mut self) -> &mut [u8] {
        &mut self.store[self.start..][..self.len]
    }
}

macro_rules! tests {
    ($($cipher:ident $about:literal,)*) => {$(
        #[allow(non_snake_case)]
        mod $cipher {
            #[test]
            fn every_length() {
                super::every_length(super::subjects::$cipher);
            }

            #[test]
            fn every_alignment() {
                super::every_alignment(super::subjects::$cipher);
            }
        }
    )*};
}
for_each_cipher!(tests);
