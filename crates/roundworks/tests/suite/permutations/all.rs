//! What is made of the permutations, and what takes several families to test.

use roundworks::{
    Areion256Dm, Areion512Dm, Areion512Md, Backend, Error, Haraka256, Haraka512, Permutation,
    Permutation256, Pholkos256, Pholkos512, hash_function, hashes, permutation, permutations,
    pholkos,
};
use roundworks_vectors::PermutationVector;

use super::agree;
use crate::{backends, noise, short};

const CODES: [&str; 6] = ["1-0", "1-1", "2-0", "2-1", "2-2", "2-3"];

/// What a vector of a mode gives.
pub fn with_mode(mode: &str, name: &str, v: &PermutationVector, backend: Backend) -> Vec<u8> {
    match mode {
        "hash" => hash(name, &v.input.0, backend),
        "dm" => hash(&format!("{name}-dm"), &v.input.0, backend),
        "md" => {
            let areion = Areion512Md::new(Some(backend)).unwrap();
            areion.hash(&v.input.0).unwrap().to_vec()
        }
        "tweakable" => {
            let (key, tweak) = (&v.key.as_ref().unwrap().0, &v.tweak.as_ref().unwrap().0);
            tweakable(key, tweak, &v.input.0, backend)
        }
        mode => panic!("{}: mode '{mode}'", v.id),
    }
}

#[test]
fn every_configuration_of_two_words() {
    for f1 in CODES {
        for f2 in CODES {
            agree(
                &format!("feistel256:{f1},{f2}"),
                if short() { 9 } else { 40 },
            );
        }
    }
}

/// Every function in every place, every shuffle; all pairs of functions are in those of two words.
#[test]
fn configurations_of_four_words() {
    let mut shuffles = Vec::new();
    for n in 0..256 {
        let shuffle = [n / 64, n / 16 % 4, n / 4 % 4, n % 4];
        let mut seen = [false; 4];
        shuffle.iter().for_each(|&word| seen[word] = true);
        if seen == [true; 4] && shuffle != [0, 1, 2, 3] {
            shuffles.push(shuffle.map(|word| word.to_string()).join(","));
        }
    }
    assert_eq!(shuffles.len(), 23);
    for (i, shuffle) in shuffles.iter().enumerate() {
        let functions = [1, 7, 11, 17]
            .map(|step| CODES[(i * step + step / 6) % 6])
            .join(",");
        agree(
            &format!("feistel512:{functions}/{shuffle}"),
            if short() { 9 } else { 20 },
        );
    }
}

#[test]
fn other_numbers_of_rounds() {
    for name in [
        "simpira-2:8",
        "simpira-2:1",
        "simpira-4:10",
        "simpira-4:9",
        "simpira-4:11",
        "haraka-256:3.5",
        "haraka-256:0.5",
        "haraka-256:10",
        "haraka-512:4.5",
        "haraka-512:1",
        "areion-256:7",
        "areion-512:64",
        "pholkos-256:3.5",
        "pholkos-512:4.5",
        "pholkos-512:0.5",
        "pholkos-256:1",
        "pholkos-512:19.5",
        "pholkos-256:2",
        "feistel256:2-0,1-1:64",
        "feistel512:2-0,2-2,2-0,2-2:32",
    ] {
        agree(name, 18);
    }
}

/// The hash of one input; of more than are permuted at a time it is the same.
fn hash(name: &str, input: &[u8], backend: Backend) -> Vec<u8> {
    let any = hash_function(name, Some(backend)).unwrap();
    assert_eq!((any.name(), any.backend()), (name, backend));
    assert_eq!(any.input_bytes(), input.len());
    let mut many = [0; 32 * 67];
    any.hash_many(&input.repeat(67), &mut many).unwrap();
    macro_rules! with {
        ($hash:ident) => {{
            let hash = $hash::new(Some(backend)).unwrap();
            let input = input.try_into().unwrap();
            let one = hash.hash(&input);
            let mut outputs = [[0; 32]; 67];
            hash.hash_many(&[input; 67], &mut outputs).unwrap();
            assert_eq!(outputs, [one; 67]);
            assert_eq!(outputs.as_flattened(), many);
            let error = hash.hash_many(&[input; 2], &mut outputs).unwrap_err();
            assert_eq!(error.to_string(), "outputs: want 64 bytes, got 2144");
            one.to_vec()
        }};
    }
    match name {
        "haraka-256" => with!(Haraka256),
        "haraka-512" => with!(Haraka512),
        "areion-256-dm" => with!(Areion256Dm),
        _ => with!(Areion512Dm),
    }
}

