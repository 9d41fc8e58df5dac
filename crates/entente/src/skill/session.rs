use std::{ptr, sync::Arc};

use entente_network::{
    Calibration, Corrector, NetworkError, Opinion, Policy, PolicySession, Question, Skill,
    encoding::{
        Distribution,
        skill::{encode, losses},
    },
};
use entente_search::Limits;
use shakmaty::Position;

use super::{Looker, strength};

/// A policy at work on one thread, corrected by what is seen of its moves.
pub struct SkilledSession {
    session: PolicySession,
    skill: Option<(Arc<Skill>, Corrector)>,
    looker: Looker,
    rows: Vec<f32>,
    purpose: Purpose,
}

/// What moves are wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// Each is as likely as people are to play it.
    Prediction,
    /// They make whole games like people's.
    Games,
    /// They make a player of the strength that is said.
    Play,
}

impl SkilledSession {
    /// A session of the policy with the skill that its file has, if it has one.
    pub fn new(policy: &Policy) -> SkilledSession {
        let skill = policy.skill().map(|skill| (Arc::clone(skill), Corrector::new(skill)));
        SkilledSession { skill, ..SkilledSession::unskilled(policy) }
    }

    /// With its skill if that `is_wanted`, else as it is.
    pub fn of(policy: &Policy, is_wanted: bool) -> SkilledSession {
        if is_wanted { SkilledSession::new(policy) } else { SkilledSession::unskilled(policy) }
    }

    /// A session of the policy as it is.
    pub fn unskilled(policy: &Policy) -> SkilledSession {
        SkilledSession {
            session: policy.session_with_openings(),
            skill: None,
            looker: Looker::new(),
            rows: Vec::new(),
            purpose: Purpose::Prediction,
        }
    }

    /// As the moves of whole games are drawn: with the [caution](entente_network::Cooling::caution) of its skill.
    pub fn for_games(self) -> SkilledSession {
        SkilledSession { purpose: Purpose::Games, ..self }
    }

    /// As the moves of play are drawn: with the [calibration](entente_network::Calibration) of its skill.
    pub fn for_play(self) -> SkilledSession {
        SkilledSession { purpose: Purpose::Play, ..self }
    }

    /// The skill by which it corrects, if it does.
    pub fn skill(&self) -> Option<&Skill> {
        self.skill.as_ref().map(|(skill, _)| &**skill)
    }

