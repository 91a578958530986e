//! `roundworks-peers SIZES ADS OPERATIONS WINDOWS BUDGET_S WINDOW_US [CIPHER...]`: JSON lines.
//!
//! Times every cipher of the core on every back end and every peer, interleaved, and prints a line
//! of `{"instruction": ...}` for each limit of the CPU, `{"progress": share}` while it measures and
//! a line with samples for each subject and workload. `roundworks bench --peers` is its reader.

#![deny(unsafe_code)] // `libsodium` alone lifts this

mod aws_lc;
mod libaegis;
mod libsodium;
mod openssl_evp;
mod rocca;
mod rustcrypto;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;

use roundworks_bench::{Entry, Operation, Plan, Workload, instructions, measure, ours};
use serde_json::json;

/// Longest message, in bytes, in front of which key set-up is seen.
const LONGEST_FIRST: usize = 4096;
/// Windows of each instruction chain.
const CHAINS: usize = 25;

struct Arguments {
    sizes: Vec<usize>,
    ads: Vec<usize>,
    operations: Vec<Operation>,
    plan: Plan,
    ciphers: Vec<String>,
}

fn main() -> ExitCode {
    let arguments = match parse(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!("roundworks-peers: {error}");
            return ExitCode::from(2);
        }
    };
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("roundworks-peers: {error}");
            ExitCode::FAILURE
        }
    }
}

fn parse(mut given: impl Iterator<Item = String>) -> Result<Arguments, String> {
    fn numbers<T: FromStr>(text: &str) -> Result<Vec<T>, String> {
        let each = |n: &str| n.parse().map_err(|_| format!("{n}: want a number"));
        text.split(',').map(each).collect()
    }
    let mut next = |what: &str| given.next().ok_or(format!("{what}: missing"));
    let sizes = numbers(&next("sizes")?)?;
    let ads = numbers(&next("sizes of associated data")?)?;
    let operation = |name: &str| {
        Operation::ALL
            .into_iter()
            .find(|o| o.name() == name)
            .ok_or(format!(
                "operation {name}: want encrypt, decrypt, seal-many, rekey or cold-start"
            ))
    };
    let operations = next("operations")?
        .split(',')
        .map(operation)
        .collect::<Result<_, _>>()?;
    let mut number = |what: &str| {
        let text = next(what)?;
        text.parse::<u32>()
            .map_err(|_| format!("{what}: want a number, got {text}"))
    };
    let plan = Plan {
        windows: number("windows")? as usize,
        budget: Duration::from_secs(number("budget in seconds")?.into()),
        window: Duration::from_micros(number("window in microseconds")?.into()),
    };
    let ciphers = given.collect();
    Ok(Arguments {
        sizes,
        ads,
        operations,
        plan,
        ciphers,
    })
}

fn entries(ciphers: &[String]) -> Vec<Entry> {
    let all = [
        ours(),
        libaegis::entries(),
        libsodium::entries(),
        rocca::entries(),
        aws_lc::entries(),
        openssl_evp::entries(),
        rustcrypto::entries(),
    ];
    let wanted = |e: &Entry| ciphers.is_empty() || ciphers.iter().any(|c| c == e.cipher);
    all.into_iter().flatten().filter(wanted).collect()
}

fn run(arguments: Arguments) -> Result<(), Box<dyn std::error::Error>> {
    let Arguments {
        sizes,
        ads,
        operations,
        plan,
        ciphers,
    } = arguments;
    let mut loads = vec![];
    for &data_bytes in &sizes {
        for &ad_bytes in &ads {
            for &operation in &operations {
                if operation.sets_key() && data_bytes > LONGEST_FIRST {
                    continue;
                }
                loads.push(Workload {
                    operation,
                    data_bytes,
                    ad_bytes,
                });
            }
        }
    }
    let mut out = BufWriter::new(io::stdout().lock());
    for chain in instructions(CHAINS) {
        let line = json!({
            "instruction": chain.name, "bits": chain.bits, "measure": chain.measure.name(),
            "samples_cycles": chain.samples_cycles,
        });
        writeln!(out, "{line}")?;
    }
    let mut entries = entries(&ciphers);
    let mut progress = |share: f64| {
        // A reader that went away shows when the rows are written.
        let _ = writeln!(out, "{}", json!({ "progress": share })).and_then(|()| out.flush());
    };
    let measured = measure(&mut entries, &loads, plan, &mut progress)?;
    for each in measured {
        let entry = &entries[each.entry];
        let line = json!({
            "cipher": entry.cipher, "library": entry.library, "version": entry.version,
            "backend": entry.backend, "surface": "rust", "operation": each.load.operation.name(),
            "data_bytes": each.load.data_bytes, "ad_bytes": each.load.ad_bytes,
            "samples_ns": each.samples_ns, "samples_cycles": each.samples_cycles,
            "digest": each.digest, "seconds": each.spent.as_secs_f64(),
        });
        writeln!(out, "{line}")?;
    }
    out.flush()?;
    Ok(())
}
