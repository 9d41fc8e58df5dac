use entente_network::Cooling;

use crate::generation::TemperatureOverrides;

/// The temperatures at which moves are drawn. Logits are divided by a temperature that depends on the ply.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Temperatures {
    /// The temperature of the opening.
    pub opening: f32,
    /// The temperature at the beginning of the middlegame; `None` if it is interpolated between the others.
    pub middle: Option<f32>,
    /// The temperature of later moves.
    pub late: f32,
}

impl Temperatures {
    /// For natural games with a human network of its own, which is taken as it is.
    pub(crate) const UNCHANGED: Temperatures = Temperatures { opening: 1.0, middle: None, late: 1.0 };
    /// For fast games. Fitted so that moves are as surprising as human ones with a guidance of 1, because guidance and
    /// masks make them more surprising.
    pub(crate) const FAST: Temperatures = Temperatures { opening: 0.85, middle: None, late: 0.55 };
    /// For natural games, fitted in the same way, because a network is less certain of human moves than humans are. The
    /// file of a policy with a skill has its own.
    pub(crate) const NATURAL: Temperatures = Temperatures { opening: 0.95, middle: None, late: 0.9 };

    /// These temperatures, with those that are set in their place. If one is set, the temperature of the middlegame is
    /// interpolated.
    pub(crate) fn overridden(self, set: TemperatureOverrides) -> Temperatures {
        let is_set = set.opening.is_some() || set.late.is_some();
        Temperatures {
            opening: set.opening.unwrap_or(self.opening),
            middle: self.middle.filter(|_| !is_set),
            late: set.late.unwrap_or(self.late),
        }
    }

    /// The temperature after `ply` plies. It is that of the opening up to ply [`Cooling::OPENING_ENDS`], that of the
    /// middlegame at ply [`Cooling::MIDDLE`], and that of later moves from ply [`Cooling::LATE_BEGINS`] on, with linear
    /// interpolation between them.
    pub(crate) fn at(self, ply: u32) -> f32 {
        let [begins, middle, ends] =
            [Cooling::OPENING_ENDS, Cooling::MIDDLE, Cooling::LATE_BEGINS].map(f32::from);
        let ply = ply as f32;
        let between = |from: (f32, f32), to: (f32, f32)| {
            let progress = ((ply - from.0) / (to.0 - from.0)).clamp(0.0, 1.0);
            from.1 + progress * (to.1 - from.1)
        };
        let (opening, late) = ((begins, self.opening), (ends, self.late));
        match self.middle.map(|temperature| (middle, temperature)) {
            None => between(opening, late),
            Some(turn) if ply <= middle => between(opening, turn),
            Some(turn) => between(turn, late),
        }
    }
}

impl From<Cooling> for Temperatures {
    fn from(Cooling { opening, middle, late, .. }: Cooling) -> Temperatures {
        Temperatures { opening, middle, late }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_temperature_changes_between_the_opening_and_ply_thirty() {
        let opening = TemperatureOverrides { opening: Some(1.0), late: None };
        let given = Temperatures { opening: 0.75, middle: Some(2.0), late: 0.5 };
        let set = given.overridden(opening);
        assert_eq!([0, 10, 20, 30, 200].map(|ply| set.at(ply)), [1.0, 1.0, 0.75, 0.5, 0.5]);
        let by_file = given.overridden(TemperatureOverrides::default());
        assert_eq!(
            [0, 10, 13, 16, 23, 30, 200].map(|ply| by_file.at(ply)),
            [0.75, 0.75, 1.375, 2.0, 1.25, 0.5, 0.5]
        );
    }
}
