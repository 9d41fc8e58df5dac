use entente_constraint::plies_before;
use entente_network::{
    NetworkError, Query,
    encoding::{
        Distribution,
        goal_policy::{Aim, Context, last_moves},
    },
};
use entente_search::{Game, tree::Found};
use shakmaty::{Move, MoveList, Position};

use super::players::Players;
use crate::predictor::MovePredictor;

/// A model of human play between these players: which moves they choose, and how they evaluate positions.
pub(crate) struct HumanModel<P> {
    predictor: P,
    players: Players,
}

/// The prediction for a position.
pub(super) struct HumanPrediction {
    /// Its legal moves.
    pub moves: MoveList,
    /// The probabilities with which humans play them.
    pub chances: Distribution,
    /// Its evaluation.
    pub found: Found,
}

impl<P: MovePredictor> HumanModel<P> {
    /// The model based on a predictor.
    pub(crate) fn new(predictor: P, players: Players) -> HumanModel<P> {
        HumanModel { predictor, players }
    }

    /// Changes the players.
    pub(crate) fn seat(&mut self, players: Players) {
        self.players = players;
    }

    /// The positions evaluated so far, plus the nodes of the searches that corrected predictions.
    pub(super) fn nodes(&self) -> u64 {
        self.predictor.evaluations() + self.predictor.nodes()
    }

    /// The legal moves with the probabilities that humans play them, the likeliest first, and the evaluation of the
    /// position.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    pub(crate) fn likeliest(&mut self, game: &Game) -> Result<(Vec<(Move, f32)>, Found), NetworkError> {
        let HumanPrediction { moves, chances, found } = self.predict(game)?;
        let chances = (0..moves.len()).map(|index| chances.probability(index));
        let mut moves: Vec<(Move, f32)> = moves.iter().copied().zip(chances).collect();
        moves.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        Ok((moves, found))
    }

    /// Predicts the next move of a game that is not over.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    pub(super) fn predict(&mut self, game: &Game) -> Result<HumanPrediction, NetworkError> {
        let position = game.position();
        let moves = position.legal_moves();
        let context = Context {
            ratings: self.players.ratings,
            scale: Some(self.players.scale),
            ply: plies_before(position),
            plies_left: None,
            last_moves: last_moves(game.moves()),
            repeated: game.repetitions(),
            ..Context::default()
        };
        let query = Query { position, moves: &moves, played: game.moves(), context, aim: &Aim::NONE };
        let prediction = self.predictor.predict_one(&query)?;
        let [won, drawn, lost] = prediction.result;
        let chances = Distribution::new(prediction.logits);
        Ok(HumanPrediction { moves, chances, found: Found { value: won - lost, drawn } })
    }
}
