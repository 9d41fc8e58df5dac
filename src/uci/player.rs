//! What plays: a tree search with the policy network, or alpha-beta search without any.

use std::sync::Arc;

use crate::{
    evaluator::Policy,
    search::{
        AlphaBeta,
        puct::{Backup, Competitor, Parameters, Players, Puct},
    },
};

/// What a search for a move is made of; another setup needs another search.
#[derive(Clone)]
pub(super) struct Setup {
    /// `Hash`
    pub mebibytes: u32,
    /// What it sees with.
    pub eyes: Eyes,
}

/// What a search for a move sees with.
#[derive(Clone)]
pub(super) enum Eyes {
    /// The hand-written evaluation.
    Material,
    /// A policy, in so many threads.
    Network { policy: Arc<Policy>, threads: u32, parameters: Parameters },
}

/// A search for a move.
pub(super) enum Search {
    AlphaBeta(Box<AlphaBeta>),
    Tree(Box<TreeSearch>),
}

/// A tree search with its judges, one for each thread.
pub(super) struct TreeSearch {
    pub tree: Puct,
    pub judges: Vec<Competitor>,
    players: Players,
}

/// The search, made when it is first needed, or when another setup is asked for.
#[derive(Default)]
pub(super) struct Player {
    search: Option<(Setup, Search)>,
    /// True if it remembers games that it should forget.
    is_stale: bool,
}

impl Setup {
    /// The search that needs no network.
    pub fn material(mebibytes: u32) -> Setup {
        Setup { mebibytes, eyes: Eyes::Material }
    }

    fn search(&self) -> Search {
        let mebibytes = self.mebibytes as usize;
        match &self.eyes {
            Eyes::Material => Search::AlphaBeta(Box::new(AlphaBeta::new(mebibytes))),
            Eyes::Network { policy, threads, parameters } => {
                let players = Players::UNKNOWN;
                let judge = |_| Competitor::new(policy.session(), players, parameters);
                let tree = Puct::new(mebibytes, Backup::Competitive, *parameters);
                let judges = (0..*threads).map(judge).collect();
                Search::Tree(Box::new(TreeSearch { tree, judges, players }))
            }
        }
    }
}

impl PartialEq for Setup {
    fn eq(&self, other: &Setup) -> bool {
        self.mebibytes == other.mebibytes
            && match (&self.eyes, &other.eyes) {
                (Eyes::Material, Eyes::Material) => true,
                (
                    Eyes::Network { policy, threads, parameters },
                    Eyes::Network { policy: other, threads: other_threads, parameters: other_parameters },
                ) => Arc::ptr_eq(policy, other) && threads == other_threads && parameters == other_parameters,
                _ => false,
            }
    }
}

impl Search {
    fn forget(&mut self) {
        match self {
            Search::AlphaBeta(search) => search.forget(),
            Search::Tree(search) => search.forget(),
        }
    }
}

impl TreeSearch {
    /// Forgets earlier games.
    fn forget(&mut self) {
        self.tree.forget();
        self.judges.iter_mut().for_each(Competitor::forget);
    }

    /// Who plays from now on: what was found of others is forgotten.
    pub fn seat(&mut self, players: Players) {
        if self.players != players {
            self.players = players;
            self.forget();
            self.judges.iter_mut().for_each(|judge| judge.seat(players));
        }
    }
}

impl Player {
    /// Forgets earlier games before the next search: emptying a large table takes its time.
    pub fn forget(&mut self) {
        self.is_stale = self.search.is_some();
    }

    /// True if a search can begin at once.
    pub fn is_ready_for(&self, setup: &Setup) -> bool {
        !self.is_stale && self.search.as_ref().is_some_and(|(there, _)| there == setup)
    }

    /// The search of that setup: the one there is, or a new one.
    pub fn prepare(&mut self, setup: Setup) -> &mut Search {
        // Gone before there is another: together they might be too large.
        self.search.take_if(|(there, _)| *there != setup);
        if let (true, Some((_, search))) = (self.is_stale, &mut self.search) {
            search.forget();
        }
        self.is_stale = false;
        &mut self.search.get_or_insert_with(|| (setup.clone(), setup.search())).1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::NetworkKind;

    #[test]
    fn a_search_is_ready_until_the_setup_changes_or_a_game_begins() {
        let [small, large] = [1, 2].map(Setup::material);
        let mut player = Player::default();
        player.forget();
        assert!(!player.is_ready_for(&small));
        player.prepare(small.clone());
        assert!(player.is_ready_for(&small) && !player.is_ready_for(&large));
        player.forget();
        assert!(!player.is_ready_for(&small));
        player.prepare(small.clone());
        assert!(player.is_ready_for(&small));
    }

    #[test]
    fn another_network_number_of_threads_or_parameter_is_another_setup() {
        let policy = || Arc::new(Policy::open(Policy::DEFAULT).unwrap());
        let (policy, same_file) = (policy(), policy());
        let parameters = Parameters::COMPETITIVE;
        let setup = |policy: &Arc<Policy>, threads, parameters| Setup {
            mebibytes: 1,
            eyes: Eyes::Network { policy: Arc::clone(policy), threads, parameters },
        };
        let first = setup(&policy, 1, parameters);
        let mut player = Player::default();
        assert!(matches!(player.prepare(first.clone()), Search::Tree(search) if search.judges.len() == 1));
        assert!(player.is_ready_for(&first));
        assert!(!player.is_ready_for(&Setup::material(1)));
        assert!(!player.is_ready_for(&setup(&policy, 2, parameters)));
        assert!(!player.is_ready_for(&setup(&policy, 1, Parameters::COOPERATIVE)));
        assert!(
            !player.is_ready_for(&setup(&same_file, 1, parameters)),
            "the file may be another one by now"
        );
    }
}
