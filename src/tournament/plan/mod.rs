//! What a tournament is: who generates for what, and how often.

mod entrant;
mod place;
mod published;
mod read;
mod text;

use serde::{Deserialize, Serialize};

pub use entrant::Entrant;
pub use place::PlanError;
pub use published::Published;

use crate::constraint::{Constraint, thesis};

/// Who generates for what, and how often; with nothing left out, so that it alone decides every game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// What the tournament is called.
    pub name: String,
    /// With the names of entrant and constraint it gives the seed of their games.
    pub seed: u64,
    /// Games for every entrant and constraint.
    pub games: u64,
    /// The longest proof game, in plies.
    pub max_plies: u32,
    /// The FEN of the position that games start from.
    pub root: String,
    /// Who generates.
    pub entrants: Vec<Entrant>,
    /// What for, as text.
    pub constraints: Vec<String>,
    /// Figures to print beside ours, if any.
    pub published: Vec<Published>,
}

impl Plan {
    /// The most games of a tournament.
    pub const MOST_GAMES: u64 = 1_000_000_000;

    /// Pairs of an entrant and a constraint.
    pub fn pairings(&self) -> u64 {
        self.entrants.len() as u64 * self.constraints.len() as u64
    }

    /// The figures published for a constraint.
    pub fn published(&self, constraint: &str) -> Option<&Published> {
        self.published.iter().find(|published| published.constraint == constraint)
    }

    /// What sets it apart from `other`, the first thing of several; `None` if nothing does.
    pub fn difference(&self, other: &Plan) -> Option<String> {
        fn differ<T: PartialEq + std::fmt::Debug>(what: &str, ours: &T, theirs: &T) -> Option<String> {
            (ours != theirs).then(|| format!("{what}: {ours:?} and {theirs:?}"))
        }
        let entrants = || {
            let mut pairs = self.entrants.iter().zip(&other.entrants);
            pairs.find_map(|(ours, theirs)| differ("an entrant", ours, theirs))
        };
        let constraints = || {
            let mut pairs = self.constraints.iter().zip(&other.constraints);
            pairs.find_map(|(ours, theirs)| differ("a constraint", ours, theirs))
        };
        differ("name", &self.name, &other.name)
            .or_else(|| differ("seed", &self.seed, &other.seed))
            .or_else(|| differ("games", &self.games, &other.games))
            .or_else(|| differ("max-plies", &self.max_plies, &other.max_plies))
            .or_else(|| differ("from", &self.root, &other.root))
            .or_else(|| differ("entrants", &self.entrants.len(), &other.entrants.len()))
            .or_else(entrants)
            .or_else(|| differ("constraints", &self.constraints.len(), &other.constraints.len()))
            .or_else(constraints)
            .or_else(|| (self.published != other.published).then(|| "the published figures".to_owned()))
    }
}

/// Sets of constraints that have a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constraints {
    /// The thesis's first experiment.
    Seven,
    /// Its second.
    Seventeen,
    /// All exact counts of White that need no promotion.
    All,
}

impl Constraints {
    /// The sets, by the names that plans use.
    pub const NAMED: [(&str, Constraints); 3] = [
        ("thesis-7", Constraints::Seven),
        ("thesis-17", Constraints::Seventeen),
        ("all-486", Constraints::All),
    ];

    /// The set of that name.
    pub fn named(name: &str) -> Option<Constraints> {
        Constraints::NAMED.into_iter().find(|(known, _)| *known == name).map(|(_, set)| set)
    }

    /// Its constraints.
    pub fn all(self) -> Vec<Constraint> {
        let counts = match self {
            Constraints::Seven => thesis::seven().to_vec(),
            Constraints::Seventeen => thesis::SEVENTEEN.to_vec(),
            Constraints::All => thesis::all(),
        };
        counts.into_iter().map(thesis::constraint).collect()
    }
}
