//! Backends: the libraries that run networks. A backend compiles a model to a [`Program`], which threads share. Each
//! thread has its own [`Runner`] of the program, which runs batches.
//!
//! To add a backend, implement both traits in a file here, add a variant of [`Backend`] and its arms in `check` and
//! `program`, and add its name to `settings/choices.rs`.

mod cpu;
#[cfg(feature = "torch")]
mod torch;

use std::{fmt::Debug, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{NetworkError, batch::Batch, model::Model, shape::Signature};

/// The library and device that run a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Backend {
    /// Our own layers, on the CPU, a few rows at a time.
    Cpu,
    /// libtorch, in batches, on a GPU if there is one.
    Torch,
    /// libtorch, in batches, on the CPU.
    TorchCpu,
}

/// A model that a backend has prepared for running.
pub(crate) trait Program: Debug + Send + Sync {
    /// A new runner. Every thread needs its own.
    fn runner(&self) -> Box<dyn Runner>;
}

/// Runs a program on one thread.
///
/// A model that ran when it was loaded may still fail on another input: for example, a computed index into a table may
/// be out of range. So every run can fail. A panic in a backend counts as a failure.
pub(crate) trait Runner: Send {
    /// The size of the largest batch that costs less than running its rows one by one; at least 1.
    fn max_rows(&self) -> usize;

    /// Runs the model on all rows of `batch`. `read` receives every output of every row: the row, the index of the
    /// output, and its raw numbers, flat. A broken network may give any numbers.
    ///
    /// # Errors
    /// [`NetworkError::Model`] if the backend cannot compute it, [`NetworkError::Shape`] if an output does not fit the
    /// model's [`Signature`]. An error does not affect the next run.
    fn run(&mut self, batch: &Batch, read: &mut dyn FnMut(usize, usize, &[f32])) -> Result<(), NetworkError>;
}

impl Backend {
    /// Checks that this build includes the backend.
    ///
    /// # Errors
    /// If it does not: how to build with it.
    pub fn check(self) -> Result<(), String> {
        match self {
            Backend::Torch | Backend::TorchCpu if cfg!(not(feature = "torch")) => {
                Err("this build has no libtorch; build with --features torch".to_owned())
            }
            Backend::Cpu | Backend::Torch | Backend::TorchCpu => Ok(()),
        }
    }

    /// A note for users who choose this backend: that there is no GPU that it can use.
    pub fn note(self) -> Option<String> {
        #[cfg(feature = "torch")]
        if self == Backend::Torch && !tch::Cuda::is_available() {
            return Some("libtorch finds no usable GPU (CUDA); the backend torch runs on the CPU".to_owned());
        }
        None
    }

    /// Prepares `model` and runs it once, so that a network that loads also works.
    ///
    /// # Errors
    /// [`NetworkError::Backend`] if this build has no such backend, [`NetworkError::Model`] or [`NetworkError::Shape`]
    /// if the model cannot be run or does not have the shapes of `signature`.
    pub(super) fn program(
        self,
        model: &Model,
        signature: &Signature,
    ) -> Result<Arc<dyn Program>, NetworkError> {
        self.check().map_err(|reason| NetworkError::Backend { name: model.name().to_owned(), reason })?;
        match self {
            Backend::Cpu => Ok(Arc::new(cpu::Plan::new(model, signature)?)),
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
