//! The permutations: vectors, agreement of the back ends, inverses, names.

use roundworks::{
    AnyPermutation, Areion256Dm, Areion512Dm, Areion512Md, Backend, Error, Haraka256, Haraka512,
    Permutation, Permutation256, PermutationName, Pholkos256, Pholkos512, for_each_permutation,
    hash_function, hashes, permutation, permutations, pholkos,
};

use crate::{backends, noise, short};

const CODES: [&str; 6] = ["1-0", "1-1", "2-0", "2-1", "2-2", "2-3"];

/// The permutation on each back end that can run here; the others are reported.
fn everywhere(name: &str) -> Vec<(Backend, AnyPermutation)> {
    let usable = backends::usable("permutations", Permutation256::BACKENDS);
    let all: Vec<_> = usable
        .into_iter()
        .map(|b| (b, permutation(name, Some(b)).expect("is_available said so")))
        .collect();
    assert_eq!(all[0].0, Backend::Portable);
    all
}

/// One call for a block, one for many; each equals the portable back end's for every block, and
/// goes back.
fn agree(name: &str, most: usize) {
    let all = everywhere(name);
    let portable = all[0].1;
    let size = portable.block_bytes();
    let data = noise(9, size * most);
    let mut want = data.clone();
    for block in want.chunks_mut(size) {
        portable.permute(block).unwrap();
    }
    for (backend, p) in &all {
        for (i, (block, want)) in data.chunks(size).zip(want.chunks(size)).enumerate() {
            let mut x = block.to_vec();
            p.permute(&mut x).unwrap();
            assert!(x == want, "{name}/{backend}: block {i}: got {x:02x?}");
            p.inverse(&mut x).unwrap();
            assert!(
                x == block,
                "{name}/{backend}: block {i}: inverse gives {x:02x?}"
            );
        }
        let mut step = data[..size].to_vec();
        for times in 0..4 {
            let mut chain = data[..size].to_vec();
            p.permute_times(&mut chain, times).unwrap();
            assert!(chain == step, "{name}/{backend}: {times} times");
            p.inverse_times(&mut chain, times).unwrap();
            assert!(
                chain == data[..size],
                "{name}/{backend}: inverse, {times} times"
            );
            p.permute(&mut step).unwrap();
        }
        for count in 0..=most {
            let mut x = data[..size * count].to_vec();
            p.permute_many(&mut x).unwrap();
            assert!(x == want[..x.len()], "{name}/{backend}: {count} blocks");
            p.inverse_many(&mut x).unwrap();
            assert!(
                x == data[..x.len()],
                "{name}/{backend}: inverse of {count} blocks"
            );
        }
    }
}

macro_rules! tests {
    ($($id:ident $name:literal $about:literal,)*) => {$(
        #[test]
        fn $id() {
            agree($name, if short() { 17 } else { 70 });
        }
    )*};
}
for_each_permutation!(tests);

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

/// A block under key and tweak, alone and among more than go side by side, and back.
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

#[test]
fn vectors() {
    let mut members = Vec::new();
    for family in roundworks_vectors::permutations() {
        members.extend(family.members.iter().map(|m| m.name.clone()));
        for m in &family.members {
            let p: PermutationName = m.name.parse().unwrap();
            let facts = (m.words * m.word_bytes, m.rounds.to_string());
            assert_eq!(
                (p.block_bytes(), p.rounds().to_string()),
                facts,
                "{}",
                m.name
            );
            let more = format!("{}:{}", m.name, m.most_rounds.ceil() + 1.0);
            let most = format!(" to {} rounds", m.most_rounds);
            assert!(wants(&more).contains(&most), "{more}");
        }
        for v in roundworks_vectors::permutation(&family.family) {
            let name = match v.rounds {
                Some(rounds) => format!("{}:{rounds}", v.permutation),
                None => v.permutation.clone(),
            };
            for (backend, p) in everywhere(&name) {
                let at = format!("{}: {}: {backend}", family.family, v.id);
                let got = match v.mode.as_deref() {
                    None => {
                        let mut block = v.input.0.clone();
                        p.permute(&mut block).unwrap();
                        block
                    }
                    Some("hash") => hash(&name, &v.input.0, backend),
                    Some("dm") => hash(&format!("{name}-dm"), &v.input.0, backend),
                    Some("md") => {
                        let areion = Areion512Md::new(Some(backend)).unwrap();
                        areion.hash(&v.input.0).unwrap().to_vec()
                    }
                    Some("tweakable") => {
                        let (key, tweak) =
                            (&v.key.as_ref().unwrap().0, &v.tweak.as_ref().unwrap().0);
                        tweakable(key, tweak, &v.input.0, backend)
                    }
                    Some(mode) => panic!("{at}: mode '{mode}'"),
                };
                assert_eq!(got, v.output.0, "{at}");
            }
        }
    }
    members.sort();
    let mut named: Vec<_> = permutations().collect();
    named.sort();
    assert_eq!(members, named, "members of spec/");
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
        for got in [0, size - 1, size + 1, 2 * size] {
            let mut block = vec![0x55; got];
            let want = Err(Error::Length {
                what: "block",
                want: size,
                got,
            });
            assert_eq!(p.permute(&mut block), want);
            assert_eq!(p.inverse(&mut block), want);
            assert_eq!(block, vec![0x55; got]);
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
