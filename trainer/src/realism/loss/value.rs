use std::ops::Neg;

use entente_search::{Game, Score};
use shakmaty::Position;

use crate::valuer::Valuer;

/// The maximum value of a position, in centipawns: a mate, or a decided game.
pub const MAX: i32 = 1000;

/// The value of a position for one side, in centipawns, from −[`MAX`] to [`MAX`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Value(i16);

impl Value {
    /// The value of a score for the same side, limited to ±[`MAX`]: a player who is a queen and a rook behind loses
    /// little by losing a pawn, too, and a mate in five is as good as a mate in three.
    pub fn of(score: Score) -> Value {
        Value(score.within(MAX) as i16)
    }

    /// The value in centipawns.
    pub fn centipawns(self) -> i32 {
        i32::from(self.0)
    }
}

impl Neg for Value {
    type Output = Value;

    /// The value for the other side.
    fn neg(self) -> Value {
        Value(-self.0)
    }
}

/// The value of the current position for the side to move. If the game is over, no engine is asked.
///
/// # Errors
///
/// The errors of [`Valuer::score`].
pub(super) fn value(valuer: &mut dyn Valuer, game: &Game) -> anyhow::Result<Value> {
    let score = if game.position().legal_moves().is_empty() {
        Score::without_moves(game.position())
    } else if game.is_over() {
        Score::Centipawns(0)
    } else {
        valuer.score(game)?
    };
    Ok(Value::of(score))
}

/// The values before and after a move, for its player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlyLoss {
    /// The value before the move, that is with the best move.
    pub before: Value,
    /// The value after the move.
    pub after: Value,
}

impl PlyLoss {
    /// The loss of the move in centipawns, from 0 to twice [`MAX`]. If the position looks better after the move, the
    /// search only sees a ply further, and the loss is 0.
    pub fn centipawns(self) -> i32 {
        (self.before.centipawns() - self.after.centipawns()).max(0)
    }
}

/// The losses of a game's moves, from the values of all its positions, including the last one, for the side to move.
pub fn losses(values: &[Value]) -> Vec<PlyLoss> {
    values.windows(2).map(|pair| PlyLoss { before: pair[0], after: -pair[1] }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(scores: &[Score]) -> Vec<i32> {
        let values: Vec<Value> = scores.iter().map(|score| Value::of(*score)).collect();
        losses(&values).into_iter().map(PlyLoss::centipawns).collect()
    }

    #[test]
    fn a_move_loses_what_the_opponent_gains() {
        use Score::Centipawns as Cp;
        // White is at +30 and errs, so Black to move is at +90. Black answers with the best move, and White is at −90.
        assert_eq!(values(&[Cp(30), Cp(90), Cp(-90)]), [120, 0]);
        assert_eq!(values(&[Cp(30), Cp(-30)]), [0], "the best move loses nothing");
        assert_eq!(values(&[Cp(30), Cp(-80)]), [0], "a loss is never negative");
        assert_eq!(values(&[Cp(30)]), [] as [i32; 0]);
    }

    #[test]
    fn mates_and_decided_games_are_worth_ten_pawns() {
        use Score::{Centipawns as Cp, Mate};
        let value = |score| Value::of(score).centipawns();
        assert_eq!([Mate(3), Mate(-3), Mate(0)].map(value), [1000, -1000, -1000]);
        assert_eq!([Cp(1001), Cp(-20_000), Cp(999)].map(value), [1000, -1000, 999]);
        assert_eq!(values(&[Mate(1), Mate(0)]), [0], "a mating move loses nothing");
        assert_eq!(values(&[Mate(2), Cp(-1500)]), [0], "nor does another winning move");
        assert_eq!(values(&[Cp(40), Mate(1)]), [1040], "a move that allows mate loses everything");
        assert_eq!(values(&[Mate(2), Mate(2)]), [2000]);
        assert_eq!(values(&[Mate(1), Cp(0)]), [1000], "stalemate instead of mate");
        assert_eq!(values(&[Mate(-2), Mate(1)]), [0], "a lost game cannot be lost again");
    }
}
