use rand::Rng;
use shakmaty::{Move, MoveList, Position};

use super::{
    Care, Parameters,
    judge::{Judge, Judgement, ended},
    look_ahead::ShallowSearch,
    tree::{Edge, Found},
};
use crate::{
    encoding::{
        Distribution, Sampling,
        goal_policy::{Aim, Context, RatingScale, last_moves, plies_before},
    },
    evaluator::{NetworkError, Opinion, PolicySession},
    search::{Game, Limits},
};

/// Who plays, as far as the network is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Players {
    /// White's and Black's rating, if they are to count.
    pub ratings: [Option<u16>; 2],
    /// Whose ratings these are.
    pub scale: RatingScale,
}

impl Players {
    /// Players of whom nothing is said.
    pub const UNKNOWN: Players = Players { ratings: [None; 2], scale: RatingScale::Online };
}

/// Judges as a player: by the network's chances to win, to draw and to lose, by a short search, and by the rules.
pub struct Competitor {
    session: PolicySession,
    players: Players,
    prior_temperature: f32,
    look_ahead: ShallowSearch,
    opinion: Opinion,
}

impl Competitor {
    /// A judge for these players.
    pub fn new(session: PolicySession, players: Players, parameters: &Parameters) -> Competitor {
        Competitor {
            session,
            players,
            prior_temperature: parameters.prior_temperature,
            look_ahead: ShallowSearch::new(parameters.look_ahead),
            opinion: Opinion::default(),
        }
    }

    /// Forgets earlier games, so that what it says depends on nothing but what it is asked.
    pub fn forget(&mut self) {
        self.look_ahead.forget();
    }

    /// Who plays from now on.
    pub fn seat(&mut self, players: Players) {
        self.players = players;
    }

    /// A move as people play them, one of `moves`, and what the position is worth. `moves` are legal and not empty; of
    /// those drawn the best one is played as far as `limits` allow to find out.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    pub fn draw(
        &mut self,
        game: &Game,
        moves: &[Move],
        care: Care,
        limits: Limits<'_>,
        rng: &mut impl Rng,
    ) -> Result<(Move, Found), NetworkError> {
        let (legal, mut distribution, found) = self.look(game)?;
        distribution.mask(|index| moves.contains(&legal[index]));
        let mut candidates: Vec<Move> = Vec::new();
        for _ in 0..care.draws(rng) {
            let drawn = distribution.draw(rng).map(|index| legal[index]);
            let drawn = drawn.filter(|m| moves.contains(m)).unwrap_or(moves[0]);
            if !candidates.contains(&drawn) {
                candidates.push(drawn);
            }
        }
        Ok((self.look_ahead.best(game, candidates, care.nodes, limits), found))
    }

    /// The legal moves with the probability that people play them, the likeliest first, and what the position is worth.
    ///
    /// # Errors
    /// [`NetworkError`] if the network cannot be run.
    pub fn opinion(&mut self, game: &Game) -> Result<(Vec<(Move, f32)>, Found), NetworkError> {
        let (legal, distribution, found) = self.look(game)?;
        let chances = (0..legal.len()).map(|index| distribution.probability(index));
        let mut moves: Vec<(Move, f32)> = legal.iter().copied().zip(chances).collect();
        moves.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        Ok((moves, found))
    }

    /// The legal moves, how people draw them, and what the position is worth.
    fn look(&mut self, game: &Game) -> Result<(MoveList, Distribution, Found), NetworkError> {
        let position = game.position();
        let moves = position.legal_moves();
        let context = Context {
            ratings: self.players.ratings,
            scale: Some(self.players.scale),
            ply: plies_before(position),
            plies_left: None,
            last_moves: last_moves(game.moves()),
            ..Context::default()
        };
        self.session.evaluate(position, &context, &Aim::NONE, &moves, &mut self.opinion)?;
        let [won, drawn, lost] = self.opinion.result;
        let distribution = Distribution::new(std::mem::take(&mut self.opinion.logits));
        Ok((moves, distribution, Found { value: won - lost, drawn }))
    }
}

impl Judge for Competitor {
    fn judge(&mut self, game: &Game, depth: u32, limits: Limits<'_>) -> Result<Judgement, NetworkError> {
        if let Some(ended) = ended(game, depth) {
            return Ok(ended);
        }
        let (moves, distribution, mut found) = self.look(game)?;
        let priors = distribution.shaped(Sampling { temperature: self.prior_temperature, top_p: 1.0 });
        let edges = moves.iter().enumerate();
        let mut edges: Vec<Edge> =
            edges.map(|(index, m)| Edge::new(*m, priors.probability(index), None)).collect();
        self.look_ahead.correct(game, limits, &mut found, &mut edges);
        Ok(Judgement::Open { found, edges })
    }
}
