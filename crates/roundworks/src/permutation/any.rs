//! A permutation by its name, of either size.
#![forbid(unsafe_code)]

use super::{Permutation, Permutation256, Permutation512, PermutationName};
use crate::backend::Backend;
use crate::error::Error;

/// A permutation of either size.
#[derive(Clone, Copy, Debug)]
pub enum AnyPermutation {
    /// Of 256 bits.
    Two(Permutation256),
    /// Of 512 bits.
    Four(Permutation512),
}

/// The permutation of that name: one of [`permutations`](crate::permutations), any other configuration of the Feistel
/// family such as `feistel512:1-1,2-3,2-1,1-0/2,3,1,0`, any of them with a number of rounds behind,
/// such as `haraka-256:3.5`. `None` takes the fastest back end of this CPU.
///
/// ```
/// use roundworks::Permutation;
///
/// let haraka = roundworks::permutation("haraka-512:4.5", None)?;
/// let mut blocks = [7; 2 * 64];
/// haraka.permute_many(&mut blocks)?;
/// haraka.inverse_many(&mut blocks)?;
/// assert_eq!(blocks, [7; 2 * 64]);
/// # Ok::<(), roundworks::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::Permutation`] if there is none of that name; [`Error::Unavailable`] if this CPU lacks
/// the back end.
pub fn permutation(name: &str, backend: Option<Backend>) -> Result<AnyPermutation, Error> {
    let name = name.parse()?;
    if let Some(found) = Permutation256::named(name, backend)? {
        return Ok(AnyPermutation::Two(found));
    }
    let result = Permutation512::named(name, backend)?;
    Ok(AnyPermutation::Four(result.expect("there are two sizes")))
}

impl Permutation for AnyPermutation {
    fn name(&self) -> PermutationName {
        either!(self, Self, p => p.name())
    }

    fn backend(&self) -> Backend {
        either!(self, Self, p => p.backend())
    }

    #[inline]
    fn permute(&self, block: &mut [u8]) -> Result<(), Error> {
        either!(self, Self, p => Permutation::permute(p, block))
    }

    #[inline]
    fn inverse(&self, block: &mut [u8]) -> Result<(), Error> {
        either!(self, Self, p => Permutation::inverse(p, block))
    }

    #[inline]
    fn permute_times(&self, block: &mut [u8], times: usize) -> Result<(), Error> {
        either!(self, Self, p => Permutation::permute_times(p, block, times))
    }

    #[inline]
    fn inverse_times(&self, block: &mut [u8], times: usize) -> Result<(), Error> {
        either!(self, Self, p => Permutation::inverse_times(p, block, times))
    }

    #[inline]
    fn permute_many(&self, blocks: &mut [u8]) -> Result<(), Error> {
        either!(self, Self, p => Permutation::permute_many(p, blocks))
    }

    #[inline]
    fn inverse_many(&self, blocks: &mut [u8]) -> Result<(), Error> {
        either!(self, Self, p => Permutation::inverse_many(p, blocks))
    }
}
