//! A question to a policy about many positions: which moves humans play there.

use entente_constraint::Target;
use entente_network::{
    NetworkError, Policy, PolicySession, Prediction, Query,
    encoding::{
        goal_policy::{Aim, Context, RatingScale, last_moves},
        softmax,
    },
};
use entente_search::{Game, Limits};
use shakmaty::{MoveList, Position as _};

use super::{
    super::{GoalPolicyPlan, known_rating},
    Aims,
};
use crate::{
    predictor::{MovePredictor as _, PredictionRequest},
    skill::Skilled,
};

/// What is asked about each position.
#[derive(Clone, Copy, Debug)]
pub struct Inquiry<'a> {
    /// The network.
    pub policy: &'a Policy,
    /// Whether its skill corrects it, if it has one.
    pub is_skilled: bool,
    /// The rating system of all ratings.
    pub scale: RatingScale,
    /// The constraint that both players aim for, and the number of plies left to satisfy it.
    pub goal: Option<(&'a Target, u32)>,
}

/// A position that is asked about.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The game that led to it, which ends in it.
    pub game: &'a Game,
    /// The ratings of White and Black, if known.
    pub ratings: [Option<u16>; 2],
}

/// The answer for a position.
#[derive(Clone, Debug)]
pub struct MoveProbabilities {
    /// The legal moves.
    pub moves: MoveList,
    /// The probability of each of them; they add up to 1.
    pub probabilities: Vec<f32>,
    /// What else the network predicts.
    pub prediction: Prediction,
}

impl<'a> Inquiry<'a> {
    /// The inquiry of a plan. `goal` is a constraint and the number of plies left to satisfy it.
    pub fn of(plan: &'a GoalPolicyPlan, goal: Option<(&'a Target, u32)>) -> Inquiry<'a> {
        let GoalPolicyPlan { policy, skill, .. } = plan;
        Inquiry { policy: &policy.network, is_skilled: *skill, scale: policy.scale, goal }
    }

    /// The number of positions that a network is best asked about at once.
    pub const BATCH: usize = 64;

    /// A session that answers. Each thread needs its own.
    pub fn session(&self) -> Skilled<PolicySession> {
        Skilled::of_if(self.policy, self.is_skilled)
    }

    /// Whether answers say how likely the game is to satisfy the constraint.
    pub fn predicts_goal(&self) -> bool {
        self.goal.is_some() && self.policy.reads_goals()
    }

    /// The answers for positions, in their order.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    pub fn answer(
        &self,
        positions: &[Asked<'_>],
        session: &mut Skilled<PolicySession>,
    ) -> Result<Vec<MoveProbabilities>, NetworkError> {
        let moves: Vec<MoveList> =
            positions.iter().map(|asked| asked.game.position().legal_moves()).collect();
        let aims: Vec<Aim> = positions.iter().map(|asked| self.aim(asked.game)).collect();
        let requests = positions.iter().zip(&moves).zip(&aims).map(|((asked, moves), aim)| {
            let game = asked.game;
            let context = Context {
                ratings: asked.ratings.map(|rating| rating.map(known_rating)),
                scale: Some(self.scale),
                ply: game.age(),
                plies_left: self.goal.map(|(_, plies)| plies),
                last_moves: last_moves(game.moves()),
                repeated: game.repetitions(),
                ..Context::default()
            };
            PredictionRequest::Single(Query {
                position: game.position(),
                moves,
                played: game.moves(),
                context,
                aim,
            })
        });
        let answers = session.predict(&requests.collect::<Vec<_>>(), Limits::none())?;
        let answers = moves.into_iter().zip(answers).map(|(moves, answer)| MoveProbabilities {
            moves,
            probabilities: softmax(&answer.prediction.logits),
            prediction: answer.prediction,
        });
        Ok(answers.collect())
    }

    fn aim(&self, game: &Game) -> Aim {
        match self.goal {
            Some((target, _)) if self.policy.reads_goals() => {
                let here = game.situation();
                Aims::new(target, here).nearest(here).clone()
            }
            _ => Aim::NONE,
        }
    }
}
