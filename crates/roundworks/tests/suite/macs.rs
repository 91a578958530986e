//! AEGIS as a MAC: the vectors of `spec/`, parts of any size, what must be refused.

use roundworks::{Backend, BadTag, Tag};
use roundworks_vectors::function;

use crate::{backends, noise};

/// Of one cipher: every back end that can run here has the vectors, and the same tag however the
/// data are cut.
macro_rules! tests {
    ($($cipher:ident $tag:literal $file:literal,)*) => {$(
        #[test]
        #[allow(non_snake_case)]
        fn $cipher() {
            use roundworks::$cipher as Cipher;
            const KEY: usize = Cipher::KEY_BYTES;
            let doc = function($file);
            let of_this_size = doc.vectors.iter().filter(|v| v.output.0.len() == $tag);
            let mut ran = 0;
            for (v, backend) in of_this_size.flat_map(|v| backends::usable(Cipher::NAME, Cipher::BACKENDS).into_iter().map(move |b| (v, b))) {
                let (key, rest) = v.input.0.split_at(KEY);
                let (nonce, data) = rest.split_at(KEY);
                let cipher = Cipher::with_backend(key.try_into().unwrap(), backend).unwrap();
                let nonce = nonce.try_into().unwrap();
                let tag = cipher.mac(nonce, data);
                assert_eq!(&tag.as_bytes()[..], &v.output.0[..], "{}: {}: {backend}", $file, v.id);
                assert_eq!(cipher.verify(nonce, data, &tag), Ok(()));
                ran += 1;
            }
            assert!(ran > 0);

            let data = noise(3, 700);
            let (key, nonce): ([u8; KEY], [u8; KEY]) =
                (noise(1, KEY).try_into().unwrap(), noise(2, KEY).try_into().unwrap());
            let portable = Cipher::with_backend(&key, Backend::Portable).unwrap();
            for backend in backends::usable(Cipher::NAME, Cipher::BACKENDS) {
                let cipher = Cipher::with_backend(&key, backend).unwrap();
                for len in [0, 1, 15, 16, 17, 63, 64, 65, 127, 128, 129, 255, 256, 700] {
                    let data = &data[..len];
                    let tag = cipher.mac(&nonce, data);
                    assert_eq!(tag, portable.mac(&nonce, data), "{backend}: {len} bytes");
                    for cut in [1, 7, 16, 33, 128, 300] {
                        let mut mac = cipher.mac_incremental(&nonce);
                        for part in data.chunks(cut) {
                            mac.update(part).unwrap();
                        }
                        assert_eq!(mac.verify(&tag), Ok(()), "{backend}: {len} bytes by {cut}");
                    }
                    for bit in [0, 8 * $tag - 1] {
                        let mut wrong = *tag.as_bytes();
                        wrong[bit / 8] ^= 1 << (bit % 8);
                        let wrong = Tag::from(wrong);
                        assert_eq!(cipher.verify(&nonce, data, &wrong), Err(BadTag));
                    }
                    let mut other = nonce;
                    other[KEY - 1] ^= 1;
                    assert_eq!(cipher.verify(&other, data, &tag), Err(BadTag));
                }
                let mut longer = data.clone();
                longer.push(0); // the padding of the data is distinguished from data
                assert_ne!(cipher.mac(&nonce, &data), cipher.mac(&nonce, &longer), "{backend}");
            }
        }
    )*};
}

tests! {
    Aegis128L 16 "aegis/aegis-128l.mac.json",
    Aegis128LTag32 32 "aegis/aegis-128l.mac.json",
    Aegis128X2 16 "aegis/aegis-128x2.mac.json",
    Aegis128X2Tag32 32 "aegis/aegis-128x2.mac.json",
    Aegis128X4 16 "aegis/aegis-128x4.mac.json",
    Aegis128X4Tag32 32 "aegis/aegis-128x4.mac.json",
    Aegis256 16 "aegis/aegis-256.mac.json",
    Aegis256Tag32 32 "aegis/aegis-256.mac.json",
    Aegis256X2 16 "aegis/aegis-256x2.mac.json",
    Aegis256X2Tag32 32 "aegis/aegis-256x2.mac.json",
    Aegis256X4 16 "aegis/aegis-256x4.mac.json",
    Aegis256X4Tag32 32 "aegis/aegis-256x4.mac.json",
}
