//! Writes `crates/roundworks-capi/include/roundworks.h`; its test fails if that is not current.
//!
//! cbindgen reads each module of the C interface by itself, so the constants, types and functions of
//! a module stay together under a heading, which is the module's own first comment.

mod ciphers;

use std::path::{Path, PathBuf};
use std::{env, fs, process};

/// Modules in the order of the header.
const MODULES: [&str; 11] = [
    "error",
    "ciphers",
    "macs",
    "minalpher",
    "any",
    "incremental",
    "mac",
    "permutations",
    "gpu",
    "gpu_device",
    "gpu_memory",
];

/// Columns of the header.
const LINE: usize = 100;

fn main() {
    let path = capi().join("include/roundworks.h");
    if let Err(error) = fs::write(&path, header()) {
        eprintln!("{}: {error}", path.display());
        process::exit(1);
    }
}

fn capi() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../roundworks-capi")
}

fn header() -> String {
    let mut out = include_str!("top.h").to_owned();
    for module in MODULES {
        let path = capi().join(format!("src/{module}.rs"));
        let source = fs::read_to_string(&path).expect("a module of the C interface");
        out += &heading(&source);
        if ciphers::is_macro(&source) {
            for cipher in ciphers::expanded(&source) {
                let scratch = env::temp_dir().join(format!("roundworks-{}.rs", process::id()));
                fs::write(&scratch, cipher).expect("a temporary file");
                out += &declarations(&scratch);
                fs::remove_file(&scratch).expect("the temporary file");
            }
        } else {
            out += &declarations(&path);
        }
    }
    out + include_str!("end.h")
}

/// The comment at the top of a module, as one of C.
fn heading(source: &str) -> String {
    let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
    let text: Vec<_> = lines.map(str::trim).collect();
    let rule = "-".repeat(95);
    format!("\n/*{rule}\n * {}\n */\n", text.join("\n * ")).replace(" * \n", " *\n")
}

/// What cbindgen makes of one file, in the layout of the header.
fn declarations(path: &Path) -> String {
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("cbindgen.toml");
    let bindings = cbindgen::Builder::new()
        .with_config(cbindgen::Config::from_file(config).expect("cbindgen.toml"))
        .with_src(path)
        .generate()
        .expect("a module that cbindgen can read");
    let mut text = Vec::new();
    bindings.write(&mut text);
    tidy(&String::from_utf8(text).expect("UTF-8"))
}

/// Plain comments, on one line where they fit; arguments on shared lines; a tag for every struct;
/// constants close together.
fn tidy(text: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    for line in text.lines() {
        let (line, last) = (line.replace("/**", "/*"), out.len());
        let short_comment = line.trim() == "*/" && last > 1 && out[last - 2].trim() == "/*";
        if short_comment {
            let text = out.pop().expect("the line of the comment");
            let start = out.pop().expect("the start of the comment");
            out.push(format!(
                "{start}{} */",
                text.trim_start().replacen('*', "", 1)
            ));
        } else if is_argument(out.last(), &line) {
            let open = out.last_mut().expect("a line");
            *open = format!("{open} {}", line.trim_start());
        } else if let Some((name, value)) = constant(&line) {
            out.push(format!("#define {name} {value}"));
        } else {
            if let Some(name) = line.strip_prefix("} ").and_then(|it| it.strip_suffix(';')) {
                let start = out.iter().rposition(|line| line == "typedef struct {");
                out[start.expect("the start of a struct")] = format!("typedef struct {name} {{");
            }
            out.push(line);
        }
        close_up(&mut out);
    }
    format!("\n{}\n", out.join("\n").trim())
}

/// Whether `line` goes on with the arguments of the line before, and fits there.
fn is_argument(last: Option<&String>, line: &str) -> bool {
    let open = last.filter(|last| last.ends_with(',') && !last.trim_start().starts_with('*'));
    open.is_some_and(|open| open.len() + 1 + line.trim_start().len() <= LINE)
}

/// Name and value of a constant; a negative one gets parentheses.
fn constant(line: &str) -> Option<(&str, String)> {
    let (name, value) = line.strip_prefix("#define ")?.split_once(' ')?;
    let negative = value.starts_with('-');
    Some((
        name,
        if negative {
            format!("({value})")
        } else {
            value.to_owned()
        },
    ))
}

/// Takes away the blank line between two constants, of which the second may have a comment of a line.
fn close_up(out: &mut Vec<String>) {
    let constant = |line: &String| line.starts_with("#define");
    let comment = |line: &String| line.starts_with("/*") && line.ends_with("*/");
    let blank = match &out[..] {
        [.., a, blank, b] if constant(a) && blank.is_empty() && constant(b) => 2,
        [.., a, blank, text, b]
            if constant(a) && blank.is_empty() && comment(text) && constant(b) =>
        {
            3
        }
        _ => return,
    };
    out.remove(out.len() - blank);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_is_of_the_crate() {
        let have = fs::read_to_string(capi().join("include/roundworks.h")).expect("a header");
        assert!(
            have == header(),
            "roundworks.h: not what the crate says; run: make header"
        );
    }

    #[test]
    fn short_comments_and_constants_are_close() {
        let text = "/**\n * One.\n */\n#define A 1\n\n#define B -2\n\n/**\n * Two\n * lines.\n */\nint f(int a,\n      int b);\n";
        let want = "\n/* One. */\n#define A 1\n#define B (-2)\n\n/*\n * Two\n * lines.\n */\nint f(int a, int b);\n";
        assert_eq!(tidy(text), want);
    }

    #[test]
    fn structs_have_tags() {
        let text = "typedef struct {\n  int x;\n} roundworks_a;\n";
        assert_eq!(
            tidy(text),
            "\ntypedef struct roundworks_a {\n  int x;\n} roundworks_a;\n"
        );
    }
}
