//! How moves are drawn for players of a given strength. Sampling each move as predicted does not give realistic games.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

/// The allowed temperatures.
const TEMPERATURES: RangeInclusive<f32> = 0.01..=10.0;
/// The allowed values of caution and review.
const CAUTIONS: RangeInclusive<f32> = 0.0..=10.0;

/// How the moves of whole games are drawn for players of a given strength. Values for strengths between two of these
/// are interpolated linearly.
///
/// The network's distribution is broader than that of human moves, most of all for strong players: the network gives
/// some probability to mistakes that these players recognise. In a single position this barely lowers the likelihood.
/// But one additional mistake in ten moves makes a different game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cooling {
    /// The strength: an online rating.
    pub at: u16,
    /// The temperature in the opening, up to ply [`Cooling::OPENING_ENDS`].
    pub opening: f32,
    /// The temperature at ply [`Cooling::MIDDLE`]; `None` if it is interpolated linearly between the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub middle: Option<f32>,
    /// The temperature from ply [`Cooling::LATE_BEGINS`] on. Between these plies the temperature changes linearly.
    pub late: f32,
    /// The reduction of the logarithm of a move's probability per pawn of its loss according to the skill's search, up
    /// to 5 pawns.
    #[serde(default)]
    pub caution: f32,
    /// The reduction of the logarithm of a game's weight per pawn of loss that the review finds; 0 for no review. The
    /// greater it is, the longer the search of the review.
    #[serde(default)]
    pub review: f32,
}

/// How the moves of players of a given strength are drawn in play. Values for strengths between two of these are
/// interpolated linearly.
///
/// If moves are drawn as predicted, players of all strengths share too many mistakes: a player rated 200 points higher
/// scores less than the Elo formula predicts. Calibration is fitted so that players of adjacent ratings score as
/// predicted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// The strength: an online rating.
    pub at: u16,
    /// The temperature of the corrected policy.
    pub temperature: f32,
    /// The reduction, after the temperature, of the logarithm of a move's probability per pawn of its loss according to
    /// the skill's search, up to 5 pawns.
    #[serde(default)]
    pub caution: f32,
}

impl Cooling {
    /// The last ply that is drawn at the opening temperature.
    pub const OPENING_ENDS: u8 = 10;
    /// The ply that is drawn at the middlegame temperature.
    pub const MIDDLE: u8 = 16;
    /// The first ply that is drawn at the late temperature.
    pub const LATE_BEGINS: u8 = 30;

    /// Checks that this is a valid table of a skill. It may be empty.
    ///
    /// # Errors
    /// A description of what is expected, for messages.
    pub fn check(cooling: &[Cooling]) -> Result<(), String> {
        let are_sound = cooling.iter().all(|Cooling { opening, middle, late, caution, review, .. }| {
            [opening, late].into_iter().chain(middle).all(|temperature| TEMPERATURES.contains(temperature))
                && [caution, review].iter().all(|caution| CAUTIONS.contains(caution))
        });
        if !are_sound || !cooling.is_sorted_by(|a, b| a.at < b.at) {
            return Err("expected cooling in order of strength, temperatures from 0.01 to 10, \
                        caution and review from 0 to 10"
                .to_owned());
        }
        Ok(())
    }

    /// The cooling of a strength, interpolated in a table; `None` if the table is empty.
    pub(super) fn between(table: &[Cooling], strength: u16) -> Option<Cooling> {
        let place = Bracket::of(strength, table, |row| row.at)?;
        let has_middle = place.below.middle.is_some() || place.share > 0.0 && place.above.middle.is_some();
        Some(Cooling {
            at: strength,
            opening: place.mixed(|row| row.opening),
            middle: has_middle.then(|| place.mixed(Cooling::at_middle)),
            late: place.mixed(|row| row.late),
            caution: place.mixed(|row| row.caution),
            review: place.mixed(|row| row.review),
        })
    }

    /// The temperature at ply [`Cooling::MIDDLE`].
    fn at_middle(&self) -> f32 {
        let plies = |from, to| f32::from(to) - f32::from(from);
        let progress = plies(Cooling::OPENING_ENDS, Cooling::MIDDLE)
            / plies(Cooling::OPENING_ENDS, Cooling::LATE_BEGINS);
        self.middle.unwrap_or(self.opening + progress * (self.late - self.opening))
    }
}

