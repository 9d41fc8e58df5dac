use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use entente_cli::whole_file::replace_file;
use entente_network::{NetworkError, NetworkKind as _, SatisfactionNetwork, encoding::thesis::LENGTH};
use tch::Tensor;
use thiserror::Error;

use super::{Metadata, onnx_bytes};
use crate::{
    network::{Architecture, Parameters, forward},
    samples::{Sampler, SatisfactionSet},
};

/// The maximum difference between the probabilities of libtorch and the engine.
pub const TOLERANCE: f32 = 1e-4;
/// Number of positions that are compared.
const POSITIONS: u64 = 100;

/// Why a network was not exported.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The engine cannot load or run the model.
    #[error("the engine cannot run the exported network")]
    Engine(#[from] NetworkError),
    /// The engine and libtorch compute different outputs.
    #[error(
        "{}: the exported network differs from the trained one by {difference} on position {position} of {positions}; \
         the limit is {TOLERANCE}", path.display()
    )]
    Parity {
        /// The file.
        path: PathBuf,
        /// |engine − libtorch|
        difference: f32,
        /// The number of the position, counted from 1.
        position: usize,
        /// The number of positions that were compared.
        positions: usize,
    },
    /// The file cannot be written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: std::io::Error,
    },
}

/// The inputs of up to 100 pairs of `set`, on which exported networks are checked.
pub fn sample_inputs(set: &Arc<SatisfactionSet>) -> Vec<Vec<f32>> {
    let (mut planes, mut labels) = (Vec::new(), Vec::new());
    Sampler::uniform(set, 0).fill(0..POSITIONS.min(set.pairs()), &mut planes, &mut labels);
    planes.chunks_exact(LENGTH).map(<[f32]>::to_vec).collect()
}

/// Writes a network to `path` and returns the content of the file.
///
/// First, the network runs in the engine on all `inputs` and must agree with libtorch within [`TOLERANCE`].
///
/// # Errors
///
/// If the outputs differ, or the file cannot be written. `path` is then unchanged.
pub fn write_model(
    architecture: &Architecture,
    parameters: &Parameters,
    metadata: &Metadata,
    inputs: &[Vec<f32>],
    path: &Path,
) -> Result<Vec<u8>, ExportError> {
    let bytes = onnx_bytes(architecture, parameters, metadata);
    check(architecture, parameters, inputs, &bytes, path)?;
    replace_file(path, &bytes).map_err(|error| ExportError::Io { path: path.to_owned(), error })?;
    Ok(bytes)
}

fn check(
    architecture: &Architecture,
    parameters: &Parameters,
    inputs: &[Vec<f32>],
    bytes: &[u8],
    path: &Path,
) -> Result<(), ExportError> {
    let mut session = SatisfactionNetwork::from_bytes(&path.display().to_string(), bytes)?.session();
    for (index, planes) in inputs.iter().enumerate() {
        let input = Tensor::from_slice(planes).view([1, 17, 8, 8]);
        let expected = forward(architecture, parameters, &input).sigmoid().double_value(&[0]) as f32;
        check_outputs(&[session.run(planes)?], &[expected], (index + 1, inputs.len()), path)?;
    }
    Ok(())
}

/// Checks that the engine found the `expected` outputs within [`TOLERANCE`]. `position` is the number of the position,
/// counted from 1, and how many there are.
///
/// # Errors
///
/// [`ExportError::Parity`] if an output differs or is not a number, or there are more or fewer outputs.
pub(crate) fn check_outputs(
    found: &[f32],
    expected: &[f32],
    (position, positions): (usize, usize),
    path: &Path,
) -> Result<(), ExportError> {
    let differences = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
    // `f32::max` would drop what is not a number.
    let difference =
        differences.fold(0.0, |most, other| if other > most || other.is_nan() { other } else { most });
    if difference.is_nan() || difference >= TOLERANCE || found.len() != expected.len() {
        return Err(ExportError::Parity { path: path.to_owned(), difference, position, positions });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use tch::Device;

    use super::*;
    use crate::samples::tests::random_set;

    fn metadata() -> Metadata {
        Metadata { recipe: "seed = 1".to_owned(), date: "2026-01-31".to_owned(), reads_goals: None }
    }

    #[test]
    fn the_engine_and_libtorch_compute_the_same_on_positions_of_games() {
        let folder = tempfile::tempdir().unwrap();
        let inputs = sample_inputs(&Arc::new(random_set(10, 120)));
        assert_eq!(inputs.len(), 100);
        for name in Architecture::NAMES {
            let network = Architecture::named(name).unwrap();
            let parameters = Parameters::random(&network, Device::Cpu, 4);
            let path = folder.path().join(format!("{name}.onnx"));
            let bytes = write_model(&network, &parameters, &metadata(), &inputs, &path).unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
            assert!(SatisfactionNetwork::load(&path).is_ok());
        }
    }

    #[test]
    fn outputs_that_differ_or_are_no_numbers_are_refused_wherever_they_are() {
        let check = |found: &[f32], expected: &[f32]| check_outputs(found, expected, (1, 1), Path::new("x"));
        assert!(check(&[0.5, 0.25], &[0.5, 0.250_05]).is_ok());
        let nan = f32::NAN;
        for (found, expected) in [
            (&[0.5, 0.25][..], &[0.5, 0.251][..]),
            (&[nan, 0.5], &[0.5, 0.5]),
            (&[0.5, 0.5], &[0.5, nan]),
            (&[0.5], &[0.5, 0.5]),
        ] {
            assert!(check(found, expected).is_err(), "{found:?} {expected:?}");
        }
    }

    #[test]
    fn a_network_with_other_outputs_is_refused_and_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let inputs = sample_inputs(&Arc::new(random_set(3, 60)));
        let network = Architecture::thesis_1();
        let parameters = Parameters::random(&network, Device::Cpu, 4);
        let path = folder.path().join("network.onnx");
        let other = onnx_bytes(&network, &Parameters::random(&network, Device::Cpu, 5), &metadata());
        let error = check(&network, &parameters, &inputs, &other, &path).unwrap_err();
        assert!(matches!(error, ExportError::Parity { .. }), "{error}");
        let broken = parameters.with(parameters.flat() * f64::NAN);
        assert!(write_model(&network, &broken, &metadata(), &inputs, &path).is_err());
        assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none());
    }
}
