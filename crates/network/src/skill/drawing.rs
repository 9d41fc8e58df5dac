//! How moves are drawn for players of some strength, where what is likeliest in one position is not what makes a game.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

/// The temperatures that are read.
const TEMPERATURES: RangeInclusive<f32> = 0.01..=10.0;
/// The cautions that are read.
const CAUTIONS: RangeInclusive<f32> = 0.0..=10.0;

/// How the moves of whole games are drawn for players of some strength; between two of these it changes evenly.
///
/// The network is less sure of people's moves than people are, most of all of those of strong players: what it sees a
/// move lose, people often know to be nothing. In one position that is no loss of likelihood. In a game one mistake in
/// ten moves makes it another game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cooling {
    /// The strength.
    pub at: u16,
    /// The temperature in the opening, up to ply [`Cooling::OPENING_ENDS`].
    pub opening: f32,
    /// That at ply [`Cooling::MIDDLE`]; `None` if it lies evenly between the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub middle: Option<f32>,
    /// That of later moves, from ply [`Cooling::LATE_BEGINS`]. Between these plies it changes evenly.
    pub late: f32,
    /// What is taken from the logarithm of a move's probability for each pawn that it is seen to lose, up to 5.
    #[serde(default)]
    pub caution: f32,
    /// What is taken from the logarithm of a game's weight for each pawn that a move is found to lose once it is reviewed;
    /// 0 if nobody reviews it. The greater, the longer the search that does.
    #[serde(default)]
    pub review: f32,
}

/// How carefully players of some strength draw their moves in play; between two of these it changes evenly.
///
/// Drawn as they are predicted, moves of all strengths have too many mistakes in common: who is rated 200 points more
/// scores less than the formula of Elo says. Calibration is fitted so that neighbours score as it says.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// The strength.
    pub at: u16,
    /// The temperature of the corrected policy.
    pub temperature: f32,
    /// What is then taken from the logarithm of a move's probability for each pawn that it is seen to lose, up to 5.
    #[serde(default)]
    pub caution: f32,
}

impl Cooling {
    /// The last ply that is drawn at the temperature of the opening.
    pub const OPENING_ENDS: u8 = 10;
    /// The ply that is drawn at that of the middlegame.
    pub const MIDDLE: u8 = 16;
    /// The first ply that is drawn at the late temperature.
    pub const LATE_BEGINS: u8 = 30;

    /// Whether this is the cooling of a skill; it may have none.
    ///
    /// # Errors
    /// What was expected.
    pub fn check(cooling: &[Cooling]) -> Result<(), String> {
        let are_sound = cooling.iter().all(|Cooling { opening, middle, late, caution, review, .. }| {
            [opening, late].into_iter().chain(middle).all(|temperature| TEMPERATURES.contains(temperature))
                && [caution, review].iter().all(|caution| CAUTIONS.contains(caution))
        });
        if !are_sound || !cooling.is_sorted_by(|a, b| a.at < b.at) {
            return Err("expected cooling by rising strength with temperatures from 0.01 to 10, caution and review from 0 to 10"
                .to_owned());
        }
        Ok(())
    }

    /// That of a strength, by a table.
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
    /// Moves are drawn as they are predicted.
    pub const NONE: Calibration = Calibration { at: 0, temperature: 1.0, caution: 0.0 };

    /// Whether this is the calibration of a skill; it may have none.
    ///
    /// # Errors
    /// What was expected.
    pub fn check(calibration: &[Calibration]) -> Result<(), String> {
        let are_sound = calibration.iter().all(|Calibration { temperature, caution, .. }| {
            TEMPERATURES.contains(temperature) && CAUTIONS.contains(caution)
        });
        if !are_sound || !calibration.is_sorted_by(|a, b| a.at < b.at) {
            return Err("expected calibration by rising strength with a temperature from 0.01 to 10 and caution from 0 to 10"
                .to_owned());
        }
        Ok(())
    }

    /// That of a strength, by a table.
    pub(super) fn between(table: &[Calibration], strength: u16) -> Option<Calibration> {
        let place = Bracket::of(strength, table, |row| row.at)?;
        let (temperature, caution) = (place.mixed(|row| row.temperature), place.mixed(|row| row.caution));
        Some(Calibration { at: strength, temperature, caution })
    }
}

/// Where a strength lies in a table.
struct Bracket<'a, T> {
    below: &'a T,
    above: &'a T,
    /// How far it is from the row below to the one above: 0 if it is that of the row below.
    share: f32,
}

impl<'a, T> Bracket<'a, T> {
    /// That of a strength in a table of rising strengths, those beyond its ends being at these; `None` if it is empty.
    fn of(strength: u16, table: &'a [T], at: impl Fn(&T) -> u16) -> Option<Bracket<'a, T>> {
        let above = table.partition_point(|row| at(row) <= strength);
        let (below, above) = (table.get(above.saturating_sub(1))?, table.get(above).unwrap_or(table.last()?));
        let (low, high) = (at(below), at(above));
        let share =
            if low < high { f32::from(strength.saturating_sub(low)) / f32::from(high - low) } else { 0.0 };
        Some(Bracket { below, above, share })
    }

    /// What lies evenly between the values of both rows.
    fn mixed(&self, of: impl Fn(&T) -> f32) -> f32 {
        let (below, above) = (of(self.below), of(self.above));
        below + self.share * (above - below)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_strengths_changes_evenly_between_them() {
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
        // Where one of two has no temperature for the middlegame, what lies between its others counts as that.
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