impl Calibration {
    /// No change: moves are drawn as predicted.
    pub const NONE: Calibration = Calibration { at: 0, temperature: 1.0, caution: 0.0 };

    /// Checks that this is a valid table of a skill. It may be empty.
    ///
    /// # Errors
    /// A description of what is expected, for messages.
    pub fn check(calibration: &[Calibration]) -> Result<(), String> {
        let are_sound = calibration.iter().all(|Calibration { temperature, caution, .. }| {
            TEMPERATURES.contains(temperature) && CAUTIONS.contains(caution)
        });
        if !are_sound || !calibration.is_sorted_by(|a, b| a.at < b.at) {
            return Err("expected calibration in order of strength, temperatures from 0.01 to 10 \
                        and caution from 0 to 10"
                .to_owned());
        }
        Ok(())
    }

    /// The calibration of a strength, interpolated in a table; `None` if the table is empty.
    pub(super) fn between(table: &[Calibration], strength: u16) -> Option<Calibration> {
        let place = Bracket::of(strength, table, |row| row.at)?;
        let (temperature, caution) = (place.mixed(|row| row.temperature), place.mixed(|row| row.caution));
        Some(Calibration { at: strength, temperature, caution })
    }
}

/// The place of a strength in a table: the rows between which to interpolate.
struct Bracket<'a, T> {
    below: &'a T,
    above: &'a T,
    /// The fraction of the way from the row below to the row above, from 0 at the row below.
    share: f32,
}

impl<'a, T> Bracket<'a, T> {
    /// The place of a strength in a table in order of strength. Strengths beyond its ends are at the ends. `None` if
    /// the table is empty.
    fn of(strength: u16, table: &'a [T], at: impl Fn(&T) -> u16) -> Option<Bracket<'a, T>> {
        let above = table.partition_point(|row| at(row) <= strength);
        let (below, above) = (table.get(above.saturating_sub(1))?, table.get(above).unwrap_or(table.last()?));
        let (low, high) = (at(below), at(above));
        let share =
            if low < high { f32::from(strength.saturating_sub(low)) / f32::from(high - low) } else { 0.0 };
        Some(Bracket { below, above, share })
    }

    /// The linear interpolation of a value of both rows.
    fn mixed(&self, of: impl Fn(&T) -> f32) -> f32 {
        let (below, above) = (of(self.below), of(self.above));
        below + self.share * (above - below)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_interpolated_between_strengths() {
        let table = [
            Cooling { at: 1000, opening: 1.0, middle: None, late: 0.9, caution: 0.0, review: 0.0 },
            Cooling { at: 2000, opening: 0.8, middle: None, late: 0.5, caution: 0.5, review: 1.0 },
        ];
        let of = |strength| {
            let Cooling { at, opening, middle, late, caution, review } =
                Cooling::between(&table, strength).unwrap();
            assert_eq!((at, middle), (strength, None));
            [opening, late, caution, review]
        };
        let (weak, strong) = ([1.0, 0.9, 0.0, 0.0], [0.8, 0.5, 0.5, 1.0]);
        assert_eq!([of(0), of(1000), of(2000), of(4000)], [weak, weak, strong, strong]);
        let between = of(1500);
        assert!([0.9, 0.7, 0.25, 0.5].iter().zip(between).all(|(a, b)| (a - b).abs() < 1e-6), "{between:?}");
        assert_eq!(Cooling::between(&[], 1500), None);
        // A row without a middlegame temperature counts with the one interpolated between its other temperatures.
        let with_middle = [table[0], Cooling { middle: Some(1.17), ..table[1] }];
        let middle = |strength| Cooling::between(&with_middle, strength).unwrap().middle;
        assert_eq!([middle(500), middle(1000), middle(2000)], [None, None, Some(1.17)]);
        assert!(middle(1500).is_some_and(|middle| (middle - (0.97 + 1.17) / 2.0).abs() < 1e-6));
        let calibration = Calibration { at: 1800, temperature: 0.5, caution: 2.0 };
        let even = Calibration { at: 1000, temperature: 1.0, caution: 0.0 };
        let between = Calibration { at: 1400, temperature: 0.75, caution: 1.0 };
        assert_eq!(Calibration::between(&[even, calibration], 1400), Some(between));
    }
}
