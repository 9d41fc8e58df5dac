//! How conditions are decided from a referee's lines.

mod solutions;
#[cfg(test)]
mod tests;

use entente_constraint::{
    Comparison, ConditionOracle, GameResult, Judged, Men, MoveKind, Situation, child_of, seen_by,
};
use entente_search::{Limits, MateSearch, Score, Unproved, Variation, loses_by_see};
use shakmaty::{Chess, Move, Position as _};

use entente_endings::Endings;

use self::solutions::ByNegation;
use super::{
    bounds::{centipawns, is_well_within},
    known_result,
    puzzle::{PuzzleJudge, seems_puzzle},
    seen_by_mover,
};
use crate::solution::{Referee, Solution, is_sacrifice, is_sharp};

/// The least lead in men of `convert`, and the least deficit of `hold`, in pawns.
const PAWN: i32 = 1;
/// A move that is worse than the best one by this much is a mistake, in centipawns.
const MISTAKE: i32 = 200;
/// A capture that wins this much by static exchange seems good, in centipawns: a pawn.
const GAIN: i32 = 80;
/// How much captures, promotions and checks may gain in a quiet position, in centipawns.
pub(super) const QUIET: i32 = 30;

/// The safety margins of a judgement, in centipawns: how far beyond the thresholds the result must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Margin {
    /// How much `only` demands in addition to [`Solution::ONLY`].
    pub only: i32,
    /// How much less than [`QUIET`] `quiet` allows.
    pub quiet: i32,
    /// How much worse than the best move all moves of another kind than `best` demands must be.
    pub best: i32,
    /// How far inside its bounds an evaluation must be; in a narrow window at most a quarter of its width.
    pub eval: i32,
    /// The maximum number of positions searched to prove a mate, or that there is none.
    pub mate_nodes: u64,
}

impl Margin {
    /// No margins: as the language defines the conditions.
    pub(super) const NONE: Margin = Margin { only: 0, quiet: 0, best: 0, eval: 0, mate_nodes: 4_000_000 };

    /// The margins for a condition that must not hold: if it nearly holds, it counts as holding.
    fn negated(self) -> Margin {
        Margin { only: -self.only, quiet: -self.quiet, best: 0, eval: -self.eval, ..self }
    }
}

/// A position and its referee: the [`ConditionOracle`] of one position.
pub(super) struct JudgedPosition<'a, R> {
    referee: &'a mut R,
    margin: Margin,
    /// The move that led to the position, if it is known.
    previous: Option<Move>,
    /// When the search must end, even without a result.
    limits: Limits<'a>,
    /// The best lines found so far.
    best: Vec<Variation>,
    /// A longer search that must agree with evaluations and single good moves that satisfy a condition, if there is one.
    pub deeper: Option<&'a mut R>,
    /// The evaluation that the longer search found.
    confirmed: Option<Score>,
    /// The two best lines that the longer search found.
    deep: Vec<Variation>,
    /// A search without tables of endings, to which not all moves that win are equal.
    pub without_tables: Option<&'a mut R>,
    /// The solutions, if a condition needed them.
    solutions: ByNegation,
    /// Rates puzzles, if the constraint has conditions on their ratings.
    pub puzzles: Option<&'a mut PuzzleJudge>,
    /// Tables of endings, if there are any.
    endings: Option<&'a Endings>,
    /// True if other searches follow. Then a position is neither solved nor rated if its best lines do not look right.
    pub is_preliminary: bool,
}

