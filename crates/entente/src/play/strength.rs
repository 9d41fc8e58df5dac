use super::{
    best_of_draws::BestOfDraws,
    ladder::{between, rungs},
};

/// How a player of some rating is imitated. Up to the ratings that the network has learned, moves are drawn as humans
/// of that rating play them; above, they come from a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// The player's rating, as the network is told.
    pub rating: u16,
    /// How a move is chosen.
    pub(crate) choice: MoveChoice,
}

/// How a move is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum MoveChoice {
    /// Drawn from the network as corrected by a short search of the likely moves.
    Skilled,
    /// Drawn from the network alone.
    Drawn(BestOfDraws),
    /// The best move of a search.
    Searched {
        /// The number of visits.
        visits: u64,
    },
}

impl Strength {
    /// The lowest rating that is distinguished.
    pub const WEAKEST: u32 = 600;
    /// The highest rating. Only unlimited play is stronger.
    pub const STRONGEST: u32 = 2600;
    /// The rating that the network is given for the best play.
    pub const BEST_RATING: u16 = 2600;

    /// How to play at the rating `elo`, with a policy that has a skill or with one that has none.
    pub fn of(elo: u32, is_skilled: bool) -> Strength {
        let elo = elo.clamp(Strength::WEAKEST, Strength::STRONGEST);
        if is_skilled {
            return Strength { rating: elo as u16, choice: MoveChoice::Skilled };
        }
        if elo <= STRONGEST_DRAWN {
            let (less, more, share) = rungs(&DRAWN, elo);
            let best_of_draws = BestOfDraws {
                draws: between(less.draws, more.draws, share),
                nodes: between(less.nodes.into(), more.nodes.into(), share).round() as u32,
            };
            return Strength { rating: elo as u16, choice: MoveChoice::Drawn(best_of_draws) };
        }
        let (few, many, share) = rungs(&SEARCHED, elo);
        let visits = between(few, many, share).round() as u64;
        Strength { rating: Strength::BEST_RATING, choice: MoveChoice::Searched { visits } }
    }
}

/// How carefully players of a rating draw their moves. Between two ratings, draws and nodes are interpolated
/// geometrically. Fitted so that games between neighbours (`matches/match.py`, at least a hundred per pair) score about
/// as their ratings predict.
const DRAWN: [(u32, BestOfDraws); 4] = [
    (1000, BestOfDraws { draws: 1.1, nodes: 100 }),
    (1500, BestOfDraws { draws: 1.7, nodes: 700 }),
    (1800, BestOfDraws { draws: 2.4, nodes: 1400 }),
    (STRONGEST_DRAWN, BestOfDraws { draws: 5.0, nodes: 4000 }),
];
/// The highest rating whose moves are drawn.
const STRONGEST_DRAWN: u32 = 2200;
/// The visits per move above that rating, with the default look-ahead. The first entry is about as strong as the
/// highest rating that is drawn.
const SEARCHED: [(u32, f64); 2] = [(STRONGEST_DRAWN, 2.0), (Strength::STRONGEST, 12.0)];

#[cfg(test)]
mod tests {
    use entente_search::PortableMath as _;

    use super::*;

    #[test]
    fn moves_are_drawn_up_to_a_rating_and_searched_above() {
        let drawn = |rating, draws, nodes| Strength {
            rating,
            choice: MoveChoice::Drawn(BestOfDraws { draws, nodes }),
        };
        let searched =
            |visits| Strength { rating: Strength::BEST_RATING, choice: MoveChoice::Searched { visits } };
        for (elo, BestOfDraws { draws, nodes }) in DRAWN {
            assert_eq!(Strength::of(elo, false), drawn(elo as u16, draws, nodes));
        }
        assert_eq!(Strength::of(1650, false), drawn(1650, 1.7 * (2.4f64 / 1.7).portable_powf(0.5), 990));
        assert_eq!(Strength::of(2201, false), searched(2));
        assert_eq!(Strength::of(2400, false), searched(5));
        assert_eq!(Strength::of(2600, false), searched(12));
        for is_skilled in [false, true] {
            let of = |elo| Strength::of(elo, is_skilled);
            assert_eq!(of(0), of(Strength::WEAKEST));
            assert_eq!(of(u32::MAX), of(Strength::STRONGEST));
        }
        let skilled = Strength { rating: 2400, choice: MoveChoice::Skilled };
        assert_eq!(Strength::of(2400, true), skilled);
    }

    #[test]
    fn effort_never_falls_as_the_rating_grows() {
        let effort = |elo| match Strength::of(elo, false).choice {
            MoveChoice::Skilled => unreachable!("this policy has no skill"),
            MoveChoice::Drawn(BestOfDraws { draws, nodes }) => (0, draws, u64::from(nodes)),
            MoveChoice::Searched { visits } => (1, 0.0, visits),
        };
        for elo in Strength::WEAKEST..Strength::STRONGEST {
            let (now, next) = (effort(elo), effort(elo + 1));
            let grows = now.1 <= next.1 && now.2 <= next.2;
            assert!(now.0 < next.0 || now.0 == next.0 && grows, "{elo}: {now:?}, {next:?}");
        }
    }
}
