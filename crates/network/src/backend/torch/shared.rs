//! One network for all threads: their rows are gathered into batches, so that a GPU has enough to do.
//!
//! A thread of its own runs the network. It waits for rows until a batch is full, until everybody who could ask does, or
//! until the first has waited long enough. Every batch is filled up to the same number of rows: libtorch may compute a
//! row otherwise in a batch of another size, and games are to repeat.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use super::Graph;
use crate::{NetworkError, backend::Runner, batch::Batch, shape::Signature};

/// How long the first rows of a batch wait for others. An answer takes a GPU about as long.
const PATIENCE: Duration = Duration::from_micros(500);

/// The way to the thread that runs a network.
#[derive(Clone)]
pub struct Shared {
    name: String,
    signature: Signature,
    /// Rows of every batch.
    rows: usize,
    service: Arc<Service>,
    /// Runners there are.
    runners: Arc<AtomicUsize>,
}

/// The thread that runs a network, until this is dropped, which waits for its end: a program that ends while that thread
/// still gives back what it has on a GPU may never end, for the GPU's own libraries end at the same time. Whoever ends the
/// process otherwise (a second Ctrl-C) does not wait.
struct Service {
    /// `None` when it is being dropped.
    sender: Option<Sender<Asked>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Service {
    fn drop(&mut self) {
        self.sender = None;
        if let Some(thread) = self.thread.take() {
            // If it panicked, whoever asked it has been told.
            let _ = thread.join();
        }
    }
}

/// What a runner asks.
struct Asked {
    /// The rows of each input.
    inputs: Vec<Vec<f32>>,
    rows: usize,
    answer: Sender<Answer>,
}

/// The rows of each output, or what went wrong.
type Answer = Result<Vec<Vec<f32>>, String>;

impl Shared {
    /// Hands the graph to a thread of its own, which ends before the last that could ask it is gone. Every batch has so many
    /// rows.
    pub fn new(graph: Graph, rows: usize) -> Shared {
        let (sender, receiver) = mpsc::channel();
        let runners = Arc::new(AtomicUsize::new(0));
        let (name, signature) = (graph.model.name().to_owned(), graph.signature.clone());
        let evaluator = Evaluator { graph, rows, receiver, runners: Arc::clone(&runners), left: None };
        let thread = thread::spawn(move || {
            // More threads for the little that is left to the processor would keep those that ask from their work.
            tch::set_num_threads(1);
            evaluator.serve();
        });
        let service = Arc::new(Service { sender: Some(sender), thread: Some(thread) });
        Shared { name, signature, rows, service, runners }
    }

    /// What is there as long as the thread is.
    #[cfg(test)]
    pub fn watch(&self) -> std::sync::Weak<AtomicUsize> {
        // The thread has one of these, too.
        Arc::downgrade(&self.runners)
    }

    /// One more who may ask.
    pub fn runner(&self) -> Box<dyn Runner> {
        self.runners.fetch_add(1, Ordering::Relaxed);
        Box::new(SharedRunner { shared: self.clone() })
    }
}

/// One who asks the thread that runs the network.
struct SharedRunner {
    shared: Shared,
}

impl Drop for SharedRunner {
    fn drop(&mut self) {
        self.shared.runners.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Runner for SharedRunner {
    fn most_rows(&self) -> usize {
        self.shared.rows
    }

    fn run(&mut self, batch: &Batch, read: &mut dyn FnMut(usize, usize, &[f32])) -> Result<(), NetworkError> {
        let Shared { name, signature, rows: most, service, .. } = &self.shared;
        for first in (0..batch.rows()).step_by(*most) {
            let rows = (*most).min(batch.rows() - first);
            let of_input = |input| batch.some(input, first..first + rows).to_vec();
            let inputs = (0..signature.inputs.len()).map(of_input).collect();
            // Anew each time: if that thread is gone nobody holds the other end, and nobody waits in vain.
            let (answer, answers) = mpsc::channel();
            let asked = Asked { inputs, rows, answer };
            let is_gone = || NetworkError::gave_up(name);
            let sender = service.sender.as_ref().ok_or_else(is_gone)?;
            sender.send(asked).map_err(|_| is_gone())?;
            let outputs = answers.recv().map_err(|_| is_gone())?;
            let outputs = outputs.map_err(|reason| NetworkError::model(name, reason))?;
            for (place, numbers) in outputs.iter().enumerate() {
                signature.check_output(name, place, numbers.len(), rows)?;
                let length = numbers.len() / rows;
                for (row, numbers) in numbers.chunks_exact(length.max(1)).enumerate() {
                    read(first + row, place, numbers);
                }
            }
        }
        Ok(())
    }
}

/// The thread that runs the network.
struct Evaluator {
    graph: Graph,
    rows: usize,
    receiver: Receiver<Asked>,
    runners: Arc<AtomicUsize>,
    /// What did not fit into the last batch.
    left: Option<Asked>,
}

impl Evaluator {
    /// Answers until nobody can ask any more.
    fn serve(mut self) {
        while let Some(asked) = self.gather() {
            let answers = self.answers(&asked);
            for (asked, answer) in asked.iter().zip(answers) {
                // Who does not wait any more has been dropped.
                let _ = asked.answer.send(answer);
            }
        }
    }

    /// The next batch: whole questions, of no more rows than it has. `None` once nobody can ask.
    fn gather(&mut self) -> Option<Vec<Asked>> {
        let first = match self.left.take() {
            Some(left) => left,
            None => self.receiver.recv().ok()?,
        };
        let end = Instant::now() + PATIENCE;
        let mut rows = first.rows;
        let mut gathered = vec![first];
        // Whoever has asked waits, and asks nothing else.
        while rows < self.rows && gathered.len() < self.runners.load(Ordering::Relaxed) {
            match self.receiver.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(asked) if rows + asked.rows <= self.rows => {
                    rows += asked.rows;
                    gathered.push(asked);
                }
                Ok(asked) => {
                    self.left = Some(asked);
                    break;
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        Some(gathered)
    }

    /// Runs the network on all that was asked, in one batch; an answer for each.
    fn answers(&self, asked: &[Asked]) -> Vec<Answer> {
        let mut batch = Batch::new(&self.graph.signature.inputs);
        for Asked { inputs, rows, .. } in asked {
            batch.append(inputs, *rows);
        }
        batch.fill_up_to(self.rows);
        let outputs = tch::no_grad(|| self.graph.outputs(&batch)).map_err(|error| error.to_string());
        let mut first = 0;
        let answers = asked.iter().map(|Asked { rows, .. }| {
            let part = first..first + rows;
            first += rows;
            let outputs = outputs.as_ref().map_err(String::clone)?;
            let of_rows = |numbers: &Vec<f32>| {
                let length = numbers.len() / self.rows;
                numbers[part.start * length..part.end * length].to_vec()
            };
            Ok(outputs.iter().map(of_rows).collect())
        });
        answers.collect()
    }
}
