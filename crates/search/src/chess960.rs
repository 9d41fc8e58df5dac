use shakmaty::{Board, CastlingMode, Chess, EnPassantMode, Position as _, Setup};

/// The 960 initial positions of Chess960, by their numbers as Reinhard Scharnagl defined them. Number 518 is that of
/// standard chess.
///
/// ```
/// use entente_search::{Chess960, position_from_fen};
///
/// let position = Chess960::start(0).expect("a number below 960");
/// let same = position_from_fen("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1")?;
/// assert_eq!(position, same);
/// # Ok::<(), entente_search::FenError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Chess960;

impl Chess960 {
    /// The number of initial positions.
    pub const COUNT: u32 = 960;

    /// The initial position with this number; `None` from 960 on. Castling is written as the king taking its own rook,
    /// also for number 518.
    pub fn start(number: u32) -> Option<Chess> {
        if number >= Chess960::COUNT {
            return None;
        }
        let board = Board::chess960(number);
        let mut setup = Setup::initial();
        setup.castling_rights = board.rooks();
        setup.board = board;
        setup.position(CastlingMode::Chess960).ok()
    }

    /// The number of the initial position with these men; `None` if there is none.
    pub fn number_of(board: &Board) -> Option<u32> {
        // Most boards differ in their pawns, and need no comparison with all numbers.
        if board.pawns() != Board::new().pawns() || board.occupied() != Board::new().occupied() {
            return None;
        }
        (0..Chess960::COUNT).find(|number| Board::chess960(*number) == *board)
    }

    /// True if a side may still castle, and not as in standard chess: the king or a rook that castles stands elsewhere
    /// than in its initial position.
    pub fn castles_differently(position: &Chess) -> bool {
        CastlingMode::detect(&position.to_setup(EnPassantMode::Always)).is_chess960()
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingSide, Color, fen::Fen};

    use super::*;
    use crate::position_from_fen;

    #[test]
    fn every_number_has_an_initial_position_that_its_fen_gives_again() {
        for number in 0..Chess960::COUNT {
            let position = Chess960::start(number).unwrap();
            assert_eq!(Chess960::number_of(position.board()), Some(number));
            let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
            assert_eq!(position_from_fen(&fen).unwrap(), position, "{fen}");
            assert_eq!(
                position_from_fen(&fen.replace("KQkq", &shredder(&position))).unwrap(),
                position,
                "{fen}"
            );
        }
        assert!(Chess960::start(960).is_none());
        assert_eq!(Chess960::start(518).unwrap().board(), Chess::default().board());
    }

    /// The castling rights of an initial position as a Shredder-FEN has them.
    fn shredder(position: &Chess) -> String {
        let files = |color: Color| {
            CastlingSide::ALL.into_iter().filter_map(move |side| {
                let file = position.castles().rook(color, side)?.file().char();
                Some(color.fold_wb(file.to_ascii_uppercase(), file))
            })
        };
        files(Color::White).chain(files(Color::Black)).collect()
    }

    #[test]
    fn only_rights_of_men_that_stand_elsewhere_are_different() {
        for (fen, differs) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", false),
            ("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1", true),
            ("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w - - 0 1", false),
            // The rights of a king and a rook that have moved are stale, unless the file of the rook is named.
            ("r3k2r/8/8/8/8/8/8/R2K3R w KQkq - 0 1", false),
            ("r3k2r/8/8/8/8/8/8/R2K3R w HAha - 0 1", true),
        ] {
            assert_eq!(Chess960::castles_differently(&position_from_fen(fen).unwrap()), differs, "{fen}");
        }
    }
}
