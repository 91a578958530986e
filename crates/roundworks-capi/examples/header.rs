//! Writes `include/roundworks.h`, or with `--check` fails if it is not what it should be.
//!
//! The functions of the ciphers come out of a macro, so cbindgen reads the expanded source, which
//! the compiler prints only if told that we know it is not a stable interface. Nothing that users
//! build depends on it.

use std::path::Path;
use std::{env, fs, process};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // SAFETY: no other thread runs yet.
    unsafe { env::set_var("RUSTC_BOOTSTRAP", "1") };
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("cbindgen.toml");
    let bindings = cbindgen::generate_with_config(root, config).expect("bindings");
    let mut header = Vec::new();
    bindings.write(&mut header);

    let path = root.join("include/roundworks.h");
    if env::args().any(|arg| arg == "--check") {
        if fs::read(&path).is_ok_and(|old| old == header) {
            return;
        }
        eprintln!(
            "{}: not what the crate says; run: make header",
            path.display()
        );
        process::exit(1);
    }
    fs::create_dir_all(root.join("include")).expect("a folder for the header");
    fs::write(&path, header).expect("the header can be written");
}
