//! How a referee's lines decide conditions.

use shakmaty::{Chess, Move, Position as _};

use super::Referee;
use crate::{
    constraint::{BestMove, Judged, Situation, Witness, child_of, seen_by},
    search::{MateSearch, Score, Variation, gives_up},
};

/// Positions that may be looked at to prove a mate.
const MATE_NODES: u64 = 4_000_000;
/// Beyond this score, in centipawns, a game counts as decided: what is worth more is worth no more to `only`.
const DECIDED: i32 = 600;
/// What the next best move must be worse by, in centipawns, for one move alone to keep the result.
pub(super) const ONLY: i32 = 150;
/// What captures, promotions and checks may gain in a quiet position, in centipawns.
pub(super) const QUIET: i32 = 30;
/// What a sacrifice gives up at least: more than a pawn.
const SACRIFICE: i32 = 150;

/// How far from the thresholds a judgement must be, in centipawns: who looks at less is to be surer, or less sure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Margin {
    /// What `only` demands beyond [`ONLY`].
    pub only: i32,
    /// What `quiet` allows less than [`QUIET`].
    pub quiet: i32,
}

impl Margin {
    /// As the language has it.
    pub const NONE: Margin = Margin { only: 0, quiet: 0 };
}

/// A position before a referee: a [`Witness`] of one position.
pub(super) struct Hearing<'a, R> {
    referee: &'a mut R,
    margin: Margin,
    /// The best lines, as many as were asked for.
    best: Vec<Variation>,
}

impl<R: Referee> Hearing<'_, R> {
    /// A position that this referee is asked about.
    pub fn new(referee: &mut R, margin: Margin) -> Hearing<'_, R> {
        Hearing { referee, margin, best: Vec::new() }
    }

    /// What the position is worth to the side to move, in centipawns, if that was asked for.
    pub fn score(&self) -> Option<i32> {
        self.best.first().map(|line| centipawns(line.score))
    }

    /// The `count` best of all moves.
    fn best(&mut self, position: &Chess, count: usize) -> Result<&[Variation], R::Error> {
        if self.best.len() < count {
            self.best = self.referee.lines(position, &position.legal_moves(), count)?;
        }
        Ok(&self.best)
    }

    fn is_quiet(&mut self, position: &Chess) -> Result<bool, R::Error> {
        let (sharp, calm): (Vec<Move>, Vec<Move>) =
            position.legal_moves().into_iter().partition(|m| is_sharp(position, *m));
        if position.is_check() || calm.is_empty() {
            return Ok(false);
        }
        if sharp.is_empty() {
            return Ok(true);
        }
        let calm = self.referee.lines(position, &calm, 1)?[0].score;
        let sharp = self.referee.lines(position, &sharp, 1)?[0].score;
        Ok(centipawns(sharp) - centipawns(calm) <= QUIET - self.margin.quiet)
    }

    fn has_only_move(&mut self, position: &Chess) -> Result<bool, R::Error> {
        // A move that is forced is no choice.
        if position.legal_moves().len() < 2 {
            return Ok(false);
        }
        let margin = self.margin.only;
        let [best, next, ..] = self.best(position, 2)? else { return Ok(false) };
        let of = |line: &Variation| centipawns(line.score).clamp(-DECIDED, DECIDED);
        Ok(of(best) - of(next) >= ONLY + margin)
    }

    fn is_best(&mut self, kind: BestMove, position: &Chess) -> Result<bool, R::Error> {
        let m = self.best(position, 1)?[0].moves[0];
        Ok(match kind {
            BestMove::Capture => m.is_capture(),
            BestMove::Check => child_of(position, m).is_check(),
            BestMove::Quiet => !is_sharp(position, m),
            BestMove::Sacrifice => gives_up(position, m, SACRIFICE),
        })
    }
}

impl<R: Referee> Witness for Hearing<'_, R> {
    type Error = R::Error;

    fn holds(&mut self, judged: Judged, situation: Situation<'_>) -> Result<bool, R::Error> {
        let position = situation.position;
        // Where nobody can move there is nothing to judge.
        if position.legal_moves().is_empty() || position.is_insufficient_material() {
            return Ok(false);
        }
        match judged {
            Judged::Eval { by_mover, comparison } => {
                let score = centipawns(self.best(position, 1)?[0].score);
                let score = if by_mover { score } else { seen_by(score, position.turn()) };
                Ok(comparison.holds(score as i16))
            }
            Judged::Mate(moves) => {
                Ok(MateSearch::new(MATE_NODES).mate_in(position, moves) == Ok(Some(moves)))
            }
            Judged::Quiet => self.is_quiet(position),
            Judged::Only => self.has_only_move(position),
            Judged::Best(kind) => self.is_best(kind, position),
        }
    }
}

/// True for captures, promotions and checks.
pub(super) fn is_sharp(position: &Chess, m: Move) -> bool {
    m.is_capture() || m.is_promotion() || child_of(position, m).is_check()
}

/// A score in centipawns; a mate is worth more than any evaluation.
pub(super) fn centipawns(score: Score) -> i32 {
    /// The most that the language can ask for.
    const MOST: i32 = 10_000;
    match score {
        Score::Centipawns(centipawns) => centipawns.clamp(-MOST, MOST),
        Score::Mate(moves) if moves > 0 => MOST,
        Score::Mate(_) => -MOST,
    }
}
