//! The judge decides conditions that the rules of chess do not decide, such as `eval=-30..30` or `only`.
//!
//! A constraint and a position go in; whether the constraint holds comes out. A [`Judge`] searches only as much as it
//! needs. While games are played, [`Judge::seems`] makes a short search. At the end, [`Judge::rules`] searches a fixed
//! number of nodes and asks a UCI engine, too, if there is one. The answer depends only on the position, so results are
//! reproducible.
//!
//! A [`Referee`] is a search that finds the best moves; `judged_position` decides conditions from its lines. To add
//! a judged condition, add it to [`Judged`] and decide it there.

mod bounds;
pub mod endings;
pub mod engine;
mod judged_position;
mod promise;
mod puzzle;

use std::path::Path;

use shakmaty::{Chess, EnPassantMode, Move, Position as _, zobrist::Zobrist64};

pub use self::engine::{EngineError, EngineSettings, UciEngine};
use self::{
    judged_position::{JudgedPosition, Margin, gap, lead},
    puzzle::PuzzleJudge,
};
use entente_constraint::{Constraint, GameResult, Judged, Situation, seen_by};
use entente_endings::{Endings, Wdl};
use entente_search::{Limits, Score};

use crate::{difficulty::PuzzleRating, play::FixedSearch, solution::Referee};

/// The nodes of a search while games are played, and the memory of its table in mebibytes.
const GLANCE: (u64, usize) = (4_000, 1);
/// The nodes of a search that decides whether a glance is worthwhile.
const PEEK: u64 = 400;
/// The decisive searches have this many times as many nodes as the look before them.
const LOOK: u64 = 8;
/// The searches that confirm an evaluation or a single good move have this many times as many nodes as the decisive ones.
const DEEPER: u64 = 4;
/// If the static evaluation misses its bounds by more than this, in centipawns, the position is not searched.
const HOPELESS: u32 = 250;
/// Mates in three or more are not looked for if the side to move is behind by more than this, in centipawns.
const BEHIND: i32 = -200;
/// Themes are looked for if the men are at most this number of moves away, plus the moves that the solution must have after
/// its first one,
const NEAR: u32 = 1;
/// and in one of this number of other positions, because long solutions begin farther away.
const FAR: u64 = 64;
/// The maximum number of positions searched for a mate while games are played.
const MATE_GLANCE: u64 = 50_000;

/// The margins for our own search, because other engines may disagree with it.
const OWN_MARGIN: Margin = Margin { only: 80, quiet: 25, best: 50, eval: 25, ..Margin::NONE };

/// If a very short search finds less than this for the side to move, in centipawns, it is not likely to win.
const AHEAD: i32 = 50;
/// The same for a draw: if the score is further from 0.
const FAR_FROM_BALANCE: i32 = 250;
/// If the best move is better than the second by less than this in a very short search, in centipawns, it is not likely
/// to be the only one that wins. Of the positions that this search finds to be [`AHEAD`], 93% of real puzzles pass, and 28%
/// of the others.
const SINGLED_OUT: i32 = 90;

/// The result of a position for the side to move, if tables know it.
fn known_result(endings: &Endings, position: &Chess) -> Option<GameResult> {
    endings.probe(position).map(|known| match known {
        Wdl::Win => GameResult::Win,
        Wdl::Draw => GameResult::Draw,
        Wdl::Loss => GameResult::Loss,
    })
}

/// A result as the side to move sees it; it is White's unless `by_mover`.
fn seen_by_mover(by_mover: bool, result: GameResult, position: &Chess) -> GameResult {
    if by_mover || position.turn().is_white() { result } else { result.reversed() }
}

/// True for one of `number` positions. Nothing but the position decides.
fn is_one_of(number: u64, position: &Chess) -> bool {
    let Zobrist64(key) = position.zobrist_hash(EnPassantMode::Legal);
    key.is_multiple_of(number)
}

/// The move that led to a position, if it is known.
fn last_move(situation: Situation<'_>) -> Option<Move> {
    situation.past.moves().last()
}

