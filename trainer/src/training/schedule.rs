/// A learning rate that falls linearly over the whole run, with a warm-up over the first `warm_up` samples.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// Number of samples in the whole run.
    pub samples: u64,
    /// Samples per step.
    pub batch: u64,
    /// The initial rate, without warm-up.
    pub first: f64,
    /// The final rate.
    pub last: f64,
    /// Number of samples over which the rate rises.
    pub warm_up: u64,
}

impl Schedule {
    /// The rate of step `step`, counted from 0.
    pub fn rate(self, step: u64) -> f64 {
        let left = 1.0 - (step * self.batch) as f64 / self.samples as f64;
        self.warmed_up(step, self.last + (self.first - self.last) * left.max(0.0))
    }

    /// `rate` multiplied by the factor of the warm-up at step `step`.
    pub fn warmed_up(self, step: u64, rate: f64) -> f64 {
        rate * (((step + 1) * self.batch) as f64 / self.warm_up.max(1) as f64).min(1.0)
    }

    /// Number of steps in the whole run.
    pub fn steps(self) -> u64 {
        self.samples.div_ceil(self.batch)
    }

    /// The number of steps at the next validation after `steps` steps. There is one after every `every` samples and one
    /// at the end of the run.
    pub fn next_validation(self, steps: u64, every: u64) -> u64 {
        let every = (every / self.batch).max(1);
        ((steps / every + 1) * every).min(self.steps())
    }
}
