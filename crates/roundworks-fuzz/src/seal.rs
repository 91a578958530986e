//! What is sealed opens again and is the same on every back end; what was changed is refused.

use roundworks::Cipher;

use crate::ciphers::{everywhere, name};
use crate::input::Input;
use crate::open::open;

pub(crate) fn run(input: &[u8]) {
    let mut input = Input::new(input);
    let ciphers = everywhere(&mut input);
    let nonce = input.bytes(ciphers[0].facts().nonce_bytes);
    let place = input.below(1 << 16);
    let change = input.byte().max(1);
    let ad_bytes = input.below(300);
    let ad = input.bytes(ad_bytes);
    let data = input.rest();

    let want = seal(&*ciphers[0], &nonce, &ad, &data);
    for cipher in &ciphers {
        let at = name(&**cipher);
        let sealed = seal(&**cipher, &nonce, &ad, &data);
        assert!(sealed == want, "{at}: differs from portable");
        let opened = open(&**cipher, &nonce, &ad, &sealed);
        assert!(
            opened.as_ref() == Some(&data),
            "{at}: what was sealed does not open"
        );

        let (mut nonce, mut ad, mut sealed) = (nonce.clone(), ad.clone(), sealed);
        let changed = place % (nonce.len() + ad.len() + sealed.len());
        let mut parts = nonce.iter_mut().chain(&mut ad).chain(&mut sealed);
        *parts.nth(changed).expect("below their sum") ^= change;
        let opened = open(&**cipher, &nonce, &ad, &sealed);
        assert!(
            opened.is_none(),
            "{at}: byte {changed} was changed, and it opens"
        );
    }
}

pub(crate) fn seal(cipher: &dyn Cipher, nonce: &[u8], ad: &[u8], data: &[u8]) -> Vec<u8> {
    let mut sealed = vec![0; cipher.sealed_bytes(data.len())];
    let written = cipher.seal_into(nonce, ad, data, &mut sealed);
    assert_eq!(written, Ok(sealed.len()), "{}", name(cipher));
    sealed
}
