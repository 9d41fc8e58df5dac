//! The filters: which of the undamaged games are imported.

use serde::{Deserialize, Serialize};

use super::{fault::Reason, time_control::TimeControl};

/// Filters of an import. The defaults are those of Petrželka (2024), section 3.1.3, except for the minimum of 20 plies:
/// that work does not say how short a removed game is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filter {
    /// The minimum rating of both players.
    pub min_rating: u16,
    /// Base times in seconds whose games are left out, with any increment.
    pub excluded_base_times: Vec<u32>,
    /// The minimum length of a game, in plies.
    pub min_plies: usize,
}

impl Default for Filter {
    fn default() -> Self {
        Filter { min_rating: 1000, excluded_base_times: vec![60, 120, 180, 240], min_plies: 20 }
    }
}

impl Filter {
    /// The first reason to leave a game out; `None` if the game is kept. The ratings are White's and Black's.
    pub fn reject(
        &self,
        ratings: (Option<u16>, Option<u16>),
        time_control: Option<TimeControl>,
        plies: usize,
    ) -> Option<Reason> {
        let (Some(white), Some(black)) = ratings else { return Some(Reason::RatingUnknown) };
        if white.min(black) < self.min_rating {
            return Some(Reason::LowRating);
        }
        if time_control.is_some_and(|control| self.excluded_base_times.contains(&control.base)) {
            return Some(Reason::TimeControl);
        }
        (plies < self.min_plies).then_some(Reason::TooShort)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_counted_under_its_first_reason() {
        let filter = Filter::default();
        let minute = Some(TimeControl { base: 60, increment: 5 });
        assert_eq!(filter.reject((None, Some(900)), minute, 3), Some(Reason::RatingUnknown));
        assert_eq!(filter.reject((Some(999), Some(1500)), minute, 3), Some(Reason::LowRating));
        assert_eq!(filter.reject((Some(1000), Some(1500)), minute, 3), Some(Reason::TimeControl));
        assert_eq!(filter.reject((Some(1000), Some(1500)), None, 19), Some(Reason::TooShort));
        assert_eq!(filter.reject((Some(1000), Some(1500)), None, 20), None);
    }
}
