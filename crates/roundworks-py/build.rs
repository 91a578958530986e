//! Cuts the docstrings out of `_native.pyi`, a file for each: `Aead.encrypt` and the like. And sets the version of
//! the compiler, which rows name.

use std::{env, fs, path::PathBuf, process::Command};

const STUB: &str = "../../python/roundworks/_native.pyi";
const QUOTES: &str = "\"\"\"";

fn main() {
    println!("cargo::rerun-if-changed={STUB}");
    println!("cargo::rerun-if-changed=build.rs");
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let stub = fs::read_to_string(STUB).unwrap_or_else(|error| panic!("{STUB}: {error}"));
    for (name, text) in docstrings(&stub) {
        fs::write(folder.join(name), text).expect("OUT_DIR can be written");
    }
    println!("cargo::rustc-env=RUSTC_VERSION={}", rustc_version());
}

/// As `1.95.0`; cargo calls this again where the compiler is another.
fn rustc_version() -> String {
    let rustc = env::var_os("RUSTC").expect("cargo sets it");
    let output = Command::new(rustc).arg("--version").output();
    let said = output.expect("the compiler runs").stdout;
    let said = String::from_utf8(said).expect("rustc --version is text");
    let version = said.split_whitespace().nth(1);
    version
        .expect("rustc --version: rustc and the version")
        .to_owned()
}

/// Name and text of each. Of overloads the last has one; of an attribute none is taken.
fn docstrings(stub: &str) -> Vec<(String, String)> {
    let mut result = Vec::new();
    let mut class = "";
    let mut defined: Option<String> = None;
    let mut lines = stub.lines();
    while let Some(line) = lines.next() {
        let text = line.trim_start();
        let indent = &line[..line.len() - text.len()];
        if let Some(name) = definition(text, "class ") {
            class = name;
            defined = Some(name.to_owned());
        } else if let Some(name) = definition(text, "def ") {
            let method = !indent.is_empty();
            defined = Some(if method {
                format!("{class}.{name}")
            } else {
                name.to_owned()
            });
        } else if let Some(first) = text.strip_prefix(QUOTES) {
            let mut text = first.to_owned();
            while !text.ends_with(QUOTES) {
                let line = lines
                    .next()
                    .unwrap_or_else(|| panic!("{STUB}: a docstring has no end"));
                text.push('\n');
                text.push_str(line.strip_prefix(indent).unwrap_or(line));
            }
            if let Some(name) = defined.take() {
                let text = text.strip_suffix(QUOTES).unwrap_or(&text);
                result.push((name, text.trim_end().to_owned()));
            }
        }
    }
    result
}

fn definition<'a>(line: &'a str, keyword: &str) -> Option<&'a str> {
    let rest = line.strip_prefix(keyword)?;
    rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .next()
}
