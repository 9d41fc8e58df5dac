use shakmaty::{Chess, Position};

use super::{
    judge::{Judge, Judgement, ended},
    tree::{Edge, Found},
};
use crate::{
    encoding::{
        Distribution, Sampling,
        goal_policy::{Aim, Context, RatingScale, last_moves},
    },
    evaluator::{NetworkError, Opinion, PolicySession},
    search::Game,
};

/// Judges as a player: by the network's chances to win, to draw and to lose, and by the rules.
pub struct Competitor {
    session: PolicySession,
    /// White's and Black's rating, if they are to count.
    ratings: [Option<u16>; 2],
    /// Logits of moves are divided by it: above 1 the priors are more even.
    prior_temperature: f32,
    opinion: Opinion,
}

impl Competitor {
    /// A judge for players of these ratings.
    pub fn new(session: PolicySession, ratings: [Option<u16>; 2], prior_temperature: f32) -> Competitor {
        Competitor { session, ratings, prior_temperature, opinion: Opinion::default() }
    }
}

impl Judge for Competitor {
    fn judge(&mut self, game: &Game, depth: u32) -> Result<Judgement, NetworkError> {
        let position = game.position();
        if let Some(ended) = ended(game, depth) {
            return Ok(ended);
        }
        let moves = position.legal_moves();
        let context = Context {
            ratings: self.ratings,
            scale: Some(RatingScale::Online),
            ply: plies_before(position),
            plies_left: None,
            last_moves: last_moves(game.moves()),
        };
        self.session.evaluate(position, &context, &Aim::NONE, &moves, &mut self.opinion)?;
        let sampling = Sampling { temperature: self.prior_temperature, top_p: 1.0 };
        let priors = Distribution::new(std::mem::take(&mut self.opinion.logits)).shaped(sampling);
        let edges = moves.iter().enumerate();
        let edges = edges.map(|(index, m)| Edge::new(*m, priors.probability(index), None)).collect();
        let [won, drawn, lost] = self.opinion.result;
        Ok(Judgement::Open { found: Found { value: won - lost, drawn }, edges })
    }
}

/// Plies played before a position, by its own count of moves.
fn plies_before(position: &Chess) -> u32 {
    2 * (position.fullmoves().get() - 1) + u32::from(position.turn().is_black())
}
