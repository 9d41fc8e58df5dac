use std::sync::Arc;

use entente_network::Policy;
use entente_search::{SearchRequest, rollout::RolloutSettings};

use super::parameters::Parameters;

/// The setup of a search for a move. Another setup needs another search.
#[derive(Clone)]
pub(crate) enum Setup {
    /// Alpha-beta.
    AlphaBeta {
        /// Memory for the transposition table, in mebibytes.
        mebibytes: u32,
        /// The evaluation of positions.
        evaluation: Evaluation,
        /// The number of threads.
        threads: u32,
    },
    /// Random playouts.
    Rollout {
        /// The evaluation of the final positions.
        evaluation: Evaluation,
        /// The number of threads.
        threads: u32,
        /// The settings of playouts.
        settings: RolloutSettings,
    },
    /// A tree search with a policy network.
    Tree {
        /// Memory for the tree, in mebibytes.
        mebibytes: u32,
        /// The network.
        policy: Arc<Policy>,
        /// The number of threads.
        threads: u32,
        /// The parameters of the search.
        parameters: Parameters,
    },
}

/// The evaluation of positions in an alpha-beta search or at the end of a playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Evaluation {
    /// The hand-written evaluation.
    HandWritten,
    /// The embedded evaluation network.
    Network,
    /// A count of men; only for playouts.
    Material,
    /// The network of the article; only for playouts.
    Article,
}

impl Setup {
    /// True if a tree search can answer this request. Only a search that omits no move can prove a mate.
    pub(crate) fn may_be_tree(request: &SearchRequest) -> bool {
        request.mate.is_none()
    }
}

impl PartialEq for Setup {
    fn eq(&self, other: &Setup) -> bool {
        match (self, other) {
            (
                Setup::AlphaBeta { mebibytes, evaluation, threads },
                Setup::AlphaBeta { mebibytes: others, evaluation: other_evaluation, threads: other_threads },
            ) => (mebibytes, evaluation, threads) == (others, other_evaluation, other_threads),
            (
                Setup::Rollout { evaluation, threads, settings },
                Setup::Rollout {
                    evaluation: other_evaluation,
                    threads: other_threads,
                    settings: other_settings,
                },
            ) => (evaluation, threads, settings) == (other_evaluation, other_threads, other_settings),
            (
                Setup::Tree { mebibytes, policy, threads, parameters },
                Setup::Tree {
                    mebibytes: others,
                    policy: other,
                    threads: other_threads,
                    parameters: other_parameters,
                },
            ) => {
                // The file with this name may have changed.
                let same_policy = Arc::ptr_eq(policy, other);
                same_policy && (mebibytes, threads, parameters) == (others, other_threads, other_parameters)
            }
            _ => false,
        }
    }
}
