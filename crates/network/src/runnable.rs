use std::sync::Arc;

use super::{
    Backend, NetworkError,
    backend::Program,
    input::Input,
    inputs::input_of,
    model::Model,
    session::Session,
    shape::{Shape, Signature, number},
};

/// A model with its input and the backend that runs it. Every kind of network wraps one. Threads share it, and each has
/// its own [`Session`].
#[derive(Clone, Debug)]
pub(crate) struct Runnable {
    model: Model,
    input: Arc<dyn Input>,
    signature: Signature,
    backend: Backend,
    program: Arc<dyn Program>,
}

impl Runnable {
    /// Reads an ONNX model and runs it once. `kind` names the expected kind of network in messages.
    /// `outputs` gives the shapes of the outputs of such a network with this input, for one query.
    ///
    /// # Errors
    /// [`NetworkError::Model`] or [`NetworkError::Shape`].
    pub(crate) fn new(
        name: &str,
        bytes: &[u8],
        kind: &str,
        outputs: impl FnOnce(&dyn Input) -> Vec<Shape>,
    ) -> Result<Runnable, NetworkError> {
        let model = Model::new(name, bytes)?;
        let input = input_of(&model)?;
        let mut outputs = outputs(&*input);
        let model = match input.outputs_by_name() {
            Some(names) => {
                let model = model.with_outputs(names)?;
                outputs.truncate(model.graph().output.len());
                model
            }
            None => model,
        };
        let (expected, found) = (outputs.len(), model.graph().output.len());
        if found != expected {
            let expected = format!("{kind}, which has {}", number(expected, "output"));
            return Err(NetworkError::shape(name, expected, number(found, "output")));
        }
        let signature = Signature { inputs: input.shapes(), outputs };
        let backend = Backend::Cpu;
        let program = backend.program(&model, &signature)?;
        Ok(Runnable { model, input, signature, backend, program })
    }

    /// The same model, run by `backend`.
    ///
    /// # Errors
    /// [`NetworkError::Backend`] or [`NetworkError::Model`].
    pub(crate) fn on(&self, backend: Backend) -> Result<Runnable, NetworkError> {
        if backend == self.backend {
            return Ok(self.clone());
        }
        let program = backend.program(&self.model, &self.signature)?;
        Ok(Runnable { backend, program, ..self.clone() })
    }

    /// The name used in messages.
    pub(crate) fn name(&self) -> &str {
        self.model.name()
    }

    /// The value of `key` in the model's metadata.
    pub(crate) fn metadata(&self, key: &str) -> Option<&str> {
        self.model.metadata(key)
    }

    /// The input that it reads.
    pub(crate) fn input(&self) -> &dyn Input {
        &*self.input
    }

    /// The number of its outputs.
    pub(crate) fn outputs(&self) -> usize {
        self.signature.outputs.len()
    }

    /// A new session. Every thread needs its own.
    pub(crate) fn session(&self) -> Session {
        let input = Arc::clone(&self.input);
        Session::new(self.name(), input, &self.signature.inputs, self.program.runner())
    }
}

#[cfg(test)]
mod tests {
    use crate::onnx::{ModelProto, StringStringEntryProto};
    use prost::Message as _;

    use crate::{INPUT_KEY, NetworkKind, Policy, SatisfactionNetwork, inputs};

    fn embedded<T: NetworkKind>(change: impl FnOnce(&mut ModelProto)) -> Vec<u8> {
        let mut proto = ModelProto::decode(T::EMBEDDED[0].1).unwrap();
        change(&mut proto);
        proto.encode_to_vec()
    }

    fn named(input: &str) -> impl FnOnce(&mut ModelProto) {
        let entry = StringStringEntryProto { key: INPUT_KEY.to_owned(), value: input.to_owned() };
        |proto| {
            proto.metadata_props.retain(|entry| entry.key != INPUT_KEY);
            proto.metadata_props.push(entry);
        }
    }

    fn refusal<T: NetworkKind>(bytes: &[u8]) -> String {
        T::from_bytes("net", bytes).err().expect("refused").to_string()
    }

    #[test]
    fn the_input_follows_from_the_metadata_or_else_from_the_shapes() {
        assert!(SatisfactionNetwork::from_bytes("net", &embedded::<SatisfactionNetwork>(|_| ())).is_ok());
        let thesis = embedded::<SatisfactionNetwork>(named(inputs::THESIS));
        assert!(SatisfactionNetwork::from_bytes("net", &thesis).is_ok());
        let policy = embedded::<Policy>(named(inputs::GOAL_POLICY));
        assert!(Policy::from_bytes("net", &policy).is_ok());
    }

    #[test]
    fn a_network_with_the_wrong_input_is_refused_with_the_expected_one() {
        let unknown = refusal::<Policy>(&embedded::<Policy>(named("smell")));
        assert_eq!(
            unknown,
            "network net: expected the input goal-policy or thesis or transformer or lc0, found 'smell'"
        );
        let other =
            refusal::<SatisfactionNetwork>(&embedded::<SatisfactionNetwork>(named(inputs::GOAL_POLICY)));
        assert!(
            other.starts_with("network net: expected the input goal-policy (51×8×8 or 110×8×8 and 102 to "),
            "{other}"
        );
        assert!(other.ends_with(", found 1×17×8×8"), "{other}");
        let neither = embedded::<Policy>(|proto| {
            proto.metadata_props.retain(|entry| entry.key != INPUT_KEY);
            proto.graph.as_mut().unwrap().input.pop();
        });
        let neither = refusal::<Policy>(&neither);
        assert!(neither.contains(" or thesis (17×8×8) or transformer ("), "{neither}");
        assert!(neither.ends_with(", found 1×51×8×8"), "{neither}");
    }

    #[test]
    fn a_network_of_another_kind_is_refused_by_its_outputs() {
        let policy = refusal::<SatisfactionNetwork>(Policy::EMBEDDED[0].1);
        let expected = "network net: expected a satisfaction network, which has one output, found 4 outputs";
        assert_eq!(policy, expected);
        let satisfaction = refusal::<Policy>(SatisfactionNetwork::EMBEDDED[0].1);
        assert_eq!(satisfaction, "network net: expected a policy, which has 4 outputs, found one output");
    }
}
