use entente_network::{NetworkError, Policy, PolicySession, encoding::Sampling};
use entente_search::{
    Game, Limits,
    tree::{Edge, Judge, Judgement},
};

use super::{
    look_ahead::ShallowSearch,
    parameters::Parameters,
    players::Players,
    sight::{Sight, View},
};

/// Judges as a player: by the network's chances to win, to draw and to lose, by a short search, and by the rules.
pub struct Opponent {
    pub(super) sight: Sight<PolicySession>,
    pub(super) look_ahead: ShallowSearch,
    prior_temperature: f32,
}

impl Opponent {
    /// A judge for these players.
    pub fn new(policy: &Policy, players: Players, parameters: &Parameters) -> Opponent {
        Opponent {
            // What comes of moves the tree shows.
            sight: Sight::new(policy.session(), players),
            look_ahead: ShallowSearch::new(parameters.look_ahead),
            prior_temperature: parameters.prior_temperature,
        }
    }

    /// Forgets earlier games, so that what it says depends on nothing but what it is asked.
    pub fn forget(&mut self) {
        self.look_ahead.forget();
    }

    /// Who plays from now on.
    pub fn seat(&mut self, players: Players) {
        self.sight.seat(players);
    }
}

impl Judge for Opponent {
    type Error = NetworkError;

    fn judge(&mut self, game: &Game, depth: u32, limits: Limits<'_>) -> Result<Judgement, NetworkError> {
        if let Some(over) = Judgement::if_over(game, depth) {
            return Ok(over);
        }
        let View { moves, chances, mut found } = self.sight.look(game)?;
        let priors = chances.shaped(Sampling { temperature: self.prior_temperature, top_p: 1.0 });
        let edges = moves.iter().enumerate();
        let mut edges: Vec<Edge> =
            edges.map(|(index, m)| Edge::new(*m, priors.probability(index), None)).collect();
        self.look_ahead.correct(game, limits, &mut found, &mut edges);
        Ok(Judgement::Open { found, edges })
    }
}
