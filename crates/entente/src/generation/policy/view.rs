use entente_constraint::Men;
use entente_network::{
    Cooling, NetworkError, Policy, Prediction, Query,
    encoding::{
        Distribution,
        goal_policy::{Aim, Context, RatingScale, last_moves},
    },
};
use entente_search::{Game, Limits, PortableMath as _};
use shakmaty::{Color, Move, MoveList, Position};

use super::{Aims, Temperatures};
use crate::{
    generation::{Job, PolicyPlan},
    predictor::{Cached, MovePredictor as _, PolicyPair, PredictionRequest},
    skill::{Skilled, strength_of},
};

/// The answers of a policy for a position, with the goal and without it.
#[derive(Clone, Debug)]
pub(crate) struct GoalPrediction {
    /// The legal moves.
    pub moves: MoveList,
    /// The men on the board.
    pub men: Men,
    /// The probabilities of moves in games that reach the goal.
    pub goal: Distribution,
    /// The probabilities of moves without a goal.
    pub human: Option<Distribution>,
    /// Whether the goal will be reached. `None` if the network is shown no goal, or one that already holds. It has not
    /// learned such goals, and the rest of the constraint cannot be shown to it.
    pub goal_values: Option<GoalValues>,
}

/// The probabilities of reaching a goal according to the network.
#[derive(Clone, Debug)]
pub(crate) struct GoalValues {
    /// The probability that the goal is reached in time, not calibrated.
    pub value: f32,
    /// The same after each move.
    pub action_values: Vec<f32>,
}

/// Slope and shift of the logit that calibrate the probability of reaching a goal. Many goals in training were made
/// from what the game reached later, so the network expects too much: of the goals to which it gives 37%, human games
/// reach 21%. Fitted by maximum likelihood to 40,000 positions of the validation split, half of them online, with
/// constraints of the thesis that did not hold yet and could still be reached. Fitted separately, they are 1.27 and
/// -0.58 for online games, 1.30 and -0.60 for the others.
const CALIBRATION: (f64, f64) = (1.3, -0.6);

impl GoalValues {
    /// The calibrated probability that the goal is reached in time.
    pub(crate) fn chance(&self) -> f64 {
        let value = f64::from(self.value);
        let (slope, shift) = CALIBRATION;
        1.0 / (1.0 + ((1.0 - value) / value).portable_powf(slope) * (-shift).portable_exp())
    }
}

/// The ratings of White and Black, if they count.
pub(crate) type Ratings = [Option<u16>; 2];

/// The view that a policy has of games from one root: the predictor of moves, and what it is told about the games.
pub(crate) struct PolicyView {
    predictor: Cached<Skilled<PolicyPair>>,
    aims: Aims,
    /// The rating scale. It counts even without ratings, because online games and games over the board differ.
    scale: RatingScale,
    /// True if another network answers the queries without a goal.
    has_human: bool,
}

impl PolicyView {
    /// The view of the policy of `plan`, for the target of `job`. With `is_skilled`, a short search of each likely move
    /// corrects the policy.
    pub(crate) fn of(job: &Job, plan: &PolicyPlan, is_skilled: bool) -> PolicyView {
        PolicyView::with_human(job, plan, None, is_skilled)
    }

    /// The same, with the predictions without a goal by the plan's human network, if it has one.
    pub(crate) fn of_humans(job: &Job, plan: &PolicyPlan, is_skilled: bool) -> PolicyView {
        PolicyView::with_human(job, plan, plan.human.as_deref(), is_skilled)
    }

    fn with_human(job: &Job, plan: &PolicyPlan, human: Option<&Policy>, is_skilled: bool) -> PolicyView {
        let policy = &plan.network;
        let start = job.game();
        let aims =
            if policy.reads_goals() { Aims::new(&job.target, start.situation()) } else { Aims::none() };
        let predictor = Cached::new(Skilled::of_pair(policy, human, is_skilled).for_games());
        PolicyView { predictor, aims, scale: plan.scale, has_human: human.is_some() }
    }

    /// The number of positions evaluated so far, including those answered from the cache, so that limits do not depend
    /// on earlier games.
    pub(crate) fn evaluations(&self) -> u64 {
        self.predictor.evaluations()
    }

    /// The number of evaluations for a prediction with the goal and without it.
    pub(crate) fn evaluations_per_pair(&self) -> u64 {
        2 + u64::from(self.has_human)
    }

    /// The temperatures at which moves of natural games are drawn: those in the file of the network that says how
    /// likely moves are without a goal, if it has any.
    pub(crate) fn temperatures(&self, ratings: Ratings, turn: Color) -> Temperatures {
        let default = if self.has_human { Temperatures::UNCHANGED } else { Temperatures::NATURAL };
        self.cooling(ratings, turn).map_or(default, Temperatures::from)
    }

