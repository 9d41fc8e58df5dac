use std::ops::Neg;

use entente_search::{Game, Score};
use shakmaty::Position;

use crate::valuer::Valuer;

/// The most that a position is worth, in centipawns: a mate, or a game as good as won.
pub const MOST: i32 = 1000;

/// What a position is worth for one side, in centipawns, from −[`MOST`] to [`MOST`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Value(i16);

impl Value {
    /// That of a score for the same side. Beyond [`MOST`] all is one: who is a rook and a queen behind loses little more
    /// with another pawn, and a mate in five is as good as one in three.
    pub fn of(score: Score) -> Value {
        Value(score.within(MOST) as i16)
    }

    /// It in centipawns.
    pub fn centipawns(self) -> i32 {
        i32::from(self.0)
    }
}

impl Neg for Value {
    type Output = Value;

    /// For the other side.
    fn neg(self) -> Value {
        Value(-self.0)
    }
}

/// What the position on the board is worth for the side to move. Where the game is over no engine is asked.
///
/// # Errors
/// Those of [`Valuer::score`].
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

/// What a move did to the value of the game, as its player sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlyLoss {
    /// What the position was worth with the best move.
    pub before: Value,
    /// What it was worth once the move was played.
    pub after: Value,
}

impl PlyLoss {
    /// How many centipawns the move lost, from 0 to twice [`MOST`]. A position that looks better after a move than with
    /// the best one before, because the search then sees a ply further, has lost nothing.
    pub fn centipawns(self) -> i32 {
        (self.before.centipawns() - self.after.centipawns()).max(0)
    }
}

/// The losses of a game's moves from what its positions, the last one included, are worth for the side to move.
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
    fn a_move_loses_what_the_opponent_gains_by_it() {
        use Score::Centipawns as Cp;
        // White at +30 errs, so that Black to move is at +90; Black answers with the best move, and White is at −90.
        assert_eq!(values(&[Cp(30), Cp(90), Cp(-90)]), [120, 0]);
        assert_eq!(values(&[Cp(30), Cp(-30)]), [0], "the best move loses nothing");
        assert_eq!(values(&[Cp(30), Cp(-80)]), [0], "no move gains");
        assert_eq!(values(&[Cp(30)]), [] as [i32; 0]);
    }

    #[test]
    fn mates_and_decided_games_are_worth_ten_pawns() {
        use Score::{Centipawns as Cp, Mate};
        let value = |score| Value::of(score).centipawns();
        assert_eq!([Mate(3), Mate(-3), Mate(0)].map(value), [1000, -1000, -1000]);
        assert_eq!([Cp(1001), Cp(-20_000), Cp(999)].map(value), [1000, -1000, 999]);
        assert_eq!(values(&[Mate(1), Mate(0)]), [0], "who mates loses nothing");
        assert_eq!(values(&[Mate(2), Cp(-1500)]), [0], "nor who wins otherwise");
        assert_eq!(values(&[Cp(40), Mate(1)]), [1040], "who lets himself be mated loses all");
        assert_eq!(values(&[Mate(2), Mate(2)]), [2000]);
        assert_eq!(values(&[Mate(1), Cp(0)]), [1000], "stalemate instead of mate");
        assert_eq!(values(&[Mate(-2), Mate(1)]), [0], "what is lost cannot be lost again");
    }
}
