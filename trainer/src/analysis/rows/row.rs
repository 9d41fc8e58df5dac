//! A row of a table and the names of its columns.

use shakmaty::Board;

use crate::{analysis::tally::piece, games::GameResult};

/// The columns of a table, in order: information about the game, then the squares of White's and of Black's men.
pub const COLUMNS: [&str; 20] = [
    "result",
    "white_elo",
    "black_elo",
    "rating_scale",
    "time_control",
    "eco",
    "opening",
    "satisfied_after",
    "w_king_pos",
    "w_queen_pos",
    "w_rook_pos",
    "w_bishop_pos",
    "w_knight_pos",
    "w_pawn_pos",
    "b_king_pos",
    "b_queen_pos",
    "b_rook_pos",
    "b_bishop_pos",
    "b_knight_pos",
    "b_pawn_pos",
];

/// The index of `w_king_pos` in [`COLUMNS`].
pub(super) const FIRST_SQUARES: usize = 8;

/// A game that met a constraint, with the squares of the men at that point.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRow {
    /// The result, if known.
    pub result: Option<GameResult>,
    /// White's rating, if known.
    pub white_elo: Option<u16>,
    /// Black's rating, if known.
    pub black_elo: Option<u16>,
    /// The scale of the ratings: `online`, `fide` or `chess.com`.
    pub rating_scale: String,
    /// Base time and increment in seconds, such as `600+5`; `-` if unknown.
    pub time_control: String,
    /// Code of the Encyclopaedia of Chess Openings; empty if unknown.
    pub eco: String,
    /// Name of the opening; empty if unknown.
    pub opening: String,
    /// The number of plies after which the constraint was met, counted from 1.
    pub satisfied_after: u32,
    /// The squares of each kind of man, as returned by [`squares_of`].
    pub squares: [Vec<u8>; 12],
}

/// The squares of White's king, queens, rooks, bishops, knights and pawns, then of Black's. a1 is 0, b1 is 1, h8 is 63,
/// and each list is in ascending order.
pub fn squares_of(board: &Board) -> [Vec<u8>; 12] {
    std::array::from_fn(|man| board.by_piece(piece(man)).into_iter().map(u8::from).collect())
}

/// White's points.
pub(super) fn points(result: GameResult) -> f64 {
    match result {
        GameResult::WhiteWins => 1.0,
        GameResult::BlackWins => 0.0,
        GameResult::Draw => 0.5,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use shakmaty::{Chess, Color, Position, Square};

    use super::*;

    /// This number of distinct rows, some of them without a result, ratings, an opening or men.
    pub(crate) fn rows(count: u32) -> Vec<GameRow> {
        let start = squares_of(Chess::default().board());
        let results =
            [Some(GameResult::WhiteWins), Some(GameResult::BlackWins), Some(GameResult::Draw), None];
        let openings = ["", "Scotch Game", "Réti Opening, \"Nimzo\" line\nwith a break", "[1,2]"];
        (0..count)
            .map(|index| {
                let number = index as usize;
                let mut squares = start.clone();
                squares[1 + number % 4].clear();
                squares[5].truncate(number % 9);
                GameRow {
                    result: results[number % 4],
                    white_elo: [None, Some(1000 + number as u16), Some(2000)][number % 3],
                    black_elo: [Some(0), Some(u16::MAX), None][number % 3],
                    rating_scale: ["online", "fide", "chess.com"][number % 3].to_owned(),
                    time_control: ["600+5", "-"][number % 2].to_owned(),
                    eco: ["", "C45"][number.min(1)].to_owned(),
                    opening: openings[number % 4].to_owned(),
                    satisfied_after: index + 1,
                    squares,
                }
            })
            .collect()
    }

    #[test]
    fn the_squares_of_each_kind_are_in_ascending_order() {
        let mut board = Board::empty();
        assert_eq!(squares_of(&board), [const { Vec::<u8>::new() }; 12]);
        for (square, piece) in [
            (Square::H8, Color::White.rook()),
            (Square::A1, Color::White.rook()),
            (Square::E4, Color::White.rook()),
            (Square::B1, Color::White.king()),
            (Square::A7, Color::Black.pawn()),
        ] {
            board.set_piece_at(square, piece);
        }
        let squares = squares_of(&board);
        assert_eq!(
            (&squares[0][..], &squares[2][..], &squares[11][..]),
            (&[1][..], &[0, 28, 63][..], &[48][..])
        );
        assert_eq!(squares.iter().flatten().count(), 5);
    }

    #[test]
    fn kinds_are_in_the_order_of_the_columns() {
        let squares = squares_of(Chess::default().board());
        let of = |name: &str| {
            let column = COLUMNS.iter().position(|column| *column == name).unwrap();
            &squares[column - FIRST_SQUARES]
        };
        assert_eq!((of("w_king_pos"), of("w_queen_pos")), (&vec![4], &vec![3]));
        assert_eq!((of("w_bishop_pos"), of("w_knight_pos")), (&vec![2, 5], &vec![1, 6]));
        assert_eq!((of("b_rook_pos"), of("b_king_pos")), (&vec![56, 63], &vec![60]));
        assert_eq!((of("w_pawn_pos"), of("b_pawn_pos")), (&(8..16).collect(), &(48..56).collect()));
        assert_eq!(COLUMNS.len(), FIRST_SQUARES + squares.len());
    }
}