    /// By how much a move that loses a pawn reduces the logarithm of the weight of its game in a review; 0 if games are
    /// not reviewed.
    pub(crate) fn review(&self, ratings: Ratings, turn: Color) -> f32 {
        self.cooling(ratings, turn).map_or(0.0, |cooling| cooling.review)
    }

    /// How moves of whole games are drawn, if the file of the network says so.
    fn cooling(&self, ratings: Ratings, turn: Color) -> Option<Cooling> {
        let strength = strength_of(ratings[turn.fold_wb(0, 1)], Some(self.scale));
        self.predictor.inner().skill()?.cooling(strength)
    }

    /// The prediction with `plies_left` plies left, and with `human` also that without a goal.
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
        Ok(prediction.expect("it has no limits"))
    }

    /// The same; `None` if `until` ends it before the answer. The nodes of `until` do not count.
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

    /// The same for several different games, in one batch; `None` if `until` ends it before the answer. The nodes of
    /// `until` do not count.
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
        let ask = if human { PredictionRequest::Paired } else { PredictionRequest::Single };
        let told = (&self.aims, self.scale, ratings);
        let requests: Vec<PredictionRequest<'_>> = games
            .iter()
            .zip(&moves)
            .map(|(game, moves)| ask(query(told, game, moves, Some(plies_left))))
            .collect();
        let answers = self.predictor.predict(&requests, until)?;
        if answers.len() < games.len() {
            return Ok(None);
        }
        let predictions = games.iter().zip(moves).zip(answers).map(|((game, moves), answer)| {
            let position = game.position();
            let Prediction { logits, action_values, value, .. } = answer.prediction;
            let aim = self.aims.nearest(game.situation());
            let goal_values =
                (!aim.is_none() && !aim.holds(position)).then_some(GoalValues { value, action_values });
            let of = |prediction: Prediction| Distribution::new(prediction.logits);
            let (goal, without_goal) = (Distribution::new(logits), answer.without_goal.map(of));
            let (goal, human) = match (without_goal, answer.human.map(of)) {
                (Some(without_goal), Some(human)) => (transferred(&goal, &without_goal, &human), Some(human)),
                (without_goal, _) => (goal, without_goal),
            };
            GoalPrediction { men: Men::on(position.board()), moves, goal, human, goal_values }
        });
        Ok(Some(predictions.collect()))
    }

    /// The legal moves, and their probabilities without a goal.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    pub(crate) fn human(
        &mut self,
        game: &Game,
        ratings: Ratings,
    ) -> Result<(MoveList, Distribution), NetworkError> {
        let answers = self.human_of_all(&[game], ratings, Limits::none())?;
        Ok(answers.and_then(|mut answers| answers.pop()).expect("it has no limits"))
    }

    /// The same for several different games, in one batch; `None` if `until` ends it before the answer. The nodes of
    /// `until` do not count.
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
        let requests: Vec<PredictionRequest<'_>> = games
            .iter()
            .zip(&moves)
            .map(|(game, moves)| PredictionRequest::Single(query(told, game, moves, None)))
            .collect();
        let answers = self.predictor.predict(&requests, until)?;
        if answers.len() < games.len() {
            return Ok(None);
        }
        let chances = answers.into_iter().map(|answer| Distribution::new(answer.prediction.logits));
        Ok(Some(moves.into_iter().zip(chances).collect()))
    }
}

/// The maximum difference that a goal makes in a logit.
const MAX_DIFFERENCE: f32 = 8.0;

/// The moves of `human`, changed by the difference that the goal makes in another policy (as in Liu et al. 2024,
/// "Tuning language models by proxy").
fn transferred(goal: &Distribution, without_goal: &Distribution, human: &Distribution) -> Distribution {
    let mut chances = human.clone();
    chances.add(|index| {
        let difference = goal.logarithms()[index] - without_goal.logarithms()[index];
        if difference.is_nan() { 0.0 } else { difference.clamp(-MAX_DIFFERENCE, MAX_DIFFERENCE) }
    });
    chances
}

/// The query about the position of a game: with the goal if it must be reached in `plies_left` plies.
fn query<'a>(
    (aims, scale, ratings): (&'a Aims, RatingScale, Ratings),
    game: &'a Game,
    moves: &'a [Move],
    plies_left: Option<u32>,
) -> Query<'a> {
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
    let aim = plies_left.map_or(&Aim::NONE, |_| aims.nearest(game.situation()));
    Query { position, moves, played: game.moves(), context, aim }
}
