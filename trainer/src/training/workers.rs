//! Computes the gradient of a batch on several threads, each with a part of the batch.
//!
//! The threads of libtorch synchronise after every small operation. These synchronise once per step, which is twice as
//! fast on two cores. On a GPU, there is one worker.

use std::{sync::mpsc, thread};

use tch::{Device, Tensor};

/// Worker threads, which wait for parts of batches.
pub struct Workers<P> {
    workers: Vec<Worker<P>>,
}

struct Worker<P> {
    tasks: mpsc::Sender<(P, Tensor)>,
    results: mpsc::Receiver<(Tensor, Vec<f64>)>,
}

impl<P: Send + 'static> Workers<P> {
    /// Starts `threads` workers, or one on a GPU. `gradient` computes the gradient of the mean loss of a part at a row
    /// of weights, and the means of the parts of the loss.
    pub fn new<F>(threads: usize, device: Device, gradient: F) -> Workers<P>
    where
        F: Fn(&P, &Tensor) -> (Tensor, Vec<f64>) + Clone + Send + 'static,
    {
        let threads = if device == Device::Cpu { threads.max(1) } else { 1 };
        let worker = |_| {
            let (tasks, todo) = mpsc::channel::<(P, Tensor)>();
            let (done, results) = mpsc::channel();
            let gradient = gradient.clone();
            thread::spawn(move || {
                tch::set_num_threads(1);
                while let Ok((part, weights)) = todo.recv() {
                    if done.send(gradient(&part, &weights)).is_err() {
                        return;
                    }
                }
            });
            Worker { tasks, results }
        };
        Workers { workers: (0..threads).map(worker).collect() }
    }

    /// The number of workers, which is the maximum number of parts in a batch.
    pub fn count(&self) -> usize {
        self.workers.len()
    }

    /// Computes the gradient of the mean loss of a batch at the row `weights`, and the means of the parts of the loss.
    /// `parts` are the parts of the batch, each with its share of the batch.
    ///
    /// # Panics
    ///
    /// If there are no parts, or a worker panicked.
    pub fn gradient(&self, parts: impl Iterator<Item = (P, f64)>, weights: &Tensor) -> (Tensor, Vec<f64>) {
        let mut shares = Vec::new();
        for ((part, share), worker) in parts.zip(&self.workers) {
            shares.push(share);
            worker.tasks.send((part, weights.shallow_clone())).expect("workers wait for work");
        }
        let mut sum: Option<Tensor> = None;
        let mut means: Vec<f64> = Vec::new();
        for (share, worker) in shares.into_iter().zip(&self.workers) {
            let (gradient, of_part) = worker.results.recv().expect("workers finish their work");
            let gradient = gradient * share;
            sum = Some(match sum {
                Some(sum) => sum + gradient,
                None => gradient,
            });
            means.resize(of_part.len(), 0.0);
            means.iter_mut().zip(of_part).for_each(|(mean, part)| *mean += part * share);
        }
        (sum.expect("at least one part"), means)
    }
}
