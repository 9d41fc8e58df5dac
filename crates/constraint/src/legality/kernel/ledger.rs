//! What a diagram says about captures and promotions: which pawns stand, how many promoted, and how many are gone.

use shakmaty::{Bitboard, Board, Color, Role, Square};

/// The men of a diagram, counted for kernels. Sides are indexed White, Black.
#[derive(Clone, Debug)]
pub(super) struct Ledger {
    /// The pawns of each file, from the first rank on.
    pub files: [Vec<(Color, Square)>; 8],
    /// The pieces of each side that are fewer than at the beginning of a game: at least these have been captured.
    pub lost: [u8; 2],
    /// The pawns of each side that are neither on the board nor needed for its promoted pieces: captured as pawns, or
    /// after they promoted.
    pub gone: [u8; 2],
    /// The bishops of each side that must be promoted ones, by the colour of their squares: dark, light.
    pub bishops: [[u8; 2]; 2],
}

/// How many kinds of pieces there are: queens, rooks, knights, and bishops on dark and on light squares, in this order.
pub const KINDS: usize = 5;
/// The pieces of a side at the beginning of a game, by kind.
const FIRST: [u8; KINDS] = [1, 2, 2, 1, 1];
/// The index of the bishops on dark squares; those on light squares follow.
pub const BISHOPS: usize = 3;

/// The pieces of a side, kings and pawns excepted, by kind: queens, rooks, knights, dark-squared and light-squared bishops.
pub fn pieces(board: &Board, color: Color) -> [u8; KINDS] {
    let of = |role| board.by_color(color) & board.by_role(role);
    let count = |men: Bitboard| men.count() as u8;
    let bishops = of(Role::Bishop);
    [
        count(of(Role::Queen)),
        count(of(Role::Rook)),
        count(of(Role::Knight)),
        count(bishops & Bitboard::DARK_SQUARES),
        count(bishops & Bitboard::LIGHT_SQUARES),
    ]
}

impl Ledger {
    /// The ledger of a diagram; `None` if a side has more promoted pieces than missing pawns.
    pub(super) fn of(board: &Board) -> Option<Ledger> {
        let mut files: [Vec<(Color, Square)>; 8] = Default::default();
        for square in board.by_role(Role::Pawn) {
            files[usize::from(square.file())].push((board.color_at(square)?, square));
        }
        let sides = [Color::White, Color::Black];
        let pieces = sides.map(|color| pieces(board, color));
        let mut ledger = Ledger { files, lost: [0; 2], gone: [0; 2], bishops: [[0; 2]; 2] };
        for (side, color) in sides.into_iter().enumerate() {
            let pawns = (board.by_color(color) & board.by_role(Role::Pawn)).count() as u8;
            let promoted: u8 =
                pieces[side].iter().zip(FIRST).map(|(now, first)| now.saturating_sub(first)).sum();
            ledger.lost[side] =
                pieces[side].iter().zip(FIRST).map(|(now, first)| first.saturating_sub(*now)).sum();
            ledger.gone[side] = 8_u8.checked_sub(pawns)?.checked_sub(promoted)?;
            for shade in 0..2 {
                ledger.bishops[side][shade] = pieces[side][BISHOPS + shade].saturating_sub(1);
            }
        }
        Some(ledger)
    }

    /// How many of a side's pawns promoted to pieces of the diagram, at least.
    pub(super) fn promoted(&self, color: Color) -> u8 {
        let stands = |file: &Vec<(Color, Square)>| file.iter().filter(|(other, _)| *other == color).count();
        let standing: usize = self.files.iter().map(stands).sum();
        8 - standing as u8 - self.gone[usize::from(color.is_black())]
    }

    /// The number of captures of the game.
    pub(super) fn captures(&self) -> u8 {
        self.lost[0] + self.lost[1] + self.gone[0] + self.gone[1]
    }
}
