//! How a target takes its choices from the fuzzer's bytes: from the front, zeros when they end, so
//! that a small change of the input is a small change of what is tried.

pub(crate) struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        *first
    }

    /// Two bytes, below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::from(u16::from_le_bytes([self.byte(), self.byte()])) % limit
    }

    /// That many, in an allocation of just that size: a sanitizer sees a byte read too far.
    pub(crate) fn bytes(&mut self, n: usize) -> Vec<u8> {
        let (taken, rest) = self.0.split_at(n.min(self.0.len()));
        self.0 = rest;
        let mut bytes = taken.to_vec();
        bytes.resize(n, 0);
        bytes
    }

    pub(crate) fn rest(&mut self) -> Vec<u8> {
        self.bytes(self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::Input;

    #[test]
    fn zeros_follow_the_end() {
        let mut input = Input::new(&[1, 2, 1, 9]);
        assert_eq!(
            (input.byte(), input.below(256), input.bytes(3)),
            (1, 2, vec![9, 0, 0])
        );
        assert_eq!((input.byte(), input.below(7), input.rest()), (0, 0, vec![]));
    }
}
