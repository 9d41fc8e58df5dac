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
    /// The temperature in the opening.
    pub opening: f32,
    /// That of later moves.
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
    /// Whether this is the cooling of a skill; it may have none.
    ///
    /// # Errors
    /// What was expected.
    pub fn check(cooling: &[Cooling]) -> Result<(), String> {
        let are_sound = cooling.iter().all(|Cooling { opening, late, caution, review, .. }| {
            [opening, late].iter().all(|temperature| TEMPERATURES.contains(temperature))
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
        let values = |row: &Cooling| (row.at, [row.opening, row.late, row.caution, row.review]);
        let [opening, late, caution, review] = interpolated(table, strength, values)?;
        Some(Cooling { at: strength, opening, late, caution, review })
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
        let values = |row: &Calibration| (row.at, [row.temperature, row.caution]);
        let [temperature, caution] = interpolated(table, strength, values)?;
        Some(Calibration { at: strength, temperature, caution })
    }
}

/// The values of a strength by a table of rising strengths, those beyond its ends as these; `None` if it is empty.
fn interpolated<T, const N: usize>(
    table: &[T],
    strength: u16,
    values: impl Fn(&T) -> (u16, [f32; N]),
) -> Option<[f32; N]> {
    let above = table.partition_point(|row| values(row).0 <= strength);
    let (below, above) = (table.get(above.saturating_sub(1))?, table.get(above).unwrap_or(table.last()?));
    let ((low, below), (high, above)) = (values(below), values(above));
    let share =
        if low < high { f32::from(strength.saturating_sub(low)) / f32::from(high - low) } else { 0.0 };
    Some(std::array::from_fn(|index| below[index] + share * (above[index] - below[index])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_strengths_changes_evenly_between_them() {
        let table = [
            Cooling { at: 1000, opening: 1.0, late: 0.9, caution: 0.0, review: 0.0 },
            Cooling { at: 2000, opening: 0.8, late: 0.5, caution: 0.5, review: 1.0 },
        ];
        let of = |strength| {
            let Cooling { at, opening, late, caution, review } = Cooling::between(&table, strength).unwrap();
            assert_eq!(at, strength);
            [opening, late, caution, review]
        };
        let (weak, strong) = ([1.0, 0.9, 0.0, 0.0], [0.8, 0.5, 0.5, 1.0]);
        assert_eq!([of(0), of(1000), of(2000), of(4000)], [weak, weak, strong, strong]);
        let between = of(1500);
        assert!([0.9, 0.7, 0.25, 0.5].iter().zip(between).all(|(a, b)| (a - b).abs() < 1e-6), "{between:?}");
        assert_eq!(Cooling::between(&[], 1500), None);
        let calibration = Calibration { at: 1800, temperature: 0.5, caution: 2.0 };
        let even = Calibration { at: 1000, temperature: 1.0, caution: 0.0 };
        let between = Calibration { at: 1400, temperature: 0.75, caution: 1.0 };
        assert_eq!(Calibration::between(&[even, calibration], 1400), Some(between));
    }
}
