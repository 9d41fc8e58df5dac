//! What the moves of games cost, as a search of full strength finds.
//!
//! The model of people sees too little of what comes of moves to play like the strongest, and to let it look as far as
//! they do in each game of a population would take minutes. But the games of a population have most of their moves in
//! common, but for the last ones. So those are searched, each position once, and a game is the less likely the more its
//! moves lose. In that its target is a product of experts (Hinton 2002, "Training products of experts by minimizing
//! contrastive divergence"), one of which answers late.

use std::{collections::HashMap, ops::Range};

use shakmaty::{ByColor, Position, zobrist::Zobrist64};

use crate::{
    search::{Game, Limits, key},
    skill::Reviewer,
};

/// Moves before this ply are not reviewed: the network knows openings, and searches do not.
const FIRST_REVIEWED: u32 = 8;
/// What a move may lose in any case, in centipawns: two searches differ by as much.
const TOLERANCE: i32 = 20;

/// Nodes of the search of a position, by the greater of the cautions of both players: who minds a loss more looks longer.
/// Of 100,000 the best move loses a little less than the moves of players of 2600 do.
const NODES_A_CAUTION: f64 = 20_000.0;

/// A review of games under way.
#[derive(Default)]
pub(super) struct Review {
    /// What values positions, once one has been asked for.
    reviewer: Option<Reviewer>,
    /// What positions are worth for their movers.
    known: HashMap<Zobrist64, i32>,
    /// True if a limit ended it.
    has_ended: bool,
}

impl Review {
    /// Begins anew: what was reviewed before has no effect.
    pub fn begin(&mut self) {
        if let Some(reviewer) = &mut self.reviewer {
            reviewer.forget();
        }
        self.known.clear();
        self.has_ended = false;
    }

    /// What these moves of a game, counted from its root, cost: what each loses, in pawns, times the caution of its mover.
    /// Nothing once `limits` end the review.
    pub fn cost(
        &mut self,
        game: &Game,
        plies: Range<usize>,
        cautions: &ByColor<f64>,
        limits: Limits<'_>,
    ) -> f64 {
        let nodes = (NODES_A_CAUTION * cautions.white.max(cautions.black)) as u64;
        let mut cost = 0.0;
        let mut before = game.after(plies.start);
        for m in &game.moves()[plies] {
            let mut after = before.clone();
            after.play(*m);
            let caution = cautions[before.position().turn()];
            if caution > 0.0 && before.age() >= FIRST_REVIEWED {
                let Some(loss) = self.loss([&before, &after], nodes, limits) else { return 0.0 };
                cost += caution * f64::from((loss - TOLERANCE).max(0)) / 100.0;
            }
            before = after;
        }
        cost
    }

    /// What the move between two positions of a game loses, in centipawns; `None` if `limits` end the review.
    fn loss(&mut self, [before, after]: [&Game; 2], nodes: u64, limits: Limits<'_>) -> Option<i32> {
        // What one has then is the negative of what the next mover has.
        Some(self.value(before, nodes, limits)? + self.value(after, nodes, limits)?)
    }

    /// What the position on the board is worth for its mover; `None` if `limits` end the review.
    fn value(&mut self, game: &Game, nodes: u64, limits: Limits<'_>) -> Option<i32> {
        let key = key(game.position());
        if let Some(value) = self.known.get(&key) {
            return Some(*value);
        }
        let reviewer = self.reviewer.get_or_insert_default();
        let value = if self.has_ended { None } else { reviewer.value(game, nodes, limits) };
        self.has_ended = value.is_none();
        self.known.insert(key, value?);
        value
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::search::position_from_fen;

    fn played(fen: &str, moves: &[&str]) -> Game {
        let mut game = Game::new(position_from_fen(fen).unwrap());
        for name in moves {
            let legal = game.position().legal_moves();
            game.play(*legal.iter().find(|m| m.to_string() == *name).expect("a legal move"));
        }
        game
    }

    /// Whoever takes the queen is mated in two (Légal's mate).
    const OFFERED_QUEEN: &str = "rn1qkbnr/ppp2p1p/3p2p1/4N3/2B1P1b1/2N5/PPPP1PPP/R1BQK2R b KQkq - 0 5";

    #[test]
    fn a_blunder_costs_its_player_and_what_follows_is_set_against_what_it_left() {
        let stop = AtomicBool::new(false);
        let limits = Limits::until(&stop);
        let game = played(OFFERED_QUEEN, &["Bg4xd1", "Bc4xf7", "Ke8-e7"]);
        let mut review = Review::default();
        let of = |white, black| ByColor { white, black };
        let blunder = review.cost(&game, 0..1, &of(0.0, 1.0), limits);
        assert!(blunder > 7.0, "{blunder}");
        assert_eq!(review.cost(&game, 0..1, &of(5.0, 0.0), limits), 0.0, "only White is cautious");
        // The check loses nothing, and the only reply to it nothing more.
        assert_eq!(review.cost(&game, 1..3, &of(1.0, 1.0), limits), 0.0);
        assert_eq!(review.cost(&game, 0..3, &of(1.0, 2.0), limits), 2.0 * blunder);
        let other = review.cost(&played(OFFERED_QUEEN, &["d6xe5"]), 0..1, &of(1.0, 1.0), limits);
        assert!(other < 1.0, "{other}");
        // What is known needs no search, and once one is ended nothing costs anything.
        stop.store(true, Ordering::Relaxed);
        assert_eq!(review.cost(&game, 0..1, &of(0.0, 1.0), limits), blunder);
        review.begin();
        assert_eq!(review.cost(&game, 0..3, &of(1.0, 1.0), limits), 0.0);
        assert!(review.has_ended);
    }

    #[test]
    fn the_first_moves_of_a_game_cost_nothing() {
        let stop = AtomicBool::new(false);
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let game = played(start, &["g2-g4", "e7-e5", "f2-f3"]);
        let cautions = ByColor { white: 10.0, black: 10.0 };
        assert_eq!(Review::default().cost(&game, 0..3, &cautions, Limits::until(&stop)), 0.0);
    }
}
