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

/// Evaluates positions as a player: by the network's chances to win, to draw and to lose, by a short search, and by the rules.
pub(crate) struct PolicyEvaluator {
    pub(super) human_model: HumanModel<PolicySession>,
    pub(super) look_ahead: LookAheadSearch,
    prior_temperature: f32,
}

impl PolicyEvaluator {
    /// An evaluator for these players.
    pub(crate) fn new(policy: &Policy, players: Players, parameters: &Parameters) -> PolicyEvaluator {
        PolicyEvaluator {
            // What comes of moves the tree shows.
            human_model: HumanModel::new(policy.session(), players),
            look_ahead: LookAheadSearch::new(parameters.look_ahead),
            prior_temperature: parameters.prior_temperature,
        }
    }

    /// Forgets earlier games, so that what it says depends on nothing but what it is asked.
    pub(crate) fn forget(&mut self) {
        self.look_ahead.forget();
    }

    /// Who plays from now on.
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
