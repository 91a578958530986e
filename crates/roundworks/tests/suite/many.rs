//! Many messages at once are the same messages one by one.

use roundworks::{Cipher, Message, for_each_cipher};

use crate::{Subject, Whole, all, noise, short, subjects};

/// Lengths of associated data and data: alike and not, blocks and rests of all ciphers' sizes,
/// more than are put in order at a time.
fn lengths() -> Vec<Vec<(usize, usize)>> {
    let alike = |n, len| vec![len; n];
    let mixed = (0..150)
        .map(|i: usize| (i * 7 % 61, i * 53 % 389))
        .collect();
    let nearly = (0..9).map(|i| (20, 200 + i)).collect();
    let only_ad_differs = (0..8).map(|i| (i * 16, 96)).collect();
    let mut lengths = vec![
        vec![],
        alike(1, (3, 70)),
        alike(4, (0, 0)),
        alike(7, (16, 128)),
        alike(8, (17, 259)),
        alike(12, (0, 64)),
        mixed,
        nearly,
        only_ad_differs,
    ];
    if !short() {
        lengths.extend(leaving());
    }
    lengths
}

/// Sixteen messages of a batch that leave it one by one, or in groups, or finish it frozen, or alone: by the
/// length of their data, and of their associated data.
fn leaving() -> impl Iterator<Item = Vec<(usize, usize)>> {
    let ways: [fn(usize, usize) -> usize; 7] = [
        |base, _| base,
        |base, n| base + n,
        |base, n| base + 16 * (n % 2),
        |base, n| base + 48 * (n % 4),
        |base, n| base * usize::from(n < 3) + n,
        |base, n| 3 * base * usize::from(n == 7),
        |base, n| (base + 13 * n) * usize::from(n < 12),
    ];
    (0..ways.len()).flat_map(move |way| {
        let (data, ad) = (ways[way], ways[(way + 1) % ways.len()]);
        let bases = [0, 1, 15, 16, 17, 47, 48, 49, 95, 96, 97, 144, 200].into_iter();
        let bases = bases.flat_map(|base| [0, 1, 47, 48, 49, 96].map(|ad_base| (base, ad_base)));
        bases.flat_map(move |(base, ad_base)| {
            [
                (0..16).map(|n| (ad_base, data(base, n))).collect(),
                (0..16).map(|n| (ad(ad_base, n), base)).collect(),
            ]
        })
    })
}

fn same_as_one_by_one(subject: Subject) {
    let (key, _) = subject.key_and_nonce(51);
    for (backend, cipher) in subject.everywhere(&key) {
        for lengths in lengths() {
            let at = format!("{}/{backend}: {lengths:?}", subject.name);
            let texts: Vec<_> = lengths
                .iter()
                .enumerate()
                .map(|(i, &(ad, data))| {
                    let seed = 1000 + i as u64;
                    (
                        noise(seed, subject.nonce_bytes),
                        noise(seed + 1, ad),
                        noise(seed + 2, data),
                    )
                })
                .collect();
            let want: Vec<_> = texts
                .iter()
                .map(|(nonce, ad, data)| cipher.seal(nonce, ad, data))
                .collect();

            let mut sealed: Vec<_> = want.iter().map(|w| vec![0x55; w.len()]).collect();
            let mut messages: Vec<_> = texts
                .iter()
                .zip(&mut sealed)
                .map(|((nonce, ad, data), out)| Message {
                    nonce,
                    ad,
                    data,
                    out,
                })
                .collect();
            cipher.seal_many(&mut messages).unwrap();
            assert_eq!(sealed, want, "{at}");

            // Every third is forged: in its tag, its ciphertext or its associated data.
            let forged = |i: usize| i % 3 == 1;
            let mut received = want.clone();
            for (i, sealed) in received.iter_mut().enumerate().filter(|(i, _)| forged(*i)) {
                let at = i % sealed.len();
                sealed[at] ^= 1;
            }
            let opened_bytes = |sealed: &Vec<u8>| cipher.opened_bytes(sealed.len()).unwrap();
            let mut opened: Vec<_> = want.iter().map(|w| vec![0x55; opened_bytes(w)]).collect();
            let mut messages: Vec<_> = texts
                .iter()
                .zip(&received)
                .zip(&mut opened)
                .map(|(((nonce, ad, _), data), out)| Message {
                    nonce,
                    ad,
                    data,
                    out,
                })
                .collect();
            let mut sizes = vec![Some(usize::MAX); want.len()];
            let refused = cipher.open_many(&mut messages, &mut sizes).unwrap();
            let right = texts.iter().enumerate();
            let right: Vec<_> = right
                .map(|(i, (_, _, data))| (!forged(i)).then_some(data.len()))
                .collect();
            assert_eq!(sizes, right, "{at}");
            let forgeries = (0..want.len()).filter(|i| forged(*i)).count();
            assert_eq!(refused, forgeries, "{at}");
            for (i, (opened, (_, _, data))) in opened.iter().zip(&texts).enumerate() {
                if forged(i) {
                    assert!(opened.iter().all(|&b| b == 0), "{at}: {i}: plaintext left");
                } else {
                    assert_eq!(&opened[..data.len()], data, "{at}: {i}");
                }
            }
        }
    }
}

