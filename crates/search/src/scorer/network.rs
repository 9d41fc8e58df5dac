use std::sync::Arc;

use shakmaty::{ByColor, CastlingSide, Chess, Color, Move, Piece, Position, Role, Square};

use super::{
    Accumulator, EvaluationNetwork, NARROW, Scorer,
    piece_squares::{Viewpoint, bucket},
};

/// The scorer with an evaluation network of `WIDTH` neurons for each side, whose first layer is updated incrementally.
#[derive(Clone, Debug)]
pub struct NetworkScorer<const WIDTH: usize = NARROW> {
    network: Arc<EvaluationNetwork<WIDTH>>,
}

/// The accumulators of both sides, with their viewpoints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accumulators<const WIDTH: usize> {
    sides: ByColor<Side<WIDTH>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Side<const WIDTH: usize> {
    viewpoint: Viewpoint,
    neurons: Accumulator<WIDTH>,
}

/// A man on a square, which a move adds or removes.
type Placed = (Piece, Square);

impl<const WIDTH: usize> NetworkScorer<WIDTH> {
    /// A scorer with `network`.
    pub fn new(network: Arc<EvaluationNetwork<WIDTH>>) -> NetworkScorer<WIDTH> {
        NetworkScorer { network }
    }

    fn side(&self, color: Color, position: &Chess) -> Side<WIDTH> {
        let viewpoint = Viewpoint::of(color, position.board());
        Side { viewpoint, neurons: self.network.accumulate(viewpoint.inputs(position.board())) }
    }
}

impl<const WIDTH: usize> Scorer for NetworkScorer<WIDTH> {
    type State = Accumulators<WIDTH>;

    /// Stockfish, on whose evaluations the networks were trained, has greater scores: a bishop more in the opening is
    /// about 550.
    const WORTH: i32 = 180;
    const IS_SELECTIVE: bool = true;

    fn root(&self, position: &Chess) -> Accumulators<WIDTH> {
        Accumulators { sides: ByColor::new_with(|color| self.side(color, position)) }
    }

    fn after(&self, state: &Accumulators<WIDTH>, m: Move, after: &Chess, new: &mut Accumulators<WIDTH>) {
        let mover = !after.turn();
        let (removed, added) = changes(m, mover);
        for color in Color::ALL {
            let (Side { viewpoint, neurons }, new) = (state.sides.get(color), new.sides.get_mut(color));
            // A king that crosses the middle of the board changes the mirroring for its side.
            let is_remirrored = || Viewpoint::of(color, after.board()) != *viewpoint;
            if m.role() == Role::King && color == mover && is_remirrored() {
                *new = self.side(color, after);
                continue;
            }
            let inputs = |placed: &[Option<Placed>; 2]| {
                placed.map(|man| man.map(|(piece, square)| viewpoint.input(piece, square)))
            };
            new.viewpoint = *viewpoint;
            self.network.update(neurons, inputs(&removed), inputs(&added), &mut new.neurons);
        }
    }

    fn value(&self, state: &Accumulators<WIDTH>, position: &Chess) -> i32 {
        let (own, other) = (state.sides.get(position.turn()), state.sides.get(!position.turn()));
        self.network.value(&own.neurons, &other.neurons, bucket(position.board().occupied().count()))
    }
}

