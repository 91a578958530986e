//! What calls leave on the dead stack, in vector and in mask registers depends on no key: each is made four times under
//! each of two keys, with all else alike, and what was left is compared. Only parts of the sealed message may differ.

use std::collections::HashSet;

use roundworks::{Cipher, Message, for_each_cipher};

use crate::stack::{DEPTH, fill_below, left_below};
use crate::{Subject, Whole, noise, short, subjects};

/// Of 32 registers of 64 bytes.
const VECTORS: usize = 2048;
/// With 8 masks of 8 bytes behind them.
const REGISTERS: usize = VECTORS + 64;

/// How this CPU stores its vector and mask registers.
#[derive(Clone, Copy)]
#[allow(dead_code)] // each on one architecture
enum Store {
    None,
    Sse,
    Avx,
    Avx512,
    Neon,
}

impl Store {
    fn here() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx512bw") {
            return Self::Avx512;
        } else if is_x86_feature_detected!("avx") {
            return Self::Avx;
        } else {
            return Self::Sse;
        }
        #[cfg(target_arch = "aarch64")]
        return Self::Neon;
        #[allow(unreachable_code)]
        Self::None
    }

    /// What was there before a call is not of it.
    #[inline(always)]
    fn clear(self) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: by `here` the CPU has the instructions, which change registers declared as changed.
        unsafe {
            if let Self::Avx512 = self {
                std::arch::asm!(
                    ".irp i, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
                    r"vpxord zmm\i, zmm\i, zmm\i",
                    ".endr",
                    ".irp i, 0, 1, 2, 3, 4, 5, 6, 7",
                    r"kxorq k\i, k\i, k\i",
                    ".endr",
                    clobber_abi("C"),
                );
            }
        }
    }

    /// At once: no call may come between, which might use them.
    #[inline(always)]
    fn store(self, to: &mut [u8; REGISTERS]) {
        let to = to.as_mut_ptr();
        // SAFETY: by `here` the CPU has the instructions; they write at most 2112 bytes, which are there.
        unsafe {
            match self {
                Self::None => {}
                #[cfg(target_arch = "x86_64")]
                Self::Sse => std::arch::asm!(
                    ".irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
                    r"movups [{to} + 16 * \i], xmm\i",
                    ".endr",
                    to = in(reg) to,
                ),
                #[cfg(target_arch = "x86_64")]
                Self::Avx => std::arch::asm!(
                    ".irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
                    r"vmovups [{to} + 32 * \i], ymm\i",
                    ".endr",
                    to = in(reg) to,
                ),
                #[cfg(target_arch = "x86_64")]
                Self::Avx512 => std::arch::asm!(
                    ".irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
                    r"vmovups [{to} + 64 * \i], zmm\i",
                    ".endr",
                    ".irp i, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
                    r"vmovups [{to} + 64 * \i], zmm\i",
                    ".endr",
                    ".irp i, 0, 1, 2, 3, 4, 5, 6, 7",
                    r"kmovq [{to} + 2048 + 8 * \i], k\i",
                    ".endr",
                    to = in(reg) to,
                ),
                #[cfg(target_arch = "aarch64")]
                Self::Neon => std::arch::asm!(
                    ".irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
                    r"str q\i, [{to}, #(16 * \i)]",
                    ".endr",
                    ".irp i, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
                    r"str q\i, [{to}, #(16 * \i)]",
                    ".endr",
                    to = in(reg) to,
                ),
                #[allow(unreachable_patterns)]
                _ => unreachable!("of another architecture"),
            }
        }
    }
}

/// The registers, then the dead stack, after `call`.
#[inline(never)]
fn after(call: &mut dyn FnMut()) -> Vec<u8> {
    let (store, mut registers) = (Store::here(), [0; REGISTERS]);
    fill_below();
    store.clear();
    call();
    store.store(&mut registers);
    let stack = left_below();
    [&registers[..], &stack].concat()
}

/// Sets up a key. A function of its own, which puts back the registers that a function has to keep: else the call
/// saves in its frame what they still hold of a key from here.
#[inline(never)]
fn set_up<S>(setting: &mut S, key: usize, set: &dyn Fn(&mut S, usize)) {
    set(setting, key);
}

/// Where something that depends on the key is left, if anywhere. What was found is looked for again in more calls: an
/// address that the allocator happened to change with the key is then not found.
fn place<S>(
    setting: &mut S,
    public: &[Vec<u8>; 2],
    set: &dyn Fn(&mut S, usize),
    call: &dyn Fn(&mut S) -> Vec<u8>,
) -> Option<String> {
    place_in(8, setting, public, set, call)?;
    place_in(64, setting, public, set, call)
}

