use std::sync::Arc;

use shakmaty::{Color, Move};

use super::{
    Backend, NetworkError, NetworkKind, Opinion, Question, SKILL_KEY, Skill,
    opinion::{Heads, POLICY, finite},
    runnable::Runnable,
    session::{Session, Wanted},
};
use crate::encoding::sequence::vocabulary;

/// The key in an ONNX file's `metadata_props` under which it names the vocabulary's fingerprint.
pub const VOCABULARY_KEY: &str = "vocabulary";

/// A network that says which moves people play, and what a game will come to.
///
/// It answers a [`Question`] with an [`Opinion`]. Outputs of its ONNX model, all logits: moves `[1, 4672]` (see
/// [`AlphaZero`](crate::encoding::moves::AlphaZero)), the chance of reaching the aim after each move `[1, 4672]`, that
/// chance now `[1, 1]`, and won, drawn, lost `[1, 3]`. Or moves alone, `[1, 1968]` in the order of the
/// [`Vocabulary`](crate::encoding::vocabulary::Vocabulary): then its metadata may name the vocabulary's fingerprint.
/// Or what Leela Chess Zero exports: `/output/policy` `[1, 1858]` (see [`Lc0`](crate::encoding::lc0::Lc0)), and, if
/// there is one, `/output/wdl` `[1, 3]`, the probabilities of a win, a draw and a loss.
///
/// Its metadata may have a [`Skill`], by which the crate `entente` corrects the logits of the moves.
#[derive(Clone, Debug)]
pub struct Policy {
    runnable: Runnable,
    heads: Heads,
    skill: Option<Arc<Skill>>,
}

impl NetworkKind for Policy {
    const EMBEDDED: &'static [(&'static str, &'static [u8])] =
        &[("goal-policy", include_bytes!("../models/goal-policy.onnx"))];
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
        Ok(Policy { heads: runnable.input().heads(), runnable, skill: skill.map(Arc::new) })
    }

    fn on(&self, backend: Backend) -> Result<Policy, NetworkError> {
        // Another library says the same but for the last digits.
        Ok(Policy { runnable: self.runnable.on(backend)?, ..self.clone() })
    }
}

impl Policy {
    /// The embedded name or the path.
    pub fn name(&self) -> &str {
        self.runnable.name()
    }

    /// True if it is told of aims and results, and speaks of them; otherwise it speaks of moves alone, and its opinions call
    /// all else even.
    pub fn heeds_aims(&self) -> bool {
        self.heads == Heads::Goal
    }

    /// True if it predicts wins, draws and losses; otherwise its opinions call them equally likely.
    pub fn predicts_results(&self) -> bool {
        self.runnable.outputs() > 1
    }

    /// The place of a move of `mover` among [all](PolicySession::ask_of_all_moves) that it speaks of.
    pub fn index(&self, m: Move, mover: Color) -> usize {
        self.heads.index(m, mover)
    }

    /// How its moves are to be corrected, if it says so.
    pub fn skill(&self) -> Option<&Arc<Skill>> {
        self.skill.as_ref()
    }

    /// The same policy with another skill, or with none.
    pub fn with_skill(&self, skill: Option<Skill>) -> Policy {
        Policy { skill: skill.map(Arc::new), ..self.clone() }
    }

    /// A session, of which every thread needs its own.
    pub fn session(&self) -> PolicySession {
        PolicySession { session: self.runnable.session(), heads: self.heads, evaluations: 0 }
    }
}

/// A policy at work on one thread.
pub struct PolicySession {
    session: Session,
    heads: Heads,
    evaluations: u64,
}

