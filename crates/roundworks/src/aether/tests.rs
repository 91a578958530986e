//! AETHER as a reader would check it: nibbles, tables and matrices straight from `spec/`, compared
//! with every back end from inside. The public surface is tested in `tests/`.

extern crate std;

use std::vec::Vec;
use std::{format, vec};

#[cfg(target_arch = "x86_64")]
use inout::InOutBuf;
use roundworks_vectors::{Cipher, cipher, function};

use super::{
    ADDENDS, Addend, Aether, AetherLb, BLOCK, Lanes, MASKS, ROUNDS, SUMS, Word, Z0, Z1, Z2, bits,
};
use crate::Backend;
use crate::arch::testing;
#[cfg(target_arch = "x86_64")]
use crate::stream::{self, Stream};

/// The slow model. A word is a `u128`, nibble 0 at the top.
struct Model {
    spec: Cipher,
    bind_lengths: bool,
}

impl Model {
    fn new(bind_lengths: bool) -> Self {
        Self {
            spec: cipher("aether"),
            bind_lengths,
        }
    }

    fn constant(&self, name: &str) -> u128 {
        int(&self.spec.constants[name].0)
    }

    /// F = Permutation . ApplySbox . MatrixMul . ApplySbox
    fn f(&self, x: u128) -> u128 {
        let c = self.spec.components.as_ref().unwrap();
        let nibbles: Vec<u8> = (0..32).map(|i| (x >> (124 - 4 * i)) as u8 & 15).collect();
        let sbox = |x: &[u8]| -> Vec<u8> { x.iter().map(|&n| c.sbox[usize::from(n)]).collect() };
        let mix = |half: &[u8]| -> Vec<u8> {
            let row = |row: &Vec<u8>| row.iter().zip(half).fold(0, |sum, (m, n)| sum ^ (m * n));
            c.matrix.iter().map(row).collect()
        };
        let y = sbox(&nibbles);
        let y = sbox(&[mix(&y[..16]), mix(&y[16..])].concat());
        (0..32).fold(0, |z, i| {
            z | u128::from(y[i]) << (124 - 4 * c.permutation[i])
        })
    }

    /// R(S; X0, X1, X2)
    fn round(&self, s: &[u128], x: [u128; 3]) -> Vec<u128> {
        let wiring = self.spec.round.as_ref().unwrap();
        let addend = |name: &str| {
            let (kind, index) = name.split_at(1);
            let i: usize = index.parse().unwrap();
            if kind == "X" { x[i] } else { s[i] }
        };
        (0..9)
            .map(|i| self.f(s[wiring.f[i]]) ^ addend(&wiring.xor[i]))
            .collect()
    }

    fn blocks(data: &[u8]) -> Vec<[u128; 3]> {
        let mut data = data.to_vec();
        if !data.len().is_multiple_of(48) {
            data.push(0x80);
            data.resize(data.len().next_multiple_of(48), 0);
        }
        data.chunks(48)
            .map(|b| [int(&b[..16]), int(&b[16..32]), int(&b[32..])])
            .collect()
    }

    fn encrypt(&self, key: &[u8], nonce: &[u8], ad: &[u8], pt: &[u8]) -> (Vec<u8>, Word) {
        let [z0, z1, z2] = ["Z0", "Z1", "Z2"].map(|z| self.constant(z));
        let (k0, k1, n) = (int(&key[..16]), int(&key[16..]), int(nonce));
        let feed = |s: &mut Vec<u128>, keys: [u128; 9]| {
            s.iter_mut().zip(keys).for_each(|(s, k)| *s ^= k);
        };
        let mut s = vec![z1, k0, n ^ k0, 0, z0, 0, n, k1, z2];
        for _ in 0..20 {
            s = self.round(&s, [z0, z1, z2]);
        }
        feed(&mut s, [k0, k0, k0, k0, k1, k0, k1, k1, k1]);
        for a in Self::blocks(ad) {
            s = self.round(&s, a);
        }
        let mut ct = Vec::new();
        for m in Self::blocks(pt) {
            let c0 = self.f(s[0] ^ s[1]) ^ s[4] ^ m[0];
            let c1 = self.f(s[2] ^ s[6]) ^ s[7] ^ m[1];
            let c2 = self.f(s[3] ^ s[5]) ^ s[8] ^ m[2];
            ct.extend([c0, c1, c2].map(u128::to_be_bytes).concat());
            s = self.round(&s, m);
        }
        ct.truncate(pt.len());
        if self.bind_lengths {
            s = self.round(&s, [8 * ad.len() as u128, 8 * pt.len() as u128, z1]);
        }
        feed(&mut s, [k0, k0, k1, k1, k0, k0, k1, k0, k1]);
        for _ in 0..20 {
            s = self.round(&s, [k0, z0, k1]);
        }
        feed(&mut s, [k1, k0, k0, k0, k1, k0, k0, k1, k1]);
        (ct, s.iter().fold(0, |t, w| t ^ w).to_be_bytes())
    }
}

