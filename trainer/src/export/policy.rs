use std::path::Path;

use entente_cli::whole_file::replace_file;
use entente_network::{NetworkKind as _, Policy, Prediction};
use shakmaty::Position;
use tch::Device;

use super::{ExportError, Metadata, check_outputs, tower_bytes};
use crate::{
    network::{
        Precision,
        tower::{Compute, Tower},
        weights::Weights,
    },
    samples::goal::{Batch, Sample},
};

/// Writes a policy to `path` and returns the content of the file.
///
/// First, the policy runs in the engine on all `samples`. It must agree with libtorch within
/// [`TOLERANCE`](crate::export::TOLERANCE) on the probability of every legal move, the action values, the satisfaction
/// value and the result.
///
/// # Errors
///
/// If the outputs differ, or the file cannot be written. `path` is then unchanged.
pub fn write_policy(
    name: &str,
    tower: &Tower,
    weights: &Weights,
    metadata: &Metadata,
    samples: &[Sample],
    path: &Path,
) -> Result<Vec<u8>, ExportError> {
    let bytes = tower_bytes(name, tower, weights, metadata);
    let policy = Policy::from_bytes(&path.display().to_string(), &bytes)?;
    let mut session = policy.session();
    for (index, sample) in samples.iter().enumerate() {
        let legal = sample.position.legal_moves();
        let found = numbers(&session.ask_one(&sample.query(&legal))?);
        let expected = expected((tower, weights), sample, legal.len(), policy.reads_goals());
        check_outputs(&found, &expected, (index + 1, samples.len()), path)?;
    }
    replace_file(path, &bytes).map_err(|error| ExportError::Io { path: path.to_owned(), error })?;
    Ok(bytes)
}

/// All outputs of the engine, as probabilities.
fn numbers(prediction: &Prediction) -> Vec<f32> {
    let mut numbers = entente_network::encoding::softmax(&prediction.logits);
    numbers.extend(&prediction.action_values);
    numbers.push(prediction.value);
    numbers.extend(prediction.result);
    numbers
}

/// The same outputs computed by libtorch; what a network without goals says about goals is neutral.
fn expected(
    (tower, weights): (&Tower, &Weights),
    sample: &Sample,
    moves: usize,
    reads_goals: bool,
) -> Vec<f32> {
    let _guard = tch::no_grad_guard();
    let batch = Batch::new(std::slice::from_ref(sample), tower, Device::Cpu);
    let outputs = Compute::outputs(tower, weights, &batch.planes, &batch.features, None, Precision::F32);
    let row =
        |tensor: tch::Tensor| Vec::<f32>::try_from(tensor.contiguous().view(-1)).expect("a row of floats");
    let moves = moves as i64;
    let mut numbers = row(batch.log_policy(&outputs.policy).exp().narrow(1, 0, moves));
    if reads_goals {
        let action_values = outputs.action_value.gather(1, &batch.legal, false).sigmoid();
        numbers.extend(row(action_values.narrow(1, 0, moves)));
        numbers.extend(row(outputs.value.sigmoid()));
    } else {
        numbers.extend(vec![0.5; moves as usize + 1]);
    }
    numbers.extend(row(outputs.result.softmax(1, tch::Kind::Float)));
    numbers
}
