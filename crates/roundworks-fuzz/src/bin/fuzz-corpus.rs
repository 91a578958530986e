//! `fuzz-corpus targets | unpack TARGET FOLDER | pack TARGET FOLDER`

use std::path::Path;
use std::process::ExitCode;

use roundworks_fuzz::{TARGETS, corpus, target};

const USAGE: &str = "usage: fuzz-corpus targets | unpack TARGET FOLDER | pack TARGET FOLDER";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (verb, name, folder) = match arguments[..] {
        ["targets"] => {
            TARGETS.iter().for_each(|t| println!("{}", t.0));
            return ExitCode::SUCCESS;
        }
        [verb @ ("unpack" | "pack"), name, folder] if target(name).is_some() => {
            (verb, name, folder)
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    let folder = Path::new(folder);
    let done = if verb == "pack" {
        corpus::pack(name, folder)
    } else {
        corpus::unpack(name, folder)
    };
    match done {
        Ok(inputs) => {
            println!("fuzz-corpus: {name}: {inputs} inputs");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("fuzz-corpus: {error}");
            ExitCode::from(2)
        }
    }
}
