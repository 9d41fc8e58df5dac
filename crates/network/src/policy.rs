use std::sync::Arc;

use shakmaty::{Color, Move};

use super::{
    Backend, NetworkError, NetworkKind, Prediction, Query, SKILL_KEY, Skill,
    prediction::{Heads, Numbering, POLICY, finite},
    runnable::Runnable,
    session::{Session, Wanted},
};
use crate::encoding::{
    moves::{AlphaZero, Lc0Planes, MoveEncoding as _},
    transformer::vocabulary,
};

/// The key in an ONNX file's `metadata_props` that says whether the network has learned about aims: `false` if it has
/// not. A network that it does not mention, and whose input has aims, has.
pub const READS_GOALS_KEY: &str = "reads_goals";

/// The key in an ONNX file's `metadata_props` for the encoding of the moves in AlphaZero's layout: the name of
/// [`AlphaZero`] or [`Lc0Planes`]. Without it, the first.
pub const MOVES_KEY: &str = "moves";

/// The key in an ONNX file's `metadata_props` for the fingerprint of the vocabulary.
pub const VOCABULARY_KEY: &str = "vocabulary";

/// A network that predicts the moves that humans play and the result of the game.
///
/// It answers a [`Query`] with a [`Prediction`]. There are three kinds of ONNX models. The first has four outputs, all
/// logits: moves `[1, 4672]` (see [`AlphaZero`](crate::encoding::moves::AlphaZero)), the probability of reaching the
/// aim after each move `[1, 4672]`, that probability now `[1, 1]`, and a win, a draw and a loss `[1, 3]`. The second
/// has only the logits of the moves, `[1, 1968]` in the order of the
/// [`Vocabulary`](crate::encoding::transformer::vocabulary::Vocabulary); its metadata may have the vocabulary's
/// fingerprint. The third is exported by Leela Chess Zero: `/output/policy` `[1, 1858]` (see
/// [`Lc0`](crate::encoding::lc0::Lc0)) and optionally `/output/wdl` `[1, 3]`, the probabilities of a win, a draw and a
/// loss.
///
/// Its metadata may have a [`Skill`], with which the crate `entente` corrects the logits of the moves.
#[derive(Clone, Debug)]
pub struct Policy {
    runnable: Runnable,
    heads: Heads,
    skill: Option<Arc<Skill>>,
}

/// The embedded networks. Each use of a constant may have its own copy in the program; a static has one.
static FILES: [(&str, &[u8]); 2] = [
    (Policy::DEFAULT, include_bytes!("../models/goal-policy.onnx")),
    (Policy::HUMAN, include_bytes!("../models/human-policy.onnx")),
];

impl NetworkKind for Policy {
    const EMBEDDED: &'static [(&'static str, &'static [u8])] = &FILES;
    const DEFAULT: &'static str = "goal-policy";

    fn from_bytes(name: &str, bytes: &[u8]) -> Result<Policy, NetworkError> {
        let runnable = Runnable::new(name, bytes, "a policy", |input| input.heads().outputs())?;
        let found = runnable.metadata(VOCABULARY_KEY);
        let ours = vocabulary().fingerprint();
        if let Some(found) = found.filter(|found| *found != ours) {
            let expected = format!("the vocabulary {ours} of this program");
            return Err(NetworkError::shape(name, expected, format!("one with the fingerprint {found}")));
        }
        let skill = runnable.metadata(SKILL_KEY).map(|text| Skill::read(name, text)).transpose()?;
        let numbering = match runnable.metadata(MOVES_KEY) {
            None | Some(AlphaZero::NAME) => Numbering::AlphaZero,
            Some(Lc0Planes::NAME) => Numbering::Lc0Planes,
            Some(other) => {
                let expected = format!("the moves {} or {}", AlphaZero::NAME, Lc0Planes::NAME);
                return Err(NetworkError::shape(name, expected, format!("'{other}'")));
            }
        };
        let heads = match (runnable.input().heads(), runnable.metadata(READS_GOALS_KEY)) {
            (Heads::Goal(_), Some("false")) => Heads::NoGoal(numbering),
            (Heads::Goal(_), _) => Heads::Goal(numbering),
            (heads, _) => heads,
        };
        Ok(Policy { heads, runnable, skill: skill.map(Arc::new) })
    }

    fn on(&self, backend: Backend) -> Result<Policy, NetworkError> {
        // Backends agree except in the last digits.
        Ok(Policy { runnable: self.runnable.on(backend)?, ..self.clone() })
    }
}

impl Policy {
    /// The name of the embedded policy that knows no goals and models people.
    pub const HUMAN: &'static str = "human-policy";

