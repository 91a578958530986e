//! Welch's t-test on the times of two classes, as dudect applies it. [DUDECT, section 3]
//!
//! The crate `dudect-bencher` would give the same numbers, but only prints them: a program cannot
//! fail on what it finds.

/// Larger than this by chance: hardly ever, also when the test runs a hundred times over.
pub const SUSPICIOUS: f64 = 10.0;

/// Next to all times, those below that many percentiles: a small difference drowns in the long tail
/// that interrupts make.
const CROPS: i32 = 50;

/// Two classes of inputs, and whether their times differ.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// The t value that is farthest from zero, over all crops.
    pub t: f64,
    /// Difference of means in that crop: first class minus second, in ticks.
    pub difference: f64,
    /// A difference that would have been suspicious there, in ticks.
    pub resolution: f64,
    /// Measurements of each class, before cropping.
    pub measurements: [usize; 2],
}

/// Whether the second class took another time than the first.
#[must_use]
pub fn compare(samples: &[(bool, u64)]) -> Outcome {
    let mut sorted: Vec<u64> = samples.iter().map(|s| s.1).collect();
    sorted.sort_unstable();
    let percentile = |i: i32| {
        let kept = 1.0 - 0.5f64.powf(f64::from(i) * 10.0 / f64::from(CROPS));
        sorted[((sorted.len() - 1) as f64 * kept) as usize]
    };
    let limits = (1..=CROPS).map(percentile).chain([u64::MAX]);
    let crops = limits.filter_map(|limit| {
        let kept = || samples.iter().filter(move |s| s.1 <= limit);
        let [first, second] = [false, true].map(|class| {
            kept()
                .filter(|s| s.0 == class)
                .fold(Moments::default(), |m, s| m.with(s.1 as f64))
        });
        first.minus(&second)
    });
    let farthest = crops.max_by(|a, b| a.0.abs().total_cmp(&b.0.abs()));
    let (t, difference, error) = farthest.unwrap_or((0.0, 0.0, f64::INFINITY));
    let second = samples.iter().filter(|s| s.0).count();
    Outcome {
        t,
        difference,
        resolution: SUSPICIOUS * error,
        measurements: [samples.len() - second, second],
    }
}

/// Count, mean and sum of squared distances from the mean, kept while numbers come in.
#[derive(Clone, Copy, Default)]
struct Moments {
    n: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    fn with(self, x: f64) -> Self {
        let n = self.n + 1.0;
        let distance = x - self.mean;
        let mean = self.mean + distance / n;
        Self {
            n,
            mean,
            squares: self.squares + distance * (x - mean),
        }
    }

    /// t value, difference of means and its standard error; `None` where a class is too small to say.
    fn minus(&self, other: &Self) -> Option<(f64, f64, f64)> {
        if self.n < 100.0 || other.n < 100.0 {
            return None;
        }
        let variance = |m: &Self| m.squares / (m.n - 1.0) / m.n;
        let difference = self.mean - other.mean;
        let error = (variance(self) + variance(other)).sqrt();
        // A timer of low resolution may give one and the same time to all.
        let t = if error > 0.0 {
            difference / error
        } else {
            difference * f64::INFINITY
        };
        Some((if t.is_nan() { 0.0 } else { t }, difference, error))
    }
}

#[cfg(test)]
mod tests;
