use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
};

use entente_constraint::plies_before;
use entente_network::{
    NetworkError, NetworkKind as _, Policy, PolicySession, Query,
    encoding::{
        Distribution,
        goal_policy::{Aim, Context, RatingScale},
    },
};
use entente_search::Limits;
use shakmaty::{Chess, EnPassantMode, Move, Position as _};

use super::{
    Puzzle, PuzzleRating, RatingModel,
    features::{ASKED, Views, values},
};
use crate::{
    play::FixedSearch,
    predictor::{MovePredictor as _, PredictionRequest},
    skill::Skilled,
    solution::Solver,
};

/// Predicts the puzzle rating of positions. The prediction depends on the position alone. Each thread needs its own.
pub struct Rater {
    search: FixedSearch,
    /// The human policy without its skill, and with it.
    pub(super) policies: [Skilled<PolicySession>; 2],
    /// The last positions and their ratings, because a judge asks for each of them more than once.
    known: VecDeque<(Chess, Option<PuzzleRating>)>,
}

impl Rater {
    /// The most half-moves since the last capture or pawn move that count: with more, the rule of fifty moves would be
    /// a part of the puzzle.
    pub const MAX_HALFMOVES: u32 = 20;

    /// The number of positions whose ratings are remembered.
    const MAX_KNOWN: usize = 256;

    /// A rater with the embedded policy of human moves.
    ///
    /// # Errors
    /// [`NetworkError`] if the policy cannot be loaded.
    pub fn new() -> Result<Rater, NetworkError> {
        let policy = human_policy()?;
        Ok(Rater {
            search: FixedSearch::new(Solver::NODES, FixedSearch::MEBIBYTES),
            policies: [false, true].map(|is_skilled| Skilled::of_if(&policy, is_skilled)),
            known: VecDeque::new(),
        })
    }

    /// The predicted rating of a position as a puzzle; `None` if it is not a [`Puzzle`], or if `until` ends the search.
    /// The node limit of `until` is ignored.
    ///
    /// # Errors
    /// [`NetworkError`] if the policy cannot be run.
    pub fn rate(
        &mut self,
        position: &Chess,
        until: Limits<'_>,
    ) -> Result<Option<PuzzleRating>, NetworkError> {
        let position = with_few_quiet_moves(position);
        if let Some((_, rating)) = self.known.iter().find(|(known, _)| *known == position) {
            return Ok(*rating);
        }
        let features = self.features(&position, until)?.map(|(_, features)| features);
        let rating = features.map(|features| RatingModel::embedded().predict(&features));
        if !until.forbid(0, 0) {
            self.known.truncate(Rater::MAX_KNOWN - 1);
            self.known.push_front((position, rating));
        }
        Ok(rating)
    }

    /// The rating of a position, if it was rated lately and is a puzzle.
    pub(crate) fn known(&self, position: &Chess) -> Option<PuzzleRating> {
        let position = with_few_quiet_moves(position);
        self.known.iter().find(|(known, _)| *known == position).and_then(|(_, rating)| *rating)
    }

    /// The puzzle of a position, and its [`FEATURES`](super::FEATURES); `None` as for [`Rater::rate`].
    ///
    /// # Errors
    /// [`NetworkError`] if the policy cannot be run.
    pub fn features(
        &mut self,
        position: &Chess,
        until: Limits<'_>,
    ) -> Result<Option<(Puzzle, Vec<f64>)>, NetworkError> {
        let until = until.alone();
        let position = with_few_quiet_moves(position);
        let Some(puzzle) = Puzzle::new(&mut self.search, &position, until) else { return Ok(None) };
        let standing = self.search.standing(&position);
        let Some(views) = self.views(&puzzle, until)? else { return Ok(None) };
        let values = values(&puzzle, standing, &views);
        Ok(Some((puzzle, values)))
    }

    /// What the policy predicts in each step, for each way in which it is asked; `None` if `until` ends the work.
    fn views(&mut self, puzzle: &Puzzle, until: Limits<'_>) -> Result<Option<Views>, NetworkError> {
        let mut views = Views::new();
        for (rating, is_skilled) in ASKED {
            let asks: Vec<PredictionRequest<'_>> =
                puzzle.steps.iter().map(|step| asked(&step.position, &step.moves, rating)).collect();
            let answers = self.policies[usize::from(is_skilled)].predict(&asks, until)?;
            if answers.len() < asks.len() {
                return Ok(None);
            }
            let view = |prediction: entente_network::Prediction| {
                (Distribution::new(prediction.logits), prediction.result)
            };
            views.push(answers.into_iter().map(|answer| view(answer.prediction)).collect());
        }
        Ok(Some(views))
    }
}

