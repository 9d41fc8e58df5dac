/// How a player of some rating is imitated: by moves as people of that rating draw them, and above what the network
/// has learnt of people by search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// The rating that the network takes the player to have.
    pub rating: u16,
    /// How a move is chosen.
    pub choice: MoveChoice,
}

/// How a move is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MoveChoice {
    /// Drawn from the network, without any search.
    Drawn {
        /// How evenly: logits are divided by it. A network errs where the people it has learnt from do not, so that moves
        /// drawn just as it says are worse than theirs.
        temperature: f32,
    },
    /// The best of a search.
    Searched {
        /// Its visits.
        visits: u64,
    },
}

impl Strength {
    /// The weakest rating that is told from others.
    pub const WEAKEST: u32 = 1000;
    /// The strongest.
    pub const STRONGEST: u32 = LADDER[LADDER.len() - 1].0;
    /// The rating that the best play is asked from the network with.
    pub const BEST_RATING: u16 = 2600;

    /// How to play as `elo` says.
    pub fn of(elo: u32) -> Strength {
        let elo = elo.clamp(Strength::WEAKEST, Strength::STRONGEST);
        let Some(above) = LADDER.iter().position(|(rating, _)| *rating >= elo).filter(|_| elo > LADDER[0].0)
        else {
            let share = (elo - Strength::WEAKEST) as f32 / (LADDER[0].0 - Strength::WEAKEST) as f32;
            let temperature = 1.0 + share * (COOLEST - 1.0);
            return Strength { rating: elo as u16, choice: MoveChoice::Drawn { temperature } };
        };
        let [(low, few), (high, many)] = [LADDER[above - 1], LADDER[above]];
        let share = f64::from(elo - low) / f64::from(high - low);
        let visits = (few * (many / few).powf(share)).round() as u64;
        Strength { rating: Strength::BEST_RATING, choice: MoveChoice::Searched { visits } }
    }
}

/// The temperature of the highest rating that is drawn; it falls to that from 1 for the lowest.
const COOLEST: f32 = 0.25;

/// Ratings and the visits of a move that they stand for; below the first, moves are drawn.
const LADDER: [(u32, f64); 4] = [(2200, 1.0), (2300, 4.0), (2400, 16.0), (2600, 100.0)];

#[cfg(test)]
mod tests {
    use super::*;

    /// The visits of a rating that searches; `None` of one whose moves are drawn.
    fn visits(elo: u32) -> Option<u64> {
        match Strength::of(elo).choice {
            MoveChoice::Searched { visits } => Some(visits),
            MoveChoice::Drawn { .. } => None,
        }
    }

    #[test]
    fn people_are_imitated_as_far_as_they_go_and_then_search_grows() {
        let drawn = |rating, temperature| Strength { rating, choice: MoveChoice::Drawn { temperature } };
        assert_eq!(Strength::of(1000), drawn(1000, 1.0));
        assert_eq!(Strength::of(1600), drawn(1600, 0.625));
        assert_eq!(Strength::of(2200), drawn(2200, 0.25));
        for (elo, many) in &LADDER[1..] {
            assert_eq!(visits(*elo), Some(*many as u64));
        }
        for elo in LADDER[0].0 + 1..Strength::STRONGEST {
            assert!(visits(elo) >= Some(1), "{elo}");
            assert!(visits(elo) <= visits(elo + 1), "{elo}");
        }
        assert_eq!(Strength::of(0), Strength::of(Strength::WEAKEST));
        assert_eq!(Strength::of(u32::MAX), Strength::of(Strength::STRONGEST));
    }
}
