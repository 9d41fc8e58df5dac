//! What the moves of games lose, as a search of full strength finds.
//!
//! The model of people sees too little of what comes of moves to play like the strongest, and to let it look as far as
//! they do in each game of a population would take minutes. But most games of a population come from one of a few plies
//! before. What they have in common is reviewed move by move, and a move that loses something stands only by chance.

use rand::{Rng, RngExt};
use shakmaty::Move;

use crate::{
    search::{Game, Limits},
    skill::Reviewer,
};

/// Moves before this ply are not reviewed: the network knows openings, and searches do not.
const FIRST_REVIEWED: u32 = 8;
/// What a move may lose in any case, in centipawns: two searches differ by as much.
const TOLERANCE: i32 = 20;

/// A review of a game under way.
#[derive(Default)]
pub(super) struct Review {
    /// What values positions, once one has begun.
    reviewer: Option<Reviewer>,
    /// The game up to the position in question.
    game: Game,
    /// What that is worth for its mover, once it is known.
    before: Option<i32>,
    /// What it is worth for the next mover after the moves that were asked about.
    after: Vec<(Move, i32)>,
    /// True if a limit ended it.
    has_ended: bool,
}

impl Review {
    /// Begins anew, with the moves that follow.
    pub fn begin(&mut self, game: &Game) {
        self.reviewer.get_or_insert_default().forget();
        self.has_ended = false;
        self.go_back(game);
    }

    /// The game up to the position in question.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Its plies.
    pub fn plies(&self) -> usize {
        self.game.moves().len()
    }

    /// Whether `m`, a legal move, stands, where a pawn that it loses takes `caution` from the logarithm of the chance that
    /// it does. Once `limits` end the review, all moves stand.
    pub fn stands(&mut self, m: Move, caution: f32, limits: Limits<'_>, rng: &mut impl Rng) -> bool {
        if caution == 0.0 || self.has_ended || self.game.age() < FIRST_REVIEWED {
            return true;
        }
        let Some(loss) = self.loss(m, limits) else {
            self.has_ended = true;
            return true;
        };
        rng.random::<f64>() < chance(loss, caution)
    }

    /// What `m` loses, in centipawns; `None` if `limits` end it.
    fn loss(&mut self, m: Move, limits: Limits<'_>) -> Option<i32> {
        let reviewer = self.reviewer.get_or_insert_default();
        let before = match self.before {
            Some(before) => before,
            None => *self.before.insert(reviewer.value(&self.game, limits)?),
        };
        let known = self.after.iter().find(|(known, _)| *known == m);
        let after = match known {
            Some((_, after)) => *after,
            None => {
                let mut next = self.game.clone();
                next.play(m);
                let after = reviewer.value(&next, limits)?;
                self.after.push((m, after));
                after
            }
        };
        // What one has then is the negative of what the next mover has.
        Some(before + after)
    }

    /// Goes on to the position after `m`.
    pub fn go_on(&mut self, m: Move) {
        let known = self.after.iter().find(|(known, _)| *known == m);
        self.before = known.map(|(_, after)| *after);
        self.after.clear();
        self.game.play(m);
    }

    /// Goes back to the last position of another game.
    pub fn go_back(&mut self, game: &Game) {
        self.before = None;
        self.after.clear();
        self.game = game.clone();
    }
}

/// The chance that a move stands that loses so many centipawns.
fn chance(loss: i32, caution: f32) -> f64 {
    let pawns = f64::from((loss - TOLERANCE).max(0)) / 100.0;
    (-f64::from(caution) * pawns).exp()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use rand::{SeedableRng, rngs::ChaCha8Rng};
    use shakmaty::{Chess, Position};

    use super::*;
    use crate::search::position_from_fen;

    fn named(review: &Review, name: &str) -> Move {
        let moves = review.game.position().legal_moves();
        *moves.iter().find(|m| m.to_string() == name).expect("a legal move")
    }

    #[test]
    fn the_more_a_move_loses_the_less_it_stands() {
        assert_eq!([chance(-50, 2.0), chance(0, 2.0), chance(20, 2.0), chance(500, 0.0)], [1.0; 4]);
        assert!((chance(120, 2.0) - (-2f64).exp()).abs() < 1e-12);
        assert!(chance(300, 2.0) < 0.01);
    }

    #[test]
    fn a_blunder_falls_and_the_moves_after_it_are_set_against_what_it_left() {
        let stop = AtomicBool::new(false);
        let limits = Limits::until(&stop);
        // Whoever takes the queen is mated in two (Légal's mate).
        let offered = "rn1qkbnr/ppp2p1p/3p2p1/4N3/2B1P1b1/2N5/PPPP1PPP/R1BQK2R b KQkq - 0 5";
        let mut review = Review::default();
        review.begin(&Game::new(position_from_fen(offered).unwrap()));
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let taking = named(&review, "Bg4xd1");
        assert!(review.loss(taking, limits).unwrap() > 700);
        assert!(!review.stands(taking, 5.0, limits, &mut rng));
        assert!(review.stands(taking, 0.0, limits, &mut rng), "nobody is cautious");
        let other = named(&review, "d6xe5");
        assert!(review.loss(other, limits).unwrap() < 100);
        // Once it stands, the check loses nothing, and the only reply to it nothing more.
        review.go_on(taking);
        assert_eq!(review.plies(), 1);
        let check = named(&review, "Bc4xf7");
        assert_eq!(review.loss(check, limits), Some(0));
        review.go_on(check);
        let reply = named(&review, "Ke8-e7");
        assert_eq!(review.loss(reply, limits), Some(0));
        stop.store(true, Ordering::Relaxed);
        assert_eq!(review.loss(reply, limits), Some(0), "it is known");
        let begun = review.game.clone();
        review.begin(&begun);
        assert_eq!(review.loss(reply, limits), None);
        assert!(review.stands(reply, 10.0, limits, &mut rng) && review.has_ended);
    }

    #[test]
    fn the_first_moves_of_a_game_stand() {
        let stop = AtomicBool::new(false);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut review = Review::default();
        review.begin(&Game::new(Chess::default()));
        for name in ["g2-g4", "e7-e5", "f2-f3"] {
            let m = named(&review, name);
            assert!(review.stands(m, 10.0, Limits::until(&stop), &mut rng));
            review.go_on(m);
        }
    }
}
