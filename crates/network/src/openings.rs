use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use shakmaty::{Chess, EnPassantMode, Move, Position as _, Square};

use super::{Opinion, Question};
use crate::encoding::goal_policy::Context;

/// Positions after so many plies are remembered: many games begin alike.
const LONGEST: u32 = 8;
/// When there are so many, all are forgotten: players of other ratings begin otherwise.
const MOST: usize = 4096;

/// What such a network sees. Positions are equal whatever their half-moves since something changed for good, and whether a
/// pawn that has just passed another one could be taken but for a pin.
type Seen = (Chess, u32, Option<Square>, Context);

/// What a network that sees no more of a game than the position and its [`Context`] said of openings without an aim. All
/// who ask it share them: what it says is the same whoever asks.
///
/// What generation makes of it with a goal, and after a look at the moves, its eyes remember by themselves.
#[derive(Debug, Default)]
pub(crate) struct Openings {
    known: Mutex<HashMap<Seen, (Vec<Move>, Opinion)>>,
}

impl Openings {
    /// What the network said of it, if it was asked.
    pub(crate) fn recall(&self, question: &Question<'_>) -> Option<Opinion> {
        let key = key(question)?;
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(&key).filter(|(moves, _)| moves == question.moves).map(|(_, opinion)| opinion.clone())
    }

    /// Remembers it, if it is an opening.
    pub(crate) fn remember(&self, question: &Question<'_>, opinion: &Opinion) {
        let Some(key) = key(question) else { return };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(key, (question.moves.to_vec(), opinion.clone()));
    }
}

/// What the network sees of an opening.
fn key(question: &Question<'_>) -> Option<Seen> {
    let Question { position, context, aim, .. } = question;
    let is_opening = aim.is_none() && context.ply <= LONGEST;
    is_opening.then(|| {
        let passed = position.ep_square(EnPassantMode::PseudoLegal);
        ((*position).clone(), position.halfmoves(), passed, *context)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::goal_policy::Aim;

    #[test]
    fn openings_are_recalled_and_nothing_else_is() {
        let (position, openings) = (Chess::default(), Openings::default());
        let moves = position.legal_moves();
        let goal = Aim { turn: Some(shakmaty::Color::White), ..Aim::NONE };
        let question = |ply: u32, rating: u16, moves| Question {
            position: &position,
            moves,
            played: &[],
            context: Context { ply, ratings: [Some(rating); 2], ..Context::default() },
            aim: &Aim::NONE,
        };
        let opinion = Opinion { value: 0.25, ..Opinion::default() };
        openings.remember(&question(3, 1500, &moves), &opinion);
        assert_eq!(openings.recall(&question(3, 1500, &moves)), Some(opinion.clone()));
        assert_eq!(openings.recall(&question(3, 1501, &moves)), None);
        assert_eq!(openings.recall(&question(3, 1500, &moves[1..])), None, "other moves");
        assert_eq!(openings.recall(&Question { aim: &goal, ..question(3, 1500, &moves) }), None);
        openings.remember(&question(LONGEST + 1, 1500, &moves), &opinion);
        assert_eq!(openings.recall(&question(LONGEST + 1, 1500, &moves)), None, "no opening");
    }

    #[test]
    fn those_who_come_later_are_remembered_too() {
        let (position, openings) = (Chess::default(), Openings::default());
        for rating in 0..=MOST as u16 {
            let question = Question {
                position: &position,
                moves: &[],
                played: &[],
                context: Context { ratings: [Some(rating); 2], ..Context::default() },
                aim: &Aim::NONE,
            };
            openings.remember(&question, &Opinion::default());
            assert!(openings.recall(&question).is_some());
        }
        assert!(openings.known.lock().unwrap().len() <= MOST);
    }
}
