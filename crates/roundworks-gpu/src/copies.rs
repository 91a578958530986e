//! Copies within host memory, by several threads: the bus is faster than one of them.

/// What is shorter is done sooner than other threads begin.
pub(crate) const LONG: usize = 2 << 20;
const PART: usize = 1 << 18;
/// Of items, so that no thread waits long for the one with the largest.
const TASKS: usize = 64;

/// Calls `work` with every item and its number. `bytes` are what is copied in all.
pub(crate) fn each<T: Send>(items: &mut [T], bytes: usize, work: impl Fn(usize, &mut T) + Sync) {
    let of_task = items.len().div_ceil(TASKS).max(1);
    let work = &work;
    let task = move |first: usize, part: &mut [T]| {
        for (i, item) in part.iter_mut().enumerate() {
            work(first + i, item);
        }
    };
    if bytes < LONG {
        return task(0, items);
    }
    rayon_core::scope(|scope| {
        for (number, part) in items.chunks_mut(of_task).enumerate() {
            scope.spawn(move |_| task(number * of_task, part));
        }
    });
}

/// Copies all of `from` to the first bytes of `to`.
pub(crate) fn copy(from: &[u8], to: &mut [u8]) {
    let to = &mut to[..from.len()];
    let mut parts: Vec<_> = to.chunks_mut(PART).zip(from.chunks(PART)).collect();
    each(&mut parts, from.len(), |_, (to, from)| {
        to.copy_from_slice(from)
    });
}

/// Zeros, also where nobody reads them any more.
pub(crate) fn wipe(bytes: &mut [u8]) {
    let mut parts: Vec<_> = bytes.chunks_mut(PART).collect();
    let all = parts.iter().map(|part| part.len()).sum();
    each(&mut parts, all, |_, part| {
        part.fill(0);
        zeroize::optimization_barrier(&**part);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_around_a_part_are_copied_and_wiped_whole() {
        for bytes in [0, 1, LONG - 1, LONG, LONG + 1, 3 * LONG + PART - 1] {
            let from: Vec<u8> = (0..bytes).map(|i| (i % 251) as u8 + 1).collect();
            let mut to = vec![0; bytes + 1];
            copy(&from, &mut to);
            assert_eq!((&to[..bytes], to[bytes]), (&from[..], 0), "{bytes} bytes");
            wipe(&mut to);
            assert!(to.iter().all(|byte| *byte == 0), "{bytes} bytes");
        }
    }

    #[test]
    fn every_item_has_its_number_once() {
        for count in [0, 1, 31, 32, 33, 1000] {
            let mut items = vec![usize::MAX; count];
            each(&mut items, 64 * LONG, |number, item| {
                assert_eq!(*item, usize::MAX, "nobody had it");
                *item = number;
            });
            assert_eq!(items, Vec::from_iter(0..count));
        }
    }
}
