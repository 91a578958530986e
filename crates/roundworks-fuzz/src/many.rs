//! Interleaved messages are sealed and opened to what they are one by one.

use roundworks::Message;

use crate::ciphers::{everywhere, name};
use crate::input::Input;
use crate::seal::seal;

pub(crate) fn run(input: &[u8]) {
    let mut input = Input::new(input);
    let ciphers = everywhere(&mut input);
    let count = 1 + usize::from(input.byte() % 20);
    let forged = input.byte();
    let parts: Vec<[Vec<u8>; 3]> = (0..count)
        .map(|_| {
            let nonce = input.bytes(ciphers[0].facts().nonce_bytes);
            let (ad_bytes, data_bytes) = (input.byte() % 64, input.below(400));
            [nonce, input.bytes(ad_bytes.into()), input.bytes(data_bytes)]
        })
        .collect();

    for cipher in &ciphers {
        let at = name(&**cipher);
        let want: Vec<_> = parts
            .iter()
            .map(|[nonce, ad, data]| seal(&**cipher, nonce, ad, data))
            .collect();
        let mut outs: Vec<_> = want.iter().map(|sealed| vec![0xaa; sealed.len()]).collect();
        let data = parts.iter().map(|[.., data]| data);
        let mut batch = messages(&parts, data, &mut outs);
        assert_eq!(cipher.seal_many(&mut batch), Ok(()), "{at}");
        assert!(outs == want, "{at}: sealed interleaved");

        let forged = usize::from(forged) % count;
        let mut sealed = want;
        *sealed[forged].last_mut().expect("a tag") ^= 1;
        let mut outs: Vec<_> = sealed
            .iter()
            .map(|sealed| vec![0xaa; cipher.opened_bytes(sealed.len()).expect("was sealed")])
            .collect();
        let mut batch = messages(&parts, sealed.iter(), &mut outs);
        let mut result = vec![None; count];
        let refused = cipher.open_many(&mut batch, &mut result);
        assert_eq!(refused, Ok(1), "{at}: one is forged");
        for (i, (out, [.., data])) in outs.iter().zip(&parts).enumerate() {
            let size = (i != forged).then_some(data.len());
            assert_eq!(result[i], size, "{at}: message {i}");
            if i == forged {
                assert!(out.iter().all(|&b| b == 0), "{at}: plaintext left");
            } else {
                assert!(out[..data.len()] == data[..], "{at}: opened interleaved");
            }
        }
    }
}

fn messages<'a>(
    parts: &'a [[Vec<u8>; 3]],
    data: impl Iterator<Item = &'a Vec<u8>>,
    outs: &'a mut [Vec<u8>],
) -> Vec<Message<'a>> {
    let both = parts.iter().zip(data).zip(outs);
    both.map(|(([nonce, ad, _], data), out)| Message {
        nonce,
        ad,
        data,
        out,
    })
    .collect()
}
