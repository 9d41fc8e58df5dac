/// A learning rate that rises over the first `warm_up` samples and falls in a straight line from the first to the last.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// Samples of the whole run.
    pub samples: u64,
    /// Samples a step.
    pub batch: u64,
    /// The rate of the first sample, were it not for warm-up.
    pub first: f64,
    /// The rate of the last one.
    pub last: f64,
    /// Samples over which the rate rises.
    pub warm_up: u64,
}

impl Schedule {
    /// The rate of step `step`, counted from 0.
    pub fn rate(self, step: u64) -> f64 {
        let left = 1.0 - (step * self.batch) as f64 / self.samples as f64;
        self.warmed_up(step, self.last + (self.first - self.last) * left.max(0.0))
    }

    /// What `rate` is at step `step` after or during warm-up.
    pub fn warmed_up(self, step: u64, rate: f64) -> f64 {
        rate * (((step + 1) * self.batch) as f64 / self.warm_up.max(1) as f64).min(1.0)
    }

    /// Steps of the whole run.
    pub fn steps(self) -> u64 {
        self.samples.div_ceil(self.batch)
    }

    /// The step, after `steps` of them, at which another `every` samples are done, or the run is.
    pub fn next_validation(self, steps: u64, every: u64) -> u64 {
        let every = (every / self.batch).max(1);
        ((steps / every + 1) * every).min(self.steps())
    }
}