fn int(bytes: &[u8]) -> u128 {
    u128::from_be_bytes(bytes.try_into().unwrap())
}

/// Bytes without a pattern that a shuffle could keep.
fn noise(seed: u64, n: usize) -> Vec<u8> {
    let step = |x: &mut u64| {
        *x = x
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        Some((*x >> 56) as u8)
    };
    std::iter::successors(Some(seed), |x| Some(*x))
        .scan(seed, |x, _| step(x))
        .take(n)
        .collect()
}

/// F alone, out of R: only S1 is set, which R uses nowhere but under F, and F(0) = 0.
fn f<L: Lanes>(l: L, x: Word) -> Word {
    let mut words = [[0; 16]; 9];
    words[1] = x;
    let s = l.state(&words);
    l.fold(l.round(l.f(s), s, l.block(&[0; BLOCK])))
}

/// F of `x` on every back end that this machine has, each with its name.
fn every_f(x: Word) -> Vec<(&'static str, Word)> {
    let all = std::iter::once(("portable", f(testing::portable(), x)));
    #[cfg(target_arch = "x86_64")]
    let all = all
        .chain(testing::Avx2::detect().map(|cpu| ("avx2", f(cpu, x))))
        .chain(testing::Avx512::detect().map(|cpu| ("avx512", f(cpu, x))))
        .chain(testing::Avx512::detect().map(|cpu| ("evex256", f(cpu.halves(), x))));
    all.collect()
}

#[test]
fn f_known_answers() {
    let doc = function("aether/aether.f.json");
    let model = Model::new(false);
    for v in &doc.vectors {
        let (input, output) = (int(&v.input.0), v.output.0.as_slice());
        assert_eq!(model.f(input).to_be_bytes(), output, "model: {}", v.id);
        for (name, got) in every_f(input.to_be_bytes()) {
            assert_eq!(got, output, "{name}: {}", v.id);
        }
    }
}

#[test]
fn f_is_the_model_on_every_nibble() {
    let model = Model::new(false);
    let base = int(&noise(3, 16));
    for i in 0..32 {
        for value in 0..16u128 {
            let x = base ^ value << (4 * i);
            for (name, got) in every_f(x.to_be_bytes()) {
                assert_eq!(got, model.f(x).to_be_bytes(), "{name}: {x:032x}");
            }
        }
    }
}

#[test]
fn constants_are_those_of_spec() {
    let spec = cipher("aether");
    for (name, z) in [("Z0", Z0), ("Z1", Z1), ("Z2", Z2)] {
        assert_eq!(spec.constants[name].0, z, "{name}");
    }
    let wiring = spec.round.as_ref().unwrap();
    for (i, addend) in ADDENDS.iter().enumerate() {
        let name = match addend {
            Addend::X(j) => format!("X{j}"),
            Addend::S(j) => format!("S{j}"),
        };
        assert_eq!(wiring.xor[i], name, "S'{i}");
        assert_eq!(wiring.f[i], (i + 8) % 9, "S'{i}");
    }
    for (name, backends) in [
        (Aether::NAME, Aether::BACKENDS),
        (AetherLb::NAME, AetherLb::BACKENDS),
    ] {
        let member = spec.member(name);
        assert_eq!(
            [member.key_bytes, member.nonce_bytes, member.tag_bytes],
            [32, 16, 16]
        );
        assert_eq!([member.rate_bytes, member.words], [BLOCK, 9]);
        assert_eq!([member.init_rounds, member.final_rounds], [ROUNDS, ROUNDS]);
        assert_eq!(
            member.backends,
            backends.iter().map(|b| b.name()).collect::<Vec<_>>(),
            "{name}"
        );
    }
}

/// The model follows the paper's order of operations; the code has it in three tables.
#[test]
fn keystream_tables() {
    assert_eq!((SUMS, MASKS), ([[0, 1], [2, 6], [3, 5]], [4, 7, 8]));
}

