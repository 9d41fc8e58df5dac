//! The proof game that is kept between cooperative moves.

use entente_constraint::Target;
use entente_search::Game;
use shakmaty::{Chess, Move, Position};

use crate::{
    generation::{Distance, Generation},
    settings::GenerationSettings,
};

/// The proof game that the last move began or continued. The next move continues it if the other side does, so that the
/// game does not become longer with every move.
#[derive(Debug)]
pub(super) struct KeptPlan {
    /// The number of plies of the game when it was found.
    pub plies: usize,
    /// The constraint as text.
    pub target: String,
    /// The settings of the request.
    pub settings: GenerationSettings,
    /// Whether it was found in the way that the settings ask for, or only for lack of time.
    pub is_as_wanted: bool,
    /// The position in which it was found.
    pub root: Chess,
    /// Its moves from there.
    pub moves: Vec<Move>,
    /// The number of plies of the game at which the first plan of this game would have reached the target.
    pub due: usize,
}

/// What a plan promised that the other side may have left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Promise {
    /// The number of plies that it would still need; 0 if it should have reached the target.
    pub plies: usize,
    /// The number of plies of the game at which the first plan of this game would have reached the target.
    pub due: usize,
}

impl Promise {
    /// True if a game of this many plies is far longer than the first plan.
    pub(super) fn is_broken_by(self, plies: usize) -> bool {
        2 * plies > 3 * self.due
    }
}

impl KeptPlan {
    /// True if the plan was made for this target, with these settings.
    pub(super) fn is_for(&self, target: &Target, settings: &GenerationSettings) -> bool {
        self.target == target.constraint.to_string() && self.settings == *settings
    }

    /// What the plan promised if both sides had followed it; `None` if the game does not continue the one that the plan
    /// was made for.
    pub(super) fn promise(&self, game: &Game) -> Option<Promise> {
        let since = game.moves().len().checked_sub(self.plies)?;
        let continues = *game.after(self.plies).position() == self.root;
        continues.then(|| Promise { plies: self.moves.len().saturating_sub(since), due: self.due })
    }

    /// The rest of the plan from the last position of `game`; `None` if the plan does not lead from there to the
    /// target, or does not begin with a move of `choice`.
    ///
    /// If the other side has made another move than planned, but the rest of the plan is still legal and still reaches
    /// the target, it counts: two engines that do not know each other's plans would otherwise begin a new plan with
    /// every move.
    pub(super) fn rest(&self, game: &Game, choice: &[Move], target: &Target) -> Option<Generation> {
        let played = game.moves().len();
        let rest = self.after(game.position()).map(<[Move]>::to_vec).or_else(|| {
            let before = game.after(played.checked_sub(1)?);
            Some(self.after(before.position())?.get(1..)?.to_vec())
        })?;
        let mut continued = game.clone();
        for m in &rest {
            if !continued.position().is_legal(*m) {
                return None;
            }
            continued.play(*m);
            if target.is_satisfied(continued.situation()) {
                break;
            }
        }
        // The length of the game may be counted in another way now.
        let is_there = target.is_satisfied(continued.situation());
        let moves = continued.moves()[played..].to_vec();
        let first = moves.first().filter(|m| choice.contains(m))?;
        let lasts = moves.len() == 1 || !game.may_be_claimed_after(*first);
        let distance = Distance::to(target, 0);
        (is_there && lasts).then(|| Generation::of_game(game.position(), moves, distance))
    }

    /// The moves of the plan after this position, if it passes through it.
    fn after(&self, position: &Chess) -> Option<&[Move]> {
        let mut planned = self.root.clone();
        let mut moves = self.moves.as_slice();
        while planned != *position {
            let (m, rest) = moves.split_first()?;
            planned.play_unchecked(*m);
            moves = rest;
        }
        Some(moves)
    }
}

#[cfg(test)]
mod tests {
    use entente_search::searchable_position_from_fen;

    use super::*;

    #[test]
    fn a_promise_is_broken_by_a_game_more_than_half_as_long_again() {
        let promise = Promise { plies: 1, due: 20 };
        assert!(!promise.is_broken_by(30) && promise.is_broken_by(31));
    }

    #[test]
    fn a_plan_survives_another_move_of_the_other_side_if_it_still_reaches_the_target() {
        let target: Target = "q=0".parse().unwrap();
        let settings = GenerationSettings::default();
        let root = searchable_position_from_fen("3qk3/8/8/8/8/7p/8/3RK3 w - - 0 1", None).unwrap();
        let named = |game: &Game, text: &str| {
            let m: shakmaty::uci::UciMove = text.parse().unwrap();
            m.to_move(game.position()).unwrap()
        };
        let game = |moves: &str| {
            let mut game = Game::new(root.clone());
            moves.split_whitespace().for_each(|text| game.play(named(&game, text)));
            game
        };
        let kept = KeptPlan {
            plies: 0,
            target: target.constraint.to_string(),
            settings: settings.clone(),
            is_as_wanted: true,
            root: root.clone(),
            moves: game("e1e2 h3h2 d1d8").moves().to_vec(),
            due: 3,
        };
        let rest = |moves: &str| {
            let game = game(moves);
            let legal = game.position().legal_moves().to_vec();
            kept.rest(&game, &legal, &target).map(|rest| rest.moves.len())
        };
        assert_eq!(rest("e1e2 h3h2"), Some(1));
        assert_eq!(rest("e1e2 e8f7"), Some(1), "the rook can still take the queen");
        assert_eq!(rest("e1e2 d8a5"), None, "it cannot");
        let promised = |moves: &str| kept.promise(&game(moves)).map(|promise| (promise.plies, promise.due));
        assert_eq!((promised("e1e2 d8a5"), promised("e1e2 d8a5 d1a1 a5b4")), (Some((1, 3)), Some((0, 3))));
        assert!(kept.is_for(&target, &settings) && !kept.is_for(&"q=1".parse().unwrap(), &settings));
    }
}
