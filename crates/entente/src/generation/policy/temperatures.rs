use entente_network::Cooling;

use crate::generation::TemperatureOverrides;

/// How evenly moves are drawn: logits are divided by a temperature that depends on the ply.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Temperatures {
    /// That of the opening.
    pub opening: f32,
    /// That of the middlegame's beginning; `None` if it lies between the others.
    pub middle: Option<f32>,
    /// That of later moves.
    pub late: f32,
}

impl Temperatures {
    /// For fast games, fitted to people's surprise with a guidance of 1: guidance and masks are not people's.
    pub(crate) const FAST: Temperatures = Temperatures { opening: 0.85, middle: None, late: 0.55 };
    /// For natural games, fitted likewise: a network is less sure of people's moves than they are. Those of a skilled
    /// policy's file go before.
    pub(crate) const NATURAL: Temperatures = Temperatures { opening: 0.95, middle: None, late: 0.9 };

    /// Those that are set, or else these. Where one is set, that of the middlegame lies between.
    pub(crate) fn overridden(self, set: TemperatureOverrides) -> Temperatures {
        let is_set = set.opening.is_some() || set.late.is_some();
        Temperatures {
            opening: set.opening.unwrap_or(self.opening),
            middle: self.middle.filter(|_| !is_set),
            late: set.late.unwrap_or(self.late),
        }
    }

    /// The temperature after so many plies: that of the opening up to ply [`Cooling::OPENING_ENDS`], that of the middlegame
    /// at ply [`Cooling::MIDDLE`], the late one from ply [`Cooling::LATE_BEGINS`], evenly changing between them.
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
