//! Conditions on the solution of a position: its theme, its length, and whether it holds the game.

use entente_constraint::{Comparison, SolutionLine, Theme};
use entente_search::{Score, Variation};
use shakmaty::Chess;

use super::{JudgedPosition, Margin, PAWN, lead};
use crate::solution::{MAX_PLIES, Referee, Solution, Solving, Success, success};

/// The solutions of a position.
#[derive(Default)]
pub(super) struct ByNegation {
    /// For conditions that must hold: each forced move is clear by a margin.
    must_hold: Option<Solution>,
    /// For other conditions.
    others: Option<Solution>,
}

impl<R: Referee> JudgedPosition<'_, R> {
    /// The solution and what it achieves, if only its first move succeeds.
    fn solved(&mut self, position: &Chess, margin: Margin) -> Result<Option<(Solution, Success)>, R::Error> {
        let [best, second, ..] = self.best(position, 2)? else { return Ok(None) };
        let first = best.moves[0];
        let Some(achieved) = success(best.score, second.score, margin.only) else { return Ok(None) };
        let achieves_the_same = |best: &Variation, next: &Variation, margin: i32| {
            success(best.score, next.score, margin) == Some(achieved)
        };
        if !self.is_confirmed(position, margin, achieves_the_same)? {
            return Ok(None);
        }
        // Not from the lines above, so that it begins as the solution that exercises print.
        let (must_hold, margin) = (margin.only > 0, margin.only.max(0) / 2);
        let known = if must_hold { &mut self.solutions.must_hold } else { &mut self.solutions.others };
        if known.is_none() {
            *known = Solving::new(self.referee, self.limits).with_margin(margin).solve(position)?;
        }
        let is_same =
            |solution: &Solution| solution.moves[0] == first && solution.success(margin) == Some(achieved);
        let solution = known.clone().filter(|solution| !must_hold || is_same(solution));
        Ok(solution.map(|solution| (solution, achieved)))
    }

    /// True if the solution shows the theme.
    pub(super) fn shows(&mut self, theme: Theme, position: &Chess, margin: Margin) -> Result<bool, R::Error> {
        if self.is_preliminary && !theme.needs_search() && !self.may_show(theme, position)? {
            return Ok(false);
        }
        let Some((solution, success)) = self.solved(position, margin)? else { return Ok(false) };
        let shown = (&solution, success);
        let mut solving = Solving::new(self.referee, self.limits).with_margin(margin.only.max(0) / 2);
        Ok(solving.shows(theme, position, self.previous, shown, margin.only)?
            && (margin.only <= 0
                || theme.needs_search()
                || theme == Theme::Mate
                || solving.shows_against_others(theme, position, self.previous, &solution)?))
    }

    /// True if the solution has a number of moves that fits, also if its last ones need not be clear.
    pub(super) fn has_length(
        &mut self,
        comparison: Comparison<i8>,
        position: &Chess,
        margin: Margin,
    ) -> Result<bool, R::Error> {
        let mut has_length = |margin| {
            let solved = self.solved(position, margin)?;
            Ok(solved.is_some_and(|(solution, _)| comparison.holds(solution.length() as i8)))
        };
        Ok(has_length(margin)? && (margin.only <= 0 || has_length(Margin { only: 0, ..margin })?))
    }

    /// True if the best line shows the theme somewhere. Nearly all solutions that show it begin like that line.
    fn may_show(&mut self, theme: Theme, position: &Chess) -> Result<bool, R::Error> {
        let previous = self.previous;
        let Variation { score, moves: line, .. } = &self.best(position, 2)?[0];
        // The table may have lost the end of a line that mates.
        if theme.is_mate() && matches!(score, Score::Mate(_)) {
            return Ok(true);
        }
        let shows = |plies| theme.is_shown_by(&SolutionLine::new(position.clone(), &line[..plies], previous));
        Ok((1..=line.len().min(MAX_PLIES)).step_by(2).any(shows))
    }

    /// True if the side to move is behind in men, and a single move, no capture, keeps the balance.
    pub(super) fn holds_on(&mut self, position: &Chess, margin: Margin) -> Result<bool, R::Error> {
        if lead(position) > -PAWN {
            return Ok(false);
        }
        let solved = self.solved(position, margin)?;
        Ok(solved
            .is_some_and(|(solution, success)| success == Success::Draw && !solution.moves[0].is_capture()))
    }
}
