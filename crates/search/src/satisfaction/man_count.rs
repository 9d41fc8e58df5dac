use std::convert::Infallible;

use entente_constraint::{Goal, Men, child_of};
use shakmaty::{Bitboard, Board, Chess, Color, Move, Piece, Position, Rank, Role};

use super::SatisfactionEvaluator;

/// The factor of the value for each man missing or in excess.
const DECAY: f32 = 0.8;

/// The factor for half a man: the cost of each ply that a needed promotion still takes. It is large enough to
/// distinguish moves at the thesis's criterion of 0.1. This is the square root of [`DECAY`].
const HALF: f32 = 0.894_427_2;

/// Powers of [`DECAY`], up to the largest that matters.
const POWERS: [f32; 65] = {
    let mut powers = [1.0; 65];
    let mut power = 1;
    while power < powers.len() {
        powers[power] = powers[power - 1] * DECAY;
        power += 1;
    }
    powers
};

/// The factor for this many halves of men.
fn decay(halves: u32) -> f32 {
    let whole = POWERS[(halves / 2).min(64) as usize];
    if halves.is_multiple_of(2) { whole } else { whole * HALF }
}

/// An evaluator that counts men and needs no network. The value falls by a fifth for every man missing or in excess.
///
/// If promotions are needed, each ply that the nearest pawns still need counts as half a man. The value measures
/// progress and is not a probability. "Within the criterion of the best" is therefore a ratio, so that a move that is a
/// man behind never counts as equally good.
#[derive(Debug)]
pub struct ManCount {
    goal: Goal,
}

impl ManCount {
    /// The evaluator for `goal`.
    pub fn new(goal: &Goal) -> ManCount {
        ManCount { goal: goal.clone() }
    }

    /// The value of a position with these men, without the plies of pawns.
    fn of_men(&self, men: &Men) -> f32 {
        decay(2 * self.goal.distance_of(men))
    }

    /// The value of a position, including the plies of pawns that must promote.
    fn of_position(&self, position: &Chess) -> f32 {
        let men = Men::on(position.board());
        let promotions = self.goal.promotions_needed(&men);
        let plies: u32 = Color::ALL
            .into_iter()
            .zip(promotions)
            .map(|(color, promotions)| plies_to_promote(position.board(), color, promotions as usize))
            .sum();
        self.of_men(&men) * decay(plies)
    }
}

impl SatisfactionEvaluator for ManCount {
    type Error = Infallible;

    fn evaluate_moves(
        &mut self,
        position: &Chess,
        moves: &[Move],
        _stop: &dyn Fn() -> bool,
        values: &mut Vec<f32>,
    ) -> Result<(), Infallible> {
        let men = Men::on(position.board());
        if self.goal.promotions_needed(&men) != [0, 0] {
            values.extend(moves.iter().map(|&m| self.of_position(&child_of(position, m))));
            return Ok(());
        }
        let unchanged = self.of_men(&men);
        values.extend(moves.iter().map(|&m| {
            if self.goal.may_change_with(m) { self.of_men(&men.after(m, position.turn())) } else { unchanged }
        }));
        Ok(())
    }

    fn evaluate(&mut self, position: &Chess) -> Result<f32, Infallible> {
        Ok(self.of_position(position))
    }

    fn threshold(&self, best: f32, criterion: f32) -> f32 {
        best * (1.0 - criterion)
    }

    fn worthwhile_table_depth(&self) -> u32 {
        2
    }
}

/// The plies that the `promotions` nearest pawns of `color` need to promote.
///
/// A man in a pawn's way counts as two more plies. One of the other side's pawns counts as four, because it can only be
/// captured.
fn plies_to_promote(board: &Board, color: Color, promotions: usize) -> u32 {
    if promotions == 0 {
        return 0;
    }
    let opposing_pawns = board.by_piece(Piece { color: !color, role: Role::Pawn });
    let mut plies: Vec<u32> = board
        .by_piece(Piece { color, role: Role::Pawn })
        .into_iter()
        .map(|pawn| {
            let steps = pawn.rank().distance(color.fold_wb(Rank::Eighth, Rank::First));
            let forward = color.fold_wb(8, -8);
            let path: Bitboard = (1..=steps as i32).filter_map(|step| pawn.offset(forward * step)).collect();
            let men = (path & board.occupied()).count();
            let pawns = (path & opposing_pawns).count();
            steps + 2 * (men + pawns) as u32
        })
        .collect();
    plies.sort_unstable();
    plies.into_iter().take(promotions).sum()
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    fn best(constraint: &str, fen: &str) -> String {
        let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let mut count = ManCount::new(&Goal::new(&constraint.parse().unwrap()).unwrap());
        let (moves, mut values) = (position.legal_moves(), Vec::new());
        count.evaluate_moves(&position, &moves, &|| false, &mut values).unwrap();
        let best = (0..moves.len()).max_by(|a, b| values[*a].total_cmp(&values[*b])).unwrap();
        moves[best].to_uci(CastlingMode::Standard).to_string()
    }

    #[test]
    fn a_surplus_man_is_captured() {
        assert_eq!(best("q=0", "3qk3/8/8/6B1/8/8/8/4K3 w - - 0 1"), "g5d8");
    }

    #[test]
    fn pawns_advance_if_a_difference_needs_their_promotion() {
        assert_eq!(best("Q-q=1", "4k3/8/P7/8/8/8/7P/4K3 w - - 0 1"), "a6a7");
        assert_eq!(best("r-R=1", "4k3/7p/8/8/8/p7/8/4K3 b - - 0 1"), "a3a2");
    }

    #[test]
    fn pawns_promote_to_a_missing_man_and_advance_toward_promotion() {
        assert_eq!(best("R=1", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"), "a7a8r");
        assert_eq!(best("n=1", "4k3/8/8/8/8/p7/7p/K7 b - - 0 1"), "h2h1n");
        assert_eq!(best("Q=1", "4k3/8/P7/8/8/8/8/4K3 w - - 0 1"), "a6a7");
    }
}
