use std::{sync::Arc, time::Duration};

use entente_constraint::{Situation, Target};
use entente_endings::Endings;
use entente_search::{BestFirstParameters, Game};
use shakmaty::Chess;

use super::{Plan, RequestError, default_max_plies};
use crate::{
    judge::JudgeOptions,
    settings::{Choice as _, Method},
};

/// Everything that determines how positions are generated, each thing once.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Job {
    /// The position from which proof games start.
    pub root: Chess,
    /// The number of plies before the root, for conditions on the length of the game.
    pub first_ply: u32,
    /// The game before the root, for the other conditions on the game; `None` if it begins there.
    pub before: Option<Arc<Game>>,
    /// The target that the last position must satisfy.
    pub target: Target,
    /// How moves are chosen.
    pub plan: Plan,
    /// The maximum length of a game, in plies from the root.
    pub max_plies: u32,
    /// The limits for one position.
    pub budget: Budget,
    /// The maximum number of random plies before a best-first search. They make the games different.
    pub opening_plies: u32,
    /// Tables of endings, by which judged conditions are exact; `None` for none.
    pub endings: Option<Endings>,
    /// The judge of conditions that the rules of chess do not decide.
    pub judge: JudgeOptions,
    /// The seed. The same seed gives the same positions.
    pub seed: u64,
    /// The method as results name it, with everything that determines them: its network and the settings that were
    /// changed.
    pub description: String,
    /// What a user should know of the request.
    pub notes: Vec<String>,
    /// The settings of the request that the method does not use, as an error; `None` if it uses all of them.
    pub unused: Option<RequestError>,
}

/// Limits for one position. The first one that is reached ends the generation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// The maximum number of games, or of searches of the root, at least 1.
    pub attempts: u32,
    /// The maximum number of positions searched and evaluated in all attempts.
    pub nodes: Option<u64>,
    /// The maximum time for all attempts. With it, results depend on the speed of the machine.
    pub time: Option<Duration>,
}

impl Job {
    /// The usual job for a plan: from the initial position, with seed 1.
    pub fn new(target: Target, plan: Plan) -> Job {
        let root = Chess::default();
        Job {
            max_plies: default_max_plies(&target, Situation::root(&root), plan.is_faithful()),
            root,
            first_ply: 0,
            before: None,
            target,
            budget: Budget::of(&plan, None, None),
            opening_plies: BestFirstParameters::OPENING,
            endings: None,
            judge: JudgeOptions::default(),
            seed: 1,
            description: plan.method().word().to_owned(),
            notes: Vec::new(),
            unused: None,
            plan,
        }
    }

    /// The game that proof games continue from the root.
    pub(crate) fn game(&self) -> Game {
        let game = match &self.before {
            Some(before) => Game::continuing(Arc::clone(before)),
            None => Game::starting_at(self.first_ply, self.root.clone()),
        };
        game.noting(&self.target.constraint)
    }

    /// The method.
    pub fn method(&self) -> Method {
        self.plan.method()
    }
}

impl Budget {
    /// The usual maximum number of games for a position. The published algorithm has 1.
    pub const ATTEMPTS: u32 = 20;

    /// The maximum number of best-first searches for a position. They search about nine million positions.
    pub const SEARCHES: u32 = 127;

    /// The usual number of attempts with these limits. The thesis never retried. Best-first search, whose attempts
    /// grow, continues until a given limit is reached.
    pub fn of(plan: &Plan, nodes: Option<u64>, time: Option<Duration>) -> Budget {
        let attempts = match plan {
            Plan::Negamax(plan) if plan.search.faithful => 1,
            Plan::BestFirst if nodes.is_some() || time.is_some() => u32::MAX,
            Plan::BestFirst => Budget::SEARCHES,
            _ => Budget::ATTEMPTS,
        };
        Budget { attempts, nodes, time }
    }
}
