use entente_network::encoding::goal_policy::RatingScale;

use super::strength::Strength;

/// Who plays, as far as the network is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Players {
    /// White's and Black's rating, if they are to count.
    pub ratings: [Option<u16>; 2],
    /// Whose ratings these are.
    pub scale: RatingScale,
}

impl Players {
    /// Players of whom nothing is said.
    pub const UNKNOWN: Players = Players { ratings: [None; 2], scale: RatingScale::Online };

    /// White and Black of the ratings that are `named`; where none is, of the strength that is asked for as `elo`, or else
    /// the best.
    pub fn named(named: [Option<u16>; 2], elo: Option<u32>, is_skilled: bool, scale: RatingScale) -> Players {
        let usual = elo.map_or(Strength::BEST_RATING, |elo| Strength::of(elo, is_skilled).rating);
        Players { ratings: named.map(|rating| Some(rating.unwrap_or(usual))), scale }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_not_named_plays_as_strongly_as_is_asked_for() {
        let ratings = |named, elo| Players::named(named, elo, false, RatingScale::Online).ratings;
        assert_eq!(ratings([None; 2], None), [Some(Strength::BEST_RATING); 2]);
        assert_eq!(ratings([Some(1200), None], Some(1700)), [Some(1200), Some(1700)]);
        // Above what people are imitated for a search makes the strength.
        assert_eq!(ratings([None, Some(900)], Some(2400)), [Some(Strength::BEST_RATING), Some(900)]);
    }
}
