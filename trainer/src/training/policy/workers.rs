//! Gradients of a batch by several threads, each with a part of it.
//!
//! libtorch's own threads meet after every small operation; here they meet once a step, which on two cores is twice as
//! fast. On a GPU there is one worker.

use std::{sync::mpsc, thread};

use tch::{Device, Tensor};

use super::loss::{Losses, loss};
use crate::{
    dataset::goal::{Batch, Sample},
    network::{
        Precision,
        tower::{Compute, MOVE_PLANES, Tower, Weights},
    },
};

/// What gradients depend on beside weights and samples.
#[derive(Clone, Copy, Debug)]
pub struct Objective {
    pub tower: Tower,
    pub precision: Precision,
    pub value_weight: f64,
    pub result_weight: f64,
    pub device: Device,
}

/// Threads that wait for work.
pub struct Workers {
    workers: Vec<Worker>,
}

struct Worker {
    tasks: mpsc::Sender<(Vec<Sample>, Tensor)>,
    results: mpsc::Receiver<(Tensor, Losses)>,
}

impl Workers {
    /// `threads` workers; on a GPU one.
    pub fn new(objective: Objective, threads: usize) -> Workers {
        let threads = if objective.device == Device::Cpu { threads.max(1) } else { 1 };
        let worker = |_| {
            let (tasks, todo) = mpsc::channel::<(Vec<Sample>, Tensor)>();
            let (done, results) = mpsc::channel();
            thread::spawn(move || {
                tch::set_num_threads(1);
                while let Ok((samples, weights)) = todo.recv() {
                    if done.send(gradient(&objective, &samples, &weights)).is_err() {
                        return;
                    }
                }
            });
            Worker { tasks, results }
        };
        Workers { workers: (0..threads).map(worker).collect() }
    }

    /// The gradient of the loss of `samples` at the row `weights`, and its parts.
    pub fn gradient(&self, samples: &[Sample], weights: &Tensor) -> (Tensor, Losses) {
        let parts = samples.chunks(samples.len().div_ceil(self.workers.len()));
        let mut sizes = Vec::new();
        for (part, worker) in parts.zip(&self.workers) {
            sizes.push(part.len() as f64 / samples.len() as f64);
            worker.tasks.send((part.to_vec(), weights.shallow_clone())).expect("workers wait for work");
        }
        let mut sum: Option<Tensor> = None;
        let mut losses = Losses::default();
        for (share, worker) in sizes.into_iter().zip(&self.workers) {
            let (gradient, part) = worker.results.recv().expect("workers finish their work");
            let gradient = gradient * share;
            sum = Some(match sum {
                Some(sum) => sum + gradient,
                None => gradient,
            });
            losses.policy += part.policy * share;
            losses.value += part.value * share;
            losses.action_value += part.action_value * share;
            losses.result += part.result * share;
        }
        (sum.expect("at least one worker"), losses)
    }
}

fn gradient(objective: &Objective, samples: &[Sample], weights: &Tensor) -> (Tensor, Losses) {
    let flat = weights.detach().set_requires_grad(true);
    let weights = Weights::of(&objective.tower, flat.shallow_clone());
    let batch = Batch::new(samples, objective.device);
    let Objective { tower, precision, .. } = objective;
    // Only the action value of the move that was played is learnt.
    let origins = batch.played_index().divide_scalar_mode(MOVE_PLANES, "floor");
    let outputs =
        Compute::outputs(tower, &weights, &batch.planes, &batch.features, Some(&origins), *precision);
    let (loss, losses) = loss(&outputs, &batch, objective.value_weight, objective.result_weight);
    loss.backward();
    (flat.grad(), losses)
}
