use std::time::Duration;

use entente_constraint::{Constraint, Situation, Target};
use entente_search::Effort;
use shakmaty::Chess;

use super::max_plies;
use crate::{
    adviser::Adviser,
    settings::{Choice as _, GenerationSettings, Method},
};

/// Everything that decides how positions are generated: nothing is left open.
#[derive(Clone, Debug)]
pub struct Job {
    /// The position that proof games start from.
    pub root: Chess,
    /// Plies that the game had before it, for conditions on the length of the game.
    pub first_ply: u32,
    /// What the last position must satisfy.
    pub target: Target,
    /// How moves are chosen.
    pub method: Method,
    /// How in particular.
    pub settings: GenerationSettings,
    /// The longest game, in plies from the root: what the settings say, or what suits target and root. Whoever changes these
    /// says it anew.
    pub max_plies: u32,
    /// The network, or what stands for one.
    pub adviser: Adviser,
    /// White's and Black's rating, the least and the most, where they are to count; drawn once a game.
    pub ratings: [Option<(u16, u16)>; 2],
    /// What one position may cost.
    pub budget: Budget,
    /// Random plies before a plan of best-first search, at most: they make the games different.
    pub opening_plies: u32,
    /// With the same seed come the same positions.
    pub seed: u64,
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

/// The ratings that the policy networks were trained on.
pub const KNOWN_RATINGS: (u16, u16) = (1000, 3200);

/// A rating as the networks are told it: the nearest that they know.
pub fn known_rating(rating: u16) -> u16 {
    rating.clamp(KNOWN_RATINGS.0, KNOWN_RATINGS.1)
}

impl Job {
    /// The usual job from the initial position without a network, with seed 1.
    pub fn new(target: Target, method: Method, settings: GenerationSettings) -> Job {
        let root = Chess::default();
        Job {
            max_plies: max_plies(&target, Situation::root(&root), &settings),
            root,
            first_ply: 0,
            target,
            method,
            budget: Budget::new(method, &settings),
            settings,
            adviser: Adviser::Men,
            ratings: [None; 2],
            opening_plies: Effort::OPENING,
            seed: 1,
        }
    }

    /// Plies of cooperative negamax: those that are set, or what suits the evaluator.
    pub fn depth(&self) -> u32 {
        self.settings.depth.unwrap_or(self.adviser.default_depth())
    }

    /// What a user should know of what is asked for.
    pub fn notes(&self) -> Vec<String> {
        let judge = self.settings.judge.is_some() && !self.target.is_judged();
        let judge = judge.then(|| {
            "the judge has no effect: the constraint says nothing of eval, quiet, mate, only or best"
                .to_owned()
        });
        self.settings.backend.note().into_iter().chain(self.note_of_ratings()).chain(judge).collect()
    }

    fn note_of_ratings(&self) -> Option<String> {
        if !self.method.has_policy() {
            return ratings_unheeded(&self.target.constraint);
        }
        let (least, most) = KNOWN_RATINGS;
        let outside = |&(low, high): &(u16, u16)| low < least || high > most;
        let found = self.ratings.iter().flatten().find(|range| outside(range));
        found.map(|(low, high)| {
            if low == high {
                let nearest = (*low).clamp(least, most);
                return format!("the policy knows ratings from {least} to {most}; {low} counts as {nearest}");
            }
            format!("the policy knows ratings from {least} to {most}; those of {low}..{high} outside count as the nearest")
        })
    }

    /// The method's name in results, with everything that decides them: its network and what was set.
    pub fn describe(&self) -> String {
        let mut words = vec![self.method.word().to_owned()];
        match self.method {
            Method::Negamax => words.push(format!("depth {} {}", self.depth(), self.adviser.name())),
            Method::GoalPolicy => {
                words.push(format!("{} {}", self.adviser.name(), self.settings.realism.word()))
            }
            Method::Puct => {
                let GenerationSettings { visits, priors, .. } = self.settings;
                words.push(format!("{} visits {visits} priors {}", self.adviser.name(), priors.word()));
            }
            Method::Rollout => words.push(self.adviser.name().to_owned()),
            Method::BestFirst => {}
        }
        for (row, value) in self.settings.changes() {
            if row.is_flag_alone() {
                words.push(row.name.to_owned());
            } else if !row.is_in_method_name {
                words.push(format!("{} {value}", row.name));
            }
        }
        words.join(" ")
    }
}

/// That ratings in the constraint have no effect, if there are any.
fn ratings_unheeded(constraint: &Constraint) -> Option<String> {
    constraint.has_ratings().then(|| {
        "only the methods goal-policy and puct choose moves by the players' ratings; elo has no effect"
            .to_owned()
    })
}

impl Budget {
    /// Games begun for a position, at most, unless the search is as published.
    pub const ATTEMPTS: u32 = 20;

    /// Best-first searches for a position, at most: some nine million positions.
    pub const SEARCHES: u32 = 127;

    /// The usual number of attempts and the limits that are set. The thesis never retried; best-first search, whose
    /// attempts grow, goes on as long as a limit that is given allows.
    pub fn new(method: Method, settings: &GenerationSettings) -> Budget {
        let (nodes, time) = (settings.nodes, settings.movetime.map(Duration::from_millis));
        let attempts = match method {
            Method::Negamax if settings.faithful => 1,
            Method::BestFirst if nodes.is_some() || time.is_some() => u32::MAX,
            Method::BestFirst => Budget::SEARCHES,
            _ => Budget::ATTEMPTS,
        };
        Budget { attempts, nodes, time }
    }
}
