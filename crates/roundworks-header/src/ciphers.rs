//! The macros `ciphers!` and `macs!` of the C interface, expanded as text.
//!
//! cbindgen sees nothing of a macro unless the compiler expands it, which compiles all that the
//! crate depends on. Their bodies use nothing but plain names, so that replacing them is
//! enough; C programs that call every function of the header, and the list of exported names, show
//! in the tests that compiler and header agree.

const BODY_START: &str = "pastey::paste! {";
const BODY_END: &str = "} )+};";
const CALL_START: &str = "s! {\n";

/// Whether a module has such a macro.
pub fn is_macro(source: &str) -> bool {
    source.contains(BODY_START)
}

/// The items of each cipher, without comments: the heading speaks for all.
pub fn expanded(source: &str) -> Vec<String> {
    let body: Vec<_> = between(source, BODY_START, BODY_END)
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect();
    let body = body.join("\n");
    let calls = between(source, CALL_START, "\n}").lines();
    calls
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            let [name, key, nonce, min, max] = fields(line);
            let fields = [
                ("$name", name),
                ("$key", key),
                ("$nonce", nonce),
                ("$min", min),
                ("$max", max),
                ("$tags", "()"),
            ];
            let text = fields
                .iter()
                .fold(body.clone(), |text, (from, to)| text.replace(from, to));
            joined(&text)
        })
        .collect()
}

fn between<'a>(source: &'a str, start: &str, end: &str) -> &'a str {
    let rest = source.split_once(start).expect("the start of the macro").1;
    rest.split_once(end).expect("the end of the macro").0
}

/// Of `aegis128l: key 16, nonce 16, tag 16 to 32, [...];`.
fn fields(line: &str) -> [&str; 5] {
    let head = line.split('[').next().expect("a first part");
    let words: Vec<_> = head
        .split([' ', ':', ','])
        .filter(|word| !word.is_empty())
        .collect();
    match words[..] {
        [name, "key", key, "nonce", nonce, "tag", min, "to", max] => [name, key, nonce, min, max],
        _ => panic!("ciphers.rs: want `name: key K, nonce N, tag MIN to MAX, [...];`, got {line}"),
    }
}

/// Every `[<a b c>]` as `abc`.
fn joined(text: &str) -> String {
    let mut parts = text.split("[<");
    let mut out = parts.next().expect("a first part").to_owned();
    for part in parts {
        let (name, rest) = part.split_once(">]").expect("the end of a name");
        out.extend(name.split_whitespace());
        out += rest;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_becomes_items() {
        let source =
            "=> {$( pastey::paste! {\n/// Text.\npub const [<A_ $name _B>]: usize = $key;\n} )+};
ciphers! {\n    x4: key 16, nonce 32, tag 16 to 32, [16 X4];\n}\n";
        assert_eq!(expanded(source), ["\npub const A_x4_B: usize = 16;"]);
    }

    #[test]
    #[should_panic(expected = "want `name: key K")]
    fn a_line_of_another_form_is_refused() {
        fields("    x4: nonce 32, key 16, tag 16 to 32, [16 X4];");
    }
}
