use std::sync::Arc;

use super::{
    NetworkError, Query,
    backend::Runner,
    batch::{ALL_SQUARES, Batch},
    input::Input,
    shape::{Shape, length, listed},
};

/// Which moves' numbers are read from an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Only those of the query's moves. Those of other moves may be undefined.
    Asked,
    /// Those of all moves, including illegal ones.
    All,
}

/// A network in use on one thread.
pub(crate) struct Session {
    name: String,
    input: Arc<dyn Input>,
    shapes: Vec<Shape>,
    runner: Box<dyn Runner>,
    batch: Batch,
}

impl Session {
    /// A session of the network called `name`, with inputs of these `shapes`.
    pub(crate) fn new(
        name: &str,
        input: Arc<dyn Input>,
        shapes: &[Shape],
        runner: Box<dyn Runner>,
    ) -> Session {
        let (name, batch) = (name.to_owned(), Batch::new(shapes));
        Session { name, input, shapes: shapes.to_vec(), runner, batch }
    }

    /// Answers the queries in batches of the size that suits the backend. Before each batch it calls `stop`, and ends
    /// if that returns true. `read` receives each query's index, and the index and numbers of an output; only the
    /// numbers of the `wanted` moves are defined. Returns the number of queries answered.
    ///
    /// # Errors
    /// [`NetworkError::Unreadable`] if the input cannot represent a query's aim, [`NetworkError::Model`] if the backend
    /// cannot run the network.
    pub(crate) fn ask(
        &mut self,
        queries: &[Query<'_>],
        wanted: Wanted,
        stop: &dyn Fn() -> bool,
        read: &mut dyn FnMut(usize, usize, &[f32]),
    ) -> Result<usize, NetworkError> {
        let mut answered = 0;
        for part in queries.chunks(self.runner.max_rows()) {
            if stop() {
                break;
            }
            self.batch.clear();
            for query in part {
                if !self.input.shows(query.aim) {
                    return Err(NetworkError::Unreadable { name: self.name.clone() });
                }
                self.input.write(query, &mut self.batch);
                if wanted == Wanted::All {
                    self.batch.want(ALL_SQUARES);
                }
            }
            self.runner.run(&self.batch, &mut |row, place, numbers| read(answered + row, place, numbers))?;
            answered += part.len();
        }
        Ok(answered)
    }

    /// Runs the network on one row that is already encoded, with flat inputs one after another. `read` receives the
    /// index and numbers of each output.
    ///
    /// # Errors
    /// [`NetworkError::Shape`] if an input has another length, [`NetworkError::Model`] if the backend cannot run the
    /// network.
    pub(crate) fn run(
        &mut self,
        inputs: &[&[f32]],
        read: &mut dyn FnMut(usize, &[f32]),
    ) -> Result<(), NetworkError> {
        let lengths = inputs.iter().map(|input| input.len());
        if !lengths.eq(self.shapes.iter().map(|shape| length(shape))) {
            let found: Vec<String> = inputs.iter().map(|input| input.len().to_string()).collect();
            let expected = format!("an input of {}", listed(&self.shapes));
            return Err(NetworkError::shape(&self.name, expected, found.join(" and ")));
        }
        self.batch.clear();
        self.batch.push(inputs);
        self.runner.run(&self.batch, &mut |_, place, numbers| read(place, numbers))
    }
}
