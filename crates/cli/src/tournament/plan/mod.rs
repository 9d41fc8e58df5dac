//! What a tournament is: who generates for what, and how often.

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
    generation::{fen, usual_max_plies},
    settings::{Setting, Value},
};
use entente_constraint::{Constraint, Situation, Target, thesis};
use entente_search::position_from_fen;

/// Who generates for what, and how often; with nothing left out, so that it alone decides every game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// What the tournament is called.
    pub name: String,
    /// With the names of entrant and constraint it gives the seed of their games.
    pub seed: u64,
    /// Games for every entrant and constraint.
    pub games: u64,
    /// The longest proof game, in plies; `None`: what suits each constraint.
    pub max_plies: Option<u32>,
    /// The FEN of the position that games start from.
    pub root: String,
    /// Who generates.
    pub entrants: Vec<Entrant>,
    /// What for, as text.
    pub constraints: Vec<String>,
    /// Figures to print beside ours, if any.
    pub published: Vec<Published>,
    /// True for a data set: positions that were not found, or are equal to others, have others in their place.
    #[serde(default, skip_serializing_if = "is_false")]
    pub distinct: bool,
}

fn is_false(distinct: &bool) -> bool {
    !distinct
}

impl Plan {
    /// The most games of a tournament.
    pub const MOST_GAMES: u64 = 100_000_000;
    /// The most pairs of an entrant and a constraint.
    pub const MOST_PAIRINGS: u64 = 100_000;

    /// In a data set, the most games for each one wanted.
    pub const TRIES: u64 = 20;

    /// The most games for every entrant and constraint.
    pub fn most_games(&self) -> u64 {
        if self.distinct { self.games.saturating_mul(Plan::TRIES) } else { self.games }
    }

    /// The longest proof game for `target` from `root`, in plies.
    pub(super) fn longest(&self, target: &Target, root: &Chess) -> u32 {
        self.max_plies.unwrap_or_else(|| usual_max_plies(target, Situation::root(root), false))
    }

    /// Pairs of an entrant and a constraint.
    pub fn pairings(&self) -> u64 {
        (self.entrants.len() as u64).saturating_mul(self.constraints.len() as u64)
    }

    /// The entrant and the constraint of a pairing, by its place among all.
    pub fn pairing(&self, place: u64) -> (&Entrant, &str) {
        let width = self.constraints.len() as u64;
        (&self.entrants[(place / width) as usize], &self.constraints[(place % width) as usize])
    }

    /// The figures published for a constraint.
    pub fn published(&self, constraint: &str) -> Option<&Published> {
        self.published.iter().find(|published| published.constraint == constraint)
    }

    /// That it could have been read from TOML: a plan may come from elsewhere too.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn check(&self) -> Result<(), String> {
        checked_name(&self.name)?;
        let mut names = HashSet::new();
        for entrant in &self.entrants {
            checked_name(&entrant.name)?;
            if !names.insert(&entrant.name) {
                return Err(format!("entrant \"{}\" stands there twice", entrant.name));
            }
        }
        let mut constraints = HashSet::new();
        for text in &self.constraints {
            let constraint: Constraint =
                text.parse().map_err(|error| format!("constraint {text:?}: {error}"))?;
            Target::new(constraint.clone()).map_err(|error| format!("constraint {text:?}: {error}"))?;
            if constraint.to_string() != *text || !constraints.insert(text) {
                return Err(format!("constraint {text:?}: not as it would be written, or there twice"));
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
        if self.pairings() > Plan::MOST_PAIRINGS || !(1..=Plan::MOST_GAMES).contains(&games) {
            return Err(format!("{games} games for {} pairings", self.pairings()));
        }
        self.published.iter().try_for_each(Published::check)
    }

    /// What sets it apart from `other`, the first thing of several; `None` if nothing does.
    pub fn difference(&self, other: &Plan) -> Option<String> {
        let (games, entrant) = if self.distinct { ("positions", "rating") } else { ("games", "entrant") };
        let fields = |plan: &Plan| {
            let mut fields = vec![
                ("name".to_owned(), plan.name.clone()),
                ("seed".to_owned(), plan.seed.to_string()),
                (games.to_owned(), plan.games.to_string()),
                (
                    "max-plies".to_owned(),
                    plan.max_plies.map_or("the usual".to_owned(), |plies| plies.to_string()),
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
            None => (self.published != other.published).then(|| "the published figures".to_owned()),
        }
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
