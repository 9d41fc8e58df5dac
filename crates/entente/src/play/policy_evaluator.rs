use entente_network::{NetworkError, Policy, PolicySession, encoding::Sampling};
use entente_search::{
    Game, Limits,
    tree::{Edge, NodeEvaluation, NodeEvaluator},
};

use super::{
    human_model::{HumanModel, HumanPrediction},
    look_ahead::LookAheadSearch,
    parameters::Parameters,
    players::Players,
};

/// Evaluates positions as a player does: with the network's probabilities of a win, a draw and a loss, with a short
/// search, and with the rules.
pub(crate) struct PolicyEvaluator {
    pub(super) human_model: HumanModel<PolicySession>,
    pub(super) look_ahead: LookAheadSearch,
    prior_temperature: f32,
}

impl PolicyEvaluator {
    /// An evaluator for these players.
    pub(crate) fn new(policy: &Policy, players: Players, parameters: &Parameters) -> PolicyEvaluator {
        PolicyEvaluator {
            // No skill: the tree itself looks ahead.
            human_model: HumanModel::new(policy.session(), players),
            look_ahead: LookAheadSearch::new(parameters.look_ahead),
            prior_temperature: parameters.prior_temperature,
        }
    }

    /// Forgets earlier games, so that an evaluation depends only on the position and its game.
    pub(crate) fn forget(&mut self) {
        self.look_ahead.forget();
    }

    /// Changes the players.
    pub(crate) fn seat(&mut self, players: Players) {
        self.human_model.seat(players);
    }
}

impl NodeEvaluator for PolicyEvaluator {
    type Error = NetworkError;

    fn evaluate(
        &mut self,
        game: &Game,
        depth: u32,
        limits: Limits<'_>,
    ) -> Result<NodeEvaluation, NetworkError> {
        if let Some(over) = NodeEvaluation::if_over(game, depth) {
            return Ok(over);
        }
        let HumanPrediction { moves, chances, mut found } = self.human_model.predict(game)?;
        let priors = chances.shaped(Sampling { temperature: self.prior_temperature, top_p: 1.0 });
        let edges = moves.iter().enumerate();
        let mut edges: Vec<Edge> =
            edges.map(|(index, m)| Edge::new(*m, priors.probability(index), None)).collect();
        self.look_ahead.correct(game, limits, &mut found, &mut edges);
        Ok(NodeEvaluation::Open { found, edges })
    }
}
