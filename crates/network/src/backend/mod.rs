//! Backends: the libraries that run networks. A backend makes a [`Program`] from a model; threads share it. Each thread
//! has a [`Runner`] of the program, which takes batches.
//!
//! To add one, implement both traits in a file here, add a variant of [`Backend`] and its arms in `check` and
//! `program`, and its word in `settings/choices.rs`.

#[cfg(feature = "torch")]
mod torch;
mod tract;

use std::{fmt::Debug, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{NetworkError, batch::Batch, model::Model, shape::Signature};

/// What runs a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Backend {
    /// tract, on the CPU, some rows together.
    Tract,
    /// libtorch, in batches, on a GPU where there is one.
    Torch,
    /// libtorch, in batches, on the CPU.
    TorchCpu,
}

/// A model that a backend has made ready.
pub(crate) trait Program: Debug + Send + Sync {
    /// The program at work; every thread needs its own.
    fn runner(&self) -> Box<dyn Runner>;
}

/// A program at work on one thread.
///
/// That a model ran when it was loaded does not prove that it runs on every input: a table may be indexed by what is
/// computed. So every run may fail, and a panic within a backend is a failure like others.
pub(crate) trait Runner: Send {
    /// The rows of the largest batch that costs less than its rows one by one, at least 1.
    fn most_rows(&self) -> usize;

    /// Runs the model on all rows of `batch`. `read` gets of each row every output: the row, the output's place, and its
    /// numbers, flat and just as they come, for a broken network may give anything.
    ///
    /// # Errors
    /// [`NetworkError::Model`] if the backend cannot compute it, [`NetworkError::Shape`] if an output is not what the
    /// model's [`Signature`] says. The next run starts afresh.
    fn run(&mut self, batch: &Batch, read: &mut dyn FnMut(usize, usize, &[f32])) -> Result<(), NetworkError>;
}

impl Backend {
    /// Whether this build has it.
    ///
    /// # Errors
    /// If it has not.
    pub fn check(self) -> Result<(), String> {
        match self {
            Backend::Torch | Backend::TorchCpu if cfg!(not(feature = "torch")) => {
                Err("this build has no libtorch; build with --features torch".to_owned())
            }
            Backend::Tract | Backend::Torch | Backend::TorchCpu => Ok(()),
        }
    }

    /// What is worth knowing of its choice: that there is no GPU for it.
    pub fn note(self) -> Option<String> {
        #[cfg(feature = "torch")]
        if self == Backend::Torch && !tch::Cuda::is_available() {
            return Some(
                "libtorch finds no GPU that it can use (CUDA): backend torch runs on the CPU".to_owned(),
            );
        }
        None
    }

    /// Makes `model` ready and runs it once, so that a network that loads also works.
    ///
    /// # Errors
    /// [`NetworkError::Backend`] if this build has no such backend, [`NetworkError::Model`] or [`NetworkError::Shape`] if
    /// the model cannot be run, or has not the shapes of `signature`.
    pub(super) fn program(
        self,
        model: &Model,
        signature: &Signature,
    ) -> Result<Arc<dyn Program>, NetworkError> {
        self.check().map_err(|reason| NetworkError::Backend { name: model.name().to_owned(), reason })?;
        match self {
            Backend::Tract => Ok(Arc::new(tract::Plan::new(model, signature)?)),
            #[cfg(feature = "torch")]
            Backend::Torch => {
                Ok(Arc::new(torch::Torch::new(model, signature, tch::Device::cuda_if_available())?))
            }
            #[cfg(feature = "torch")]
            Backend::TorchCpu => Ok(Arc::new(torch::Torch::new(model, signature, tch::Device::Cpu)?)),
            #[cfg(not(feature = "torch"))]
            Backend::Torch | Backend::TorchCpu => unreachable!("checked"),
        }
    }
}
