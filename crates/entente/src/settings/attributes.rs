//! The attributes of a setting other than its names and values.

use super::choices::Method;

/// The struct that holds the value of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// [`GenerationSettings`](super::GenerationSettings). Play reads some of these, too.
    Generation,
    /// [`PlaySettings`](super::PlaySettings).
    Play,
    /// [`SessionSettings`](super::SessionSettings).
    Session,
}

/// Where a flag appears in the help of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Prominence {
    /// In the first group, at this place; also in the short help.
    First(usize),
    /// In its own group; also in the short help.
    Short,
    /// In its own group, and only in the long help.
    Long,
}

/// Where a setting can be set, apart from UCI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Spelling {
    /// On the command line of `entente generate`, and for each entrant of a tournament.
    FlagAndKey,
    /// On the command line. A plan sets it for all entrants.
    Flag,
    /// Only over UCI.
    None,
}

/// A UCI option.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct UciForm {
    /// Its name; case does not matter. It cannot contain the word "value", which ends the name in `setoption`.
    pub name: &'static str,
    /// UCI options are whole numbers. A UCI value is the setting times this factor: 100 for a percentage.
    pub factor: f32,
    /// The UCI value that leaves the setting to the program.
    pub unset: Option<i64>,
}

/// What uses a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scope {
    /// Generation by these methods.
    Methods(&'static [Method]),
    /// Generation, whatever the method.
    Generation,
    /// Play.
    Play,
    /// Play and generation.
    Both,
}

/// The group of a setting, in the order of help and documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Group {
    /// What is generated, and how much of it.
    Run,
    /// The players.
    Players,
    /// How moves are chosen.
    Method,
    /// Details of human-like games.
    Tuning,
    /// Cooperative negamax and the thesis's algorithm.
    Negamax,
    /// Random playouts.
    Rollout,
    /// Strength and other options of play.
    Play,
}

impl Group {
    /// All groups, in their order.
    pub const ALL: [Group; 7] = [
        Group::Run,
        Group::Players,
        Group::Method,
        Group::Tuning,
        Group::Negamax,
        Group::Rollout,
        Group::Play,
    ];

    /// Its heading.
    pub fn heading(self) -> &'static str {
        match self {
            Group::Run => "What to generate",
            Group::Players => "Who plays",
            Group::Method => "How moves are chosen",
            Group::Tuning => "Details of human-like games (methods goal-policy and puct)",
            Group::Negamax => "Cooperative negamax (method negamax)",
            Group::Rollout => "Random playouts (method rollout)",
            Group::Play => "Play",
        }
    }
}
