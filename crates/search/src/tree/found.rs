use crate::{PortableMath as _, Score};

/// An evaluation of a position for its mover.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// The value.
    pub value: f32,
    /// The probability of a draw.
    pub drawn: f32,
}

/// The constants of the curve from values to centipawns; see [`Found::score`].
const SCALE: f64 = 90.0;
const STEEPNESS: f64 = 1.563_754_189_7;

impl Found {
    /// The value in centipawns: 90 tan(1.5637541897 v) for the value v in [−1, 1]. This is the curve of Leela Chess
    /// Zero, in which ±1 is about ±12,800.
    pub fn score(self) -> Score {
        let value = f64::from(self.value).clamp(-1.0, 1.0);
        Score::Centipawns((SCALE * (STEEPNESS * value).tan()).round() as i32)
    }

    /// The evaluation that corresponds to a score of an alpha-beta search. The value is the inverse of
    /// [`Found::score`], or ±1 for a mate. The probability of a draw follows the rule of thumb of [`Score::chances`],
    /// limited so that it is consistent with the value.
    pub fn of(score: Score) -> Found {
        let value = match score {
            Score::Mate(moves) if moves > 0 => 1.0,
            Score::Mate(_) => -1.0,
            Score::Centipawns(centipawns) => {
                ((f64::from(centipawns) / SCALE).portable_atan() / STEEPNESS).clamp(-1.0, 1.0) as f32
            }
        };
        let [_, draws, _] = score.chances();
        Found { value, drawn: (draws as f32 / 1000.0).min(1.0 - value.abs()) }
    }

    /// The probabilities of a win, a draw and a loss, in thousandths that add up to 1000.
    pub fn chances(self) -> [u32; 3] {
        let Found { value, drawn } = self;
        let drawn = drawn.clamp(0.0, 1.0 - value.abs().min(1.0));
        let win = (500.0 * (1.0 - drawn + value)).round().clamp(0.0, 1000.0) as u32;
        let draw = ((1000.0 * drawn).round() as u32).min(1000 - win);
        [win, draw, 1000 - win - draw]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_grow_with_the_value_and_can_be_converted_back() {
        let score = |value| Found { value, drawn: 0.0 }.score();
        assert_eq!([0.0, 0.5, -0.5, 1.0].map(score), [0, 89, -89, 12_780].map(Score::Centipawns));
        assert_eq!(Found::of(Score::Mate(-1)), Found { value: -1.0, drawn: 0.0 });
        for value in [-0.9, -0.25, 0.0, 0.6] {
            let found = Found::of(score(value));
            assert!((found.value - value).abs() < 0.01, "{found:?}");
            assert!((0.0..=1.0 - found.value.abs()).contains(&found.drawn), "{found:?}");
        }
        assert_eq!(Found::of(Score::Centipawns(i32::MAX)).value, 1.0);
    }

    #[test]
    fn chances_always_add_up() {
        for value in [-1.0, -0.7, 0.0, 0.3, 1.0] {
            for drawn in [0.0, 0.2, 0.9, 1.0] {
                let [win, draw, loss] = Found { value, drawn }.chances();
                assert_eq!(win + draw + loss, 1000);
                assert!((win as f32 - loss as f32 - 1000.0 * value).abs() <= 2.0, "{value} {drawn}");
            }
        }
        assert_eq!(Found { value: 0.2, drawn: 0.4 }.chances(), [400, 400, 200]);
    }
}
