use shakmaty::{Chess, Position};

/// The value of a line for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// In hundredths of a pawn; in generation, in thousandths of the satisfaction value.
    Centipawns(i32),
    /// Mate in so many moves; negative: the side to move is mated. 0: it is already.
    Mate(i32),
}

/// The score at which one side wins half of the games and the other none, and how fast that changes, in
/// hundredths of a pawn.
const EVEN_CHANCE: f64 = 180.0;
const STEEPNESS: f64 = 80.0;

impl Score {
    /// What a position is worth in which nobody can move: mate, or a draw.
    pub fn without_moves(position: &Chess) -> Score {
        if position.is_check() { Score::Mate(0) } else { Score::Centipawns(0) }
    }

    /// Greater for what is worth more: the sooner a mate the better, and the later to be mated.
    pub fn rank(self) -> i64 {
        const MATE: i64 = 1 << 40;
        match self {
            Score::Centipawns(centipawns) => i64::from(centipawns),
            Score::Mate(moves) if moves > 0 => MATE - i64::from(moves),
            Score::Mate(moves) => -MATE - i64::from(moves),
        }
    }

    /// It in centipawns, from −`most` to `most`: a mate counts as so much, as does an evaluation beyond it.
    pub fn within(self, most: i32) -> i32 {
        match self {
            Score::Centipawns(centipawns) => centipawns.clamp(-most, most),
            Score::Mate(moves) if moves > 0 => most,
            Score::Mate(_) => -most,
        }
    }

    /// The chances to win, draw and lose in thousandths that add up to 1000, by a logistic curve of the score: no more than
    /// a rule of thumb, for searches that know nothing better.
    pub fn chances(self) -> [u32; 3] {
        let win = |centipawns: i32| {
            (1000.0 / (1.0 + ((EVEN_CHANCE - f64::from(centipawns)) / STEEPNESS).exp())).round() as u32
        };
        match self {
            Score::Mate(moves) if moves > 0 => [1000, 0, 0],
            Score::Mate(_) => [0, 0, 1000],
            Score::Centipawns(centipawns) => {
                let (win, loss) = (win(centipawns), win(-centipawns));
                [win, 1000 - win - loss, loss]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_follow_the_score() {
        for centipawns in -3000..3000 {
            let [win, draw, loss] = Score::Centipawns(centipawns).chances();
            assert_eq!(win + draw + loss, 1000);
            assert_eq!(Score::Centipawns(-centipawns).chances(), [loss, draw, win]);
        }
        let [win, draw, loss] = Score::Centipawns(0).chances();
        assert!(win == loss && draw > win);
        assert!(Score::Centipawns(500).chances()[0] > 950);
        assert_eq!(Score::Mate(-3).chances(), [0, 0, 1000]);
        assert_eq!(Score::Mate(0).chances(), [0, 0, 1000]);
    }
}