macro_rules! tests {
    ($($cipher:ident $about:literal,)*) => {$(
        #[test]
        #[allow(non_snake_case)]
        fn $cipher() {
            same_as_one_by_one(subjects::$cipher);
        }
    )*};
}
for_each_cipher!(tests);

#[cfg(feature = "aegis")]
#[test]
fn a_wrong_size_anywhere_writes_nothing() {
    let cipher = roundworks::Aegis128L::new(&[1; 16]);
    let (mut first, mut second) = ([7; 19], [7; 20]);
    let mut messages = [
        Message {
            nonce: &[1; 16],
            ad: b"",
            data: b"abc",
            out: &mut first,
        },
        Message {
            nonce: &[2; 16],
            ad: b"",
            data: b"abc",
            out: &mut second,
        },
    ];
    let error = cipher.seal_many(&mut messages).unwrap_err();
    assert_eq!(error.to_string(), "out: want 19 bytes, got 20");
    messages[1].nonce = b"short";
    let error = cipher.open_many(&mut messages, &mut [None; 2]).unwrap_err();
    assert_eq!(error.to_string(), "nonce: want 16 bytes, got 5");
    assert_eq!((first, second), ([7; 19], [7; 20]));
}

/// One of an impossible size does not keep others from being opened.
fn impossible_is_refused_alone(subject: Subject) {
    let (key, nonce) = subject.key_and_nonce(61);
    for (backend, cipher) in subject.everywhere(&key) {
        let sizes = [0, subject.tag_bytes - 1, subject.tag_bytes, 17, 40];
        let impossible = sizes
            .into_iter()
            .filter(|&n| cipher.opened_bytes(n).is_none());
        for size in impossible {
            with_one_of(
                &*cipher,
                &nonce,
                size,
                &format!("{}/{backend}: {size}", subject.name),
            );
        }
    }
}

fn with_one_of(cipher: &dyn Cipher, nonce: &[u8], size: usize, at: &str) {
    let sealed = cipher.seal(nonce, b"ad", b"data");
    let space = cipher.opened_bytes(sealed.len()).unwrap();
    let mut outs = [vec![7; space], vec![7; 3], vec![7; space]];
    let texts = [&sealed[..], &vec![1; size], &sealed];
    let mut messages: Vec<_> = texts
        .iter()
        .zip(&mut outs)
        .map(|(data, out)| Message {
            nonce,
            ad: b"ad",
            data,
            out,
        })
        .collect();
    let mut opened = [None; 3];
    assert_eq!(cipher.open_many(&mut messages, &mut opened), Ok(1), "{at}");
    assert_eq!(opened, [Some(4), None, Some(4)], "{at}");
    assert_eq!(outs[1], [0; 3], "{at}");
    assert!(outs[0].starts_with(b"data") && outs[2].starts_with(b"data"));
}

#[test]
fn impossible_sizes() {
    all().into_iter().for_each(impossible_is_refused_alone);
}
