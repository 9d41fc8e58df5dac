//! What a row says of a setting beside its names and values.

use super::choices::Method;

/// Which of the settings hold the value of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// [`GenerationSettings`](super::GenerationSettings), some of which play reads too.
    Generation,
    /// [`PlaySettings`](super::PlaySettings).
    Play,
    /// [`SessionSettings`](super::SessionSettings).
    Session,
}

/// Where a flag stands in the help of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Prominence {
    /// At this place among the first, also in the short help.
    First(usize),
    /// With its group, also in the short help.
    Short,
    /// With its group, in the long help alone.
    Long,
}

/// Where a setting can be set beside UCI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Spelling {
    /// On the command line of `entente generate`, and for an entrant of a tournament.
    FlagAndKey,
    /// On the command line; a plan has it for all entrants.
    Flag,
    /// Nowhere: UCI alone.
    None,
}

/// An option of UCI.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct UciForm {
    /// Its name; case does not matter. No name may contain the word "value", which ends names.
    pub name: &'static str,
    /// Numbers are so many times as large there, where they are whole: 100 makes a percentage.
    pub factor: f32,
    /// The number there that leaves the setting to the program.
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

/// What a setting belongs to; in the order of help and documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Group {
    /// What is asked for, and how much of it.
    Run,
    /// Who plays.
    Players,
    /// How moves are chosen.
    Method,
    /// Fine tuning of games as people play them.
    Tuning,
    /// Cooperative negamax, and the thesis's algorithm.
    Negamax,
    /// Random playouts.
    Rollout,
    /// Strength and manners in play.
    Play,
}

impl Group {
    /// All groups in their order.
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
            Group::Tuning => "Tuning games as people play them (methods goal-policy and puct)",
            Group::Negamax => "Cooperative negamax (method negamax)",
            Group::Rollout => "Random playouts (method rollout)",
            Group::Play => "Play",
        }
    }
}
