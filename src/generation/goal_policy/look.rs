use std::collections::HashMap;

use shakmaty::{Move, MoveList, Position};

use super::{Aims, PolicySettings};
use crate::{
    constraint::Men,
    encoding::{
        Distribution,
        goal_policy::{Aim, Context, last_moves},
    },
    evaluator::{NetworkError, Opinion, PolicySession},
    search::Game,
};

/// What the policy says of a position: with the goal, and without it.
#[derive(Clone, Debug)]
pub struct Look {
    /// The legal moves.
    pub moves: MoveList,
    /// The men on the board.
    pub men: Men,
    /// Which moves people choose who reach the goal.
    pub goal: Distribution,
    /// Which moves people choose.
    pub human: Option<Distribution>,
    /// Whether the goal will be reached; `None` where the network is shown no goal, or one that holds already, of which it
    /// has learnt nothing: the constraint then demands what it cannot be shown.
    pub outlook: Option<Outlook>,
}

/// What the network says of reaching a goal.
#[derive(Clone, Debug)]
pub struct Outlook {
    /// The chance that the goal is reached in time.
    pub value: f32,
    /// That chance after each move.
    pub action_values: Vec<f32>,
}

/// White's and Black's rating, if they are to count.
pub type Ratings = [Option<u16>; 2];

/// Games of at most so many moves are remembered: many games begin alike.
const LONGEST_OPENING: usize = 8;
/// So many of them, at most.
const MOST_OPENINGS: usize = 4096;

/// The eyes of games that have one root: a network session and what it is told.
pub struct Eyes {
    session: PolicySession,
    aims: Aims,
    settings: PolicySettings,
    /// What the network said of the first positions of games.
    openings: HashMap<Opening, Opinion>,
    /// How many positions were remembered.
    recalled: u64,
}

/// A position at the beginning of a game, and what the network was told of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Opening {
    moves: Vec<Move>,
    ratings: Ratings,
    plies_left: Option<u32>,
}

impl Eyes {
    pub fn new(session: PolicySession, aims: Aims, settings: PolicySettings) -> Eyes {
        Eyes { session, aims, settings, openings: HashMap::new(), recalled: 0 }
    }

    /// Positions evaluated so far, and those remembered instead: what limits allow is not to hang on games played before.
    pub fn evaluations(&self) -> u64 {
        self.session.evaluations + self.recalled
    }

    /// What the policy says when `plies_left` plies are left; with `human`, also what it says without a goal. The root of
    /// `game` came after `first_ply` plies.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    pub fn look(
        &mut self,
        game: &Game,
        first_ply: u32,
        ratings: Ratings,
        plies_left: u32,
        human: bool,
    ) -> Result<Look, NetworkError> {
        let position = game.position();
        let moves = position.legal_moves();
        let Opinion { logits, action_values, value, .. } =
            self.opinion(game, &moves, first_ply, ratings, Some(plies_left))?;
        let aim = self.aims.nearest(position);
        let outlook = (!aim.is_none() && !aim.holds(position)).then_some(Outlook { value, action_values });
        let human =
            if human { Some(self.opinion(game, &moves, first_ply, ratings, None)?.logits) } else { None };
        let (goal, human) = (Distribution::new(logits), human.map(Distribution::new));
        Ok(Look { men: Men::on(position.board()), moves, goal, human, outlook })
    }

    /// The legal moves, and which of them people choose without a goal.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    pub fn human(
        &mut self,
        game: &Game,
        first_ply: u32,
        ratings: Ratings,
    ) -> Result<(MoveList, Distribution), NetworkError> {
        let moves = game.position().legal_moves();
        let human = self.opinion(game, &moves, first_ply, ratings, None)?.logits;
        Ok((moves, Distribution::new(human)))
    }

    /// What the network says of the position of `game`, whose legal moves are `moves`: with the goal, if it is to be
    /// reached in `plies_left` plies.
    fn opinion(
        &mut self,
        game: &Game,
        moves: &[Move],
        first_ply: u32,
        ratings: Ratings,
        plies_left: Option<u32>,
    ) -> Result<Opinion, NetworkError> {
        let is_opening = game.moves().len() <= LONGEST_OPENING;
        let opening = is_opening.then(|| Opening { moves: game.moves().to_vec(), ratings, plies_left });
        if let Some(opinion) = opening.as_ref().and_then(|opening| self.openings.get(opening)) {
            self.recalled += 1;
            return Ok(opinion.clone());
        }
        let context = Context {
            ratings,
            // Unknown ratings have no scale, but games on the internet and over the board differ all the same.
            scale: Some(self.settings.scale),
            ply: first_ply + game.moves().len() as u32,
            plies_left,
            last_moves: last_moves(game.moves()),
            ..Context::default()
        };
        let position = game.position();
        let aim = plies_left.map_or(&Aim::NONE, |_| self.aims.nearest(position));
        let mut opinion = Opinion::default();
        self.session.evaluate(position, &context, aim, moves, &mut opinion)?;
        if let Some(opening) = opening
            && self.openings.len() < MOST_OPENINGS
        {
            self.openings.insert(opening, opinion.clone());
        }
        Ok(opinion)
    }
}