/// The men that a move of `turn` removes from the board, and those that it adds.
fn changes(m: Move, turn: Color) -> ([Option<Placed>; 2], [Option<Placed>; 2]) {
    let own = |role: Role, square: Square| Some((role.of(turn), square));
    match m {
        Move::Normal { role, from, capture, to, promotion } => {
            let captured = capture.map(|role| (role.of(!turn), to));
            ([own(role, from), captured], [own(promotion.unwrap_or(role), to), None])
        }
        Move::EnPassant { from, to } => {
            let captured = (Role::Pawn.of(!turn), Square::from_coords(to.file(), from.rank()));
            ([own(Role::Pawn, from), Some(captured)], [own(Role::Pawn, to), None])
        }
        Move::Castle { king, rook } => {
            let side = if rook > king { CastlingSide::KingSide } else { CastlingSide::QueenSide };
            let removed = [own(Role::King, king), own(Role::Rook, rook)];
            (removed, [own(Role::King, side.king_to(turn)), own(Role::Rook, side.rook_to(turn))])
        }
        Move::Put { role, to } => ([None, None], [own(role, to), None]),
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

    use super::*;
    use crate::{
        position_from_fen,
        scorer::{Output, piece_squares::INPUTS},
    };

    /// A network of random weights that are small enough not to saturate all neurons.
    fn random_network(seed: u64) -> Arc<EvaluationNetwork> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut numbers = |most: i16| std::array::from_fn(|_| rng.random_range(-most..=most));
        let rows = (0..INPUTS).map(|_| numbers(60)).collect();
        let bias = numbers(120);
        let outputs = std::array::from_fn(|bucket| Output {
            weights: [numbers(60), numbers(60)],
            bias: 100_000 * bucket as i32,
        });
        Arc::new(EvaluationNetwork::new("random", rows, bias, outputs).unwrap())
    }

    #[test]
    fn incremental_accumulators_equal_those_computed_from_scratch() {
        let scorer = NetworkScorer::new(random_network(1));
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let mut kinds = [0; 4];
        for start in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            // Castling on both sides, promotions with captures, and en passant captures are near.
            "r3k2r/1P4P1/8/2pP1pP1/1pP1Pp2/8/1p4p1/R3K2R w KQkq c6 0 1",
        ] {
            for _ in 0..300 {
                let mut position = position_from_fen(start).unwrap();
                let mut state = scorer.root(&position);
                for _ in 0..60 {
                    let moves = position.legal_moves();
                    let Some(m) = moves.get(rng.random_range(0..moves.len().max(1))).copied() else { break };
                    let mut after = position.clone();
                    after.play_unchecked(m);
                    let before = state.clone();
                    scorer.after(&before, m, &after, &mut state);
                    assert_eq!(state, scorer.root(&after), "{m}");
                    position = after;
                    kinds[0] += usize::from(m.is_castle());
                    kinds[1] += usize::from(m.is_en_passant());
                    kinds[2] += usize::from(m.is_promotion() && m.is_capture());
                    kinds[3] += usize::from(m.role() == Role::King);
                }
            }
        }
        assert!(kinds.into_iter().all(|times| times > 5), "{kinds:?}");
    }

    /// The values of a position by the embedded networks.
    fn embedded(fen: &str) -> [i32; 2] {
        fn value<const WIDTH: usize>(network: Arc<EvaluationNetwork<WIDTH>>, position: &Chess) -> i32 {
            let scorer = NetworkScorer::new(network);
            scorer.value(&scorer.root(position), position)
        }
        let position = position_from_fen(fen).unwrap();
        [
            value(EvaluationNetwork::embedded(), &position),
            value(EvaluationNetwork::embedded_wide(), &position),
        ]
    }

    #[test]
    fn the_embedded_networks_know_what_men_are_worth() {
        let initial = embedded("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert!(initial.iter().all(|value| (0..100).contains(value)), "{initial:?}");
        let knight_up = embedded("r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert!(knight_up.iter().all(|value| (250..1000).contains(value)), "{knight_up:?}");
        let queen_down = embedded("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1");
        assert!(queen_down.iter().all(|value| *value < -700), "{queen_down:?}");
    }

    #[test]
    fn the_value_is_for_the_side_to_move_whatever_its_colour() {
        let scorer = NetworkScorer::new(random_network(3));
        let value = |fen: &str| {
            let position = position_from_fen(fen).unwrap();
            scorer.value(&scorer.root(&position), &position)
        };
        let white = value("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3");
        assert_eq!(value("rnbqkb1r/pppp1ppp/5n2/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR b KQkq - 0 3"), white);
        assert_ne!(value("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 0 3"), white);
    }
}
