//! A passphrase from the terminal.
#![forbid(unsafe_code)]

use std::fs::File;
use std::io::{self, Read, Write};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
use zeroize::Zeroizing;

use crate::error::Kind;

/// How long a stop may go unnoticed.
const PATIENCE: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 100_000_000,
};

/// A terminal's line has up to 4095 bytes and its end; it cuts a longer one without a word.
const MOST_TYPED: usize = 4094;

/// A passphrase from the terminal, unseen; `twice` where a slip would lose a file.
pub(crate) fn read_hidden(
    about: &str,
    twice: bool,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Zeroizing<Vec<u8>>, Kind> {
    let terminal = File::options().read(true).write(true).open("/dev/tty");
    let terminal = terminal.map_err(|_| {
        Kind::Passphrase(
            "no terminal to read from; use --passphrase-file or the variable ROUNDWORKS_PASSPHRASE",
        )
    })?;
    let hidden = Hidden::begin(&terminal)?;
    let prompt = format!("passphrase for {}: ", printable(about));
    let first = line(&terminal, &prompt, stop)?;
    if twice {
        let second = line(&terminal, "the same again: ", stop)?;
        if *first != *second {
            return Err(Kind::Passphrase("the two differ"));
        }
    }
    drop(hidden);
    Ok(first)
}

/// A name without what a terminal would obey, such as an escape.
fn printable(name: &str) -> String {
    let shown = |c: char| match c {
        '\'' | '"' | '\\' => c.to_string(),
        c => c.escape_debug().to_string(),
    };
    name.chars().map(shown).collect()
}

/// While it lives the terminal shows nothing of what is typed.
struct Hidden<'a> {
    terminal: &'a File,
    before: Termios,
}

impl<'a> Hidden<'a> {
    fn begin(terminal: &'a File) -> Result<Self, Kind> {
        let before = tcgetattr(terminal)?;
        let mut modes = before.clone();
        modes.local_modes.remove(LocalModes::ECHO);
        modes
            .local_modes
            .insert(LocalModes::ICANON | LocalModes::ISIG);
        tcsetattr(terminal, OptionalActions::Flush, &modes)?;
        Ok(Self { terminal, before })
    }
}

impl Drop for Hidden<'_> {
    fn drop(&mut self) {
        // Nothing better can be done about a terminal that is gone.
        let _ = tcsetattr(self.terminal, OptionalActions::Flush, &self.before);
    }
}

fn line(
    mut terminal: &File,
    prompt: &str,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Zeroizing<Vec<u8>>, Kind> {
    terminal.write_all(prompt.as_bytes())?;
    let mut text = Zeroizing::new(Vec::with_capacity(MOST_TYPED));
    loop {
        // A signal may come between the look at `stop` and the wait, so no wait is long.
        let mut wanted = [PollFd::new(&terminal, PollFlags::IN)];
        match poll(&mut wanted, Some(&PATIENCE)) {
            Ok(0) | Err(Errno::INTR) => {
                if stop() {
                    terminal.write_all(b"\n")?;
                    return Err(Kind::Stopped);
                }
                continue;
            }
            ready => ready?,
        };
        let mut byte = Zeroizing::new([0]);
        match terminal.read(&mut *byte) {
            Ok(0) => return Err(Kind::Passphrase("the terminal was closed")),
            Ok(_) if byte[0] == b'\n' => break,
            Ok(_) if text.len() >= MOST_TYPED => {
                return Err(Kind::Passphrase(
                    "longer than a terminal's line of 4094 bytes; use --passphrase-file",
                ));
            }
            Ok(_) => text.push(byte[0]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    terminal.write_all(b"\n")?;
    Ok(text)
}
