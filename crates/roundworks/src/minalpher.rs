//! Minalpher v1.1.


pub(crate) mod lanes;

#[cfg(test)]
mod tests;
