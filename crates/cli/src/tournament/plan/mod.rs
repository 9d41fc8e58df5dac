//! The plan of a tournament: entrants, constraints, and the number of games.

mod entrant;
mod name;
mod published;

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use shakmaty::Chess;

pub use entrant::Entrant;
pub(super) use name::checked_name;
pub use published::Published;

use entente::{
    generation::default_max_plies,
    records::fen,
    settings::{Setting, Value},
};
use entente_constraint::{Constraint, Situation, Target, counted, thesis};
use entente_search::position_from_fen;

/// The plan of a tournament or a data set. It is complete, so that it alone determines every game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The name of the tournament.
    pub name: String,
    /// The seed of the plan. The seed of a pairing's games also depends on the names of its entrant and constraint.
    pub seed: u64,
    /// The number of games for every entrant and constraint.
    pub games: u64,
    /// The maximum length of a proof game, in plies; `None`: the default for each constraint.
    pub max_plies: Option<u32>,
    /// The FEN of the position that games start from.
    pub root: String,
    /// The entrants.
    pub entrants: Vec<Entrant>,
    /// The constraints, as text.
    pub constraints: Vec<String>,
    /// Published results to print next to ours, if any.
    pub published: Vec<Published>,
    /// True for a data set: positions that were not found, and duplicates, are replaced.
    #[serde(default, skip_serializing_if = "is_false")]
    pub distinct: bool,
}

fn is_false(distinct: &bool) -> bool {
    !distinct
}

impl Plan {
    /// The maximum number of games of a tournament.
    pub const MAX_GAMES: u64 = 100_000_000;
    /// The maximum number of pairs of an entrant and a constraint.
    pub const MAX_PAIRINGS: u64 = 100_000;

    /// The maximum number of games for each position of a data set.
    pub const TRIES: u64 = 20;

    /// The maximum number of games for every entrant and constraint.
    pub fn max_games(&self) -> u64 {
        if self.distinct { self.games.saturating_mul(Plan::TRIES) } else { self.games }
    }

    /// The maximum length of a proof game for `target` from `root`, in plies.
    pub(super) fn longest(&self, target: &Target, root: &Chess) -> u32 {
        self.max_plies.unwrap_or_else(|| default_max_plies(target, Situation::root(root), false))
    }

    /// The number of pairs of an entrant and a constraint.
    pub fn pairings(&self) -> u64 {
        (self.entrants.len() as u64).saturating_mul(self.constraints.len() as u64)
    }

    /// The entrant and the constraint of a pairing, by its place among all pairings.
    pub fn pairing(&self, place: u64) -> (&Entrant, &str) {
        let width = self.constraints.len() as u64;
        (&self.entrants[(place / width) as usize], &self.constraints[(place % width) as usize])
    }

    /// The published results for a constraint.
    pub fn published(&self, constraint: &str) -> Option<&Published> {
        self.published.iter().find(|published| published.constraint == constraint)
    }

    /// Checks a plan that was read from a manifest: it must be valid in TOML, too.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn check(&self) -> Result<(), String> {
        checked_name(&self.name)?;
        let mut names = HashSet::new();
        for entrant in &self.entrants {
            checked_name(&entrant.name)?;
            if !names.insert(&entrant.name) {
                return Err(format!("entrant \"{}\" occurs twice", entrant.name));
            }
        }
        let mut constraints = HashSet::new();
        for text in &self.constraints {
            let constraint: Constraint =
                text.parse().map_err(|error| format!("constraint {text:?}: {error}"))?;
            Target::new(constraint.clone()).map_err(|error| format!("constraint {text:?}: {error}"))?;
            if constraint.to_string() != *text || !constraints.insert(text) {
                return Err(format!("constraint {text:?}: not in normal form, or occurs twice"));
            }
        }
        let root = position_from_fen(&self.root).map_err(|error| format!("root {:?}: {error}", self.root))?;
        let are_plies_wrong = self
            .max_plies
            .is_some_and(|plies| Setting::MaxPlies.check(&Value::Integer(plies.into())).is_err());
        if fen(&root).to_string() != self.root || are_plies_wrong {
            return Err(format!("root {:?} or max-plies {:?}", self.root, self.max_plies));
        }
        let games = self.pairings().saturating_mul(self.games);
        if self.pairings() > Plan::MAX_PAIRINGS || !(1..=Plan::MAX_GAMES).contains(&games) {
            return Err(format!(
                "{} for {}",
                counted(games, "game", "games"),
                counted(self.pairings(), "pairing", "pairings")
            ));
        }
        self.published.iter().try_for_each(Published::check)
    }

    /// The first difference to `other`, in words; `None` if they are equal.
    pub fn difference(&self, other: &Plan) -> Option<String> {
        let (games, entrant) = if self.distinct { ("positions", "rating") } else { ("games", "entrant") };
        let fields = |plan: &Plan| {
            let mut fields = vec![
                ("name".to_owned(), plan.name.clone()),
                ("seed".to_owned(), plan.seed.to_string()),
                (games.to_owned(), plan.games.to_string()),
                (
                    "max-plies".to_owned(),
                    plan.max_plies.map_or("default".to_owned(), |plies| plies.to_string()),
                ),
                ("from".to_owned(), plan.root.clone()),
            ];
            for (number, one) in (1..).zip(&plan.entrants) {
                fields.extend(one.fields(entrant, number));
            }
            let constraints = (1..).zip(&plan.constraints);
            fields.extend(constraints.map(|(number, text)| (format!("constraint {number}"), text.clone())));
            fields
        };
        let (ours, theirs) = (fields(self), fields(other));
        let differ = ours.iter().zip(&theirs).find(|(ours, theirs)| ours != theirs);
        match differ {
            Some(((name, ours), (their_name, theirs))) if name == their_name => {
                Some(format!("{name}: {ours} and {theirs}"))
            }
            Some(((name, _), (their_name, _))) => Some(format!("{name} and {their_name}")),
            None if ours.len() != theirs.len() => Some("the number of constraints".to_owned()),
            None => (self.published != other.published).then(|| "the published results".to_owned()),
        }
    }
}

/// Named sets of constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constraints {
    /// The constraints of the thesis's experiment 1.
    Seven,
    /// The constraints of the thesis's experiment 2.
    Seventeen,
    /// All exact counts of White's men that need no promotion.
    All,
}

impl Constraints {
    /// The sets, with their names in plans.
    pub const NAMED: [(&str, Constraints); 3] = [
        ("thesis-7", Constraints::Seven),
        ("thesis-17", Constraints::Seventeen),
        ("all-486", Constraints::All),
    ];

    /// The set with a name.
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
