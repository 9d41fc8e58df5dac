//! Labels of positions, and the packed labels of a game.

use entente_network::encoding::moves::{AlphaZero, MoveEncoding as _};
use shakmaty::{Color, Move};

/// Less likely moves are left out.
const MIN: f32 = 0.001;
/// Maximum number of moves in a label.
const MAX_MOVES: usize = 40;
/// Number of bytes of a move: its index in the encoding of [`AlphaZero`], and its probability.
const EACH: usize = 3;

/// The most likely moves of a position with their probabilities, which sum to 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Label(Vec<(u16, f32)>);

impl Label {
    /// The label of a position in which `mover` has these legal moves with these probabilities. The probabilities are
    /// rounded, so that the label equals what is read from its packed form.
    pub fn new(moves: &[Move], probabilities: &[f32], mover: Color) -> Label {
        let mut all: Vec<(u16, f32)> = moves
            .iter()
            .zip(probabilities)
            .filter(|(_, probability)| **probability >= MIN)
            .map(|(m, probability)| (AlphaZero::encode(*m, mover).0, *probability))
            .collect();
        all.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        all.truncate(MAX_MOVES);
        let rounded = all.into_iter().map(|(number, probability)| (number, byte_of(probability)));
        Label::of(rounded.collect::<Vec<_>>().into_iter())
    }

    fn of(moves: impl Iterator<Item = (u16, u8)>) -> Label {
        let mut moves: Vec<(u16, f32)> =
            moves.map(|(number, byte)| (number, (f32::from(byte) / 255.0).powi(2))).collect();
        let sum: f32 = moves.iter().map(|(_, probability)| probability).sum();
        moves.iter_mut().for_each(|(_, probability)| *probability /= sum);
        Label(moves)
    }

    /// The probability of each of `mover`'s `moves`.
    pub fn probabilities<'a>(&'a self, moves: &'a [Move], mover: Color) -> impl Iterator<Item = f32> + 'a {
        moves.iter().map(move |m| {
            let number = AlphaZero::encode(*m, mover).0;
            self.0.iter().find(|(one, _)| *one == number).map_or(0.0, |(_, probability)| *probability)
        })
    }
}

/// A probability as a byte, which stores its square root, so that small probabilities stay precise.
fn byte_of(probability: f32) -> u8 {
    (probability.sqrt() * 255.0).round().clamp(1.0, 255.0) as u8
}

/// The packed labels of a game: for each ply the number of moves, and then the moves with three bytes each. A ply
/// without a label has no moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameLabels(Vec<u8>);

impl GameLabels {
    /// The labels of a game without plies.
    pub fn new() -> GameLabels {
        GameLabels::default()
    }

    /// Appends the label of the next ply, if it has one.
    pub fn push(&mut self, label: Option<&Label>) {
        let moves = label.map_or(&[][..], |label| &label.0);
        self.0.push(moves.len() as u8);
        let largest = moves.iter().map(|(_, probability)| *probability).fold(0.0, f32::max);
        for (number, probability) in moves {
            self.0.extend(number.to_le_bytes());
            // Scale the probabilities up for precision. They are normalised when they are read.
            self.0.push(byte_of(probability / largest));
        }
    }

    /// The packed bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// The label of ply `ply`, from 0, of a game with these packed labels; `None` if it has none.
pub fn label_at(bytes: &[u8], ply: usize) -> Option<Label> {
    next_label(bytes, ply).filter(|(found, _)| *found == ply).map(|(_, label)| label)
}

/// The first ply from `ply` on with the same side to move and a label, and this label.
pub fn next_label(bytes: &[u8], ply: usize) -> Option<(usize, Label)> {
    let (mut rest, mut at) = (bytes, 0);
    while let Some((count, moves)) = rest.split_first() {
        let (moves, after) = moves.split_at_checked(usize::from(*count) * EACH)?;
        if at >= ply && (at - ply).is_multiple_of(2) && *count > 0 {
            return Some((at, Label::of(packed(moves))));
        }
        (rest, at) = (after, at + 1);
    }
    None
}

fn packed(moves: &[u8]) -> impl Iterator<Item = (u16, u8)> {
    moves.chunks_exact(EACH).map(|m| (u16::from_le_bytes([m[0], m[1]]), m[2]))
}

/// The number of plies in packed labels; `None` if they are incomplete.
pub(super) fn plies(bytes: &[u8]) -> Option<usize> {
    let (mut rest, mut plies) = (bytes, 0);
    while let Some((count, moves)) = rest.split_first() {
        rest = moves.get(usize::from(*count) * EACH..)?;
        plies += 1;
    }
    Some(plies)
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, Position};

    use super::*;

    #[test]
    fn labels_keep_likely_moves_with_their_probabilities() {
        let position = Chess::default();
        let moves = position.legal_moves();
        let mut probabilities = vec![0.0005; moves.len()];
        (probabilities[3], probabilities[7], probabilities[9]) = (0.7, 0.25, 0.041);
        let label = Label::new(&moves, &probabilities, position.turn());
        let mut game = GameLabels::new();
        [None, Some(&label), None].into_iter().for_each(|label| game.push(label));
        assert_eq!(plies(game.bytes()), Some(3));
        assert_eq!((label_at(game.bytes(), 0), label_at(game.bytes(), 3)), (None, None));
        assert_eq!(
            (next_label(game.bytes(), 0), next_label(game.bytes(), 2)),
            (None, None),
            "the label is for the other side"
        );
        assert_eq!(next_label(game.bytes(), 1).map(|(ply, _)| ply), Some(1));
        let back = label_at(game.bytes(), 1).unwrap();
        let found: Vec<f32> = back.probabilities(&moves, position.turn()).collect();
        assert!((found.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        for (found, expected) in found.iter().zip(&probabilities) {
            let expected = if *expected < MIN { 0.0 } else { *expected };
            assert!((found - expected).abs() < 0.01, "{found} {expected}");
        }
        assert_eq!(plies(&game.bytes()[..4]), None, "it is incomplete");
    }
}