#[test]
fn hash_functions_refuse() {
    let names = "haraka-256, haraka-512, areion-256-dm, areion-512-dm";
    let error = hash_function("haraka", None).unwrap_err();
    let want = format!("hash function: unknown name, want one of {names}");
    assert_eq!(error.to_string(), want);
    assert_eq!(hashes().collect::<Vec<_>>().join(", "), names);
    let any = hash_function("haraka-512", None).unwrap();
    let mut outputs = [7; 64];
    for (inputs, bytes, want) in [
        (65, 32, "blocks: want a multiple of 64 bytes, got 65"),
        (64, 64, "outputs: want 32 bytes, got 64"),
    ] {
        let refused = any.hash_many(&[0; 65][..inputs], &mut outputs[..bytes]);
        assert_eq!(refused.unwrap_err().to_string(), want);
    }
    assert_eq!(outputs, [7; 64]);
    let long = vec![0; Areion512Md::MAX_MESSAGE_BYTES + 1]; // not touched
    let error = Areion512Md::new(None).unwrap().hash(&long).unwrap_err();
    let want = "message: want at most 536870911 bytes, got 536870912";
    assert_eq!(error.to_string(), want);
}

/// A block under key and tweak, alone and among more than are interleaved, and back.
fn tweakable(key: &[u8], tweak: &[u8], input: &[u8], backend: Backend) -> Vec<u8> {
    let (any, tweak) = (
        pholkos(key, Some(backend)).unwrap(),
        tweak.try_into().unwrap(),
    );
    assert_eq!((any.backend(), any.block_bytes()), (backend, input.len()));
    let mut many = input.repeat(67);
    any.encrypt_many(tweak, &mut many).unwrap();
    macro_rules! with {
        ($cipher:ident) => {{
            let cipher = $cipher::new(key.try_into().unwrap(), Some(backend)).unwrap();
            let mut block = input.try_into().unwrap();
            cipher.encrypt(tweak, &mut block);
            let mut back = block;
            cipher.decrypt(tweak, &mut back);
            assert_eq!(back, input);
            block.to_vec()
        }};
    }
    let one = match input.len() {
        32 => with!(Pholkos256),
        _ => with!(Pholkos512),
    };
    assert!(many == one.repeat(67), "{any:?}");
    any.decrypt_many(tweak, &mut many).unwrap();
    assert!(many == input.repeat(67), "{any:?}");
    one
}

#[test]
fn tweakable_on_noise() {
    let count = if short() { 2 } else { 20 };
    for size in [32, 64] {
        for (i, data) in noise(3, count * (2 * size + 16))
            .chunks(2 * size + 16)
            .enumerate()
        {
            let ((key, rest), portable) = (data.split_at(size), Backend::Portable);
            let (tweak, block) = rest.split_at(16);
            let want = tweakable(key, tweak, block, portable);
            for backend in backends::usable("pholkos", Permutation256::BACKENDS) {
                assert_eq!(
                    tweakable(key, tweak, block, backend),
                    want,
                    "{backend}: {i}"
                );
            }
            let other = [tweak[0] ^ 1].into_iter().chain(tweak[1..].iter().copied());
            assert_ne!(
                tweakable(key, &other.collect::<Vec<_>>(), block, portable),
                want
            );
        }
    }
}

#[test]
fn tweakable_refuses() {
    for bytes in [0, 16, 31, 63, 65] {
        let error = pholkos(&vec![7; bytes], None).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("key: want 32 or 64 bytes, got {bytes}")
        );
    }
    let error = pholkos(&[7; 32], Some(Backend::Avx2)).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("pholkos-256 is not written for it"), "{text}");
    let mut blocks = [7; 33];
    let error = pholkos(&[7; 32], None)
        .unwrap()
        .encrypt_many(&[0; 16], &mut blocks);
    let want = "blocks: want a multiple of 32 bytes, got 33";
    assert_eq!(error.unwrap_err().to_string(), want);
    assert_eq!(blocks, [7; 33]);
}

fn wants(name: &str) -> String {
    permutation(name, None).expect_err("refused").to_string()
}

