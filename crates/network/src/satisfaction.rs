use super::{
    Backend, NetworkError, NetworkKind, Query,
    runnable::Runnable,
    session::{Session, Wanted},
};
use crate::encoding::goal_policy::Aim;

/// A network that estimates how close a position is to satisfying a constraint. The networks of the thesis are of this
/// kind.
///
/// Its ONNX model has one output, `[1, 1]`: the satisfaction value, which grows with the probability that the
/// constraint will be satisfied.
#[derive(Clone, Debug)]
pub struct SatisfactionNetwork(Runnable);

/// The embedded networks, which a static has once; see those of [`Policy`](crate::Policy).
static FILES: [(&str, &[u8]); 2] = [
    ("thesis-1", include_bytes!("../models/thesis-1.onnx")),
    ("thesis-2", include_bytes!("../models/thesis-2.onnx")),
];

impl NetworkKind for SatisfactionNetwork {
    const EMBEDDED: &'static [(&'static str, &'static [u8])] = &FILES;
    const DEFAULT: &'static str = "thesis-2";

    fn from_bytes(name: &str, bytes: &[u8]) -> Result<SatisfactionNetwork, NetworkError> {
        Runnable::new(name, bytes, "a satisfaction network", |_| vec![vec![1]]).map(SatisfactionNetwork)
    }

    fn on(&self, backend: Backend) -> Result<SatisfactionNetwork, NetworkError> {
        self.0.on(backend).map(SatisfactionNetwork)
    }
}

impl SatisfactionNetwork {
    /// The name of the built-in network, or the path.
    pub fn name(&self) -> &str {
        self.0.name()
    }

    /// True if the network can evaluate positions for `aim`.
    pub fn sees(&self, aim: &Aim) -> bool {
        self.0.input().shows(aim)
    }

    /// A new session. Every thread needs its own.
    pub fn session(&self) -> SatisfactionSession {
        SatisfactionSession(self.0.session())
    }
}

/// Runs a satisfaction network on one thread.
pub struct SatisfactionSession(Session);

impl SatisfactionSession {
    /// Appends the satisfaction value, in [0, 1], of each query's position to `values`. It stops early when `stop`
    /// returns true. Values that are not finite become 0: a network with broken weights must not poison comparisons.
    ///
    /// # Errors
    /// [`NetworkError::Unreadable`] if the network's input cannot represent a query's aim, [`NetworkError::Model`]
    /// if the backend cannot run it. After an error `values` are not valid.
    pub fn ask_until(
        &mut self,
        queries: &[Query<'_>],
        stop: &dyn Fn() -> bool,
        values: &mut Vec<f32>,
    ) -> Result<(), NetworkError> {
        let probability = |value: f32| if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 };
        self.0.ask(queries, Wanted::All, stop, &mut |_, _, output| values.push(probability(output[0])))?;
        Ok(())
    }

    /// The network's raw output for one encoded input, flat (see [`crate::encoding::thesis`]). The output of a broken
    /// network need not be a probability.
    ///
    /// # Errors
    /// [`NetworkError::Model`] if the backend cannot run it, [`NetworkError::Shape`] if `planes` has the wrong length.
    /// An error does not affect the next run.
    pub fn run(&mut self, planes: &[f32]) -> Result<f32, NetworkError> {
        let mut value = f32::NAN;
        self.0.run(&[planes], &mut |_, output| value = output[0])?;
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::thesis;

    #[test]
    fn the_embedded_networks_load() {
        for (name, _) in SatisfactionNetwork::EMBEDDED {
            assert_eq!(SatisfactionNetwork::open(name).expect(name).name(), *name);
        }
    }

    #[test]
    fn outputs_are_repeatable_and_inputs_of_the_wrong_length_are_errors() {
        let mut session = SatisfactionNetwork::open("thesis-1").unwrap().session();
        let input = [0.5; thesis::LENGTH];
        let output = session.run(&input).unwrap();
        assert!((0.0..=1.0).contains(&output));
        assert!(matches!(session.run(&input[1..]), Err(NetworkError::Shape { .. })));
        assert_eq!(session.run(&input).unwrap(), output);
    }

    #[test]
    fn a_stride_of_zero_is_an_error_and_not_a_panic() {
        let mut bytes = SatisfactionNetwork::EMBEDDED[0].1.to_vec();
        let places: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(b"strides")).collect();
        assert!(!places.is_empty());
        // Two packed integers follow the name: tag 0x42, length 2.
        for at in places.into_iter().map(|at| at + b"strides".len()) {
            assert_eq!(bytes[at..at + 2], [0x42, 2]);
            bytes[at + 2..at + 4].fill(0);
        }
        let result = SatisfactionNetwork::from_bytes("zero", &bytes);
        assert!(matches!(result, Err(NetworkError::Model { .. })));
    }

    #[test]
    fn missing_truncated_and_foreign_files_give_clear_errors() {
        let open = || SatisfactionNetwork::open("no/such/file.onnx").unwrap_err();
        let missing = open().to_string();
        assert!(missing.contains("no/such/file.onnx"), "{missing}");
        let chain = format!("{:#}", anyhow::Error::from(open()));
        assert_eq!(chain, missing, "the cause appears once");
        let (_, whole) = SatisfactionNetwork::EMBEDDED[0];
        for bytes in [&b"abc"[..], b"", &whole[..whole.len() / 2]] {
            let error = SatisfactionNetwork::from_bytes("cut.onnx", bytes).unwrap_err().to_string();
            assert!(error.starts_with("network cut.onnx: "), "{error}");
        }
    }

    #[cfg(feature = "torch")]
    #[test]
    fn torch_and_cpu_agree_on_the_embedded_networks() {
        use shakmaty::{Chess, Position as _};

        use crate::{encoding::goal_policy::Context, inputs::aim_of_counts};

        let aim = &aim_of_counts(&[1, 2, 1, 1, 7]);
        for (name, _) in SatisfactionNetwork::EMBEDDED {
            let network = SatisfactionNetwork::open(name).unwrap();
            let mut cpu = network.session();
            let mut torch = network.on(Backend::TorchCpu).unwrap().session();
            let mut position = Chess::default();
            for ply in 0..40 {
                let moves = position.legal_moves();
                let children: Vec<Chess> =
                    moves.iter().map(|m| position.clone().play(*m).expect("a legal move")).collect();
                let context = Context::default();
                let query = |position| Query { position, moves: &[], played: &[], context, aim };
                let queries: Vec<Query<'_>> = children.iter().map(query).collect();
                let (mut left, mut right) = (Vec::new(), Vec::new());
                torch.ask_until(&queries, &|| false, &mut left).unwrap();
                cpu.ask_until(&queries, &|| false, &mut right).unwrap();
                assert_eq!(left.len(), moves.len());
                for (left, right) in left.iter().zip(&right) {
                    assert!((left - right).abs() < 1e-4, "{name}, ply {ply}: {left} and {right}");
                }
                position.play_unchecked(moves[ply * 7 % moves.len()]);
            }
        }
    }
}
