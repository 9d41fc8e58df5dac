use std::collections::HashMap;

use entente_network::{
    NetworkError,
    encoding::goal_policy::{Aim, Context},
};
use entente_search::Limits;
use shakmaty::{Chess, EnPassantMode, Move, Position as _, Square};

use super::{Answer, MovePredictor, PredictionRequest};

/// Answers about positions after at most this many moves are remembered, because many games begin alike.
const LONGEST: usize = 8;
/// The maximum number of remembered answers.
const MAX: usize = 4096;

/// A predictor that remembers its answers about openings. Remembered answers count as evaluations, so that node limits
/// do not depend on earlier games.
///
/// Its queries must contain all moves that were played, and all start from the same root.
pub struct Cached<P> {
    inner: P,
    openings: HashMap<Opening, (Aim, Answer)>,
    /// The number of queries whose answers were remembered.
    recalled: u64,
}

/// What a predictor is told about an opening, except for its aim.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Opening {
    position: Chess,
    // The equality of positions ignores these.
    halfmoves: u32,
    passed: Option<Square>,
    played: Vec<Move>,
    context: Context,
    is_paired: bool,
}

impl Opening {
    fn of(request: &PredictionRequest<'_>) -> Option<Opening> {
        let query = request.query();
        (query.played.len() <= LONGEST).then(|| Opening {
            position: query.position.clone(),
            halfmoves: query.position.halfmoves(),
            passed: query.position.ep_square(EnPassantMode::PseudoLegal),
            played: query.played.to_vec(),
            context: query.context,
            is_paired: matches!(request, PredictionRequest::Paired(_)),
        })
    }
}

impl<P> Cached<P> {
    /// A predictor that remembers what `inner` answers about openings.
    pub fn new(inner: P) -> Cached<P> {
        Cached { inner, openings: HashMap::new(), recalled: 0 }
    }

    /// The inner predictor.
    pub fn inner(&self) -> &P {
        &self.inner
    }

    /// The answer to an earlier request that was the same.
    fn recall(&self, request: &PredictionRequest<'_>, opening: Option<&Opening>) -> Option<Answer> {
        let (aim, answer) = self.openings.get(opening?)?;
        (aim == request.query().aim).then(|| answer.clone())
    }
}

impl<P: MovePredictor> MovePredictor for Cached<P> {
    fn predict(
        &mut self,
        requests: &[PredictionRequest<'_>],
        until: Limits<'_>,
    ) -> Result<Vec<Answer>, NetworkError> {
        let openings: Vec<Option<Opening>> = requests.iter().map(Opening::of).collect();
        let pairs = requests.iter().zip(&openings);
        let mut answers: Vec<Option<Answer>> =
            pairs.map(|(request, opening)| self.recall(request, opening.as_ref())).collect();
        let unknown: Vec<usize> = (0..requests.len()).filter(|index| answers[*index].is_none()).collect();
        let asked: Vec<PredictionRequest<'_>> = unknown.iter().map(|index| requests[*index]).collect();
        let found = self.inner.predict(&asked, until)?;
        let known = unknown.get(found.len()).copied().unwrap_or(requests.len());
        self.recalled += answers[..known].iter().flatten().map(Answer::count).sum::<u64>();
        for (index, answer) in unknown.into_iter().zip(found) {
            if let Some(opening) = &openings[index]
                && self.openings.len() < MAX
            {
                let aim = requests[index].query().aim.clone();
                self.openings.insert(opening.clone(), (aim, answer.clone()));
            }
            answers[index] = Some(answer);
        }
        answers.truncate(known);
        Ok(answers.into_iter().flatten().collect())
    }

    fn evaluations(&self) -> u64 {
        self.inner.evaluations() + self.recalled
    }

    fn nodes(&self) -> u64 {
        self.inner.nodes()
    }
}

#[cfg(test)]
mod tests {
    use entente_network::{NetworkKind as _, Policy, PolicySession, Prediction, Query};
    use entente_search::Game;
    use shakmaty::Color;

    use super::*;

    /// A predictor that answers with the number of queries so far, and records the number of queries in each call.
    #[derive(Default)]
    struct Counting {
        asked: Vec<usize>,
        most: Option<usize>,
    }

