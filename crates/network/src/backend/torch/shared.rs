//! One network for all threads. Their rows are gathered into batches, so that a GPU has enough to do.
//!
//! A separate thread runs the network. It collects rows until a batch is full, until every runner has a request in it,
//! or until the first request has waited long enough. Every batch is padded to the same number of rows: libtorch may
//! compute a row differently in a batch of another size, and games must be reproducible.

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

/// How long the first request of a batch waits for others. A GPU takes about as long to run the batch.
const PATIENCE: Duration = Duration::from_micros(500);

/// A handle to the thread that runs a network.
#[derive(Clone)]
pub(super) struct Shared {
    name: String,
    signature: Signature,
    /// The number of rows of every batch.
    rows: usize,
    service: Arc<Service>,
    /// The number of runners.
    runners: Arc<AtomicUsize>,
}

/// The thread that runs a network. Dropping this waits for the thread to end. Otherwise the process could hang at exit,
/// when the thread frees its memory on the GPU while the GPU's own libraries shut down. If the process is killed (by a
/// second Ctrl-C), nothing waits.
struct Service {
    /// `None` while this is being dropped.
    sender: Option<Sender<Request>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Service {
    fn drop(&mut self) {
        self.sender = None;
        if let Some(thread) = self.thread.take() {
            // If the thread panicked, its users have had errors already.
            let _ = thread.join();
        }
    }
}

/// A request of a runner.
struct Request {
    /// The rows of each input, flat.
    inputs: Vec<Vec<f32>>,
    rows: usize,
    answer: Sender<Answer>,
}

/// The rows of each output, flat, or an error message.
type Answer = Result<Vec<Vec<f32>>, String>;

impl Shared {
    /// Starts a thread that runs the graph in batches of `rows`. It ends when the last handle is dropped.
    pub(super) fn new(graph: Graph, rows: usize) -> Shared {
        let (sender, receiver) = mpsc::channel();
        let runners = Arc::new(AtomicUsize::new(0));
        let (name, signature) = (graph.model.name().to_owned(), graph.signature.clone());
        let evaluator = Evaluator { graph, rows, receiver, runners: Arc::clone(&runners), left: None };
        let thread = thread::spawn(move || {
            // Little work is left for the processor. More threads would only slow down the runners' threads.
            tch::set_num_threads(1);
            evaluator.serve();
        });
        let service = Arc::new(Service { sender: Some(sender), thread: Some(thread) });
        Shared { name, signature, rows, service, runners }
    }

    /// A reference that is alive as long as the thread is.
    #[cfg(test)]
    pub(super) fn watch(&self) -> std::sync::Weak<AtomicUsize> {
        // The thread holds one of these, too.
        Arc::downgrade(&self.runners)
    }

    /// A new runner, which is counted until it is dropped.
    pub(super) fn runner(&self) -> Box<dyn Runner> {
        self.runners.fetch_add(1, Ordering::Relaxed);
        Box::new(SharedRunner { shared: self.clone() })
    }
}

/// A runner that sends requests to the thread of the network.
struct SharedRunner {
    shared: Shared,
}

impl Drop for SharedRunner {
    fn drop(&mut self) {
        self.shared.runners.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Runner for SharedRunner {
    fn max_rows(&self) -> usize {
        self.shared.rows
    }

    fn run(&mut self, batch: &Batch, read: &mut dyn FnMut(usize, usize, &[f32])) -> Result<(), NetworkError> {
        let Shared { name, signature, rows: most, service, .. } = &self.shared;
        for first in (0..batch.rows()).step_by(*most) {
            let rows = (*most).min(batch.rows() - first);
            let of_input = |input| batch.some(input, first..first + rows).to_vec();
            let inputs = (0..signature.inputs.len()).map(of_input).collect();
            // A new channel each time: if the thread has ended, its sender is dropped and `recv` fails instead of
            // waiting.
            let (answer, answers) = mpsc::channel();
            let request = Request { inputs, rows, answer };
            let is_gone = || NetworkError::gave_up(name);
            let sender = service.sender.as_ref().ok_or_else(is_gone)?;
            sender.send(request).map_err(|_| is_gone())?;
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
    receiver: Receiver<Request>,
    runners: Arc<AtomicUsize>,
    /// A request that did not fit into the last batch.
    left: Option<Request>,
}

impl Evaluator {
    /// Answers requests until all handles are dropped.
    fn serve(mut self) {
        while let Some(requests) = self.gather() {
            let answers = self.answers(&requests);
            for (request, answer) in requests.iter().zip(answers) {
                // Sending fails if the runner is gone.
                let _ = request.answer.send(answer);
            }
        }
    }

    /// The requests of the next batch, which together fit into it; `None` when all handles are dropped.
    fn gather(&mut self) -> Option<Vec<Request>> {
        let first = match self.left.take() {
            Some(left) => left,
            None => self.receiver.recv().ok()?,
        };
        let end = Instant::now() + PATIENCE;
        let mut rows = first.rows;
        let mut gathered = vec![first];
        // A runner waits for its answer, so it has at most one request.
        while rows < self.rows && gathered.len() < self.runners.load(Ordering::Relaxed) {
            match self.receiver.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(request) if rows + request.rows <= self.rows => {
                    rows += request.rows;
                    gathered.push(request);
                }
                Ok(request) => {
                    self.left = Some(request);
                    break;
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        Some(gathered)
    }

    /// Runs the network on all requests in one batch, and returns an answer for each.
    fn answers(&self, requests: &[Request]) -> Vec<Answer> {
        let mut batch = Batch::new(&self.graph.signature.inputs);
        for Request { inputs, rows, .. } in requests {
            batch.append(inputs, *rows);
        }
        batch.fill_up_to(self.rows);
        let outputs = tch::no_grad(|| self.graph.outputs(&batch)).map_err(|error| error.to_string());
        let mut first = 0;
        let answers = requests.iter().map(|Request { rows, .. }| {
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
