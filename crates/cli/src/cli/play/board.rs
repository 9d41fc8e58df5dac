use std::fmt::Write as _;

use entente_search::Game;
use shakmaty::{Color, File, Piece, Position, Rank, Square};

/// Background colours, of the 256 of a terminal: light and dark squares, and the same for the squares of the last move.
const SQUARES: [u8; 2] = [180, 137];
const LAST_MOVE: [u8; 2] = [186, 143];
/// The colours of White's and Black's men.
const MEN: [u8; 2] = [231, 16];

/// The board of a game with the side `bottom` at the bottom: in colours for a terminal, otherwise in letters.
pub(super) fn text(game: &Game, bottom: Color, in_colours: bool) -> String {
    let board = game.position().board();
    let last = game.moves().last().map(|m| [m.from(), Some(m.to())]);
    let (mut ranks, mut files) = (Rank::ALL, File::ALL);
    match bottom {
        Color::White => ranks.reverse(),
        Color::Black => files.reverse(),
    }
    let mut text = String::new();
    for rank in ranks {
        let _ = write!(text, "  {rank} ");
        for file in files {
            let square = Square::from_coords(file, rank);
            let piece = board.piece_at(square);
            let is_last = last.is_some_and(|squares| squares.contains(&Some(square)));
            if in_colours {
                let shade = if is_last { LAST_MOVE } else { SQUARES }[usize::from(square.is_dark())];
                let ink = MEN[usize::from(piece.is_some_and(|piece| piece.color.is_black()))];
                let _ = write!(text, "\x1b[48;5;{shade};38;5;{ink}m {} \x1b[0m", piece.map_or(' ', figure));
            } else {
                let mark = if is_last { '\'' } else { ' ' };
                let _ = write!(text, " {}{mark}", piece.map_or('.', Piece::char));
            }
        }
        text.push('\n');
    }
    text.push_str("    ");
    files.iter().for_each(|file| {
        let _ = write!(text, " {file} ");
    });
    text.push('\n');
    text
}

/// The figure of a man. Both sides have filled figures, because their colours differ.
fn figure(piece: Piece) -> char {
    match piece.char().to_ascii_lowercase() {
        'k' => '♚',
        'q' => '♛',
        'r' => '♜',
        'b' => '♝',
        'n' => '♞',
        _ => '♟',
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::*;

    #[test]
    fn the_chosen_side_is_at_the_bottom_and_the_last_move_is_marked() {
        let mut game = Game::new(Chess::default());
        let knight = game
            .position()
            .legal_moves()
            .into_iter()
            .find(|m| m.from() == Some(Square::G1) && m.to() == Square::F3)
            .unwrap();
        game.play(knight);
        let lines = |bottom| text(&game, bottom, false).lines().map(str::to_owned).collect::<Vec<_>>();
        let white = lines(Color::White);
        assert!(white[0].starts_with("  8  r") && white[7].starts_with("  1  R"), "{white:#?}");
        assert!(white[5].contains("N'") && white[7].contains(".'"), "{white:#?}");
        assert!(white[8].trim().starts_with('a'));
        let black = lines(Color::Black);
        assert!(black[0].starts_with("  1  R") && black[8].trim().starts_with('h'), "{black:#?}");
        assert!(text(&game, Color::White, true).contains('♞'));
    }
}