impl<R: Referee> JudgedPosition<'_, R> {
    /// A position to be judged by this referee, and by tables of endings if there are any. `previous` is the move that
    /// led to it, if it is known.
    pub(super) fn new<'a>(
        referee: &'a mut R,
        margin: Margin,
        previous: Option<Move>,
        limits: Limits<'a>,
        endings: Option<&'a Endings>,
    ) -> JudgedPosition<'a, R> {
        JudgedPosition {
            referee,
            margin,
            previous,
            limits,
            best: Vec::new(),
            deeper: None,
            confirmed: None,
            deep: Vec::new(),
            without_tables: None,
            solutions: ByNegation::default(),
            puzzles: None,
            endings,
            is_preliminary: false,
        }
    }

    /// The evaluation of `position` for the side to move, in centipawns, if a condition needed it.
    pub(super) fn score(&self, position: &Chess) -> Option<i32> {
        let score = self.confirmed.or_else(|| Some(self.best.first()?.score))?;
        Some(self.evaluation(score, position))
    }

    /// The evaluation that a score stands for, in centipawns.
    fn evaluation(&self, score: Score, position: &Chess) -> i32 {
        match score {
            Score::Centipawns(_) => self.referee.evaluation(centipawns(score), position),
            Score::Mate(_) => centipawns(score),
        }
    }

    /// The `count` best moves, with their lines.
    fn best(&mut self, position: &Chess, count: usize) -> Result<&[Variation], R::Error> {
        if self.best.len() < count {
            self.best = self.referee.lines(position, &position.legal_moves(), count, None, self.limits)?;
        }
        Ok(&self.best)
    }

    /// True if the evaluation satisfies the comparison, also according to the longer search.
    fn is_worth(
        &mut self,
        (comparison, by_mover): (Comparison<i16>, bool),
        position: &Chess,
        (margin, negated): (Margin, bool),
    ) -> Result<bool, R::Error> {
        let compared = |judged: &Self, score: Score, margin: i32| {
            let score = judged.evaluation(score, position);
            let score = if by_mover { score } else { seen_by(score, position.turn()) };
            is_well_within(comparison, score, margin)
        };
        let score = self.best(position, 1)?[0].score;
        let holds = compared(self, score, margin.eval);
        // The longer search can only refuse.
        if holds == negated {
            return Ok(holds);
        }
        if let (None, Some(deeper)) = (self.confirmed, &mut self.deeper) {
            let lines = deeper.lines(position, &position.legal_moves(), 1, None, self.limits)?;
            self.confirmed = Some(lines[0].score);
        }
        // Two searches that agree may be nearer to the bounds.
        Ok(self.confirmed.map_or(holds, |score| compared(self, score, margin.eval / 2)))
    }

    fn is_quiet(&mut self, position: &Chess, margin: Margin) -> Result<bool, R::Error> {
        let (sharp, calm): (Vec<Move>, Vec<Move>) =
            position.legal_moves().into_iter().partition(|m| is_sharp(position, *m));
        if position.is_check() || calm.is_empty() {
            return Ok(false);
        }
        if sharp.is_empty() {
            return Ok(true);
        }
        let limits = self.limits;
        let gains_little = |referee: &mut R| -> Result<bool, R::Error> {
            let [calm, sharp] = [&calm, &sharp].map(|moves| referee.lines(position, moves, 1, None, limits));
            Ok(centipawns(sharp?[0].score) - centipawns(calm?[0].score) <= QUIET - margin.quiet)
        };
        let is_decided = self.endings.and_then(|endings| known_result(endings, position));
        match &mut self.without_tables {
            // To tables, a move that mates is worth as much as one that wins slowly.
            Some(search) if is_decided.is_some_and(|result| result != GameResult::Draw) => {
                Ok(gains_little(self.referee)? && gains_little(search)?)
            }
            _ => gains_little(self.referee),
        }
    }

    fn has_only_move(&mut self, position: &Chess, margin: Margin) -> Result<bool, R::Error> {
        // A forced move is not a choice.
        if position.legal_moves().len() < 2 {
            return Ok(false);
        }
        let is_only =
            |best: &Variation, next: &Variation, margin: i32| gap(best, next) >= Solution::ONLY + margin;
        let [best, next, ..] = self.best(position, 2)? else { return Ok(false) };
        Ok(is_only(best, next, margin.only) && self.is_confirmed(position, margin, is_only)?)
    }

    /// True if the two best lines of the longer search are right by half of the margin and have the same best move, or if
    /// there is no such search. It is not asked about conditions that must not hold.
    fn is_confirmed(
        &mut self,
        position: &Chess,
        margin: Margin,
        is_right: impl Fn(&Variation, &Variation, i32) -> bool,
    ) -> Result<bool, R::Error> {
        let Some(deeper) = self.deeper.as_mut().filter(|_| margin.only > 0) else { return Ok(true) };
        if self.deep.is_empty() {
            self.deep = deeper.lines(position, &position.legal_moves(), 2, None, self.limits)?;
        }
        let [best, next, ..] = self.deep.as_slice() else { return Ok(false) };
        Ok(best.moves[0] == self.best[0].moves[0] && is_right(best, next, margin.only / 2))
    }

    /// The result for the side to move, if tables know it or a mate was found.
    fn result(&mut self, position: &Chess) -> Result<Option<GameResult>, R::Error> {
        if let Some(known) = self.endings.and_then(|endings| known_result(endings, position)) {
            return Ok(Some(known));
        }
        Ok(match self.best(position, 1)?[0].score {
            Score::Mate(moves) if moves > 0 => Some(GameResult::Win),
            Score::Mate(_) => Some(GameResult::Loss),
            Score::Centipawns(_) => None,
        })
    }

    /// True if the side to move is ahead in men in a quiet position, and wins.
    fn converts(&mut self, position: &Chess, margin: Margin) -> Result<bool, R::Error> {
        if lead(position) < PAWN {
            return Ok(false);
        }
        let score = self.best(position, 1)?[0].score;
        Ok(self.evaluation(score, position) >= Solution::WIN + margin.eval
            && self.is_quiet(position, margin)?)
    }

    fn is_best(&mut self, kind: MoveKind, position: &Chess, margin: Margin) -> Result<bool, R::Error> {
        let m = self.best(position, 1)?[0].moves[0];
        if !is_of_kind(kind, position, m) || margin.best == 0 {
            return Ok(is_of_kind(kind, position, m));
        }
        // It is enough that every move of another kind is worse by the margin.
        let others: Vec<Move> =
            position.legal_moves().into_iter().filter(|m| !is_of_kind(kind, position, *m)).collect();
        if others.is_empty() {
            return Ok(true);
        }
        let other = self.referee.lines(position, &others, 1, None, self.limits)?[0].score;
        Ok(match (self.best[0].score, other) {
            // A shorter mate is certainly better.
            (Score::Mate(best), Score::Mate(other)) if best > 0 => other <= 0 || other > best,
            (Score::Mate(best), Score::Centipawns(_)) if best > 0 => true,
            // There is no difference between moves that both win or both lose.
            (best, other) => best.within(Solution::DECIDED) - other.within(Solution::DECIDED) >= margin.best,
        })
    }

    /// True if there is a move of this kind, and the best of them is much worse than the best move.
    fn is_bad(&mut self, kind: MoveKind, position: &Chess, margin: Margin) -> Result<bool, R::Error> {
        let seems_good = |m: Move| kind != MoveKind::Capture || !loses_by_see(position, m, 1 - GAIN);
        let is_tried = |m: &Move| is_of_kind(kind, position, *m) && seems_good(*m);
        let moves: Vec<Move> = position.legal_moves().into_iter().filter(is_tried).collect();
        let best = self.best(position, 1)?[0].clone();
        // Most moves of the kind are refused without a search.
        if moves.is_empty() || moves.contains(&best.moves[0]) {
            return Ok(false);
        }
        let tried = self.referee.lines(position, &moves, 1, None, self.limits)?[0].score;
        let of = |score: Score| score.within(Solution::DECIDED);
        Ok(of(best.score) - of(tried) >= MISTAKE + margin.best)
    }
}

