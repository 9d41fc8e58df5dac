//! The exact search, for whole diagrams in a limited number of plies: it finds a game, or proves that there is none.

use std::{num::NonZero, ops::RangeInclusive};

use entente_constraint::{Impossible, counted, guide::GuideError, legality::Problem};
use entente_search::{
    Limits,
    proof::{self, ProofGoal, ProofOptions},
};
use rand::rngs::ChaCha8Rng;

use crate::generation::{
    DEFAULT_MAX_PLIES, Diagram, GenerationError, Job,
    player::{Attempt, Player, Spent, Task},
};

/// The memory of a search, in mebibytes.
const HASH: usize = 64;
/// How many games of the shortest length are tried if the target also has conditions that the search does not know.
const GAMES: NonZero<u32> = NonZero::new(256).expect("it is not zero");

/// Searches for the shortest games.
pub(in crate::generation) struct ExactPlayer {
    problem: Problem,
    plies: RangeInclusive<u32>,
    games: NonZero<u32>,
    /// The most positions of an attempt.
    most: u64,
    nodes: u64,
}

impl ExactPlayer {
    /// A player whose attempts search up to `most` positions. `None` unless the target has a whole diagram and a bound
    /// on the number of plies.
    pub(super) fn new(job: &Job, most: u64) -> Option<ExactPlayer> {
        let Diagram { problem, plies, is_all } = Diagram::of(job)?;
        let is_bounded = *plies.end() < DEFAULT_MAX_PLIES;
        let games = if is_all { NonZero::<u32>::MIN } else { GAMES };
        is_bounded.then_some(ExactPlayer { problem, plies, games, most, nodes: 0 })
    }

    /// The reason why there is no game.
    fn impossible(&self) -> GenerationError {
        let (least, most) = (*self.plies.start(), *self.plies.end());
        let plies = counted(most, "ply", "plies");
        let length = match least {
            0 => format!("at most {plies}"),
            least if least == most => format!("exactly {plies}"),
            least => format!("{least} to {plies}"),
        };
        let reason = format!("no game of {length} leads to this diagram");
        GuideError::Impossible(Impossible::Because { reason }).into()
    }
}

impl Player for ExactPlayer {
    fn attempt(&mut self, task: &Task<'_>, _: &mut ChaCha8Rng) -> Result<Option<Attempt>, GenerationError> {
        let options = ProofOptions {
            games: self.games,
            min_plies: *self.plies.start(),
            max_plies: *self.plies.end(),
            threads: 1,
            hash: HASH,
        };
        let nodes = task.limits.nodes.saturating_sub(self.nodes).min(self.most);
        let found =
            proof::shortest(&ProofGoal::new(&self.problem), options, Limits { nodes, ..task.limits }, |_| ());
        self.nodes += found.nodes;
        if found.at_least.is_none_or(|least| least > *self.plies.end()) {
            return Err(self.impossible());
        }
        let game = found.games.into_iter().find(|game| task.is_reached_by(game));
        Ok(Some(game.map_or_else(Attempt::failed, Attempt::searched)))
    }

    fn spent(&self) -> Spent {
        Spent { nodes: self.nodes, evaluations: self.nodes }
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use shakmaty::{Chess, Position};

    use super::*;
    use crate::generation::Plan;

    /// Mortimer's problem in Frolkin's version, with a single shortest game of 8 plies.
    const FROLKIN: &str = "fen=rnbqkb1r/ppp2ppp/8/8/8/8/PPPPPPPP/RNBQKB1R";
    /// Fool's mate, with two games: White's moves may come in any order.
    const FOOL: &str = "fen=rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR";

    /// The number of plies of the game that an attempt finds, or the reason why there is none.
    fn attempt(constraint: &str, positions: u64) -> Option<Result<usize, String>> {
        let job = Job::new(constraint.parse().unwrap(), Plan::BestFirst);
        let mut player = ExactPlayer::new(&job, positions)?;
        let task = Task {
            job: &job,
            ratings: [None; 2],
            number: 0,
            limits: Limits::none(),
            judge: None,
            may_begin: &|_| true,
        };
        Some(match player.attempt(&task, &mut ChaCha8Rng::seed_from_u64(1)) {
            Ok(attempt) => {
                let attempt = attempt.unwrap();
                let mut position = Chess::default();
                attempt.line.iter().for_each(|m| position.play_unchecked(*m));
                if attempt.distance.number() == 0 {
                    assert!(constraint.contains(&position.board().to_string()), "{constraint}");
                }
                Ok(attempt.line.len())
            }
            Err(error) => Err(error.to_string()),
        })
    }

    #[test]
    fn games_in_a_limited_number_of_plies_are_found_or_refuted() {
        let none = |length: &str| Some(Err(format!("impossible: no game of {length} leads to this diagram")));
        for (constraint, expected) in [
            (format!("{FROLKIN} ply<=8"), Some(Ok(8))),
            (format!("{FROLKIN} ply=12"), Some(Ok(12))),
            (format!("{FROLKIN} ply<8"), none("at most 7 plies")),
            (format!("{FROLKIN} ply=9"), none("exactly 9 plies")),
            (format!("{FROLKIN} ply>=9 ply<=10"), none("9 to 10 plies")),
            (format!("{FROLKIN} turn=black ply<=9"), none("at most 9 plies")),
            (format!("{FROLKIN} ply=10"), none("exactly 10 plies")),
            (format!("{FROLKIN} castling=none ply<=10"), none("at most 10 plies")),
            (format!("{FOOL} begins=\"1. g4\" ply<=4"), Some(Ok(4))),
            // No bound, and no whole diagram.
            (FROLKIN.to_owned(), None),
            ("n=1 N=1 ply<=8".to_owned(), None),
            ("N@f3 ply<=1".to_owned(), None),
        ] {
            assert_eq!(attempt(&constraint, u64::MAX), expected, "{constraint}");
        }
        assert_eq!(attempt(&format!("{FROLKIN} ply<=8"), 10), Some(Ok(0)), "the limit on positions");
    }
}
