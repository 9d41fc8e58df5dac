use shakmaty::{Chess, Move, MoveList, Position};

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

/// The eyes of a game: one network session and what it is told.
pub struct Eyes {
    session: PolicySession,
    aims: Aims,
    settings: PolicySettings,
    opinion: Opinion,
}

impl Eyes {
    pub fn new(session: PolicySession, aims: Aims, settings: PolicySettings) -> Eyes {
        Eyes { session, aims, settings, opinion: Opinion::default() }
    }

    /// Positions evaluated so far.
    pub fn evaluations(&self) -> u64 {
        self.session.evaluations
    }

    /// The context of `game`, whose root came after `first_ply` plies.
    fn context(&self, game: &Game, first_ply: u32, ratings: Ratings) -> Context {
        Context {
            ratings,
            // Unknown ratings have no scale, but games on the internet and over the board differ all the same.
            scale: Some(self.settings.scale),
            ply: first_ply + game.moves().len() as u32,
            plies_left: None,
            last_moves: last_moves(game.moves()),
        }
    }

    /// What the policy says when `plies_left` plies are left; with `human`, also what it says without a goal.
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
        let context = self.context(game, first_ply, ratings);
        let with_goal = Context { plies_left: Some(plies_left), ..context };
        let aim = self.aims.nearest(position);
        self.session.evaluate(position, &with_goal, aim, &moves, &mut self.opinion)?;
        let Opinion { logits, action_values, value, .. } = std::mem::take(&mut self.opinion);
        let outlook = (!aim.is_none() && !aim.holds(position)).then_some(Outlook { value, action_values });
        let human = human.then(|| self.without_goal(position, &context, &moves)).transpose()?;
        let goal = Distribution::new(logits);
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
        let context = self.context(game, first_ply, ratings);
        let human = self.without_goal(game.position(), &context, &moves)?;
        Ok((moves, human))
    }

    fn without_goal(
        &mut self,
        position: &Chess,
        context: &Context,
        moves: &[Move],
    ) -> Result<Distribution, NetworkError> {
        self.session.evaluate(position, context, &Aim::NONE, moves, &mut self.opinion)?;
        Ok(Distribution::new(std::mem::take(&mut self.opinion.logits)))
    }
}
