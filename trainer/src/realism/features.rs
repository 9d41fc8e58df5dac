use entente_network::encoding::goal_policy::worth;
use shakmaty::{Bitboard, Board, Chess, Color, File, Piece, Position, Rank, Role, Square, attacks};

/// The number of features that describe a position to the classifier.
///
/// For each of the twelve kinds of men, the features are the numbers on each rank and file. For each side, they are the
/// number of squares that it attacks; for each kind of man, the numbers of attacked men and of attacked undefended men;
/// the numbers of doubled, isolated and passed pawns, of men on their initial squares, and of attacked squares around
/// the king; and castling rights. The rest are the distance of the kings, the material balance, the side to move and
/// check.
pub const FEATURES: usize = 12 * 16 + 2 * SIDE + 4 + 4;

/// The number of features of a side.
const SIDE: usize = 1 + 5 + 5 + 3 + 1 + 1;

/// The features of a position, [`FEATURES`] numbers.
pub fn features(position: &Chess) -> Vec<f64> {
    let board = position.board();
    let mut features = Vec::with_capacity(FEATURES);
    for color in Color::ALL {
        for role in Role::ALL {
            let men = board.by_piece(Piece { color, role });
            features.extend(Rank::ALL.map(|rank| (men & Bitboard::from_rank(rank)).count() as f64));
            features.extend(File::ALL.map(|file| (men & Bitboard::from_file(file)).count() as f64));
        }
        side(board, color, &mut features);
    }
    for color in Color::ALL {
        for castling in shakmaty::CastlingSide::ALL {
            features.push(f64::from(u8::from(position.castles().has(color, castling))));
        }
    }
    let kings = Color::ALL.map(|color| board.king_of(color));
    features.push(match kings {
        [Some(white), Some(black)] => f64::from(white.distance(black)),
        _ => 0.0,
    });
    let material = |color: Color| -> i32 {
        Role::ALL.map(|role| board.by_piece(role.of(color)).count() as i32 * worth(role)).into_iter().sum()
    };
    features.push(f64::from(material(Color::White) - material(Color::Black)));
    features.push(f64::from(u8::from(position.turn().is_white())));
    features.push(f64::from(u8::from(position.is_check())));
    debug_assert_eq!(features.len(), FEATURES);
    features
}

/// All squares that the men of `color` attack.
fn attacked_by(board: &Board, color: Color) -> Bitboard {
    board.by_color(color).into_iter().fold(Bitboard::EMPTY, |all, square| all | board.attacks_from(square))
}

fn side(board: &Board, color: Color, features: &mut Vec<f64>) {
    let own = board.by_color(color);
    let (ours, theirs) = (attacked_by(board, color), attacked_by(board, color.other()));
    features.push(ours.count() as f64);
    const KINDS: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    let of = |role: Role| board.by_role(role) & own;
    features.extend(KINDS.map(|role| (of(role) & theirs).count() as f64));
    features.extend(KINDS.map(|role| (of(role) & theirs & !ours).count() as f64));

    let pawns = of(Role::Pawn);
    let others = board.pawns() & !own;
    let on_file = |file: File| (pawns & Bitboard::from_file(file)).count();
    let doubled: usize = File::ALL.into_iter().map(|file| on_file(file).saturating_sub(1)).sum();
    let is_isolated = |square: &Square| {
        let beside = [square.file().offset(-1), square.file().offset(1)];
        beside.into_iter().flatten().all(|file| on_file(file) == 0)
    };
    let is_passed = |square: &Square| {
        let stops = |other: Square| {
            let is_ahead = color.fold_wb(other.rank() > square.rank(), other.rank() < square.rank());
            is_ahead && u32::from(other.file()).abs_diff(u32::from(square.file())) <= 1
        };
        !others.into_iter().any(stops)
    };
    features.push(doubled as f64);
    features.push(pawns.into_iter().filter(is_isolated).count() as f64);
    features.push(pawns.into_iter().filter(is_passed).count() as f64);

    let home = Board::new();
    let at_home = Role::ALL.map(|role| (of(role) & home.by_piece(role.of(color))).count());
    features.push(at_home.into_iter().sum::<usize>() as f64);
    let around = board.king_of(color).map_or(Bitboard::EMPTY, attacks::king_attacks);
    features.push((around & theirs).count() as f64);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_initial_position_is_the_same_for_both_sides() {
        let features = features(&Chess::default());
        assert_eq!(features.len(), FEATURES);
        let half = 12 * 8 + SIDE;
        let (white, black) = (&features[..half], &features[half..2 * half]);
        // All features except the ranks, which are mirrored.
        let counts = |side: &[f64]| -> Vec<f64> {
            let mut numbers = Vec::new();
            for kind in 0..6 {
                numbers.push(side[16 * kind..16 * kind + 8].iter().sum());
                numbers.extend(&side[16 * kind + 8..16 * (kind + 1)]);
            }
            numbers.extend(&side[96..]);
            numbers
        };
        assert_eq!(counts(white), counts(black));
        assert_eq!(
            white[96], 22.0,
            "squares attacked: the third rank, the second, and the first except the corners"
        );
        assert_eq!(&white[96 + 1 + 10..], [0.0, 0.0, 0.0, 16.0, 0.0]);
    }
}
