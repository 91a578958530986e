//! Bits as canonical sums of symbols, for the proofs of machine code.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use roundworks_forms::Bit;

pyo3::import_exception!(roundworks.errors, NotFollowed);

fn to_python(error: roundworks_forms::NotFollowed) -> PyErr {
    NotFollowed::new_err(error.to_string())
}

#[doc = stub!("Symbols")]
#[pyclass(weakref, module = "roundworks._native")]
pub(crate) struct Symbols(roundworks_forms::Symbols);

impl Symbols {
    fn bit(&self, bit: Bit) -> PyResult<Bit> {
        if self.0.has(bit) {
            return Ok(bit);
        }
        Err(PyValueError::new_err(format!(
            "bit {bit}: want one of these symbols"
        )))
    }

    fn bits(&self, list: &Bound<'_, PyList>) -> PyResult<Vec<Bit>> {
        list.iter().map(|bit| self.bit(bit.extract()?)).collect()
    }

    /// Two lists of one length.
    fn pairs(&self, a: &Bound<'_, PyList>, b: &Bound<'_, PyList>) -> PyResult<Vec<(Bit, Bit)>> {
        if a.len() != b.len() {
            let message = format!(
                "want lists of one length, got {} and {} bits",
                a.len(),
                b.len()
            );
            return Err(PyValueError::new_err(message));
        }
        Ok(self.bits(a)?.into_iter().zip(self.bits(b)?).collect())
    }
}

#[pymethods]
impl Symbols {
    #[new]
    fn new() -> Self {
        Self(roundworks_forms::Symbols::new())
    }

    #[doc = stub!("Symbols.count")]
    #[getter]
    fn count(&self) -> usize {
        self.0.count()
    }

    #[doc = stub!("Symbols.is_complete")]
    #[getter]
    fn is_complete(&self) -> bool {
        self.0.is_complete
    }

    #[setter]
    fn set_is_complete(&mut self, value: bool) {
        self.0.is_complete = value;
    }

    #[doc = stub!("Symbols.fresh")]
    fn fresh(&mut self, count: usize) -> Vec<Bit> {
        self.0.fresh(count)
    }

    #[doc = stub!("Symbols.left_behind")]
    fn left_behind(&mut self, count: usize) -> Vec<Bit> {
        self.0.left_behind(count)
    }

    #[doc = stub!("Symbols.is_lost")]
    fn is_lost(&self, bit: Bit) -> PyResult<bool> {
        Ok(self.0.is_lost(self.bit(bit)?))
    }

    #[doc = stub!("Symbols.is_sum")]
    fn is_sum(&self, bit: Bit) -> PyResult<bool> {
        Ok(self.0.is_sum(self.bit(bit)?))
    }

    #[doc = stub!("Symbols.xor")]
    fn xor(&mut self, a: Bit, b: Bit) -> PyResult<Bit> {
        let (a, b) = (self.bit(a)?, self.bit(b)?);
        Ok(self.0.xor(a, b))
    }

    #[doc = stub!("Symbols.times")]
    fn times(&mut self, a: Bit, b: Bit) -> PyResult<Bit> {
        let (a, b) = (self.bit(a)?, self.bit(b)?);
        self.0.times(a, b).map_err(to_python)
    }

    #[doc = stub!("Symbols.xor_each")]
    fn xor_each(&mut self, a: &Bound<'_, PyList>, b: &Bound<'_, PyList>) -> PyResult<Vec<Bit>> {
        let pairs = self.pairs(a, b)?;
        Ok(pairs.into_iter().map(|(a, b)| self.0.xor(a, b)).collect())
    }

    #[doc = stub!("Symbols.times_each")]
    fn times_each(&mut self, a: &Bound<'_, PyList>, b: &Bound<'_, PyList>) -> PyResult<Vec<Bit>> {
        let pairs = self.pairs(a, b)?.into_iter();
        pairs
            .map(|(a, b)| self.0.times(a, b).map_err(to_python))
            .collect()
    }

    #[doc = stub!("Symbols.either_each")]
    fn either_each(&mut self, a: &Bound<'_, PyList>, b: &Bound<'_, PyList>) -> PyResult<Vec<Bit>> {
        let pairs = self.pairs(a, b)?.into_iter();
        pairs
            .map(|(a, b)| self.0.either(a, b).map_err(to_python))
            .collect()
    }

