//! To be run under valgrind's memcheck: marks key, nonce, associated data and message as
//! undefined, so that memcheck reports each branch and each address that depends on them.
//!
//! Judges itself by memcheck's count of errors: exit status 0 clean, 1 a leak, 2 not run under
//! memcheck or a control not caught. The stacks of the leaks are in memcheck's own log.

use std::hint::black_box;
use std::process::ExitCode;

use roundworks::Message;
use roundworks_ct::ciphers::{Subject, open_incrementally, seal_incrementally, subjects};
use roundworks_ct::controls::{equal_early, equal_late, lookup, lookup_by_scan};
use roundworks_ct::machine::{classify, declassify, errors, on_valgrind, secret_bytes};
use roundworks_ct::noise;

/// Around the block of every cipher, and one of many blocks.
const LENGTHS: [usize; 14] = [0, 1, 15, 16, 17, 31, 32, 33, 47, 48, 63, 65, 128, 700];

/// As often as the compiler may look at a verdict: far less than once per byte of a tag. That it is
/// the verdict is seen by where it is, in the test that runs this program.
const VERDICT_BRANCHES: usize = 4;
/// More messages than any back end has lanes for.
const MANY: usize = 9;

fn main() -> ExitCode {
    if !on_valgrind() {
        eprintln!("ct-memcheck: not under valgrind; run: valgrind --error-limit=no ct-memcheck");
        return ExitCode::from(2);
    }
    if let Err(problem) = controls() {
        eprintln!("ct-memcheck: {problem}");
        return ExitCode::from(2);
    }
    let mut clean = true;
    for subject in subjects() {
        let result: Vec<_> = LENGTHS
            .iter()
            .filter_map(|&n| leak(&subject, n).err())
            .collect();
        match result.first() {
            None => println!(
                "{subject}: {} lengths, nothing secret in branch or address",
                LENGTHS.len()
            ),
            Some(first) => println!("{subject}: {first}"),
        }
        clean &= result.is_empty();
    }
    if clean {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    }
}

/// How many errors `action` adds to memcheck's count.
fn errors_in<T>(action: impl FnOnce() -> T) -> (usize, T) {
    let before = errors();
    let value = action();
    (errors() - before, value)
}

/// What leaks must be caught, what does not must not be.
fn controls() -> Result<(), String> {
    let table: [u8; 256] = noise(1, 256).try_into().expect("256 bytes");
    let public = noise(2, 16);
    let mut secret = public.clone();
    classify(&mut secret);
    let (lookup, _) = errors_in(|| black_box(lookup(&table, secret[0])));
    let (early, _) = errors_in(|| equal_early(&secret, &public));
    let (scan, _) = errors_in(|| black_box(lookup_by_scan(&table, secret[0])));
    let (late, _) = errors_in(|| black_box(equal_late(&secret, &public)));
    println!(
        "controls: a table lookup {lookup}, an early exit {early} times; their twins {scan}, {late}"
    );
    if lookup == 0 || early == 0 {
        return Err(format!(
            "a leak was not caught: lookup {lookup}, early exit {early} errors"
        ));
    }
    if scan != 0 || late != 0 {
        return Err(format!(
            "a false alarm: scan {scan}, full comparison {late} errors"
        ));
    }
    Ok(())
}

/// Seals and opens `len` bytes, all input secret; then the same in parts.
fn leak(subject: &Subject, len: usize) -> Result<(), String> {
    let secret = |seed, n| {
        let mut bytes = noise(seed, n);
        classify(&mut bytes);
        bytes
    };
    let key = secret(1, subject.facts.key_bytes);
    let nonce = secret(2, subject.facts.nonce_bytes);
    let ad = secret(3, len);
    let data = secret(4, len);

    let (found, cipher) = errors_in(|| subject.with_key(&key));
    clean(found, &format!("setting the key, {len} bytes"))?;
    let mut sealed = vec![0; cipher.sealed_bytes(len)];
    let (found, _) = errors_in(|| cipher.seal_into(&nonce, &ad, &data, &mut sealed));
    clean(found, &format!("sealing {len} bytes"))?;
    // Had the marks been lost on the way, nothing would have been found.
    all_secret(&sealed, "sealed")?;
    let space = cipher.opened_bytes(sealed.len()).expect("was sealed");
    opens_and_refuses(len, space, &sealed, |sealed, out| {
        cipher.open_into(&nonce, &ad, sealed, out).ok()
    })?;

    let mut many = vec![sealed.clone(); MANY];
    let mut messages: Vec<_> = many
        .iter_mut()
        .map(|out| Message {
            nonce: &nonce,
            ad: &ad,
            data: &data,
            out,
        })
        .collect();
    let (found, done) = errors_in(|| cipher.seal_many(&mut messages));
    clean(found, &format!("sealing {MANY} messages of {len} bytes"))?;
    done.map_err(|e| format!("sealing {MANY} messages of {len} bytes: {e}"))?;
    all_secret(&many[0], "sealed among many")?;

    let mut again = vec![0; sealed.len()];
    let (found, ()) = errors_in(|| seal_incrementally(&*cipher, &nonce, &ad, &data, &mut again));
    clean(found, &format!("sealing {len} bytes in parts"))?;
    all_secret(&again, "sealed in parts")?;
    opens_and_refuses(len, space, &again, |sealed, out| {
        open_incrementally(&*cipher, &nonce, &ad, sealed, out)
    })
}

/// The verdict is public and may be branched on. So is, of an authentic message, how long it is
/// without its padding, where a cipher pads.
fn opens_and_refuses(
    len: usize,
    space: usize,
    sealed: &[u8],
    open: impl Fn(&[u8], &mut [u8]) -> Option<usize>,
) -> Result<(), String> {
    let mut out = vec![0; space];
    let (found, mut opened) = errors_in(|| open(sealed, &mut out));
    declassify(&mut opened);
    verdict_only(found, &format!("opening {len} bytes"))?;
    if opened != Some(len) {
        return Err(format!("{len} bytes: what was sealed does not open"));
    }
    all_secret(&out[..len], "opened")?;
    declassify(&mut out[..]);
    if out[..len] != noise(4, len) {
        return Err(format!("{len} bytes: opens as something else"));
    }

    let mut forged = sealed.to_vec();
    *forged.last_mut().expect("a tag") ^= 1;
    let (found, mut opened) = errors_in(|| open(&forged, &mut out));
    declassify(&mut opened);
    verdict_only(found, &format!("refusing {len} bytes"))?;
    if opened.is_some() || secret_bytes(&out) != 0 || out.iter().any(|&b| b != 0) {
        return Err(format!(
            "{len} bytes: a forgery was not refused with a buffer of zeros"
        ));
    }
    Ok(())
}

fn clean(found: usize, what: &str) -> Result<(), String> {
    match found {
        0 => Ok(()),
        _ => Err(format!(
            "{what}: {found} branches or addresses depend on a secret"
        )),
    }
}

fn verdict_only(found: usize, what: &str) -> Result<(), String> {
    if found <= VERDICT_BRANCHES {
        return Ok(());
    }
    Err(format!(
        "{what}: {found} branches or addresses depend on a secret, want at most {VERDICT_BRANCHES}, \
         of the verdict"
    ))
}

fn all_secret(bytes: &[u8], what: &str) -> Result<(), String> {
    match secret_bytes(bytes) {
        n if n == bytes.len() => Ok(()),
        n => Err(format!(
            "{what}: memcheck tracks {n} of {} bytes",
            bytes.len()
        )),
    }
}
