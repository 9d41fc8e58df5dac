use std::sync::Arc;

use super::parameters::Parameters;
use crate::{network::Policy, search::SearchRequest};

/// What a search for a move is made of; another setup needs another search.
#[derive(Clone)]
pub enum Setup {
    /// Alpha-beta by the hand-written evaluation.
    AlphaBeta {
        /// Memory of the transposition table.
        mebibytes: u32,
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

impl Setup {
    /// True if a tree search can do what is asked. Whether there is a mate only a search can say that leaves no move out.
    pub fn may_be_tree(request: &SearchRequest) -> bool {
        request.mate.is_none()
    }
}

impl PartialEq for Setup {
    fn eq(&self, other: &Setup) -> bool {
        match (self, other) {
            (Setup::AlphaBeta { mebibytes }, Setup::AlphaBeta { mebibytes: others }) => mebibytes == others,
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
