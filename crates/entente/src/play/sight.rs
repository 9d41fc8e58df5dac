use entente_constraint::plies_before;
use entente_network::{
    NetworkError, Question,
    encoding::{
        Distribution,
        goal_policy::{Aim, Context, last_moves},
    },
};
use entente_search::{Game, tree::Found};
use shakmaty::{Move, MoveList, Position};

use super::players::Players;
use crate::predictor::MovePredictor;

/// What a policy network sees in positions between these players.
pub struct Sight<P> {
    predictor: P,
    players: Players,
}

/// What is seen in a position.
pub(super) struct View {
    /// Its legal moves.
    pub moves: MoveList,
    /// How people draw them.
    pub chances: Distribution,
    /// What it is worth.
    pub found: Found,
}

impl<P: MovePredictor> Sight<P> {
    /// What that predictor sees.
    pub fn new(predictor: P, players: Players) -> Sight<P> {
        Sight { predictor, players }
    }

    /// Who plays from now on.
    pub fn seat(&mut self, players: Players) {
        self.players = players;
    }

    /// What it has looked at so far: the position itself each time, and the nodes of every look at its moves.
    pub(super) fn nodes(&self) -> u64 {
        self.predictor.evaluations() + self.predictor.nodes()
    }

    /// The legal moves with the probability that people play them, the likeliest first, and what the position is worth.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    pub fn likeliest(&mut self, game: &Game) -> Result<(Vec<(Move, f32)>, Found), NetworkError> {
        let View { moves, chances, found } = self.look(game)?;
        let chances = (0..moves.len()).map(|index| chances.probability(index));
        let mut moves: Vec<(Move, f32)> = moves.iter().copied().zip(chances).collect();
        moves.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        Ok((moves, found))
    }

    /// Looks at the position of a game that is not over.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    pub(super) fn look(&mut self, game: &Game) -> Result<View, NetworkError> {
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
        let question = Question { position, moves: &moves, played: game.moves(), context, aim: &Aim::NONE };
        let opinion = self.predictor.predict_one(&question)?;
        let [won, drawn, lost] = opinion.result;
        let chances = Distribution::new(opinion.logits);
        Ok(View { moves, chances, found: Found { value: won - lost, drawn } })
    }
}
