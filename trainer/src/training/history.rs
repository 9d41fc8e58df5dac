use std::{io, path::Path};

use serde::{Deserialize, Serialize};

use super::replace::replace;

/// A row of `metrics.csv`: one validation.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Record {
    /// Epochs done; a fraction for a validation within an epoch.
    pub epoch: f64,
    /// Pairs trained on so far.
    pub pairs: u64,
    /// Mean binary cross-entropy, in nats, of the batches since the row before.
    pub train_loss: f64,
    /// Mean binary cross-entropy of the validation sample.
    pub validation_loss: f64,
    /// Its area under the ROC curve; empty if the sample is of one kind.
    pub auc: Option<f64>,
    /// Learning rate of the last batch.
    pub learning_rate: f64,
    /// Training speed since the row before.
    pub samples_per_second: f64,
    /// Seconds of training, validations left out, since the run began.
    pub seconds: f64,
}

/// Writes all rows to `path`, replacing it at once.
///
/// # Errors
///
/// If it cannot be written.
pub fn write_csv<T: Serialize>(records: &[T], path: &Path) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for record in records {
        writer.serialize(record).map_err(io::Error::other)?;
    }
    replace(path, &writer.into_inner().map_err(|error| error.into_error())?)
}