/// An allocator may alternate two addresses, so the keys do not alternate (but go as Thue and Morse do).
fn key_of(run: usize) -> usize {
    run.count_ones() as usize % 2
}

/// `set` sets up the key of that number, `call` returns what was left; what is `public` under each may be left.
fn place_in<S>(
    runs: usize,
    setting: &mut S,
    public: &[Vec<u8>; 2],
    set: &dyn Fn(&mut S, usize),
    call: &dyn Fn(&mut S) -> Vec<u8>,
) -> Option<String> {
    let runs: Vec<_> = (0..runs)
        .map(|run| {
            set_up(setting, key_of(run), set);
            call(setting)
        })
        .collect();
    let public: HashSet<_> = public.iter().flat_map(|public| public.windows(8)).collect();
    let (a, b) = (&runs[0], &runs[1]);
    let known = |i: usize| {
        let mut windows = (i.saturating_sub(7)..=i).filter_map(|from| a.get(from..from + 8));
        windows.any(|window| public.contains(window))
    };
    // What is not alike in all runs under one key is an address.
    let alike = |i: usize| {
        let mut all = runs.iter().enumerate();
        all.all(|(run, left)| left[i] == [a, b][key_of(run)][i])
    };
    let differs = |&i: &usize| a[i] != b[i] && alike(i);
    let spot = (0..a.len()).filter(differs).find(|&i| !known(i))?;
    Some(if spot < VECTORS {
        format!("in vector register {}", spot / (VECTORS / 32))
    } else if spot < REGISTERS {
        format!("in mask register {}", (spot - VECTORS) / 8)
    } else {
        format!("{} bytes below the caller", REGISTERS + DEPTH - spot)
    })
}

/// Otherwise the tests below could not fail.
#[test]
fn what_depends_on_a_key_is_found() {
    #[inline(never)]
    fn leaves(key: u8, public: u8) {
        // Deep enough that no frame of what looks for it is there.
        let mut own = [0_u8; 2048];
        own[..16].fill(public);
        own[32..48].fill(key);
        std::hint::black_box(&mut own);
    }
    let differing = |keys: [u8; 2]| {
        let public = [3, 4].map(|byte| vec![byte; 16]);
        let set = |setting: &mut (u8, u8), i: usize| *setting = (keys[i], 3 + i as u8);
        place(&mut (0, 0), &public, &set, &|&mut (key, public)| {
            after(&mut || leaves(key, public))
        })
    };
    assert_eq!(differing([7, 7]), None);
    assert!(differing([7, 8]).is_some());

    #[cfg(target_arch = "x86_64")]
    assert!(
        place(
            &mut 0_u64,
            &[vec![], vec![]],
            &|value, i| *value = 5 + i as u64,
            &|value| {
                // SAFETY: it changes a register that is declared as changed.
                after(&mut || unsafe {
                    std::arch::asm!("movq xmm9, {}", in(reg) *value, out("xmm9") _);
                })
            }
        )
        .is_some_and(|place| place.contains("register"))
    );
}

/// Blocks and rests of all sizes of block; none of under eight bytes, which are in too many places. Of data and of
/// associated data; every other one in short.
fn lengths() -> impl Iterator<Item = (usize, usize)> {
    let all = [0, 9, 64, 264, 600, 2056]
        .into_iter()
        .zip([0, 600, 9, 64, 0, 264]);
    all.step_by(if short() { 2 } else { 1 })
}

/// In one place for both keys, for its address is left too.
struct Setting {
    cipher: Box<dyn Cipher>,
    input: Vec<u8>,
    out: Vec<u8>,
}

