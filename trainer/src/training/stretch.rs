/// The steps between two validations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stretch {
    /// Number of samples used until the end of the stretch.
    pub samples: u64,
    /// The means of the parts of the loss over its batches.
    pub losses: Vec<f64>,
    /// The learning rate of its last step.
    pub learning_rate: f64,
    /// The training speed.
    pub samples_per_second: f64,
    /// Seconds spent in steps since the run began.
    pub seconds: f64,
}
