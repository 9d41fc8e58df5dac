use super::{NetworkError, model::ModelSession};

/// A satisfaction network at work in tract, on one input at a time; made by
/// [`Network::session`](super::Network::session).
pub struct Session(pub(super) ModelSession);

impl Session {
    /// The network's output for one input `[17, 8, 8]`, flat (see [`crate::encoding::thesis`]), just as it comes:
    /// a broken network may give what is no probability.
    ///
    /// # Errors
    /// [`NetworkError::Model`] if tract cannot compute it, [`NetworkError::Shape`] if `planes` has another length.
    /// The next run starts afresh.
    pub fn run(&mut self, planes: &[f32]) -> Result<f32, NetworkError> {
        let mut value = f32::NAN;
        self.0.run(&[planes], |_, output| value = output[0])?;
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        encoding::thesis,
        evaluator::{Network, NetworkKind as _},
    };

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