    #[doc = stub!("Symbols.of_three_each")]
    fn of_three_each(
        &mut self,
        a: &Bound<'_, PyList>,
        b: &Bound<'_, PyList>,
        c: &Bound<'_, PyList>,
        table: u8,
    ) -> PyResult<Vec<Bit>> {
        let (pairs, thirds) = (self.pairs(a, b)?, self.pairs(a, c)?);
        let three = pairs.into_iter().zip(thirds);
        three
            .map(|((a, b), (_, c))| self.0.of_three([a, b, c], table).map_err(to_python))
            .collect()
    }

    #[doc = stub!("Symbols.any_of")]
    fn any_of(&mut self, bits: &Bound<'_, PyList>) -> PyResult<Bit> {
        self.0.any_of(&self.bits(bits)?).map_err(to_python)
    }

    #[doc = stub!("Symbols.settled")]
    fn settled(&mut self, bits: &Bound<'_, PyList>) -> PyResult<Vec<Bit>> {
        let bits = self.bits(bits)?.into_iter();
        Ok(bits.map(|bit| self.0.settled(bit)).collect())
    }

    #[doc = stub!("Symbols.linear")]
    fn linear(&mut self, bits: &Bound<'_, PyList>, map: &LinearMap) -> PyResult<Vec<Bit>> {
        let bits = self.bits(bits)?;
        if bits.len() < map.width || !bits.len().is_multiple_of(map.width) {
            let message = format!("want groups of {} bits, got {} bits", map.width, bits.len());
            return Err(PyValueError::new_err(message));
        }
        let mut out = Vec::with_capacity(bits.len());
        for group in bits.chunks(map.width) {
            out.extend(map.sources.iter().map(|at| self.0.sum_at(group, at)));
        }
        Ok(out)
    }

    #[doc = stub!("Symbols.substituted")]
    fn substituted(&mut self, bits: &Bound<'_, PyList>, table: &[u8]) -> PyResult<Vec<Bit>> {
        let (bits, inputs) = (self.bits(bits)?, table.len().trailing_zeros() as usize);
        if !(table.len().is_power_of_two() && (1..=8).contains(&inputs)) {
            return Err(PyValueError::new_err(format!(
                "an S-box of {} values: want 2, 4, .. or 256",
                table.len()
            )));
        }
        if !bits.len().is_multiple_of(inputs) {
            let message = format!("want groups of {inputs} bits, got {} bits", bits.len());
            return Err(PyValueError::new_err(message));
        }
        let (sbox, mut out) = (self.0.sbox(table), Vec::with_capacity(bits.len()));
        for cell in bits.chunks(inputs) {
            self.0
                .substituted(cell, sbox, &mut out)
                .map_err(to_python)?;
        }
        Ok(out)
    }

    #[doc = stub!("Symbols.looked_up")]
    fn looked_up(
        &mut self,
        bits: &Bound<'_, PyList>,
        values: Vec<u64>,
        width: usize,
    ) -> PyResult<Vec<Bit>> {
        let bits = self.bits(bits)?;
        if bits.len() > 8 || values.len() != 1 << bits.len() {
            let message = format!(
                "a look-up by {} bits: got {} values",
                bits.len(),
                values.len()
            );
            return Err(PyValueError::new_err(message));
        }
        self.0.looked_up(&bits, &values, width).map_err(to_python)
    }
}

#[doc = stub!("LinearMap")]
#[pyclass(frozen, module = "roundworks._native")]
pub(crate) struct LinearMap {
    sources: Vec<Vec<u16>>,
    width: usize,
}

#[pymethods]
impl LinearMap {
    #[new]
    fn new(sources: Vec<Vec<u16>>) -> PyResult<Self> {
        let width = sources.len();
        if width == 0 || sources.iter().flatten().any(|&at| usize::from(at) >= width) {
            return Err(PyValueError::new_err(format!(
                "sources: want places below {width}"
            )));
        }
        Ok(Self { sources, width })
    }
}

#[doc = stub!("PublicBits")]
#[pyclass(module = "roundworks._native")]
pub(crate) struct PublicBits {
    public: roundworks_forms::Public,
    symbols: Py<Symbols>,
}

#[pymethods]
impl PublicBits {
    #[new]
    fn new(symbols: Py<Symbols>, known: &Bound<'_, PyList>) -> PyResult<Self> {
        let public = {
            let given = symbols.borrow(known.py());
            roundworks_forms::Public::new(&given.0, &given.bits(known)?)
        };
        Ok(Self { public, symbols })
    }

    #[doc = stub!("PublicBits.holds")]
    fn holds(&mut self, bits: &Bound<'_, PyList>) -> PyResult<bool> {
        let symbols = self.symbols.borrow(bits.py());
        Ok(symbols
            .bits(bits)?
            .into_iter()
            .all(|bit| self.public.holds(&symbols.0, bit)))
    }
}