/// Whether a constraint holds in a position after a number of plies.
struct Ruling {
    constraint: Constraint,
    position: Chess,
    ply: u32,
    /// What the constraint asks of the game: its moves, the last one, or nothing.
    moves: Vec<Move>,
    holds: bool,
    /// The evaluation for White, in centipawns.
    white: Option<i32>,
    /// The rating as a puzzle.
    puzzle: Option<PuzzleRating>,
}

/// How positions are judged.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct JudgeOptions {
    /// The program of a UCI engine with the final say; `None` for our own search alone.
    pub engine: Option<String>,
    /// The nodes of each decisive search, both our own and the engine's.
    pub nodes: u64,
}

impl JudgeOptions {
    /// The default number of nodes.
    pub const NODES: u64 = 200_000;
}

impl Default for JudgeOptions {
    fn default() -> JudgeOptions {
        JudgeOptions { engine: None, nodes: JudgeOptions::NODES }
    }
}

/// Judges whether positions satisfy a constraint and its parts.
pub struct Judge {
    constraint: Constraint,
    glance: FixedSearch,
    /// A search that decides whether a glance at a position is worthwhile, for themes and for `hold`.
    peek: FixedSearch,
    /// A search of a part of the nodes, before the decisive one, for conditions on solutions: these search move after
    /// move.
    look: Option<FixedSearch>,
    own: FixedSearch,
    /// A longer search that confirms evaluations and single good moves, if no engine does.
    deeper: Option<FixedSearch>,
    /// The decisive search without tables of endings, for quiet positions; `None` if none are asked for or there are no
    /// tables.
    without_tables: Option<FixedSearch>,
    engine: Option<UciEngine>,
    /// Rates puzzles, if the constraint has conditions on their ratings.
    puzzles: Option<PuzzleJudge>,
    /// Tables of endings, if there are any.
    endings: Option<Endings>,
    /// The last ruling: players ask first, and the check of their games asks again.
    last: Option<Ruling>,
}

impl Judge {
    /// A judge for `constraint`, with tables of endings if there are any; `None` if it has no judged conditions.
    ///
    /// # Errors
    /// If the engine cannot be started, or does not speak UCI; if the network cannot be loaded that rates puzzles.
    pub fn new(
        constraint: &Constraint,
        options: &JudgeOptions,
        endings: Option<&Endings>,
    ) -> Result<Option<Judge>, EngineError> {
        if !constraint.is_judged() {
            return Ok(None);
        }
        let (nodes, mebibytes) = GLANCE;
        let looks = constraint.needs(Judged::is_about_solutions) && options.nodes / LOOK > nodes;
        let confirms = options.engine.is_none()
            && constraint.has_judged(|judged| {
                matches!(judged, Judged::Eval { .. } | Judged::Only) || judged.is_about_solutions()
            });
        let looks_for_quiet =
            constraint.has_judged(|judged| matches!(judged, Judged::Quiet | Judged::Convert));
        let start =
            |path: &String| UciEngine::start(Path::new(path), EngineSettings::new("judge", options.nodes));
        let has_ratings = constraint.has_judged(|judged| matches!(judged, Judged::Puzzle(_)));
        let search = |nodes, mebibytes| FixedSearch::new(nodes, mebibytes).with_endings(endings);
        Ok(Some(Judge {
            constraint: constraint.clone(),
            glance: search(nodes, mebibytes),
            peek: search(PEEK, mebibytes),
            look: looks.then(|| search(options.nodes / LOOK, mebibytes)),
            own: search(options.nodes, FixedSearch::MEBIBYTES),
            deeper: confirms
                .then(|| search(options.nodes.saturating_mul(DEEPER), 2 * FixedSearch::MEBIBYTES)),
            without_tables: (endings.is_some() && looks_for_quiet)
                .then(|| FixedSearch::new(options.nodes, FixedSearch::MEBIBYTES)),
            engine: options.engine.as_ref().map(start).transpose()?,
            puzzles: has_ratings.then(PuzzleJudge::new).transpose()?,
            endings: endings.cloned(),
            last: None,
        }))
    }

