use std::collections::HashMap;

use shakmaty::{Chess, EnPassantMode, Move, Position, zobrist::Zobrist64};

/// A game in progress, from a root position, with what the drawing rules need to know of its past.
#[derive(Clone, Debug)]
pub struct Game {
    position: Chess,
    moves: Vec<Move>,
    /// How often each position has stood on the board, the root included.
    seen: HashMap<Zobrist64, u8>,
}

impl Game {
    /// A game that begins at `root`.
    pub fn new(root: Chess) -> Game {
        let mut game = Game { position: root, moves: Vec::new(), seen: HashMap::new() };
        game.note();
        game
    }

    /// The position on the board.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// The moves from the root.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: Move) {
        self.position.play_unchecked(m);
        self.moves.push(m);
        self.note();
    }

    /// True if the game ends once `m`, a legal move, is played: checkmate, stalemate, dead position by material,
    /// fivefold repetition or 75 moves without capture or pawn move.
    pub fn ends_with(&self, m: Move) -> bool {
        let mut child = self.position.clone();
        child.play_unchecked(m);
        child.halfmoves() >= 150
            || child.is_insufficient_material()
            || child.legal_moves().is_empty()
            || self.seen.get(&key(&child)).is_some_and(|times| *times >= 4)
    }

    fn note(&mut self) {
        *self.seen.entry(key(&self.position)).or_default() += 1;
    }

    /// The moves and the position on the board.
    pub fn into_parts(self) -> (Vec<Move>, Chess) {
        (self.moves, self.position)
    }
}

fn key(position: &Chess) -> Zobrist64 {
    position.zobrist_hash(EnPassantMode::Legal)
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen, uci::UciMove};

    use super::*;

    fn game(fen: &str, moves: &str) -> Game {
        let root = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let mut game = Game::new(root);
        for text in moves.split_whitespace() {
            game.play(to_move(&game, text));
        }
        game
    }

    fn to_move(game: &Game, text: &str) -> Move {
        text.parse::<UciMove>().unwrap().to_move(game.position()).unwrap()
    }

    fn ends(fen: &str, moves: &str, last: &str) -> bool {
        let game = game(fen, moves);
        game.ends_with(to_move(&game, last))
    }

    #[test]
    fn a_game_ends_where_chess_ends() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert!(ends(start, "f2f3 e7e5 g2g4", "d8h4"), "checkmate");
        assert!(!ends(start, "f2f3 e7e5 g2g4", "d8g5"));
        assert!(ends("7k/8/8/6Q1/8/8/8/K7 w - - 0 1", "", "g5g6"), "stalemate");
        assert!(ends("7k/8/8/8/8/8/1q6/K7 w - - 0 1", "", "a1b2"), "dead position");
        assert!(ends("7k/8/8/8/8/8/R7/K7 w - - 149 200", "", "a1b1"), "75 moves");
        let shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(4);
        let shuffle = shuffle.trim_end().trim_end_matches("f6g8");
        assert!(ends(start, shuffle, "f6g8"), "fivefold repetition");
        assert!(!ends(start, &shuffle[20..], "f6g8"), "fourfold repetition");
    }
}
