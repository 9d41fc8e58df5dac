use shakmaty::{Move, Position};

use super::strength;
use crate::{
    encoding::skill::MoveScores,
    network::{Effort, EvaluationNetwork, Question, Skill},
    scorer::NetworkScorer,
    search::{AlphaBeta, Attention, Gaze},
};

/// Looks at moves as far as people do.
pub struct Looker {
    search: AlphaBeta<NetworkScorer>,
    nodes: u64,
}

/// A move may lose this much, in centipawns; one that loses more counts as one that does.
const CAP: i32 = 800;

impl Looker {
    /// One that has not looked at anything.
    pub fn new() -> Looker {
        Looker {
            search: AlphaBeta::short_with_scorer(NetworkScorer::new(EvaluationNetwork::embedded())),
            nodes: 0,
        }
    }

    /// Nodes searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The scores of the question's moves for its mover; `probabilities` are those of the moves. Depends on nothing else.
    pub fn look(&mut self, skill: &Skill, question: &Question<'_>, probabilities: &[f32]) -> Vec<MoveScores> {
        let Question { position, moves, context, .. } = question;
        let strength = strength(context, position.turn());
        let Effort { depths, nodes, slack, .. } = skill.effort(strength);
        let attention = |probability: f32| match probability {
            likely if likely >= skill.look => Attention::Full,
            rare if rare >= skill.glance => Attention::Glance,
            _ => Attention::None,
        };
        let moves: Vec<(Move, Attention)> =
            moves.iter().zip(probabilities).map(|(m, probability)| (*m, attention(*probability))).collect();
        let gaze = Gaze { depths, nodes: u64::from(nodes), slack, cap: CAP };
        let profile = self.search.profile(position, &moves, gaze);
        self.nodes += profile.nodes;
        profile.moves
    }
}

impl Default for Looker {
    fn default() -> Looker {
        Looker::new()
    }
}