/// What players of `rating` on Lichess play in a position, of its legal `moves`.
pub(super) fn asked<'a>(position: &'a Chess, moves: &'a [Move], rating: u16) -> PredictionRequest<'a> {
    let context = Context {
        ratings: [Some(rating); 2],
        scale: Some(RatingScale::Online),
        ply: plies_before(position),
        ..Context::default()
    };
    PredictionRequest::Single(Query { position, moves, played: &[], context, aim: &Aim::NONE })
}

/// The human policy, which is loaded once for all threads.
fn human_policy() -> Result<Policy, NetworkError> {
    static LOADED: Mutex<Option<Policy>> = Mutex::new(None);
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(policy) = &*loaded {
        return Ok(policy.clone());
    }
    let policy = Policy::open(Policy::HUMAN)?;
    *loaded = Some(policy.clone());
    Ok(policy)
}

/// The position with at most [`Rater::MAX_HALFMOVES`] on its clock; the position itself if the rule has ended the game.
pub fn with_few_quiet_moves(position: &Chess) -> Chess {
    if position.halfmoves() <= Rater::MAX_HALFMOVES || position.halfmoves() >= 100 {
        return position.clone();
    }
    let mut setup = position.to_setup(EnPassantMode::Legal);
    setup.halfmoves = Rater::MAX_HALFMOVES;
    setup.position(position.castles().mode()).unwrap_or_else(|_| position.clone())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use entente_search::position_from_fen;
    use shakmaty::fen::Fen;

    use super::*;

    fn fen(position: &Chess) -> String {
        Fen::from_position(position, EnPassantMode::Legal).to_string()
    }

    #[test]
    fn the_clock_of_a_puzzle_is_at_most_20() {
        for (clock, shown) in [(0, 0), (20, 20), (82, 20), (99, 20), (100, 100)] {
            let position =
                |clock: u32| position_from_fen(&format!("8/5k2/8/3R4/8/8/8/4K3 b - - {clock} 105")).unwrap();
            let bounded = with_few_quiet_moves(&position(clock));
            assert_eq!(fen(&bounded), fen(&position(shown)));
        }
        let passed =
            position_from_fen("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3").unwrap();
        assert_eq!(with_few_quiet_moves(&passed), passed);
    }

    fn rate(rater: &mut Rater, fen: &str) -> Option<PuzzleRating> {
        rater.rate(&position_from_fen(fen).unwrap(), Limits::none()).unwrap()
    }

    #[test]
    fn a_rating_depends_on_the_position_alone() {
        let mut rater = Rater::new().unwrap();
        let fen = "4k3/2q2ppp/8/3N4/8/8/5PPP/6K1 w - - 0 1";
        let first = rate(&mut rater, fen);
        assert!(first.is_some());
        assert!(rate(&mut rater, "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1").is_some());
        assert_eq!(rate(&mut rater, fen), first);
        // The clock beyond what a sheet shows has no effect.
        let [some, more] = [20, 60].map(|clock| {
            Rater::new().unwrap().rate(
                &position_from_fen(&format!("4k3/2q2ppp/8/3N4/8/8/5PPP/6K1 w - - {clock} 90")).unwrap(),
                Limits::none(),
            )
        });
        assert_eq!(some.unwrap(), more.unwrap());
    }

    #[test]
    fn a_stop_leaves_no_rating_that_is_remembered() {
        let (mut rater, stop) = (Rater::new().unwrap(), AtomicBool::new(true));
        let position = position_from_fen("4k3/2q2ppp/8/3N4/8/8/5PPP/6K1 w - - 0 1").unwrap();
        assert_eq!(rater.rate(&position, Limits::until(&stop)).unwrap(), None);
        assert_eq!(rater.known(&position), None);
        assert!(rater.rate(&position, Limits::none()).unwrap().is_some());
        assert!(rater.known(&position).is_some());
    }
}