impl PolicySession {
    /// What the policy says of each question, in their order.
    ///
    /// # Errors
    /// [`NetworkError::Model`] if it cannot be run, [`NetworkError::Unreadable`] if its input does not show an aim.
    pub fn ask(&mut self, questions: &[Question<'_>]) -> Result<Vec<Opinion>, NetworkError> {
        self.ask_until(questions, &|| false)
    }

    /// As [`PolicySession::ask`], but with fewer opinions once `stop` says true: a GUI waits for the answer to its `stop`.
    ///
    /// # Errors
    /// As [`PolicySession::ask`].
    pub fn ask_until(
        &mut self,
        questions: &[Question<'_>],
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Opinion>, NetworkError> {
        let heads = self.heads;
        let mut opinions = vec![Opinion::default(); questions.len()];
        let answered = self.session.ask(questions, Wanted::Asked, stop, &mut |index, place, numbers| {
            opinions[index].read(place, numbers, &questions[index], heads);
        })?;
        self.evaluations += answered as u64;
        opinions.truncate(answered);
        Ok(opinions)
    }

    /// What the policy says of one question.
    ///
    /// # Errors
    /// As [`PolicySession::ask`].
    pub fn ask_one(&mut self, question: &Question<'_>) -> Result<Opinion, NetworkError> {
        let mut opinions = self.ask(std::slice::from_ref(question))?;
        Ok(opinions.pop().expect("an opinion a question"))
    }

    /// The same, and the logits of all moves, illegal ones among them, in the order of [`Policy::index`].
    ///
    /// # Errors
    /// As [`PolicySession::ask`].
    pub fn ask_of_all_moves(&mut self, question: &Question<'_>) -> Result<(Opinion, Vec<f32>), NetworkError> {
        let heads = self.heads;
        let (mut opinion, mut all) = (Opinion::default(), Vec::new());
        self.session.ask(
            std::slice::from_ref(question),
            Wanted::All,
            &|| false,
            &mut |_, place, numbers| {
                if place == POLICY {
                    all = finite(numbers.iter().copied());
                }
                opinion.read(place, numbers, question, heads);
            },
        )?;
        self.evaluations += 1;
        Ok((opinion, all))
    }

    /// Questions answered so far.
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

    /// The positions of one of several games; one that is over begins anew.
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

    fn questions(game: &[(Chess, MoveList)]) -> Vec<Question<'_>> {
        let plies = (0..).zip(game);
        plies
            .map(|(ply, (position, moves))| {
                let context = Context { ply, ..Context::default() };
                Question { position, moves, played: &[], context, aim: &Aim::NONE }
            })
            .collect()
    }

    #[test]
    fn many_questions_have_the_opinions_that_each_of_them_has_alone() {
        let policy = Policy::open(Policy::DEFAULT).unwrap();
        let game = game(5);
        let questions = questions(&game);
        let mut session = policy.session();
        let together = session.ask(&questions).unwrap();
        assert_eq!((together.len(), session.evaluations()), (5, 5));
        for (question, opinion) in questions.iter().zip(&together) {
            assert_eq!(opinion.logits.len(), question.moves.len());
            assert_eq!(policy.session().ask_one(question).unwrap(), *opinion);
        }
        assert!(session.ask(&[]).unwrap().is_empty());
    }

    #[test]
    fn a_stop_is_heard_between_batches_and_questions_that_are_left_are_not_counted() {
        let mut session = Policy::open(Policy::DEFAULT).unwrap().session();
        let game = game(60);
        let asked = Cell::new(0);
        let stop = || asked.replace(asked.get() + 1) == 2;
        let answered = session.ask_until(&questions(&game), &stop).unwrap().len();
        assert!((2..60).contains(&answered), "{answered}");
        assert_eq!(session.evaluations(), answered as u64);
    }

    /// Nothing is left out for want of interest: for both sides, castling, promotions and moves en passant, too.
    #[test]
    fn what_is_said_of_the_moves_asked_about_is_what_is_said_of_them_among_all() {
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
        for question in questions(&game) {
            let opinion = session.ask_one(&question).unwrap();
            let (of_all, all) = session.ask_of_all_moves(&question).unwrap();
            assert_eq!(opinion, of_all);
            let mover = question.position.turn();
            let logits = question.moves.iter().map(|m| all[session.heads.index(*m, mover)]);
            assert!(logits.eq(opinion.logits), "{question:?}");
        }
    }

    #[test]
    fn the_logits_of_legal_moves_are_among_those_of_all() {
        let mut session = Policy::open(Policy::DEFAULT).unwrap().session();
        let game = game(1);
        let (opinion, all) = session.ask_of_all_moves(&questions(&game)[0]).unwrap();
        assert_eq!(all.len(), 4672);
        assert!(opinion.logits.iter().all(|logit| all.contains(logit)));
    }

    /// On a thousand positions, and for the network that judges, too; on a GPU where there is one.
    #[cfg(feature = "torch")]
    #[test]
    fn torch_and_tract_agree_on_the_shipped_policies() {
        let games: Vec<Vec<(Chess, MoveList)>> = (0..20).map(|number| game_of(50, number)).collect();
        let embedded = Policy::EMBEDDED.iter().map(|(name, _)| *name);
        for name in embedded.chain(["../../models/reference-policy.onnx"]) {
            let tract = Policy::open(name).unwrap();
            for backend in [Backend::TorchCpu, Backend::Torch].into_iter().filter(|it| it.note().is_none()) {
                let [mut tract_session, mut torch_session] =
                    [&tract, &tract.on(backend).unwrap()].map(Policy::session);
                let mut most = 0.0f32;
                for questions in games.iter().map(|game| questions(game)) {
                    assert_eq!(questions.len(), 50);
                    let opinions = [&mut tract_session, &mut torch_session]
                        .map(|session| session.ask(&questions).unwrap());
                    for (left, right) in opinions[0].iter().zip(&opinions[1]) {
                        let all = |opinion: &Opinion| {
                            let mut numbers = crate::encoding::softmax(&opinion.logits);
                            numbers.extend(&opinion.action_values);
                            numbers.push(opinion.value);
                            numbers.extend(opinion.result);
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