/// How much better the best line is than the next one, in centipawns. There is no difference between decided games.
pub(super) fn gap(best: &Variation, next: &Variation) -> i32 {
    best.score.within(Solution::DECIDED) - next.score.within(Solution::DECIDED)
}

/// How far the side to move is ahead in men, in pawns.
pub(super) fn lead(position: &Chess) -> i32 {
    Men::on(position.board()).lead(position.turn())
}

pub(super) fn is_of_kind(kind: MoveKind, position: &Chess, m: Move) -> bool {
    match kind {
        MoveKind::Capture => m.is_capture(),
        MoveKind::Check => child_of(position, m).is_check(),
        MoveKind::Quiet => !is_sharp(position, m),
        MoveKind::Sacrifice => is_sacrifice(position, m),
        MoveKind::Of(..) => kind.fits(m, position.turn()),
    }
}

impl<R: Referee> ConditionOracle for JudgedPosition<'_, R> {
    type Error = R::Error;

    fn holds(&mut self, judged: Judged, negated: bool, situation: Situation<'_>) -> Result<bool, R::Error> {
        let position = situation.position;
        // Without legal moves there is nothing to judge.
        if position.legal_moves().is_empty() || position.is_insufficient_material() {
            return Ok(false);
        }
        let margin = if negated { self.margin.negated() } else { self.margin };
        match judged {
            Judged::Eval { by_mover, comparison } => {
                self.is_worth((comparison, by_mover), position, (margin, negated))
            }
            Judged::Wdl { by_mover, result } => {
                let known = self.result(position)?;
                Ok(known.map_or(negated, |known| known == seen_by_mover(by_mover, result, position)))
            }
            Judged::Mate(moves) => Ok(match MateSearch::new(margin.mate_nodes).mate_in(position, moves) {
                Ok(found) => found == Some(moves),
                Err(Unproved) => negated,
            }),
            Judged::Quiet => self.is_quiet(position, margin),
            Judged::Only => self.has_only_move(position, margin),
            Judged::Best(kind) => self.is_best(kind, position, margin),
            Judged::Bad(kind) => self.is_bad(kind, position, margin),
            Judged::Theme(theme) => self.shows(theme, position, margin),
            Judged::Moves(comparison) => self.has_length(comparison, position, margin),
            Judged::Hold => self.holds_on(position, margin),
            Judged::Convert => self.converts(position, margin),
            Judged::Puzzle(comparison) => {
                if self.is_preliminary && !seems_puzzle(self.best(position, 2)?) {
                    return Ok(false);
                }
                let (limits, rated) = (self.limits, self.puzzles.as_mut());
                let holds = rated.and_then(|puzzles| puzzles.holds(comparison, position, limits));
                Ok(holds.unwrap_or(negated))
            }
        }
    }
}
