use crate::settings::Settings;

/// Plies after which the temperature begins to change,
const OPENING_ENDS: f32 = 10.0;
/// … and has changed.
const LATE_BEGINS: f32 = 30.0;

/// How evenly moves are drawn: logits are divided by a temperature that depends on the ply.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Temperatures {
    /// That of the opening.
    pub opening: f32,
    /// That of later moves.
    pub late: f32,
}

impl Temperatures {
    /// For fast games, fitted to people's surprise: guidance and masks are not people's.
    pub const FAST: Temperatures = Temperatures { opening: 0.85, late: 0.55 };
    /// For natural games, fitted likewise: a network is less sure of people's moves than they are. Those of a skilled
    /// policy's file go before.
    pub const NATURAL: Temperatures = Temperatures { opening: 0.95, late: 0.9 };

    /// Those that are set, or else these.
    pub fn set_in(self, settings: &Settings) -> Temperatures {
        Temperatures {
            opening: settings.temperature.unwrap_or(self.opening),
            late: settings.late_temperature.unwrap_or(self.late),
        }
    }

    /// The temperature after so many plies: that of the opening up to ply 10, the late one from ply 30, evenly changing
    /// between them.
    pub fn at(self, ply: u32) -> f32 {
        let progress = ((ply as f32 - OPENING_ENDS) / (LATE_BEGINS - OPENING_ENDS)).clamp(0.0, 1.0);
        self.opening + progress * (self.late - self.opening)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_temperature_changes_between_the_opening_and_ply_thirty() {
        let settings = Settings { temperature: Some(1.0), ..Settings::default() };
        let temperatures = Temperatures { opening: 0.75, late: 0.5 }.set_in(&settings);
        assert_eq!([0, 10, 20, 30, 200].map(|ply| temperatures.at(ply)), [1.0, 1.0, 0.75, 0.5, 0.5]);
    }
}