fn depends_on_the_key(subject: Subject) -> Vec<String> {
    let mut failed = Vec::new();
    let keys = [81, 82].map(|seed| subject.key_and_nonce(seed).0);
    let (_, nonce) = subject.key_and_nonce(83);
    for (backend, cipher) in subject.everywhere(&keys[0]) {
        let mut setting = Setting {
            cipher,
            input: Vec::new(),
            out: Vec::new(),
        };
        for (bytes, ad_bytes) in lengths() {
            let (data, ad) = (noise(84, bytes), noise(85, ad_bytes));
            let sealed = keys.each_ref().map(|key| {
                let cipher = (subject.with)(key, backend).unwrap();
                cipher.seal(&nonce, &ad, &data)
            });
            setting.input.clone_from(&sealed[0]);
            setting.out.clone_from(&sealed[0]);
            let set = |setting: &mut Setting, i: usize| {
                setting.cipher = (subject.with)(&keys[i], backend).unwrap();
                setting.input.copy_from_slice(&sealed[i]);
            };
            let spoil = |setting: &mut Setting, i: usize| {
                set(setting, i);
                *setting.input.last_mut().unwrap() ^= 1;
            };
            let mut check = |what: &str,
                             set: &dyn Fn(&mut Setting, usize),
                             call: &dyn Fn(&mut Setting) -> Vec<u8>| {
                let at = format!("{}, {backend}: {bytes} bytes {what}", subject.name);
                let place = place(&mut setting, &sealed, set, call);
                failed.extend(place.map(|place| format!("{at}: {place}")));
            };
            let open = |Setting { cipher, input, out }: &mut Setting| {
                let opened_bytes = cipher.opened_bytes(out.len()).unwrap();
                after(&mut || {
                    let _ = cipher.open_into(&nonce, &ad, input, &mut out[..opened_bytes]);
                })
            };
            check("sealed", &set, &|Setting { cipher, out, .. }| {
                after(&mut || {
                    let _ = cipher.seal_into(&nonce, &ad, &data, out);
                })
            });
            check("opened", &set, &open);
            check("refused", &spoil, &open);

            #[cfg(feature = "alloc")]
            {
                check(
                    "sealed in parts",
                    &set,
                    &|Setting { cipher, out, .. }| {
                        after(&mut || {
                            let mut sealing = cipher.sealing(&nonce).unwrap();
                            sealing.ad(&ad).unwrap();
                            let mut filled = 0;
                            for part in data.chunks(200) {
                                let space = &mut out[filled..][..sealing.update_bytes(part.len())];
                                filled += sealing.update_into(part, space).unwrap();
                            }
                            let space = &mut out[filled..][..sealing.finish_bytes()];
                            sealing.finish_into(space).unwrap();
                        })
                    },
                );
                check("opened in parts", &set, &|setting| {
                    let Setting { cipher, input, out } = setting;
                    let (text, tag) = input.split_at(input.len() - subject.tag_bytes);
                    let space = &mut out[..text.len()];
                    after(&mut || {
                        let mut opening = cipher.opening(&nonce, space).unwrap();
                        opening.ad(&ad).unwrap();
                        text.chunks(200)
                            .for_each(|part| opening.update(part).unwrap());
                        opening.finish(tag).unwrap();
                    })
                });
            }
        }
    }
    failed
}

/// As many as any back end interleaves, and some more.
const MANY: usize = 21;

fn of_many_depends_on_the_key(subject: Subject) -> Vec<String> {
    let mut failed = Vec::new();
    let keys = [86, 87].map(|seed| subject.key_and_nonce(seed).0);
    let (_, nonce) = subject.key_and_nonce(88);
    for (backend, mut cipher) in subject.everywhere(&keys[0]) {
        for (bytes, _) in lengths() {
            let data = noise(89, bytes);
            let sealed = keys.each_ref().map(|key| {
                let cipher = (subject.with)(key, backend).unwrap();
                cipher.seal(&nonce, b"of all", &data)
            });
            let mut out = vec![sealed[0].clone(); MANY];
            let mut setting = (cipher, sealed[0].clone());
            for opens in [false, true] {
                let set = |(cipher, input): &mut (Box<dyn Cipher>, Vec<u8>), i: usize| {
                    *cipher = (subject.with)(&keys[i], backend).unwrap();
                    input.copy_from_slice(&sealed[i]);
                };
                let out = std::cell::RefCell::new(&mut out);
                let spot = place(&mut setting, &sealed, &set, &|(cipher, input)| {
                    let opened_bytes = cipher.opened_bytes(input.len()).unwrap();
                    let mut out = out.borrow_mut();
                    let mut messages: Vec<_> = out
                        .iter_mut()
                        .map(|out| Message {
                            nonce: &nonce,
                            ad: b"of all",
                            data: if opens { input } else { &data },
                            out: if opens { &mut out[..opened_bytes] } else { out },
                        })
                        .collect();
                    let mut sizes = [None; MANY];
                    after(&mut || {
                        if opens {
                            cipher.open_many(&mut messages, &mut sizes).unwrap();
                        } else {
                            cipher.seal_many(&mut messages).unwrap();
                        }
                    })
                });
                let what = if opens { "opened" } else { "sealed" };
                let at = format!(
                    "{}, {backend}: {MANY} of {bytes} bytes {what}",
                    subject.name
                );
                failed.extend(spot.map(|place| format!("{at}: {place}")));
            }
            cipher = setting.0;
        }
    }
    failed
}

macro_rules! tests {
    ($($cipher:ident $about:literal,)*) => {$(
        #[test]
        #[cfg_attr(debug_assertions, ignore = "other frames than those that ship: cargo test --release")]
        #[allow(non_snake_case)]
        fn $cipher() {
            let nothing = Vec::<String>::new();
            assert_eq!(depends_on_the_key(subjects::$cipher), nothing);
            assert_eq!(of_many_depends_on_the_key(subjects::$cipher), nothing);
        }
    )*};
}
for_each_cipher!(tests);
