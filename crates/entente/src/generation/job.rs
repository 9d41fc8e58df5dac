use std::time::Duration;

use entente_constraint::{Situation, Target};
use entente_search::BestFirstParameters;
use shakmaty::Chess;

use super::{Plan, RequestError, usual_max_plies};
use crate::{
    judge::JudgeOptions,
    settings::{Choice as _, Method},
};

/// Everything that decides how positions are generated: nothing is left open, and nothing stands here twice.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Job {
    /// The position that proof games start from.
    pub root: Chess,
    /// Plies that the game had before it, for conditions on the length of the game.
    pub first_ply: u32,
    /// What the last position must satisfy.
    pub target: Target,
    /// How moves are chosen.
    pub plan: Plan,
    /// The longest game, in plies from the root.
    pub max_plies: u32,
    /// What one position may cost.
    pub budget: Budget,
    /// Random plies before a plan of best-first search, at most: they make the games different.
    pub opening_plies: u32,
    /// What judges the conditions that the rules of chess do not decide.
    pub judge: JudgeOptions,
    /// With the same seed come the same positions.
    pub seed: u64,
    /// The method in results, with everything that decides them: its network and the settings that were changed.
    pub description: String,
    /// What a user should know of the request.
    pub notes: Vec<String>,
    /// The settings of the request that the method does not use, as an error; `None` if it uses all of them.
    pub unused: Option<RequestError>,
}

/// What one position may cost; the first limit reached ends it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Games begun, or searches of the root, before giving up, at least 1.
    pub attempts: u32,
    /// Positions searched and evaluated, over all attempts.
    pub nodes: Option<u64>,
    /// Time, over all attempts. Results then depend on the machine's speed.
    pub time: Option<Duration>,
}

impl Job {
    /// The usual job for a plan: from the initial position, with seed 1.
    pub fn new(target: Target, plan: Plan) -> Job {
        let root = Chess::default();
        Job {
            max_plies: usual_max_plies(&target, Situation::root(&root), plan.is_faithful()),
            root,
            first_ply: 0,
            target,
            budget: Budget::of(&plan, None, None),
            opening_plies: BestFirstParameters::OPENING,
            judge: JudgeOptions::default(),
            seed: 1,
            description: plan.method().word().to_owned(),
            notes: Vec::new(),
            unused: None,
            plan,
        }
    }

    /// The method.
    pub fn method(&self) -> Method {
        self.plan.method()
    }
}

impl Budget {
    /// Games begun for a position, at most, unless the search is as published.
    pub const ATTEMPTS: u32 = 20;

    /// Best-first searches for a position, at most: some nine million positions.
    pub const SEARCHES: u32 = 127;

    /// The usual number of attempts with these limits. The thesis never retried; best-first search, whose attempts grow,
    /// goes on as long as a limit that is given allows.
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