    /// The name of the embedded network, or the path of the file.
    pub fn name(&self) -> &str {
        self.runnable.name()
    }

    /// True if it has learned about aims. Otherwise it only predicts moves and perhaps results, and the other numbers
    /// of its predictions are neutral.
    pub fn reads_goals(&self) -> bool {
        matches!(self.heads, Heads::Goal(_))
    }

    /// True if it predicts wins, draws and losses; otherwise its predictions call them equally likely.
    pub fn predicts_results(&self) -> bool {
        self.runnable.outputs() > 1
    }

    /// The index of a move of `mover` among [all moves](PolicySession::ask_of_all_moves).
    pub fn index(&self, m: Move, mover: Color) -> usize {
        self.heads.index(m, mover)
    }

    /// How to correct its moves, if its file says so.
    pub fn skill(&self) -> Option<&Arc<Skill>> {
        self.skill.as_ref()
    }

    /// The same policy with another skill, or with none.
    pub fn with_skill(&self, skill: Option<Skill>) -> Policy {
        Policy { skill: skill.map(Arc::new), ..self.clone() }
    }

    /// A session. Each thread needs its own.
    pub fn session(&self) -> PolicySession {
        PolicySession { session: self.runnable.session(), heads: self.heads, evaluations: 0 }
    }
}

/// A policy in use on one thread.
pub struct PolicySession {
    session: Session,
    heads: Heads,
    evaluations: u64,
}

