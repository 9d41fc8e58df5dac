//! What the moves of games cost, as a search finds that is as deep as those of strong players.
//!
//! The model of people sees too little of what comes of moves to play like the strongest, and to let it look as far as
//! they do at every move of a population would take a minute a game. So only moves that were drawn are searched, and the best
//! ones of their positions, before the population is drawn anew; games that share a position share its search. A game is
//! the less likely the more its moves lose: the target is a product of experts (Hinton 2002, "Training products of experts
//! by minimizing contrastive divergence"), one of which is asked about few moves.
//!
//! What a move loses is what the move that looked best leaves, less what the move played leaves; searches of the positions
//! after these moves say both. What the search before them expects would not do for the former: it differs from what the
//! search after the best move finds by some 25 centipawns, for which all moves of the position would pay.

use std::{collections::HashMap, ops::Range};

use entente_search::{Game, Limits};
use shakmaty::{ByColor, Move, Position, zobrist::Zobrist64};

use super::population::Particle;
use crate::skill::{Finding, Reviewer};

/// Moves before this ply are not reviewed: the network knows openings, and searches do not.
const FIRST_REVIEWED: u32 = 8;
/// Nodes of the search of a position where the greater of the cautions of both players is [`GREAT`]; who minds a loss more
/// looks longer, in proportion to the square root of the caution.
const NODES: f64 = 64_000.0;
/// And so many at least: fewer would find losses where there are none.
const LEAST_NODES: f64 = 20_000.0;
/// The caution where [`NODES`] are searched.
const GREAT: f64 = 8.0;
/// The greatest share of moves that lose something.
const MOST_LOSING: f64 = 0.75;
/// No more positions are searched for a population: half a minute or so.
const MOST_POSITIONS: usize = 1_000;

/// A review of the games of an attempt's populations.
#[derive(Default)]
pub(super) struct Review {
    /// What a pawn lost by a move of either side takes from the logarithm of the weight of its game.
    cautions: ByColor<f64>,
    /// What values positions, once one has been asked for.
    reviewer: Option<Reviewer>,
    /// What was found in positions, whatever came before them.
    known: HashMap<Zobrist64, Finding>,
    /// How many of them may still be searched for this population: none once a limit has ended its review, or if nobody is
    /// cautious.
    left: usize,
}

impl Review {
    /// Begins an attempt with these cautions: what was reviewed before has no effect.
    pub(super) fn begin(&mut self, cautions: ByColor<f64>) {
        self.cautions = cautions;
        self.known.clear();
        if let Some(reviewer) = &mut self.reviewer {
            reviewer.forget();
        }
        self.begin_population();
    }

    /// Begins another population of the attempt: what is known stays known.
    pub(super) fn begin_population(&mut self) {
        self.left = if self.cautions.iter().all(|caution| *caution == 0.0) { 0 } else { MOST_POSITIONS };
    }

    /// True if moves are still reviewed.
    pub(super) fn goes_on(&self) -> bool {
        self.left > 0
    }

    /// Weighs each game by what those of its moves cost that were not reviewed. Once `limits` other than nodes end the review,
    /// or it has valued all positions that it may, all weights stay.
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

    /// What these moves of a game cost: what each loses, in pawns, times the caution of its mover, less what such moves
    /// usually cost, so that it may be negative; `None` once the review has ended.
    fn cost(&mut self, game: &Game, plies: Range<usize>, limits: Limits<'_>) -> Option<f64> {
        if !self.goes_on() {
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
                // In a decided position nothing is usual, whichever move was played: else one that loses a little would
                // cost less than one that loses nothing.
                if value.abs() != Reviewer::MOST {
                    cost -= usual_cost(caution, before.age());
                }
            }
            before.play(*m);
        }
        Some(cost)
    }

    /// By how many centipawns the move played leaves less than the one that looks best; `None` if that ends the review.
    fn lost(&mut self, before: &Game, best: Option<Move>, played: Move, limits: Limits<'_>) -> Option<i32> {
        let Some(best) = best.filter(|best| *best != played) else {
            return Some(0);
        };
        let mut left = |m| {
            let mut after = before.clone();
            after.play(m);
            // What one has after a move is the negative of what the next mover has.
            Some(-self.finding(&after, limits)?.value)
        };
        Some((left(best)? - left(played)?).max(0))
    }

    /// What is found in the position on the board; `None` if that ends the review.
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

/// Nodes of the search of each position.
fn nodes(cautions: ByColor<f64>) -> u64 {
    let caution = cautions.white.max(cautions.black);
    (NODES * (caution / GREAT).sqrt()).max(LEAST_NODES) as u64
}

