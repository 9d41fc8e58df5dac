//! The themes of a solution, also those that take a search of their own.

use entente_constraint::{Theme, child_of};
use shakmaty::{Chess, Move, Position as _};

use super::{Referee, Solution, Solving, Success, is_sharp};

impl<R: Referee> Solving<'_, R> {
    /// True if the solution, which achieves `success`, shows the theme. `previous` is the move before it, if there was
    /// one: a recapture takes no hanging man. `margin` is how much clearer than necessary a zugzwang must be, in
    /// centipawns.
    ///
    /// # Errors
    /// If the referee does not answer.
    pub(crate) fn shows(
        &mut self,
        theme: Theme,
        position: &Chess,
        previous: Option<Move>,
        (solution, success): (&Solution, Success),
        margin: i32,
    ) -> Result<bool, R::Error> {
        match theme {
            Theme::Defence => Ok(success == Success::Draw),
            Theme::Zugzwang => self.is_zugzwang(position, solution.moves[0], margin),
            _ => Ok(theme.is_shown_by(&solution.line(position, previous))),
        }
    }

    /// True if `m`, which is neither capture, promotion nor check, leaves the opponent without a good move, who would
    /// stand better if it need not move.
    fn is_zugzwang(&mut self, position: &Chess, m: Move, margin: i32) -> Result<bool, R::Error> {
        let after = child_of(position, m);
        // If the move gives check, nobody can pass.
        let Ok(passed) = after.clone().swap_turn() else { return Ok(false) };
        if is_sharp(position, m) || after.legal_moves().is_empty() || passed.legal_moves().is_empty() {
            return Ok(false);
        }
        let moving = self.decided_score(&after)?;
        let passing = -self.decided_score(&passed)?;
        Ok(passing - moving >= Solution::ONLY + margin)
    }

    /// The score of a position for the side to move, in centipawns, at most that of a decided game.
    fn decided_score(&mut self, position: &Chess) -> Result<i32, R::Error> {
        let best = self.best(position, &position.legal_moves(), None)?;
        Ok(best.map_or(0, |line| line.score.within(Solution::DECIDED)))
    }
}