impl PolicySession {
    /// The predictions for the queries, in the same order.
    ///
    /// # Errors
    /// [`NetworkError::Model`] if it cannot be run, [`NetworkError::Unreadable`] if its input cannot represent an aim.
    pub fn ask(&mut self, queries: &[Query<'_>]) -> Result<Vec<Prediction>, NetworkError> {
        self.ask_until(queries, &|| false)
    }

    /// The same as [`PolicySession::ask`], but with fewer predictions if `stop` returns true, because a GUI may wait
    /// for it to stop.
    ///
    /// # Errors
    /// The same as [`PolicySession::ask`].
    pub fn ask_until(
        &mut self,
        queries: &[Query<'_>],
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Prediction>, NetworkError> {
        let heads = self.heads;
        let mut predictions = vec![Prediction::default(); queries.len()];
        let answered = self.session.ask(queries, Wanted::Asked, stop, &mut |index, place, numbers| {
            predictions[index].read(place, numbers, &queries[index], heads);
        })?;
        self.evaluations += answered as u64;
        predictions.truncate(answered);
        Ok(predictions)
    }

    /// The prediction for one query.
    ///
    /// # Errors
    /// The same as [`PolicySession::ask`].
    pub fn ask_one(&mut self, query: &Query<'_>) -> Result<Prediction, NetworkError> {
        let mut predictions = self.ask(std::slice::from_ref(query))?;
        Ok(predictions.pop().expect("a prediction per query"))
    }

    /// The same, and the logits of all moves, including illegal ones, in the order of [`Policy::index`].
    ///
    /// # Errors
    /// The same as [`PolicySession::ask`].
    pub fn ask_of_all_moves(&mut self, query: &Query<'_>) -> Result<(Prediction, Vec<f32>), NetworkError> {
        let heads = self.heads;
        let (mut prediction, mut all) = (Prediction::default(), Vec::new());
        self.session.ask(std::slice::from_ref(query), Wanted::All, &|| false, &mut |_, place, numbers| {
            if place == POLICY {
                all = finite(numbers.iter().copied());
            }
            prediction.read(place, numbers, query, heads);
        })?;
        self.evaluations += 1;
        Ok((prediction, all))
    }

    /// The number of queries answered so far.
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use shakmaty::{Chess, MoveList, Position};

    use super::*;
    use crate::encoding::goal_policy::{Aim, Context};

    /// The positions of a game, with their legal moves.
    fn game(plies: usize) -> Vec<(Chess, MoveList)> {
        game_of(plies, 0)
    }

    /// The positions of one of several games; a game that is over starts again.
    fn game_of(plies: usize, number: usize) -> Vec<(Chess, MoveList)> {
        let mut position = Chess::default();
        let mut positions = Vec::new();
        for ply in 0..plies {
            if position.is_game_over() {
                position = Chess::default();
            }
            let moves = position.legal_moves();
            positions.push((position.clone(), moves.clone()));
            position.play_unchecked(moves[(ply * (7 + number) + number) % moves.len()]);
        }
        positions
    }

    fn queries(game: &[(Chess, MoveList)]) -> Vec<Query<'_>> {
        let plies = (0..).zip(game);
        plies
            .map(|(ply, (position, moves))| {
                let context = Context { ply, ..Context::default() };
                Query { position, moves, played: &[], context, aim: &Aim::NONE }
            })
            .collect()
    }

    #[test]
    fn batched_queries_have_the_same_predictions_as_single_ones() {
        let policy = Policy::open(Policy::DEFAULT).unwrap();
        let game = game(5);
        let queries = queries(&game);
        let mut session = policy.session();
        let together = session.ask(&queries).unwrap();
        assert_eq!((together.len(), session.evaluations()), (5, 5));
        for (query, prediction) in queries.iter().zip(&together) {
            assert_eq!(prediction.logits.len(), query.moves.len());
            assert_eq!(policy.session().ask_one(query).unwrap(), *prediction);
        }
        assert!(session.ask(&[]).unwrap().is_empty());
    }

    #[test]
    fn a_stop_takes_effect_between_batches_and_remaining_queries_are_not_counted() {
        let mut session = Policy::open(Policy::DEFAULT).unwrap().session();
        let game = game(60);
        let asked = Cell::new(0);
        let stop = || asked.replace(asked.get() + 1) == 2;
        let answered = session.ask_until(&queries(&game), &stop).unwrap().len();
        assert!((2..60).contains(&answered), "{answered}");
        assert_eq!(session.evaluations(), answered as u64);
    }

    /// The positions include castling, promotions and en passant captures for both sides.
    #[test]
    fn the_logits_of_the_queried_moves_are_those_among_all_moves() {
        let mut session = Policy::open(Policy::DEFAULT).unwrap().session();
        let mut game = game(40);
        for fen in [
            "r3k2r/8/8/3pP3/3Pp3/8/8/R3K2R w KQkq d6 0 1",
            "r3k2r/8/8/8/3Pp3/8/8/R3K2R b KQkq d3 0 1",
            "1n2k3/P7/8/8/8/8/p7/1N2K3 b - - 0 1",
        ] {
            let position = entente_search::position_from_fen(fen).unwrap();
            game.push((position.clone(), position.legal_moves()));
        }
        for query in queries(&game) {
            let prediction = session.ask_one(&query).unwrap();
            let (of_all, all) = session.ask_of_all_moves(&query).unwrap();
            assert_eq!(prediction, of_all);
            let mover = query.position.turn();
            let logits = query.moves.iter().map(|m| all[session.heads.index(*m, mover)]);
            assert!(logits.eq(prediction.logits), "{query:?}");
        }
    }

    #[test]
    fn the_logits_of_legal_moves_are_among_those_of_all() {
        let mut session = Policy::open(Policy::DEFAULT).unwrap().session();
        let game = game(1);
        let (prediction, all) = session.ask_of_all_moves(&queries(&game)[0]).unwrap();
        assert_eq!(all.len(), 4672);
        assert!(prediction.logits.iter().all(|logit| all.contains(logit)));
    }

    /// On a thousand positions, with the reference policy, too; on a GPU if there is one.
    #[cfg(feature = "torch")]
    #[test]
    fn torch_and_cpu_agree_on_the_shipped_policies() {
        let games: Vec<Vec<(Chess, MoveList)>> = (0..20).map(|number| game_of(50, number)).collect();
        let embedded = Policy::EMBEDDED.iter().map(|(name, _)| *name);
        for name in embedded.chain(["../../models/reference-policy.onnx"]) {
            let cpu = Policy::open(name).unwrap();
            for backend in [Backend::TorchCpu, Backend::Torch].into_iter().filter(|it| it.note().is_none()) {
                let [mut cpu_session, mut torch_session] =
                    [&cpu, &cpu.on(backend).unwrap()].map(Policy::session);
                let mut most = 0.0f32;
                for queries in games.iter().map(|game| queries(game)) {
                    assert_eq!(queries.len(), 50);
                    let predictions =
                        [&mut cpu_session, &mut torch_session].map(|session| session.ask(&queries).unwrap());
                    for (left, right) in predictions[0].iter().zip(&predictions[1]) {
                        let all = |prediction: &Prediction| {
                            let mut numbers = crate::encoding::softmax(&prediction.logits);
                            numbers.extend(&prediction.action_values);
                            numbers.push(prediction.value);
                            numbers.extend(prediction.result);
                            numbers
                        };
                        let differences =
                            all(left).into_iter().zip(all(right)).map(|(left, right)| (left - right).abs());
                        most = differences.fold(most, f32::max);
                    }
                }
                println!("{name}, {backend:?}: at most {most:e}");
                assert!(most < 1e-4, "{name}, {backend:?}: {most}");
            }
        }
    }
}
