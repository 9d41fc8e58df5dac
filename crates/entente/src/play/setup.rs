use std::sync::Arc;

use entente_network::Policy;
use entente_search::{SearchRequest, rollout::RolloutSettings};

use super::parameters::Parameters;

/// What a search for a move is made of; another setup needs another search.
#[derive(Clone)]
pub(crate) enum Setup {
    /// Alpha-beta.
    AlphaBeta {
        /// Memory of the transposition table.
        mebibytes: u32,
        /// What says how good positions are.
        evaluation: Evaluation,
        /// How many threads search.
        threads: u32,
    },
    /// Random playouts.
    Rollout {
        /// What values their ends.
        evaluation: Evaluation,
        /// How many threads play out.
        threads: u32,
        /// How they are made.
        settings: RolloutSettings,
    },
    /// A tree search by a policy network.
    Tree {
        /// Memory of the tree.
        mebibytes: u32,
        /// The network.
        policy: Arc<Policy>,
        /// How many threads look ahead.
        threads: u32,
        /// What steers it.
        parameters: Parameters,
    },
}

/// What says how good the positions of an alpha-beta search are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Evaluation {
    /// The evaluation written by hand.
    HandWritten,
    /// The evaluation network in the program.
    Network,
    /// A count of men, which only playouts use.
    Material,
    /// The network of the article, which only playouts use.
    Article,
}

impl Setup {
    /// True if a tree search can do what is asked. Whether there is a mate only a search can say that leaves no move out.
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
                // The file of the same name may be another one by now.
                let same_policy = Arc::ptr_eq(policy, other);
                same_policy && (mebibytes, threads, parameters) == (others, other_threads, other_parameters)
            }
            _ => false,
        }
    }
}
