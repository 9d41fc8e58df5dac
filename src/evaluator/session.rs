use std::sync::Arc;

use tract_onnx::prelude::*;

use super::{NetworkError, panics::caught};
use crate::encoding::thesis;

/// A network at work in tract, on one input at a time; made by [`Network::session`](super::Network::session).
///
/// That a network ran when it was loaded does not prove that it runs on every input: a table may be
/// indexed by what is computed. So every run may fail, and a panic within tract is a failure like others.
pub struct Session {
    name: String,
    plan: Arc<TypedSimplePlan>,
    /// `None` before the first run and after a failed one, which may leave it half-way.
    state: Option<TypedSimpleState>,
}

impl Session {
    pub(super) fn new(name: &str, plan: &Arc<TypedSimplePlan>) -> Session {
        Session { name: name.to_owned(), plan: Arc::clone(plan), state: None }
    }

    /// The network's output for one input `[17, 8, 8]`, flat (see [`crate::encoding::thesis`]), just as it comes:
    /// a broken network may give what is no probability.
    ///
    /// # Errors
    /// [`NetworkError::Model`] if tract cannot compute it, [`NetworkError::Shape`] if `planes` has another length.
    /// The next run starts afresh.
    pub fn run(&mut self, planes: &[f32]) -> Result<f32, NetworkError> {
        if planes.len() != thesis::LENGTH {
            return Err(NetworkError::Shape {
                name: self.name.clone(),
                expected: format!("an input of {} numbers", thesis::LENGTH),
                found: planes.len().to_string(),
            });
        }
        let (plan, state) = (&self.plan, self.state.take());
        let (output, state) = caught(|| run(plan, state, planes))
            .ok_or_else(|| NetworkError::gave_up(&self.name))?
            .map_err(|error| NetworkError::Model { name: self.name.clone(), reason: format!("{error:#}") })?;
        self.state = Some(state);
        Ok(output)
    }
}

fn run(
    plan: &Arc<TypedSimplePlan>,
    state: Option<TypedSimpleState>,
    planes: &[f32],
) -> TractResult<(f32, TypedSimpleState)> {
    let mut state = state.map_or_else(|| plan.spawn(), Ok)?;
    let [channels, rows, columns] = thesis::SHAPE;
    let input = Tensor::from_shape(&[1, channels, rows, columns], planes)?;
    let output = state.run(tvec!(input.into()))?;
    let value = output[0].view().as_slice::<f32>()?.first().copied();
    Ok((value.ok_or_else(|| TractError::msg("the output is empty"))?, state))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::Network;

    #[test]
    fn an_input_gives_the_same_output_each_time_and_one_of_another_length_an_error() {
        let mut session = Network::open("thesis-1").unwrap().session();
        let input = [0.5; thesis::LENGTH];
        let output = session.run(&input).unwrap();
        assert!((0.0..=1.0).contains(&output));
        assert!(matches!(session.run(&input[1..]), Err(NetworkError::Shape { .. })));
        assert_eq!(session.run(&input).unwrap(), output);
    }
}