/// What a move at this ply costs a player of such a caution on average: minus the logarithm of the mean weight that it
/// leaves. If no game got that back, long ones would be less likely only because more of their moves are reviewed.
///
/// A share of the moves that grows with the ply loses something, exponentially distributed about a mean that grows, too.
/// Fitted to 5,393 moves that populations drew for players of 2200 and 2600, up to ply 40 (cautions 3 and 5.5, searches of
/// 39,000 and 53,000 nodes): their mean is within a quarter of this. Moves of people's games cost less in such a review, but
/// what is given back has to be what moves of generated games cost. Later ones cost more than these showed: the share goes
/// on to grow, up to [`MOST_LOSING`], else games of 2600 are too short.
fn usual_cost(caution: f64, ply: u32) -> f64 {
    let losing = (0.36 + 0.01 * f64::from(ply)).min(MOST_LOSING);
    let loss = 0.3 + 0.009 * f64::from(ply);
    -(-losing * caution * loss / (1.0 + caution * loss)).ln_1p()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use entente_search::position_from_fen;

    use super::*;

    /// Whoever takes the queen is mated in two (Légal's mate). The number of the move is to follow.
    const OFFERED_QUEEN: &str = "rn1qkbnr/ppp2p1p/3p2p1/4N3/2B1P1b1/2N5/PPPP1PPP/R1BQK2R b KQkq - 0";

    /// A game that begins with the offer of the queen, as this move of Black's, and these.
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

    /// What each of two games has paid once they are weighed.
    fn paid(review: &mut Review, games: &mut [Particle; 2], stop: &AtomicBool) -> [f64; 2] {
        review.weigh(games, Limits::until(stop));
        games.each_ref().map(|game| -game.weight)
    }

    #[test]
    fn each_move_is_paid_for_once_by_its_player_and_what_follows_is_set_against_what_it_left() {
        let stop = AtomicBool::new(false);
        let mut both = [played(5, &[]), played(5, &["d6xe5"])];
        let mut review = begun(1.0, 1.0);
        let [nothing, other] = paid(&mut review, &mut both, &stop);
        assert!(nothing == 0.0 && other < 1.0, "{other}");
        play(&mut both[0], MATED[0]);
        let [blunder, _] = paid(&mut review, &mut both, &stop);
        assert!(blunder > 7.0, "{blunder}");
        // The check loses nothing, nor does the only reply to it. As all is decided, nothing is usual.
        for reply in &MATED[1..] {
            play(&mut both[0], reply);
            assert_eq!(paid(&mut review, &mut both, &stop), [blunder, other]);
        }
        assert_eq!(both.each_ref().map(|game| game.reviewed), [3, 1]);
        let games = || [played(5, &MATED), played(5, &["d6xe5"])];
        assert_eq!(paid(&mut review, &mut games(), &stop), [blunder, other], "all at once");
        assert_eq!(paid(&mut begun(1.0, 0.0), &mut games(), &stop), [0.0; 2], "White has lost nothing");
        assert_eq!(paid(&mut begun(0.0, 0.0), &mut games(), &stop), [0.0; 2], "nobody is cautious");
    }

    /// Two games of the offered queen, the move of the first of which looks best, and a review that knows what the position
    /// before these moves is worth and what they leave the next mover.
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
    fn a_move_is_set_against_what_the_best_one_leaves_and_gets_back_what_is_usual() {
        let stop = AtomicBool::new(false);
        let usual = usual_cost(1.0, 9);
        // What the search of the position itself expects has no part.
        let (mut review, mut games) = knowing([1.0, 1.0], 300, [20, 70]);
        assert_eq!(paid(&mut review, &mut games, &stop), [-usual, 0.5 - usual]);
        // Nor does one get anything for a move that turns out to be better than the best.
        let (mut review, mut games) = knowing([1.0, 1.0], 300, [20, -30]);
        assert_eq!(paid(&mut review, &mut games, &stop), [-usual; 2]);
    }

    #[test]
    fn in_a_decided_position_a_move_that_loses_a_little_pays_more_than_the_best() {
        let stop = AtomicBool::new(false);
        let (mut review, mut games) = knowing([0.0, 3.0], Reviewer::MOST, [-1000, -995]);
        assert_eq!(paid(&mut review, &mut games, &stop), [0.0, 0.15]);
    }

    #[test]
    fn the_more_cautious_player_says_how_long_a_search_is() {
        let nodes = |white, black| nodes(ByColor { white, black });
        assert_eq!([nodes(8.0, 0.0), nodes(2.0, 2.0), nodes(0.5, 4.5)], [64_000, 32_000, 48_000]);
        assert_eq!(nodes(0.01, 0.0), 20_000);
    }

    #[test]
    fn usual_costs_are_as_measured_and_none_of_those_who_are_not_cautious() {
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
    fn once_a_review_is_ended_no_game_of_the_population_pays() {
        let stop = AtomicBool::new(false);
        let mut review = begun(1.0, 1.0);
        let blunders = || [0, 0].map(|_| played(5, &MATED[..1]));
        let [blunder, _] = paid(&mut review, &mut blunders(), &stop);
        // What the first game needs is known, and what the second one does is not.
        let games = || [played(5, &MATED[..1]), played(5, &["Bg4-c8"])];
        stop.store(true, Ordering::Relaxed);
        assert_eq!(paid(&mut review, &mut games(), &stop), [0.0; 2]);
        stop.store(false, Ordering::Relaxed);
        assert_eq!(paid(&mut review, &mut games(), &stop), [0.0; 2], "it has ended");
        review.begin_population();
        assert_eq!(paid(&mut review, &mut games(), &stop)[0], blunder, "that of another population has not");
        assert!(review.goes_on() && !begun(0.0, 0.0).goes_on());
    }
}
