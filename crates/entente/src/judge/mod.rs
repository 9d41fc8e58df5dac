//! The judge: whether conditions hold that the rules of chess do not decide, such as `eval=-30..30` or `only`.
//!
//! In come a constraint and a position; out comes whether the constraint holds there. A [`Judge`] looks at a position as closely as
//! it matters: while games are played [`Judge::seems`] searches little, and at last [`Judge::rules`] searches a fixed number
//! of nodes, and asks a UCI engine too if there is one. What it says depends on the position alone, so that results repeat.
//!
//! A [`Referee`] is a search that says which moves are best; `judged.rs` decides conditions by its lines. To add a judged
//! condition, add it to [`Judged`], and decide it in `judged.rs`.

pub mod engine;
mod judged_position;
mod promise;
mod referee;

use std::path::Path;

use shakmaty::{Chess, Position as _};

pub use self::engine::{EngineError, EngineSettings, UciEngine};
use self::judged_position::{JudgedPosition, Margin};
pub use self::referee::Referee;
use entente_constraint::{Constraint, Judged, Situation, seen_by};
use entente_search::Limits;

use crate::play::FixedSearch;

/// Nodes of a search while games are played, and the memory of its table in mebibytes.
const GLANCE: (u64, usize) = (4_000, 1);
/// Evaluations that are so far from what they must be, without any search, are not searched, in centipawns.
const HOPELESS: i32 = 250;
/// A side that mates in three or more is not behind by so much, as a rule, in centipawns: long mates are not looked for there.
const BEHIND: i32 = -200;
/// Positions that are looked at for a mate while games are played.
const MATE_GLANCE: u64 = 50_000;

/// By how much our own search, which other engines may correct, is to be surer than the words of the language.
const OWN_MARGIN: Margin = Margin { only: 80, quiet: 25, best: 50, eval: 25, ..Margin::NONE };

/// That a constraint holds in a position after so many plies, or does not.
struct Ruling {
    constraint: Constraint,
    position: Chess,
    ply: u32,
    holds: bool,
    /// What the position is worth to White, in centipawns.
    white: Option<i32>,
}

/// By what positions are judged.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct JudgeOptions {
    /// The program of a UCI engine that has the last word; `None` for our own search alone.
    pub engine: Option<String>,
    /// The nodes of each search that decides, our own and that of the engine.
    pub nodes: u64,
}

impl JudgeOptions {
    /// The usual nodes.
    pub const NODES: u64 = 200_000;
}

impl Default for JudgeOptions {
    fn default() -> JudgeOptions {
        JudgeOptions { engine: None, nodes: JudgeOptions::NODES }
    }
}

/// Judges positions by a constraint and its parts.
pub struct Judge {
    demands: Vec<Judged>,
    glance: FixedSearch,
    own: FixedSearch,
    engine: Option<UciEngine>,
    /// What was ruled last: players ask, and who checks them asks again.
    last: Option<Ruling>,
}

impl Judge {
    /// A judge of what `constraint` demands; `None` if nothing in it has to be judged.
    ///
    /// # Errors
    /// If the engine that the options name cannot be started, or does not speak UCI.
    pub fn new(constraint: &Constraint, options: &JudgeOptions) -> Result<Option<Judge>, EngineError> {
        if !constraint.is_judged() {
            return Ok(None);
        }
        let (nodes, mebibytes) = GLANCE;
        let start =
            |path: &String| UciEngine::start(Path::new(path), EngineSettings::new("judge", options.nodes));
        Ok(Some(Judge {
            demands: constraint.demands(),
            glance: FixedSearch::new(nodes, mebibytes),
            own: FixedSearch::new(options.nodes, FixedSearch::MEBIBYTES),
            engine: options.engine.as_ref().map(start).transpose()?,
            last: None,
        }))
    }

    /// True if the constraint seems to hold, by a short search: worth [`Judge::rules`]. What holds hardly ever it does not
    /// look for.
    pub fn seems(&mut self, constraint: &Constraint, situation: Situation<'_>, limits: Limits<'_>) -> bool {
        if constraint.certainly_holds(situation) {
            return true;
        }
        if !constraint.holds(situation) || !self.is_hopeful(situation.position) {
            return false;
        }
        // A short search need not be surer than the long one that follows.
        let margin = Margin { mate_nodes: MATE_GLANCE, ..Margin::NONE };
        let Ok(seems) = constraint
            .holds_by(situation, &mut JudgedPosition::new(&mut self.glance, margin, limits.alone()));
        seems
    }

    /// True if the constraint holds; false if `limits` end the search before that is known. Its nodes are no concern of theirs.
    ///
    /// # Errors
    /// If the engine does not answer, unless it was stopped.
    pub fn rules(
        &mut self,
        constraint: &Constraint,
        situation: Situation<'_>,
        limits: Limits<'_>,
    ) -> Result<bool, EngineError> {
        let limits = limits.alone();
        if constraint.certainly_holds(situation) || !constraint.holds(situation) {
            self.last = None;
            return Ok(constraint.certainly_holds(situation));
        }
        let Situation { position, ply } = situation;
        let is_same =
            |last: &&Ruling| (&last.constraint, &last.position, last.ply) == (constraint, position, ply);
        if let Some(last) = self.last.as_ref().filter(is_same) {
            return Ok(last.holds);
        }
        let ruling = self.ruling(constraint, situation, limits);
        if limits.forbid(0, 0) {
            return Ok(false);
        }
        let (holds, mover) = ruling?;
        let white = mover.map(|mover| seen_by(mover, position.turn()));
        let (constraint, position) = (constraint.clone(), position.clone());
        self.last = Some(Ruling { constraint, position, ply, holds, white });
        Ok(holds)
    }

    /// What the position ruled on last is worth to White, in centipawns, if that mattered: by the word of the engine, if there
    /// is one.
    pub fn centipawns(&self) -> Option<i32> {
        self.last.as_ref().and_then(|last| last.white)
    }

    /// Whether the constraint holds, and what the position is worth to the side to move, if that mattered.
    fn ruling(
        &mut self,
        constraint: &Constraint,
        situation: Situation<'_>,
        limits: Limits<'_>,
    ) -> Result<(bool, Option<i32>), EngineError> {
        let mut judged = JudgedPosition::new(&mut self.own, OWN_MARGIN, limits);
        let Ok(holds) = constraint.holds_by(situation, &mut judged);
        let score = judged.score();
        match &mut self.engine {
            Some(engine) if holds => {
                // The last word need not be surer than the words of the language.
                let mut judged = JudgedPosition::new(engine, Margin::NONE, limits);
                let holds = constraint.holds_by(situation, &mut judged)?;
                Ok((holds, judged.score().or(score)))
            }
            _ => Ok((holds, score)),
        }
    }

    /// ln of the chance that what is judged will hold after some `plies` more, by a rule of thumb.
    pub fn promise(&mut self, position: &Chess, plies: u32) -> f64 {
        let white = seen_by(self.glance.standing(position), position.turn());
        promise::promise(&self.demands, position, white, plies)
    }

    /// False where what is demanded holds hardly ever: searches are spared there.
    fn is_hopeful(&mut self, position: &Chess) -> bool {
        let mover = self.glance.standing(position);
        let white = seen_by(mover, position.turn());
        let is_hopeful = |judged: &Judged| match judged {
            Judged::Mate(moves) => *moves <= 2 || mover >= BEHIND,
            Judged::Eval { .. } => promise::off(*judged, position, white) <= HOPELESS,
            Judged::Quiet => !position.is_check(),
            Judged::Only | Judged::Best(_) => true,
        };
        self.demands.iter().all(is_hopeful)
    }
}
