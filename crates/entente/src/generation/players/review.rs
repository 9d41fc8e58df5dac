//! Reviews what the moves of games lose, by a search as deep as that of strong players.
//!
//! The human model does not look ahead far enough to play like the strongest players. To search every move of a
//! population as deeply would take a minute per game. So only the moves that were drawn and the best moves of their
//! positions are searched, before the population is resampled, and games that share a position share its search. The
//! more its moves lose, the less likely a game becomes. The target is a product of experts (Hinton 2002, "Training
//! products of experts by minimizing contrastive divergence"), one of which evaluates only a few moves.
//!
//! The loss of a move is the value after the move that looks best, less the value after the move played. Both come from
//! searches of the positions after these moves. The value of the position itself would not do: it differs from that
//! after the best move by about 25 centipawns, which would then count against every move of the position.

use std::{collections::HashMap, ops::Range};

use entente_search::{Game, Limits, PortableMath as _};
use shakmaty::{ByColor, Move, Position, zobrist::Zobrist64};

use super::population::Particle;
use crate::skill::{Finding, Reviewer};

/// Moves before this ply are not reviewed, because the network knows openings better than searches do.
const FIRST_REVIEWED: u32 = 8;
/// The number of nodes for a position if the greater caution of both players is [`GREAT`]. Otherwise it is proportional
/// to the square root of the caution.
const NODES: f64 = 64_000.0;
/// The minimum number of nodes. With fewer, searches find losses where there are none.
const MIN_NODES: f64 = 20_000.0;
/// The caution for which [`NODES`] are searched.
const GREAT: f64 = 8.0;
/// The maximum share of moves that lose something.
const MAX_LOSING: f64 = 0.75;
/// The maximum number of positions searched for a population, which take about half a minute.
const MAX_POSITIONS: usize = 1_000;

/// The review of the games in the populations of an attempt.
#[derive(Default)]
pub(super) struct Review {
    /// For each side, by how much a move that loses a pawn reduces the logarithm of the weight of its game.
    cautions: ByColor<f64>,
    /// The search that evaluates positions, once one is needed.
    reviewer: Option<Reviewer>,
    /// The findings for positions, which do not depend on earlier moves.
    known: HashMap<Zobrist64, Finding>,
    /// The number of positions that may still be searched for this population. It is 0 if a limit has ended the review,
    /// or if neither side has a caution.
    left: usize,
}

impl Review {
    /// Begins an attempt with these cautions. Earlier reviews have no effect.
    pub(super) fn begin(&mut self, cautions: ByColor<f64>) {
        self.cautions = cautions;
        self.known.clear();
        if let Some(reviewer) = &mut self.reviewer {
            reviewer.forget();
        }
        self.begin_population();
    }

    /// Begins another population of the attempt. Findings are kept.
    pub(super) fn begin_population(&mut self) {
        self.left = if self.cautions.iter().all(|caution| *caution == 0.0) { 0 } else { MAX_POSITIONS };
    }

    /// True if moves are still reviewed.
    pub(super) fn is_open(&self) -> bool {
        self.left > 0
    }

    /// Reduces the weight of each game by the cost of its moves that were not reviewed yet. Once `limits` other than
    /// nodes end the review, or it has searched all positions that it may, weights stay the same.
    pub(super) fn weigh(&mut self, population: &mut [Particle], limits: Limits<'_>) {
        let unreviewed = |particle: &Particle| particle.reviewed..particle.game.moves().len();
        let costs: Option<Vec<f64>> = population
            .iter()
            .map(|particle| self.cost(&particle.game, unreviewed(particle), limits))
            .collect();
        for (particle, cost) in population.iter_mut().zip(costs.into_iter().flatten()) {
            particle.weight -= cost;
            particle.reviewed = particle.game.moves().len();
        }
    }

    /// The cost of these moves of a game. For each, it is the loss in pawns times the caution of the mover, less the
    /// usual cost of such moves, so it may be negative. `None` once the review has ended.
    fn cost(&mut self, game: &Game, plies: Range<usize>, limits: Limits<'_>) -> Option<f64> {
        if !self.is_open() {
            return None;
        }
        let mut cost = 0.0;
        let mut before = game.after(plies.start);
        for m in &game.moves()[plies] {
            let caution = self.cautions[before.position().turn()];
            let is_reviewed = caution > 0.0 && before.age() >= FIRST_REVIEWED;
            if is_reviewed && before.position().legal_moves().len() > 1 {
                let Finding { value, best } = self.finding(&before, limits)?;
                cost += caution * f64::from(self.lost(&before, best, *m, limits)?) / 100.0;
                // In a decided position, no usual cost is given back. Otherwise a move that loses a little would cost
                // less than one that loses nothing.
                if value.abs() != Reviewer::MAX {
                    cost -= usual_cost(caution, before.age());
                }
            }
            before.play(*m);
        }
        Some(cost)
    }

