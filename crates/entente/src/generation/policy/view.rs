use entente_constraint::{Men, Situation};
use entente_network::{
    Cooling, NetworkError, Opinion, PolicySession, Question,
    encoding::{
        Distribution,
        goal_policy::{Aim, Context, RatingScale, last_moves},
    },
};
use entente_search::{Game, Limits};
use shakmaty::{Color, Move, MoveList, Position};

use super::{Aims, Temperatures};
use crate::{
    generation::{Job, PolicyPlan},
    predictor::{Ask, Cached, MovePredictor as _},
    skill::{Skilled, strength_of},
};

/// What the policy says of a position: with the goal, and without it.
#[derive(Clone, Debug)]
pub(crate) struct GoalPrediction {
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
    pub goal_values: Option<GoalValues>,
}

/// What the network says of reaching a goal.
#[derive(Clone, Debug)]
pub(crate) struct GoalValues {
    /// What the network takes for the chance that the goal is reached in time.
    pub value: f32,
    /// That chance after each move.
    pub action_values: Vec<f32>,
}

/// Slope and shift of the logit by which the chance of reaching a goal comes from what the network says. Many of the
/// goals that it has learnt from were made of what the game came to, and so it expects too much: what it gives 37% comes
/// true in 21% of people's games. Fitted by maximum likelihood to 40,000 positions of the validation split, with the
/// constraints of the thesis that had not been met yet and could still be, half of them online; each kind by itself has
/// 1.27 and -0.58 (online), 1.30 and -0.60.
const CALIBRATION: (f64, f64) = (1.3, -0.6);

impl GoalValues {
    /// The chance that the goal is reached in time.
    pub(crate) fn chance(&self) -> f64 {
        let value = f64::from(self.value);
        let (slope, shift) = CALIBRATION;
        1.0 / (1.0 + ((1.0 - value) / value).powf(slope) * (-shift).exp())
    }
}

/// White's and Black's rating, if they are to count.
pub(crate) type Ratings = [Option<u16>; 2];

/// The view that a policy network has of games from one root: what predicts moves, and what it is told.
pub(crate) struct PolicyView {
    predictor: Cached<Skilled<PolicySession>>,
    aims: Aims,
    /// Unknown ratings have no scale, but games on the internet and over the board differ all the same.
    scale: RatingScale,
}

impl PolicyView {
    /// The view of the policy of `plan`, for the target of `job`. With `is_skilled`, a short search of each likely move
    /// corrects the policy.
    pub(crate) fn of(job: &Job, plan: &PolicyPlan, is_skilled: bool) -> PolicyView {
        let policy = &plan.network;
        let start = Situation { position: &job.root, ply: job.first_ply };
        let aims = if policy.heeds_aims() { Aims::new(&job.target, start) } else { Aims::none() };
        let predictor = Cached::new(Skilled::of_if(policy, is_skilled).for_games());
        PolicyView { predictor, aims, scale: plan.scale }
    }

    /// Positions evaluated so far, and those remembered instead: what limits allow is not to hang on games played before.
    pub(crate) fn evaluations(&self) -> u64 {
        self.predictor.evaluations()
    }

    /// The temperatures at which people's moves of whole games are drawn, if the network's file has any.
    pub(crate) fn temperatures(&self, ratings: Ratings, turn: Color) -> Option<Temperatures> {
        self.cooling(ratings, turn).map(Temperatures::from)
    }

    /// What a pawn lost by a move takes from the logarithm of the weight of its game once it is reviewed; 0 if it is not.
    pub(crate) fn review(&self, ratings: Ratings, turn: Color) -> f32 {
        self.cooling(ratings, turn).map_or(0.0, |cooling| cooling.review)
    }

    /// How people's moves of whole games are drawn, if the network's file says so.
    fn cooling(&self, ratings: Ratings, turn: Color) -> Option<Cooling> {
        let strength = strength_of(ratings[turn.fold_wb(0, 1)], Some(self.scale));
        self.predictor.inner().skill()?.cooling(strength)
    }

