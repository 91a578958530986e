//! Proofs in binary LRAT, one step at a time.

use std::io::{BufRead, ErrorKind};

use crate::{Error, dimacs::Lit};

pub(crate) enum Step {
    Add {
        id: u64,
        lits: Vec<Lit>,
        hints: Vec<u64>,
    },
    Delete {
        ids: Vec<u64>,
    },
}

pub(crate) struct Steps<R> {
    source: R,
    /// Read so far.
    byte: u64,
}

impl<R: BufRead> Steps<R> {
    pub(crate) fn new(source: R) -> Self {
        Self { source, byte: 0 }
    }

    pub(crate) fn next_step(&mut self) -> Result<Option<Step>, Error> {
        match self.read_byte()? {
            None => Ok(None),
            Some(b'a') => {
                let id = self
                    .id()?
                    .ok_or_else(|| self.wrong("want a clause, got 0"))?;
                let lits = self.list(Self::lit)?;
                let hints = self.list(Self::id)?;
                Ok(Some(Step::Add { id, lits, hints }))
            }
            Some(b'd') => Ok(Some(Step::Delete {
                ids: self.list(Self::id)?,
            })),
            Some(other) => Err(self.wrong(&format!("want `a` or `d`, got {other:#04x}"))),
        }
    }

    fn list<T>(
        &mut self,
        item: impl Fn(&mut Self) -> Result<Option<T>, Error>,
    ) -> Result<Vec<T>, Error> {
        let mut items = Vec::new();
        while let Some(next) = item(self)? {
            items.push(next);
        }
        Ok(items)
    }

    fn lit(&mut self) -> Result<Option<Lit>, Error> {
        let code = self.number()?;
        if code == 0 {
            return Ok(None);
        }
        match Lit::try_from(code / 2) {
            Ok(lit) if lit != 0 => Ok(Some(if code % 2 == 0 { lit } else { -lit })),
            _ => Err(self.wrong(&format!("want a literal, got {code}"))),
        }
    }

    fn id(&mut self) -> Result<Option<u64>, Error> {
        let code = self.number()?;
        if code % 2 == 1 {
            return Err(self.wrong("want a clause, got a negative one: RAT steps are not accepted"));
        }
        Ok(Some(code / 2).filter(|&id| id != 0))
    }

    /// Seven bits a byte, the lowest first; the top bit says that more follow.
    fn number(&mut self) -> Result<u64, Error> {
        let mut value = 0;
        for shift in (0..63).step_by(7) {
            let byte = self
                .read_byte()?
                .ok_or_else(|| self.wrong("want more, got the end"))?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(self.wrong("want a number below 2^63"))
    }

    fn read_byte(&mut self) -> Result<Option<u8>, Error> {
        let mut byte = [0];
        loop {
            match self.source.read(&mut byte) {
                Ok(0) => return Ok(None),
                Ok(_) => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        self.byte += 1;
        Ok(Some(byte[0]))
    }

    fn wrong(&self, what: &str) -> Error {
        Error::Format {
            byte: self.byte,
            what: what.to_owned(),
        }
    }
}
