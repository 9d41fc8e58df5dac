use std::fmt::{self, Display, Formatter};

use entente_network::encoding::goal_policy::RatingScale;

/// A window of ratings that count as the rating in its middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The rating in the middle.
    pub rating: u16,
    /// The scale of the ratings.
    pub scale: RatingScale,
    /// The maximum distance from the middle, in points.
    pub reach: u16,
}

impl Window {
    /// The windows with this reach around these ratings, without duplicates, sorted by scale and rating. If two on the
    /// same scale would overlap, both end halfway between their middles.
    pub fn around(middles: impl IntoIterator<Item = (u16, RatingScale)>, reach: u16) -> Vec<Window> {
        let window = |(rating, scale)| Window { rating, scale, reach };
        let mut windows: Vec<Window> = middles.into_iter().map(window).collect();
        windows.sort_unstable_by_key(|window| (window.scale as u8, window.rating));
        windows.dedup();
        for right in 1..windows.len() {
            let [one, other] = [windows[right - 1], windows[right]];
            if one.scale == other.scale {
                let half = (other.rating - one.rating) / 2;
                windows[right - 1].reach = one.reach.min(half);
                windows[right].reach = other.reach.min(half);
            }
        }
        windows
    }

    /// True if both players of a game are in the window.
    pub fn holds(&self, ratings: [u16; 2], scale: RatingScale) -> bool {
        self.scale == scale && ratings.iter().all(|rating| rating.abs_diff(self.rating) <= self.reach)
    }

    /// The lowest and the highest rating in the window.
    pub fn ends(&self) -> (u16, u16) {
        (self.rating.saturating_sub(self.reach), self.rating.saturating_add(self.reach))
    }
}

impl Display for Window {
    /// Writes the rating, and its scale unless it is that of Lichess: `1500`, `2200 FIDE`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let scale = match self.scale {
            RatingScale::Online => "",
            RatingScale::Fide => " FIDE",
            RatingScale::ChessCom => " chess.com",
        };
        write!(f, "{}{scale}", self.rating)
    }
}

#[cfg(test)]
mod tests {
    use RatingScale::{Fide, Online};

    use super::*;

    #[test]
    fn windows_on_the_same_scale_do_not_overlap() {
        let middles = [(1800, Online), (2200, Fide), (1000, Online), (1200, Online), (1800, Online)];
        let windows = Window::around(middles, 150);
        let shown: Vec<(String, u16)> =
            windows.iter().map(|window| (window.to_string(), window.reach)).collect();
        let expected = [("1000", 100), ("1200", 100), ("1800", 150), ("2200 FIDE", 150)];
        assert_eq!(shown, expected.map(|(name, reach)| (name.to_owned(), reach)));
        assert_eq!(windows[3].ends(), (2050, 2350));
    }

    #[test]
    fn both_players_must_be_in_the_window_and_on_its_scale() {
        let window = Window { rating: 2200, scale: Fide, reach: 100 };
        assert!(window.holds([2300, 2100], Fide));
        assert!(!window.holds([2300, 2301], Fide));
        assert!(!window.holds([2200, 2200], Online));
    }
}