    /// What the policy says when `plies_left` plies are left; with `human`, also what it says without a goal.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    pub(crate) fn predict(
        &mut self,
        game: &Game,
        ratings: Ratings,
        plies_left: u32,
        human: bool,
    ) -> Result<GoalPrediction, NetworkError> {
        let prediction = self.predict_until(game, ratings, plies_left, human, Limits::none())?;
        Ok(prediction.expect("nobody stops it"))
    }

    /// The same; `None` if `until` ends it meanwhile, whose nodes do not count.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    pub(crate) fn predict_until(
        &mut self,
        game: &Game,
        ratings: Ratings,
        plies_left: u32,
        human: bool,
        until: Limits<'_>,
    ) -> Result<Option<GoalPrediction>, NetworkError> {
        let predictions = self.predict_all(&[game], ratings, plies_left, human, until)?;
        Ok(predictions.and_then(|mut predictions| predictions.pop()))
    }

    /// The same of several games, no two of which are alike, in one question to the network; `None` if `until` ends
    /// it meanwhile, whose nodes do not count.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    pub(crate) fn predict_all(
        &mut self,
        games: &[&Game],
        ratings: Ratings,
        plies_left: u32,
        human: bool,
        until: Limits<'_>,
    ) -> Result<Option<Vec<GoalPrediction>>, NetworkError> {
        let moves: Vec<MoveList> = games.iter().map(|game| game.position().legal_moves()).collect();
        let ask = if human { Ask::Paired } else { Ask::Single };
        let told = (&self.aims, self.scale, ratings);
        let asks: Vec<Ask<'_>> = games
            .iter()
            .zip(&moves)
            .map(|(game, moves)| ask(question(told, game, moves, Some(plies_left))))
            .collect();
        let answers = self.predictor.predict(&asks, until)?;
        if answers.len() < games.len() {
            return Ok(None);
        }
        let predictions = games.iter().zip(moves).zip(answers).map(|((game, moves), answer)| {
            let position = game.position();
            let Opinion { logits, action_values, value, .. } = answer.opinion;
            let aim = self.aims.nearest(position);
            let goal_values =
                (!aim.is_none() && !aim.holds(position)).then_some(GoalValues { value, action_values });
            let human = answer.without_goal.map(|opinion| Distribution::new(opinion.logits));
            GoalPrediction {
                men: Men::on(position.board()),
                moves,
                goal: Distribution::new(logits),
                human,
                goal_values,
            }
        });
        Ok(Some(predictions.collect()))
    }

    /// The legal moves, and which of them people choose without a goal.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    pub(crate) fn human(
        &mut self,
        game: &Game,
        ratings: Ratings,
    ) -> Result<(MoveList, Distribution), NetworkError> {
        let answers = self.human_of_all(&[game], ratings, Limits::none())?;
        Ok(answers.and_then(|mut answers| answers.pop()).expect("nobody stops it"))
    }

    /// The same of several games, no two of which are alike, in one question to the network; `None` if `until` ends
    /// it meanwhile, whose nodes do not count.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    pub(crate) fn human_of_all(
        &mut self,
        games: &[&Game],
        ratings: Ratings,
        until: Limits<'_>,
    ) -> Result<Option<Vec<(MoveList, Distribution)>>, NetworkError> {
        let moves: Vec<MoveList> = games.iter().map(|game| game.position().legal_moves()).collect();
        let told = (&self.aims, self.scale, ratings);
        let asks: Vec<Ask<'_>> = games
            .iter()
            .zip(&moves)
            .map(|(game, moves)| Ask::Single(question(told, game, moves, None)))
            .collect();
        let answers = self.predictor.predict(&asks, until)?;
        if answers.len() < games.len() {
            return Ok(None);
        }
        let chances = answers.into_iter().map(|answer| Distribution::new(answer.opinion.logits));
        Ok(Some(moves.into_iter().zip(chances).collect()))
    }
}

/// The question about the position of a game: with the goal if it must be reached in `plies_left` plies.
fn question<'a>(
    (aims, scale, ratings): (&'a Aims, RatingScale, Ratings),
    game: &'a Game,
    moves: &'a [Move],
    plies_left: Option<u32>,
) -> Question<'a> {
    let position = game.position();
    let context = Context {
        ratings,
        scale: Some(scale),
        ply: game.age(),
        plies_left,
        last_moves: last_moves(game.moves()),
        repeated: game.repetitions(),
        ..Context::default()
    };
    let aim = plies_left.map_or(&Aim::NONE, |_| aims.nearest(position));
    Question { position, moves, played: game.moves(), context, aim }
}
