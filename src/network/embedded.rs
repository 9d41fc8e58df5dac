use super::{NetworkKind as _, Policy, SatisfactionNetwork};

/// The content of the embedded network of that name, whatever its kind: one of another kind is refused for what it is.
pub fn embedded_network(name: &str) -> Option<&'static [u8]> {
    Policy::embedded(name).or_else(|| SatisfactionNetwork::embedded(name))
}
