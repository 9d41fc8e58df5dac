//! Whether a solution shows a theme against other good defences, too.

use entente_constraint::{SolutionLine, Theme, child_of};
use entente_search::Score;
use shakmaty::{Chess, Move, Position as _};

use super::{Referee, Solution, Solving};

/// A defence is good if its score is at most this much lower than that of the best one, in centipawns.
const TOLERANCE: i32 = 60;
/// The maximum number of other defences.
const MAX_OTHERS: usize = 2;

impl<R: Referee> Solving<'_, R> {
    /// True if the forced part of the solution shows the theme also if the opponent answers the first move by another
    /// good defence. `previous` is the move before the solution, if there was one.
    ///
    /// # Errors
    /// If the referee does not answer.
    pub(crate) fn shows_against_others(
        &mut self,
        theme: Theme,
        position: &Chess,
        previous: Option<Move>,
        solution: &Solution,
    ) -> Result<bool, R::Error> {
        let [first, reply, ..] = solution.moves[..solution.forced] else { return Ok(true) };
        let after = child_of(position, first);
        for other in self.other_defences(&after, reply)? {
            let mut moves = vec![first];
            let answered = child_of(&after, other);
            if let Some(next) = self.solve(&answered)?
                && (next.second.is_none() || next.success(self.margin).is_some())
            {
                moves.push(other);
                moves.extend(&next.moves[..next.forced]);
            }
            if !theme.is_shown_by(&SolutionLine::new(position.clone(), &moves, previous)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The moves that are nearly as good as `best`, the best first.
    fn other_defences(&mut self, position: &Chess, best: Move) -> Result<Vec<Move>, R::Error> {
        let mut others: Vec<Move> = position.legal_moves().into_iter().filter(|m| *m != best).collect();
        let mut good = Vec::new();
        let Some(best) = self.best(position, &[best], None)? else { return Ok(good) };
        while !others.is_empty() && good.len() < MAX_OTHERS {
            let Some(next) =
                self.best(position, &others, None)?.filter(|next| is_as_good(next.score, best.score))
            else {
                break;
            };
            others.retain(|m| *m != next.moves[0]);
            good.push(next.moves[0]);
        }
        Ok(good)
    }
}

/// True if a defence with the score `other` is nearly as good as one with the score `best`. Of two that are mated, the one
/// is good that lasts as long.
fn is_as_good(other: Score, best: Score) -> bool {
    match (other, best) {
        (Score::Mate(other), Score::Mate(best)) if other <= 0 && best <= 0 => other <= best,
        (Score::Mate(other), _) => other > 0,
        (Score::Centipawns(_), Score::Mate(best)) => best <= 0,
        (Score::Centipawns(other), Score::Centipawns(best)) => best - other <= TOLERANCE,
    }
}

#[cfg(test)]
mod tests {
    use entente_search::{Limits, position_from_fen};

    use super::*;
    use crate::play::FixedSearch;

    #[test]
    fn defences_are_compared_as_the_loser_sees_them() {
        let (points, mate) = (Score::Centipawns, Score::Mate);
        for (other, best, expected) in [
            (points(-360), points(-300), true),
            (points(-361), points(-300), false),
            (mate(-3), points(-900), false),
            (mate(-3), mate(-3), true),
            (mate(-2), mate(-3), false),
            (points(-900), mate(-9), true),
        ] {
            assert_eq!(is_as_good(other, best), expected, "{other:?} {best:?}");
        }
    }

    /// Whether the solution shows a theme, alone and against other defences.
    fn shows(theme: Theme, fen: &str) -> [bool; 2] {
        let position: Chess = position_from_fen(fen).unwrap();
        let mut search = FixedSearch::new(50_000, 4);
        let mut solving = Solving::new(&mut search, Limits::none());
        let Ok(solution) = solving.solve(&position);
        let solution = solution.unwrap();
        let Ok(always) = solving.shows_against_others(theme, &position, None, &solution);
        [theme.is_shown_by(&solution.line(&position, None)), always]
    }

    #[test]
    fn a_theme_counts_if_no_good_defence_avoids_it() {
        // The king is made to leave its rook by a check. Only on f3 does another check win the rook behind it.
        let fen = "8/8/8/8/3r3k/6R1/6K1/8 b - - 0 80";
        assert_eq!(shows(Theme::Skewer, fen), [true, false]);
        assert_eq!(shows(Theme::Deflection, fen), [true, true]);
    }
}
