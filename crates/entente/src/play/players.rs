use entente_network::encoding::goal_policy::RatingScale;

use super::strength::Strength;

/// What the network is told about the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Players {
    /// White's and Black's ratings, if they are known.
    pub ratings: [Option<u16>; 2],
    /// The scale of the ratings.
    pub scale: RatingScale,
}

impl Players {
    /// Unknown players.
    pub const UNKNOWN: Players = Players { ratings: [None; 2], scale: RatingScale::Online };

    /// Players with the ratings `named`. A missing rating is the requested strength `elo`, or else the best.
    pub fn named(named: [Option<u16>; 2], elo: Option<u32>, is_skilled: bool, scale: RatingScale) -> Players {
        let usual = elo.map_or(Strength::BEST_RATING, |elo| Strength::of(elo, is_skilled).rating);
        Players { ratings: named.map(|rating| Some(rating.unwrap_or(usual))), scale }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_rating_is_the_requested_strength() {
        let ratings = |named, elo| Players::named(named, elo, false, RatingScale::Online).ratings;
        assert_eq!(ratings([None; 2], None), [Some(Strength::BEST_RATING); 2]);
        assert_eq!(ratings([Some(1200), None], Some(1700)), [Some(1200), Some(1700)]);
        // Above the ratings that are imitated, the search determines the strength.
        assert_eq!(ratings([None, Some(900)], Some(2400)), [Some(Strength::BEST_RATING), Some(900)]);
    }
}