#[test]
fn names() {
    for (name, shortest) in [
        ("simpira-2:15", "simpira-2"),
        ("haraka-256:3.5", "haraka-256:3.5"),
        ("feistel256:2-0,1-1/1,0:5", "feistel256:2-0,1-1"),
        ("feistel256:2-3,1-1", "feistel256:2-3,1-1"),
        (
            "feistel512:2-0,2-2,2-0,2-2/3,0,1,2",
            "feistel512:2-0,2-2,2-0,2-2",
        ),
        (
            "feistel512:2-0,2-2,2-0,2-2/1,2,3,0:5",
            "feistel512:2-0,2-2,2-0,2-2/1,2,3,0:5",
        ),
    ] {
        assert_eq!(
            permutation(name, None).unwrap().name().to_string(),
            shortest
        );
    }
    for name in ["aes", "", "feistel", "haraka-256 ", "areion-128:3"] {
        let start = "permutation: unknown name, want one of simpira-2, simpira-4, haraka-256, ";
        let text = wants(name);
        assert!(text.starts_with(start), "{text}");
        assert!(text.ends_with(", or another configuration of feistel256 and feistel512"));
    }
    for (name, want) in [
        (
            "feistel256",
            "want 2 functions of 1-0, 1-1, 2-0, 2-1, 2-2, 2-3, got 1",
        ),
        (
            "feistel512:2-0,1-1",
            "want 4 functions of 1-0, 1-1, 2-0, 2-1, 2-2, 2-3, got 2",
        ),
        (
            "feistel256:3-0,1-1",
            "unknown function, want one of 1-0, 1-1, 2-0, 2-1, 2-2, 2-3",
        ),
        (
            "feistel256:2-0,1-1/0,1",
            "want the shuffle 1,0 of two words, or none",
        ),
        (
            "feistel512:2-0,1-1,2-0,1-1/0,1,2,3",
            "want a shuffle with every word 0..3 once and not all in place, as 3,0,1,2",
        ),
        (
            "simpira-2:3.5",
            "simpira-2 has 1 to 64 rounds, as in simpira-2:8",
        ),
        (
            "haraka-512:6",
            "haraka-512 has 0.5 to 5 rounds in halves, as in haraka-512:3.5",
        ),
        (
            "feistel256:2-0,1-1:x",
            "feistel256 has 1 to 64 rounds, as in feistel256:2-0,1-1:8",
        ),
    ] {
        assert_eq!(wants(name), format!("permutation: {want}"));
    }
    for shuffle in [
        "",
        "0",
        "3,0,1",
        "3,0,1,2,",
        "3,3,1,2",
        "4,0,1,2",
        "3,0,1,2,0",
        "03,0,1,2",
    ] {
        let text = wants(&format!("feistel512:2-0,2-0,2-0,2-0/{shuffle}"));
        assert!(
            text.starts_with("permutation: want a shuffle with every word"),
            "{text}"
        );
    }
    for rounds in [
        "", "0", "+3", ".5", "3.50", "65", "256", "3.5.5", "-1", "1e1",
    ] {
        let text = wants(&format!("areion-256:{rounds}"));
        assert!(
            text.starts_with("permutation: areion-256 has 1 to 64 rounds"),
            "{text}"
        );
    }
}

#[test]
fn wrong_sizes() {
    for name in permutations() {
        let p = permutation(name, None).unwrap();
        let size = p.block_bytes();
        for actual in [0, size - 1, size + 1, 2 * size] {
            let mut block = vec![0x55; actual];
            let want = Err(Error::Length {
                what: "block",
                want: size,
                got: actual,
            });
            assert_eq!(p.permute(&mut block), want);
            assert_eq!(p.inverse(&mut block), want);
            assert_eq!(block, vec![0x55; actual]);
        }
        let mut blocks = vec![0x55; 3 * size - 1];
        let error = p.permute_many(&mut blocks).unwrap_err();
        assert_eq!(p.inverse_many(&mut blocks), Err(error));
        let want = format!(
            "blocks: want a multiple of {size} bytes, got {}",
            3 * size - 1
        );
        assert_eq!(error.to_string(), want);
        assert_eq!(blocks, vec![0x55; 3 * size - 1]);
    }
    let error = Permutation256::new("areion-512", None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "permutation: want one of 32 bytes, got one of 64"
    );
}

#[test]
fn unavailable() {
    let error = permutation("areion-256", Some(Backend::Avx2)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "backend 'avx2': areion-256 is not written for it, want portable, aesni, vaes256, vaes512 \
         or aarch64"
    );
}
