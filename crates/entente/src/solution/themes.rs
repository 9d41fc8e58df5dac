//! The themes of a solution, also those that take a search of their own.

use entente_constraint::{Theme, child_of, is_repetition};
use shakmaty::{Chess, Move, Position as _};

use super::{Referee, Solution, Solving, Success, is_sharp};

/// The number of checks in a row after which more are expected.
const CHECKS: usize = 8;

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
            Theme::Perpetual => Ok(success == Success::Draw
                && (theme.is_shown_by(&solution.line(position, previous))
                    || self.is_perpetual(position, solution.moves[0])?)),
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

    /// True if `m` and the best moves after it give check without end: until a position comes again, or as often as is
    /// searched.
    fn is_perpetual(&mut self, position: &Chess, m: Move) -> Result<bool, R::Error> {
        let mut seen = vec![position.clone()];
        let mut m = m;
        loop {
            let after = child_of(&seen[seen.len() - 1], m);
            if !after.is_check() {
                return Ok(false);
            }
            if seen.len() == CHECKS {
                return Ok(true);
            }
            let Some(reply) = self.best_move(&after)? else { return Ok(false) };
            let answered = child_of(&after, reply);
            if seen.iter().any(|earlier| is_repetition(earlier, &answered)) {
                return Ok(true);
            }
            let Some(next) = self.best_move(&answered)? else { return Ok(false) };
            m = next;
            seen.push(answered);
        }
    }

    /// The best move of a position; `None` if the game is over.
    fn best_move(&mut self, position: &Chess) -> Result<Option<Move>, R::Error> {
        let best = self.best(position, &position.legal_moves(), None)?;
        Ok(best.and_then(|line| line.moves.first().copied()))
    }

    /// The score of a position for the side to move, in centipawns, at most that of a decided game.
    fn decided_score(&mut self, position: &Chess) -> Result<i32, R::Error> {
        let best = self.best(position, &position.legal_moves(), None)?;
        Ok(best.map_or(0, |line| line.score.within(Solution::DECIDED)))
    }
}
