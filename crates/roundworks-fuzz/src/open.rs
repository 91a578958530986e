//! A stranger's message: every back end says the same, and what is refused leaves zeros.

use roundworks::{Cipher, Error};

use crate::ciphers::{everywhere, name};
use crate::input::Input;
use crate::seal::seal;

pub(crate) fn run(input: &[u8]) {
    let mut input = Input::new(input);
    let ciphers = everywhere(&mut input);
    let nonce = input.bytes(ciphers[0].facts().nonce_bytes);
    let ad_bytes = input.below(300);
    let ad = input.bytes(ad_bytes);
    let sealed = input.rest();

    let want = open(&*ciphers[0], &nonce, &ad, &sealed);
    for cipher in &ciphers {
        let at = name(&**cipher);
        let opened = open(&**cipher, &nonce, &ad, &sealed);
        assert!(opened == want, "{at}: differs from portable");
        if let Some(data) = opened {
            let again = seal(&**cipher, &nonce, &ad, &data);
            assert!(again == sealed, "{at}: opens what it would not have sealed");
        }
    }
}

/// What `sealed` holds, if it is authentic. The buffer contained something before, so that zeros in it
/// were written.
pub(crate) fn open(cipher: &dyn Cipher, nonce: &[u8], ad: &[u8], sealed: &[u8]) -> Option<Vec<u8>> {
    let mut out = vec![0xaa; cipher.opened_bytes(sealed.len())?];
    match cipher.open_into(nonce, ad, sealed, &mut out) {
        Ok(bytes) => {
            out.truncate(bytes);
            Some(out)
        }
        Err(error) => {
            assert_eq!(error, Error::BadTag, "{}", name(cipher));
            assert!(
                out.iter().all(|&b| b == 0),
                "{}: plaintext left",
                name(cipher)
            );
            None
        }
    }
}