    /// The loss of the move played against the one that looks best, in centipawns; `None` if the review ends.
    fn lost(&mut self, before: &Game, best: Option<Move>, played: Move, limits: Limits<'_>) -> Option<i32> {
        let Some(best) = best.filter(|best| *best != played) else {
            return Some(0);
        };
        let mut left = |m| {
            let mut after = before.clone();
            after.play(m);
            // The value after a move is the negative of the value for the next mover.
            Some(-self.finding(&after, limits)?.value)
        };
        Some((left(best)? - left(played)?).max(0))
    }

    /// The finding for the position on the board; `None` if the review ends.
    fn finding(&mut self, game: &Game, limits: Limits<'_>) -> Option<Finding> {
        if let Some(finding) = self.known.get(&game.key()) {
            return Some(*finding);
        }
        self.left = self.left.checked_sub(1)?;
        let finding = self.reviewer.get_or_insert_default().review(game, nodes(self.cautions), limits);
        if let Some(finding) = finding {
            self.known.insert(game.key(), finding);
        } else {
            self.left = 0;
        }
        finding
    }
}

/// The number of nodes for each position.
fn nodes(cautions: ByColor<f64>) -> u64 {
    let caution = cautions.white.max(cautions.black);
    (NODES * (caution / GREAT).sqrt()).max(MIN_NODES) as u64
}