    /// True if the constraint seems to hold according to a short search, so that [`Judge::rules`] is worthwhile. It
    /// does not search if the constraint is very unlikely to hold.
    pub fn seems(&mut self, constraint: &Constraint, situation: Situation<'_>, limits: Limits<'_>) -> bool {
        if constraint.certainly_holds(situation) {
            return true;
        }
        if !constraint.holds(situation) || !self.is_hopeful(constraint, situation.position) {
            return false;
        }
        // The short search needs no margin, because the long one follows.
        let margin = Margin { mate_nodes: MATE_GLANCE, ..Margin::NONE };
        let mut judged = JudgedPosition::new(
            &mut self.glance,
            margin,
            last_move(situation),
            limits.alone(),
            self.endings.as_ref(),
        );
        // A rating cannot be told from a short search. If only that search decided, most games would end in the first
        // puzzle, whatever its rating.
        (judged.puzzles, judged.is_preliminary) = (self.puzzles.as_mut(), true);
        let Ok(seems) = constraint.holds_by(situation, &mut judged);
        seems
    }

    /// True if the constraint holds; false if `limits` end the search before that is known. Its nodes do not count
    /// toward their node limit.
    ///
    /// # Errors
    /// If the engine does not answer, unless it was stopped; if the network cannot be run that rates puzzles.
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
        let Situation { position, ply, past } = situation;
        let has_themes = constraint.has_judged(|judged| matches!(judged, Judged::Theme(_)));
        let moves: Vec<Move> = match constraint.is_of_the_game() {
            true => past.moves().collect(),
            // A theme may depend on the last move.
            false => last_move(situation).into_iter().filter(|_| has_themes).collect(),
        };
        let is_same = |last: &&Ruling| {
            (&last.constraint, &last.position, last.ply, &last.moves) == (constraint, position, ply, &moves)
        };
        if let Some(last) = self.last.as_ref().filter(is_same) {
            return Ok(last.holds);
        }
        let ruling = self.ruling(constraint, situation, limits);
        if limits.forbid(0, 0) {
            return Ok(false);
        }
        let (holds, mover) = ruling?;
        let white = mover.map(|mover| seen_by(mover, position.turn()));
        let puzzle = self.puzzles.as_ref().and_then(|puzzles| puzzles.known(position));
        let (constraint, position) = (constraint.clone(), position.clone());
        self.last = Some(Ruling { constraint, position, ply, moves, holds, white, puzzle });
        Ok(holds)
    }

    /// White's evaluation of the position that was ruled on last, in centipawns, if the constraint needed it; from the
    /// engine, if there is one.
    pub fn centipawns(&self) -> Option<i32> {
        self.last.as_ref().and_then(|last| last.white)
    }

    /// The predicted rating of the position that was ruled on last, if the constraint needed it and the position is a
    /// puzzle.
    pub fn puzzle(&self) -> Option<PuzzleRating> {
        self.last.as_ref().and_then(|last| last.puzzle)
    }

    /// Whether the constraint holds, and the evaluation for the side to move, if the constraint needed it.
    fn ruling(
        &mut self,
        constraint: &Constraint,
        situation: Situation<'_>,
        limits: Limits<'_>,
    ) -> Result<(bool, Option<i32>), EngineError> {
        let position = situation.position;
        if let Some(look) = &mut self.look {
            let mut judged =
                JudgedPosition::new(look, OWN_MARGIN, last_move(situation), limits, self.endings.as_ref());
            (judged.puzzles, judged.is_preliminary) = (self.puzzles.as_mut(), true);
            let Ok(holds) = constraint.holds_by(situation, &mut judged);
            if !holds {
                return Ok((false, None));
            }
        }
        let mut judged = JudgedPosition::new(
            &mut self.own,
            OWN_MARGIN,
            last_move(situation),
            limits,
            self.endings.as_ref(),
        );
        (judged.puzzles, judged.deeper) = (self.puzzles.as_mut(), self.deeper.as_mut());
        judged.without_tables = self.without_tables.as_mut();
        let Ok(holds) = constraint.holds_by(situation, &mut judged);
        let score = judged.score(position);
        if let Some(failure) = self.puzzles.as_mut().and_then(PuzzleJudge::failure) {
            return Err(failure.into());
        }
        match &mut self.engine {
            Some(engine) if holds => {
                // The final say needs no margin.
                let mut judged = JudgedPosition::new(
                    engine,
                    Margin::NONE,
                    last_move(situation),
                    limits,
                    self.endings.as_ref(),
                );
                judged.puzzles = self.puzzles.as_mut();
                let holds = constraint.holds_by(situation, &mut judged)?;
                Ok((holds, judged.score(position).or(score)))
            }
            _ => Ok((holds, score)),
        }
    }

    /// ln of the estimated probability that the judged conditions will hold after `plies` more plies. It is a rule of
    /// thumb.
    pub fn promise(&mut self, position: &Chess, plies: u32) -> f64 {
        let white = seen_by(self.glance.standing(position), position.turn());
        promise::promise(&self.constraint, position, white, plies)
    }

    /// For each move, what it adds to [`Judge::promise`] because it brings the men nearer to the themes or moves, or makes
    /// one side ahead where that is demanded; `None` if no move changes that.
    pub fn gains(&self, position: &Chess, moves: &[Move]) -> Option<Vec<f32>> {
        promise::gains(&self.constraint, position, moves)
    }

    /// False if the conditions are very unlikely to hold. Then no search is made.
    fn is_hopeful(&mut self, constraint: &Constraint, position: &Chess) -> bool {
        let mover = self.glance.standing(position);
        let white = seen_by(mover, position.turn());
        let mut is_hopeful = |judged: Judged| match judged {
            Judged::Mate(moves) => moves <= 2 || mover >= BEHIND,
            Judged::Eval { .. } => promise::off(judged, position, white) <= HOPELESS,
            Judged::Quiet => !position.is_check(),
            Judged::Wdl { by_mover, result } => self
                .endings
                .as_ref()
                .and_then(|endings| known_result(endings, position))
                .is_none_or(|known| known == seen_by_mover(by_mover, result, position)),
            Judged::Hold => lead(position) < 0,
            Judged::Convert => lead(position) > 0,
            Judged::Theme(theme) => {
                (!theme.is_mate() || mover >= BEHIND)
                    && (theme
                        .remoteness(position.board(), position.turn())
                        .is_some_and(|moves| moves <= NEAR + promise::later_moves(constraint))
                        || is_one_of(FAR, position))
            }
            Judged::Best(kind) | Judged::Bad(kind) => {
                position.legal_moves().iter().any(|m| judged_position::is_of_kind(kind, position, *m))
            }
            Judged::Only | Judged::Moves(_) | Judged::Puzzle(_) => true,
        };
        if !constraint.may_hold(&mut is_hopeful) {
            return false;
        }
        let mut peeked = None;
        constraint.may_hold(&mut |judged| match judged {
            Judged::Theme(theme) if !theme.saves() => theme.may_begin(position).unwrap_or_else(|| {
                let (best, gap) = *peeked.get_or_insert_with(|| self.peeked(position));
                // A mate is often farther away than a very short search sees.
                best >= AHEAD && (gap >= SINGLED_OUT || theme.is_mate())
            }),
            Judged::Theme(_) | Judged::Hold => {
                peeked.get_or_insert_with(|| self.peeked(position)).0.abs() <= FAR_FROM_BALANCE
            }
            Judged::Only | Judged::Moves(_) => {
                peeked.get_or_insert_with(|| self.peeked(position)).1 >= SINGLED_OUT
            }
            _ => true,
        })
    }

    /// The score for the side to move according to a very short search, and how much better it is than that of the
    /// second-best move, in centipawns: 0 for a single legal move, which is no choice, and the maximum for a mate.
    fn peeked(&mut self, position: &Chess) -> (i32, i32) {
        let moves = position.legal_moves();
        let Ok(lines) = Referee::lines(&mut self.peek, position, &moves, 2, None, Limits::none());
        match lines.as_slice() {
            [best, second, ..] if matches!(best.score, Score::Centipawns(_)) => {
                (bounds::centipawns(best.score), gap(best, second))
            }
            [mates, _, ..] => (bounds::centipawns(mates.score), i32::MAX),
            lines => (lines.first().map_or(0, |line| bounds::centipawns(line.score)), 0),
        }
    }
}
