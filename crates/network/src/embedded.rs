use std::sync::LazyLock;

use entente_search::scorer::{ArticleNetwork, EvaluationNetwork};
use sha2::{Digest, Sha256};

use super::{NetworkKind as _, Policy, SatisfactionNetwork};

/// The content of the embedded network of that name, of any kind. A caller that expects another kind can then report a
/// network of the wrong kind instead of a missing file.
pub fn embedded_network(name: &str) -> Option<&'static [u8]> {
    Policy::embedded(name).or_else(|| SatisfactionNetwork::embedded(name))
}

/// Identifies the embedded networks of this build: the SHA-256 of their names, sizes and contents, in hexadecimal.
/// Builds of the same version may embed different networks.
pub fn embedded_digest() -> &'static str {
    static DIGEST: LazyLock<String> = LazyLock::new(|| {
        let mut hash = Sha256::new();
        let policies = Policy::EMBEDDED.iter().chain(SatisfactionNetwork::EMBEDDED);
        let evaluations = EvaluationNetwork::EMBEDDED;
        let others = evaluations.iter().chain(&[("evaluation-article", ArticleNetwork::EMBEDDED)]);
        for (name, bytes) in policies.chain(others) {
            hash.update(format!("{name} {}\n", bytes.len()));
            hash.update(bytes);
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    });
    &DIGEST
}