/// The average cost of a move at this ply for a player with this caution: minus the logarithm of the mean factor by
/// which it changes the weight. If this were not given back, long games would be less likely only because more of their
/// moves are reviewed.
///
/// A share of the moves that grows with the ply loses something. The losses have an exponential distribution whose mean
/// grows, too. Fitted to 5,393 moves that populations drew for players rated 2200 and 2600, up to ply 40 (cautions 3
/// and 5.5, searches of 39,000 and 53,000 nodes); their mean is within a quarter of this. Moves of human games cost
/// less in such a review, but what is given back must be what moves of generated games cost. Later moves cost more than
/// these: the share continues to grow, up to [`MAX_LOSING`], otherwise games at 2600 are too short.
fn usual_cost(caution: f64, ply: u32) -> f64 {
    let losing = (0.36 + 0.01 * f64::from(ply)).min(MAX_LOSING);
    let loss = 0.3 + 0.009 * f64::from(ply);
    -(-losing * caution * loss / (1.0 + caution * loss)).portable_ln_1p()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use entente_search::position_from_fen;

    use super::*;

    /// Whoever takes the queen is mated in two (Légal's mate). The number of the move is to follow.
    const OFFERED_QUEEN: &str = "rn1qkbnr/ppp2p1p/3p2p1/4N3/2B1P1b1/2N5/PPPP1PPP/R1BQK2R b KQkq - 0";

    /// A game from the offer of the queen, at this move number of Black, with these moves.
    fn played(number: u32, moves: &[&str]) -> Particle {
        let offered = position_from_fen(&format!("{OFFERED_QUEEN} {number}")).unwrap();
        let mut particle = Particle::new(Game::new(offered));
        moves.iter().for_each(|name| play(&mut particle, name));
        particle
    }

    fn play(Particle { game, .. }: &mut Particle, name: &str) {
        let legal = game.position().legal_moves();
        game.play(*legal.iter().find(|m| m.to_string() == name).expect("a legal move"));
    }

    const MATED: [&str; 3] = ["Bg4xd1", "Bc4xf7", "Ke8-e7"];

    fn begun(white: f64, black: f64) -> Review {
        let mut review = Review::default();
        review.begin(ByColor { white, black });
        review
    }

    /// The reduction of the weights of two games by a review.
    fn paid(review: &mut Review, games: &mut [Particle; 2], stop: &AtomicBool) -> [f64; 2] {
        review.weigh(games, Limits::until(stop));
        games.each_ref().map(|game| -game.weight)
    }

    #[test]
    fn each_move_costs_its_player_once_compared_with_the_position_it_left() {
        let stop = AtomicBool::new(false);
        let mut both = [played(5, &[]), played(5, &["d6xe5"])];
        let mut review = begun(1.0, 1.0);
        let [nothing, other] = paid(&mut review, &mut both, &stop);
        assert!(nothing == 0.0 && other < 1.0, "{other}");
        play(&mut both[0], MATED[0]);
        let [blunder, _] = paid(&mut review, &mut both, &stop);
        assert!(blunder > 7.0, "{blunder}");
        // The check and the only reply to it lose nothing. In a decided position, nothing is given back.
        for reply in &MATED[1..] {
            play(&mut both[0], reply);
            assert_eq!(paid(&mut review, &mut both, &stop), [blunder, other]);
        }
        assert_eq!(both.each_ref().map(|game| game.reviewed), [3, 1]);
        let games = || [played(5, &MATED), played(5, &["d6xe5"])];
        assert_eq!(paid(&mut review, &mut games(), &stop), [blunder, other], "all at once");
        assert_eq!(paid(&mut begun(1.0, 0.0), &mut games(), &stop), [0.0; 2], "White has lost nothing");
        assert_eq!(paid(&mut begun(0.0, 0.0), &mut games(), &stop), [0.0; 2], "neither side is cautious");
    }

    /// Two games from the offer of the queen, of which the first has the move that looks best, and a review that knows
    /// the value of the position before these moves and the values after them for the next mover.
    fn knowing(cautions: [f64; 2], before: i32, left: [i32; 2]) -> (Review, [Particle; 2]) {
        let [white, black] = cautions;
        let mut review = begun(white, black);
        let games = ["d6xe5", "Bg4-e6"].map(|name| played(5, &[name]));
        let best = Some(games[0].game.moves()[0]);
        review.known.insert(played(5, &[]).game.key(), Finding { value: before, best });
        let after = games.each_ref().map(|particle| particle.game.key());
        review.known.extend(after.into_iter().zip(left.map(|value| Finding { value, best: None })));
        (review, games)
    }

    #[test]
    fn a_move_is_compared_with_the_best_one_and_gets_the_usual_cost_back() {
        let stop = AtomicBool::new(false);
        let usual = usual_cost(1.0, 9);
        // The value of the position itself does not count.
        let (mut review, mut games) = knowing([1.0, 1.0], 300, [20, 70]);
        assert_eq!(paid(&mut review, &mut games, &stop), [-usual, 0.5 - usual]);
        // A move that turns out to be better than the best gains nothing.
        let (mut review, mut games) = knowing([1.0, 1.0], 300, [20, -30]);
        assert_eq!(paid(&mut review, &mut games, &stop), [-usual; 2]);
    }

    #[test]
    fn in_a_decided_position_a_small_loss_costs_more_than_none() {
        let stop = AtomicBool::new(false);
        let (mut review, mut games) = knowing([0.0, 3.0], Reviewer::MAX, [-1000, -995]);
        assert_eq!(paid(&mut review, &mut games, &stop), [0.0, 0.15]);
    }

    #[test]
    fn the_more_cautious_player_determines_the_number_of_nodes() {
        let nodes = |white, black| nodes(ByColor { white, black });
        assert_eq!([nodes(8.0, 0.0), nodes(2.0, 2.0), nodes(0.5, 4.5)], [64_000, 32_000, 48_000]);
        assert_eq!(nodes(0.01, 0.0), 20_000);
    }

    #[test]
    fn usual_costs_are_as_measured_and_0_without_caution() {
        assert_eq!(usual_cost(0.0, 30), 0.0);
        let measured = [(3.0, [0.28, 0.33, 0.41, 0.41, 0.52]), (5.5, [0.31, 0.39, 0.53, 0.51, 0.67])];
        for (caution, costs) in measured {
            for (ply, cost) in [10, 14, 18, 23, 29].into_iter().zip(costs) {
                let usual = usual_cost(caution, ply);
                assert!((usual / cost - 1.0).abs() < 0.25, "{caution} at {ply}: {usual}");
            }
        }
        assert!(usual_cost(10.0, 300) < 1.4, "it does not grow for ever");
    }

    #[test]
    fn openings_are_free() {
        let stop = AtomicBool::new(false);
        let paid = |number| paid(&mut begun(1.0, 1.0), &mut [0, 0].map(|_| played(number, &MATED)), &stop);
        assert_eq!(paid(4), [0.0; 2]);
        assert!(paid(5)[0] > 7.0);
    }

    #[test]
    fn once_a_review_has_ended_no_move_costs_anything() {
        let stop = AtomicBool::new(false);
        let mut review = begun(1.0, 1.0);
        let blunders = || [0, 0].map(|_| played(5, &MATED[..1]));
        let [blunder, _] = paid(&mut review, &mut blunders(), &stop);
        // The findings for the first game are known, and those for the second are not.
        let games = || [played(5, &MATED[..1]), played(5, &["Bg4-c8"])];
        stop.store(true, Ordering::Relaxed);
        assert_eq!(paid(&mut review, &mut games(), &stop), [0.0; 2]);
        stop.store(false, Ordering::Relaxed);
        assert_eq!(paid(&mut review, &mut games(), &stop), [0.0; 2], "it has ended");
        review.begin_population();
        assert_eq!(
            paid(&mut review, &mut games(), &stop)[0],
            blunder,
            "the next population is reviewed again"
        );
        assert!(review.is_open() && !begun(0.0, 0.0).is_open());
    }
}
