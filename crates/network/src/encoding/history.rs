//! Earlier boards of a game, by taking back its moves one by one.

use shakmaty::{Board, Chess, Color, EnPassantMode, File, Move, Position, Role, Square};

use super::moves::ends;

/// The boards before each of the last moves of a game, the latest first, as far as the moves are known.
#[derive(Clone, Debug)]
pub struct Past<'a> {
    board: Board,
    /// The player whose move is taken back next.
    mover: Color,
    played: &'a [Move],
}

impl<'a> Past<'a> {
    /// The boards before `position`, which these moves reached, in the order of play.
    pub fn new(position: &Chess, played: &'a [Move]) -> Past<'a> {
        Past { board: position.board().clone(), mover: position.turn().other(), played }
    }
}

impl Iterator for Past<'_> {
    type Item = Board;

    fn next(&mut self) -> Option<Board> {
        let (last, before) = self.played.split_last()?;
        take_back(&mut self.board, *last, self.mover);
        (self.mover, self.played) = (self.mover.other(), before);
        Some(self.board.clone())
    }
}

/// Takes back a move of `mover`.
pub fn take_back(board: &mut Board, m: Move, mover: Color) {
    match m {
        Move::Normal { role, from, capture, to, .. } => {
            board.discard_piece_at(to);
            board.set_piece_at(from, role.of(mover));
            if let Some(captured) = capture {
                board.set_piece_at(to, captured.of(mover.other()));
            }
        }
        Move::EnPassant { from, to } => {
            board.discard_piece_at(to);
            board.set_piece_at(from, Role::Pawn.of(mover));
            let victim = Square::from_coords(to.file(), from.rank());
            board.set_piece_at(victim, Role::Pawn.of(mover.other()));
        }
        Move::Castle { king, rook } => {
            let (_, king_to) = ends(m);
            let file = if rook.file() > king.file() { File::F } else { File::D };
            let rook_to = Square::from_coords(file, king.rank());
            board.discard_piece_at(king_to);
            board.discard_piece_at(rook_to);
            board.set_piece_at(king, Role::King.of(mover));
            board.set_piece_at(rook, Role::Rook.of(mover));
        }
        Move::Put { to, .. } => {
            board.discard_piece_at(to);
        }
    }
}

/// The board before the double pawn push that the position's en-passant square implies; the position's own board if it
/// has no such square. A FEN says nothing else about earlier boards.
pub fn before_double_step(position: &Chess) -> Board {
    let mut board = position.board().clone();
    if let Some(passed) = position.ep_square(EnPassantMode::Always) {
        let mover = position.turn().other();
        let rank = passed.rank();
        let (home, now) = mover.fold_wb((rank.offset(-1), rank.offset(1)), (rank.offset(1), rank.offset(-1)));
        if let (Some(home), Some(now)) = (home, now) {
            board.discard_piece_at(Square::from_coords(passed.file(), now));
            board.set_piece_at(Square::from_coords(passed.file(), home), Role::Pawn.of(mover));
        }
    }
    board
}

#[cfg(test)]
mod tests {
    use shakmaty::uci::UciMove;

    use super::*;

    #[test]
    fn moves_of_every_kind_are_taken_back() {
        // Captures, en passant, castling on both sides, and a promotion with capture.
        let line = "e2e4 d7d5 e4d5 e7e5 d5e6 b8c6 g1f3 d8f6 f1e2 c8d7 e1g1 e8c8 e6f7 h7h6 f7g8q h8g8";
        let (mut position, mut boards, mut played) = (Chess::default(), Vec::new(), Vec::new());
        for word in line.split(' ') {
            let m = word.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            boards.push(position.board().clone());
            played.push(m);
            position.play_unchecked(m);
        }
        boards.reverse();
        assert_eq!(Past::new(&position, &played).collect::<Vec<_>>(), boards);
        assert_eq!(Past::new(&position, &played[14..]).count(), 2);
    }

    #[test]
    fn a_double_push_is_taken_back_by_its_en_passant_square() {
        let mut position = Chess::default();
        position.play_unchecked("e2e4".parse::<UciMove>().unwrap().to_move(&position).unwrap());
        assert_eq!(before_double_step(&position), *Chess::default().board());
        position.play_unchecked("g8f6".parse::<UciMove>().unwrap().to_move(&position).unwrap());
        assert_eq!(before_double_step(&position), *position.board());
    }
}