    impl MovePredictor for Counting {
        fn predict(
            &mut self,
            requests: &[PredictionRequest<'_>],
            _: Limits<'_>,
        ) -> Result<Vec<Answer>, NetworkError> {
            let before = self.evaluations() as f32;
            self.asked.push(requests.iter().map(|request| request.queries().count()).sum());
            let answer = |(number, request): (usize, &PredictionRequest<'_>)| {
                let prediction = Prediction { value: before + number as f32, ..Prediction::default() };
                Answer {
                    without_goal: request.without_goal().map(|_| prediction.clone()),
                    prediction,
                    human: None,
                }
            };
            Ok(requests.iter().enumerate().map(answer).take(self.most.unwrap_or(usize::MAX)).collect())
        }

        fn evaluations(&self) -> u64 {
            self.asked.iter().sum::<usize>() as u64
        }
    }

    const GOAL: Aim = Aim { turn: Some(Color::White), ..Aim::NONE };

    fn query<'a>(game: &'a Game, rating: u16, aim: &'a Aim) -> Query<'a> {
        let context = Context { ratings: [Some(rating); 2], ..Context::default() };
        Query { position: game.position(), moves: &[], played: game.moves(), context, aim }
    }

    fn after(plies: usize) -> Game {
        let mut game = Game::new(Chess::default());
        (0..plies).for_each(|_| game.play(game.position().legal_moves()[0]));
        game
    }

    #[test]
    fn openings_are_recalled_only_for_equal_queries_and_count_as_evaluations() {
        let (game, late) = (after(3), after(LONGEST + 1));
        let mut cached = Cached::new(Counting::default());
        let mut values = |requests: &[PredictionRequest<'_>]| -> Vec<f32> {
            let answers = cached.predict(requests, Limits::none()).unwrap();
            answers.iter().map(|answer| answer.prediction.value).collect()
        };
        let single = PredictionRequest::Single(query(&game, 1500, &GOAL));
        assert_eq!(values(&[single]), [0.0]);
        assert_eq!(
            values(&[single, PredictionRequest::Paired(query(&game, 1500, &GOAL))]),
            [0.0, 1.0],
            "a pair"
        );
        assert_eq!(
            values(&[PredictionRequest::Single(query(&game, 1501, &GOAL)), single]),
            [3.0, 0.0],
            "a rating"
        );
        assert_eq!(values(&[PredictionRequest::Single(query(&game, 1500, &Aim::NONE))]), [4.0], "no goal");
        let late = PredictionRequest::Single(query(&late, 1500, &GOAL));
        assert_eq!([values(&[late]), values(&[late])], [[5.0], [6.0]], "no opening");
        assert_eq!(cached.evaluations(), 9, "seven were asked, two recalled");
    }

    #[test]
    fn nothing_is_recalled_after_an_unanswered_request() {
        let games = [after(1), after(2), after(3)];
        let ask = |index: usize| PredictionRequest::Single(query(&games[index], 1500, &Aim::NONE));
        let mut cached = Cached::new(Counting::default());
        cached.predict(&[ask(0), ask(2)], Limits::none()).unwrap();
        cached.inner.most = Some(0);
        let answers = cached.predict(&[ask(0), ask(1), ask(2)], Limits::none()).unwrap();
        assert_eq!((answers.len(), cached.recalled), (1, 1));
    }

    #[test]
    fn a_pair_has_the_answers_of_its_queries_and_the_cache_repeats_them() {
        let policy = Policy::open(Policy::DEFAULT).unwrap();
        let game = after(4);
        let moves = game.position().legal_moves();
        let query = Query { moves: &moves, ..query(&game, 1500, &GOAL) };
        let request = PredictionRequest::Paired(query);
        let mut session = policy.session();
        let alone: Vec<Prediction> =
            request.queries().map(|query| session.ask_one(&query).unwrap()).collect();
        let expected =
            Answer { prediction: alone[0].clone(), without_goal: Some(alone[1].clone()), human: None };
        let mut cached: Cached<PolicySession> = Cached::new(policy.session());
        for evaluations in [2, 4] {
            assert_eq!(cached.predict(&[request], Limits::none()).unwrap(), std::slice::from_ref(&expected));
            assert_eq!(cached.evaluations(), evaluations);
        }
        assert_eq!(cached.inner().evaluations(), 2);
    }
}