    /// What the policy says of each question, corrected; fewer opinions once `until` ends it, whose nodes do not count.
    ///
    /// Questions about the same place in memory that follow each other are answered with one look at the moves: those
    /// that any of them finds likely. What is asked together makes the answer.
    ///
    /// # Errors
    /// [`NetworkError`] if the policy cannot be run.
    pub fn ask_until(
        &mut self,
        questions: &[Question<'_>],
        until: Limits<'_>,
    ) -> Result<Vec<Opinion>, NetworkError> {
        let mut opinions = self.session.ask_until(questions, &|| until.forbid(0, 0))?;
        if self.skill.is_none() {
            return Ok(opinions);
        }
        let mut answered = 0;
        for same in questions[..opinions.len()].chunk_by(|a, b| ptr::eq(a.position, b.position)) {
            if !self.correct(same, &mut opinions[answered..answered + same.len()], until) {
                break;
            }
            answered += same.len();
        }
        opinions.truncate(answered);
        Ok(opinions)
    }

    /// What the policy says of one question, corrected.
    ///
    /// # Errors
    /// [`NetworkError`] if the policy cannot be run.
    pub fn ask_one(&mut self, question: &Question<'_>) -> Result<Opinion, NetworkError> {
        let mut opinions = self.ask_until(std::slice::from_ref(question), Limits::none())?;
        Ok(opinions.pop().expect("an opinion a question"))
    }

    /// Corrects the opinions of questions about one position; false if `until` ends that.
    fn correct(&mut self, questions: &[Question<'_>], opinions: &mut [Opinion], until: Limits<'_>) -> bool {
        let Some((skill, corrector)) = &self.skill else { return true };
        let Question { position, moves, .. } = questions[0];
        let chances: Vec<Distribution> =
            opinions.iter().map(|opinion| Distribution::new(opinion.logits.clone())).collect();
        let likeliest = |index: usize| chances.iter().map(|of| of.probability(index)).fold(0.0, f32::max);
        let probabilities: Vec<f32> = (0..moves.len()).map(likeliest).collect();
        let Some(scores) = self.looker.look(skill, &questions[0], &probabilities, until) else {
            return false;
        };
        let strength = strength(&questions[0].context, position.turn());
        let Calibration { temperature, caution, .. } = match self.purpose {
            Purpose::Prediction => Calibration::NONE,
            Purpose::Games => {
                // Temperatures change in the course of a game: whoever draws heeds them.
                let caution = skill.cooling(strength).map_or(0.0, |cooling| cooling.caution);
                Calibration { caution, ..Calibration::NONE }
            }
            Purpose::Play => skill.calibration(strength),
        };
        for ((question, opinion), chances) in questions.iter().zip(opinions).zip(&chances) {
            let (context, has_goal) = (&question.context, !question.aim.is_none());
            encode(position, moves, context, has_goal, chances.logarithms(), &scores, &mut self.rows);
            let corrections = corrector.corrections(&self.rows);
            let logs = chances.logarithms().iter().zip(corrections).zip(losses(&scores));
            opinion.logits =
                logs.map(|((log, more), loss)| (log + more) / temperature - caution * loss).collect();
        }
        true
    }

    /// Questions answered so far.
    pub fn evaluations(&self) -> u64 {
        self.session.evaluations()
    }

    /// Nodes of all looks so far.
    pub fn nodes(&self) -> u64 {
        self.looker.nodes()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use entente_network::{
        Cooling, Effort, Layer, NetworkKind as _,
        encoding::{
            goal_policy::{Aim, Context},
            skill::FEATURES,
            softmax,
        },
    };
    use entente_search::{position_from_fen, scorer::EvaluationNetwork};
    use shakmaty::{Chess, MoveList, Position};

    use super::*;

    /// A policy that takes 6 from the logit of a move that loses five pawns, and less from others.
    fn policy() -> Policy {
        let mut weights = vec![0.0; FEATURES];
        weights[1] = -3.0;
        let skill = Skill {
            evaluation: EvaluationNetwork::embedded().fingerprint(),
            glance: 0.0,
            look: 0.01,
            efforts: vec![Effort { from: 0, depths: 1, nodes: 1000, slack: 200, study: None }],
            cooling: Vec::new(),
            calibration: Vec::new(),
            layers: vec![Layer { weights: vec![weights], biases: vec![0.0] }],
        };
        Policy::open(Policy::DEFAULT).unwrap().with_skill(Some(skill))
    }

    const CAUTION: Cooling =
        Cooling { at: 1000, opening: 1.0, middle: None, late: 1.0, caution: 0.5, review: 0.0 };

    fn ask(position: &Chess, moves: &MoveList, session: &mut SkilledSession) -> Opinion {
        let context = Context { ratings: [Some(1000); 2], ..Context::default() };
        session.ask_one(&Question { position, moves, played: &[], context, aim: &Aim::NONE }).unwrap()
    }

    #[test]
    fn a_move_that_hangs_the_queen_loses_its_probability() {
        // The queen may go where the pawn takes it, and people may overlook that.
        let position = position_from_fen("4k3/8/2p5/8/8/3Q4/8/4K3 w - - 0 1").unwrap();
        let moves = position.legal_moves();
        let chance = |opinion: &Opinion| {
            let place = moves.iter().position(|m| m.to_string() == "Qd3-d5").unwrap();
            softmax(&opinion.logits)[place]
        };
        let policy = policy();
        let alone = ask(&position, &moves, &mut SkilledSession::unskilled(&policy));
        let mut session = SkilledSession::new(&policy);
        let skilled = ask(&position, &moves, &mut session);
        assert!(chance(&skilled) < chance(&alone) / 50.0, "{} and {}", chance(&skilled), chance(&alone));
        assert_eq!((skilled.value, skilled.result), (alone.value, alone.result));
        assert!(session.nodes() > 0 && session.evaluations() == 1);
        // With caution even more is lost, but only where whole games are drawn.
        let skill = Skill { cooling: vec![CAUTION], ..Skill::clone(policy.skill().unwrap()) };
        let cautious = policy.clone().with_skill(Some(skill));
        assert_eq!(ask(&position, &moves, &mut SkilledSession::new(&cautious)), skilled);
        let of_games = ask(&position, &moves, &mut SkilledSession::new(&cautious).for_games());
        assert!(chance(&of_games) < chance(&skilled) / 5.0, "{}", chance(&of_games));
        // In play, too, and moves are drawn more evenly.
        let calibration = vec![Calibration { at: 1000, temperature: 2.0, caution: 1.0 }];
        let skill = Skill { calibration, ..Skill::clone(policy.skill().unwrap()) };
        let calibrated = policy.clone().with_skill(Some(skill));
        assert_eq!(ask(&position, &moves, &mut SkilledSession::new(&calibrated)), skilled);
        let of_play = ask(&position, &moves, &mut SkilledSession::new(&calibrated).for_play());
        let ratio = |opinion: &Opinion| {
            let logits = &opinion.logits;
            let [hung, kept] =
                ["Qd3-d5", "Qd3-d4"].map(|name| moves.iter().position(|m| m.to_string() == name).unwrap());
            logits[kept] - logits[hung]
        };
        // Half the difference, and caution for the pawns that one loses more than the other.
        let pawns = ratio(&of_play) - ratio(&skilled) / 2.0;
        assert!((3.0..=5.0).contains(&pawns), "{pawns}");
        // A policy without skill stays as it is.
        let none = policy.with_skill(None);
        assert_eq!(ask(&position, &moves, &mut SkilledSession::new(&none)), alone);
    }

    #[test]
    fn questions_are_answered_the_same_again_and_others_do_not_matter() {
        let (policy, positions) =
            (policy(), [Chess::default(), position_from_fen("4k3/8/2p5/8/8/3Q4/8/4K3 w - - 0 1").unwrap()]);
        let moves = positions.each_ref().map(Chess::legal_moves);
        let mut session = SkilledSession::new(&policy);
        let questions = [0, 1, 0].map(|index: usize| Question {
            position: &positions[index],
            moves: &moves[index],
            played: &[],
            context: Context { ratings: [Some(1000); 2], ..Context::default() },
            aim: &Aim::NONE,
        });
        let together = session.ask_until(&questions, Limits::none()).unwrap();
        assert_eq!(together[0], together[2]);
        for (opinion, index) in together.iter().zip([0, 1, 0]) {
            assert_eq!(*opinion, ask(&positions[index], &moves[index], &mut SkilledSession::new(&policy)));
        }
        let stop = AtomicBool::new(true);
        assert!(session.ask_until(&questions, Limits::until(&stop)).unwrap().is_empty());
    }
}