/// More bytes than a test can encrypt.
#[test]
fn lengths_are_counts_of_bits() {
    for bytes in [0, 1, 0x1fff_ffff, 0x2000_0000, u64::MAX] {
        let want = 8 * u128::from(bytes);
        assert_eq!(u128::from_be_bytes(bits(bytes)), want, "{bytes} bytes");
    }
}

#[test]
fn portable_is_the_model() {
    let (key, nonce) = (
        noise(1, 32).try_into().unwrap(),
        noise(2, 16).try_into().unwrap(),
    );
    let (ad, pt) = (noise(3, 200), noise(4, 200));
    let (published, bound) = (Model::new(false), Model::new(true));
    let aether = Aether::with_backend(&key, Backend::Portable).unwrap();
    let aether_lb = AetherLb::with_backend(&key, Backend::Portable).unwrap();
    // Both sides of every block boundary, and lengths that share no factor with 48; each with few of the other.
    let lengths = [
        0, 1, 15, 16, 17, 31, 32, 33, 47, 48, 49, 53, 95, 96, 97, 143, 144, 145, 200,
    ];
    for ad_len in lengths {
        for len in lengths {
            if ![0, 17, 48].iter().any(|few| [ad_len, len].contains(few)) {
                continue;
            }
            let (ad, pt) = (&ad[..ad_len], &pt[..len]);
            let mut buf = pt.to_vec();
            let tag = *aether.encrypt_in_place(&nonce, ad, &mut buf).as_bytes();
            assert_eq!(
                (buf, tag),
                published.encrypt(&key, &nonce, ad, pt),
                "{ad_len}, {len}"
            );
            let mut buf = pt.to_vec();
            let tag = *aether_lb.encrypt_in_place(&nonce, ad, &mut buf).as_bytes();
            assert_eq!(
                (buf, tag),
                bound.encrypt(&key, &nonce, ad, pt),
                "lb: {ad_len}, {len}"
            );
        }
    }
}

/// Of the two kernels of `avx512` a CPU takes one; what has the instructions can run both.
#[cfg(target_arch = "x86_64")]
#[test]
fn both_kernels_of_avx512_are_portable() {
    let Some(cpu) = testing::Avx512::detect() else {
        std::eprintln!("skipped both kernels of avx512 (this CPU lacks it)");
        return;
    };
    // Both sides of every block boundary up to five blocks, of a run of blocks, and of what is kept on its way.
    for n in (0..=5)
        .flat_map(|b| [48 * b, 48 * b + 1, 48 * b + 47])
        .chain([480, 1000])
    {
        for ad in [0, 1, 47, 48, 49, 96, 200] {
            kernel_is_portable::<super::AsPublished, _>(cpu, n, ad);
            kernel_is_portable::<super::LengthsBound, _>(cpu, n, ad);
            kernel_is_portable::<super::AsPublished, _>(cpu.halves(), n, ad);
            kernel_is_portable::<super::LengthsBound, _>(cpu.halves(), n, ad);
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn kernel_is_portable<C, L>(cpu: L, n: usize, ad: usize)
where
    C: Stream<L, Key = [u8; 32], Nonce = [u8; 16]>,
    C: Stream<crate::arch::testing::Portable>,
    L: Copy,
{
    let (key, nonce) = (
        noise(5, 32).try_into().unwrap(),
        noise(6, 16).try_into().unwrap(),
    );
    let (ad, data) = (noise(7, ad), noise(8, n));
    let (mut want, mut tag) = (data.clone(), [0; 16]);
    let buf = InOutBuf::from(&mut want[..]);
    stream::crypt::<C, _, true>(testing::portable(), &key, &nonce, &ad, buf, &mut tag);
    let (mut got, mut got_tag) = (data.clone(), [0; 16]);
    let buf = InOutBuf::from(&mut got[..]);
    stream::crypt::<C, _, true>(cpu, &key, &nonce, &ad, buf, &mut got_tag);
    assert_eq!(
        (&got, got_tag),
        (&want, tag),
        "{n} bytes, {} of associated data",
        ad.len()
    );
    let buf = InOutBuf::from(&mut got[..]);
    stream::crypt::<C, _, false>(cpu, &key, &nonce, &ad, buf, &mut got_tag);
    assert_eq!(
        (&got, got_tag),
        (&data, tag),
        "{n} bytes back, {} of associated data",
        ad.len()
    );
}
