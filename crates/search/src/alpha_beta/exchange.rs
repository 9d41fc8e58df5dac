use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Role, Square, attacks};

/// Rough values in hundredths of a pawn.
pub(super) fn worth(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 320,
        Role::Bishop => 330,
        Role::Rook => 500,
        Role::Queen => 950,
        Role::King => 1000,
    }
}

/// True if no capture of the side to move wins a pawn or more once everybody has taken back.
pub fn is_settled(position: &Chess) -> bool {
    let captures = position.capture_moves();
    !captures.iter().any(|m| gains_at_least(position, *m, worth(Role::Pawn)))
}

/// True if `m` leaves so much to be taken, in hundredths of a pawn, once everybody has taken back on its square.
pub fn gives_up(position: &Chess, m: Move, most: i32) -> bool {
    !gains_at_least(position, m, 1 - most)
}

/// True if a move gains at least `least` once everybody has taken back on its square for as long as that pays, the least
/// man first (static exchange evaluation). Pins, checks and promotions that follow are not seen.
pub(super) fn gains_at_least(position: &Chess, m: Move, least: i32) -> bool {
    let (Some(from), to) = (m.from(), m.to()) else { return least <= 0 };
    if m.is_castle() {
        return least <= 0;
    }
    // What the mover is ahead by, if the man that moves is not taken, less what is wanted.
    let mut balance = m.capture().map_or(0, worth) - least;
    if balance < 0 {
        return false;
    }
    // And if it is taken.
    balance -= worth(m.role());
    if balance >= 0 {
        return true;
    }
    let board = position.board();
    let mut occupied = (board.occupied() ^ Bitboard::from(from)) | Bitboard::from(to);
    if m.is_en_passant() {
        occupied.discard(Square::from_coords(to.file(), from.rank()));
    }
    let mut attackers = attackers(board, to, occupied);
    let mut side = position.turn();
    loop {
        side = !side;
        attackers &= occupied;
        let Some((square, role)) = least_valuable(board, attackers & board.by_color(side)) else { break };
        // A king may not take what is still protected.
        if role == Role::King && (attackers & board.by_color(!side)).any() {
            break;
        }
        occupied.discard(square);
        // Those that stood behind it.
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            attackers |= attacks::bishop_attacks(to, occupied) & (board.bishops() | board.queens());
        }
        if matches!(role, Role::Rook | Role::Queen) {
            attackers |= attacks::rook_attacks(to, occupied) & (board.rooks() | board.queens());
        }
        balance = -balance - 1 - worth(role);
        if balance >= 0 {
            // Whoever has just taken is ahead, even if it is taken again.
            side = !side;
            break;
        }
    }
    // Who has to take and cannot, or does not want to, has lost the exchange.
    side != position.turn()
}

/// The men of both sides that attack a square.
fn attackers(board: &Board, square: Square, occupied: Bitboard) -> Bitboard {
    Color::ALL
        .into_iter()
        .map(|side| board.attacks_to(square, side, occupied))
        .fold(Bitboard::EMPTY, |a, b| a | b)
}

/// The man worth least among those on `squares`.
fn least_valuable(board: &Board, squares: Bitboard) -> Option<(Square, Role)> {
    Role::ALL
        .into_iter()
        .find_map(|role| (squares & board.by_role(role)).first().map(|square| (square, role)))
}

#[cfg(test)]
mod tests {
    use shakmaty::uci::UciMove;

    use super::*;
    use crate::position_from_fen;

    /// What a move gains, to the nearest ten.
    fn gain(fen: &str, m: &str) -> i32 {
        let position = position_from_fen(fen).unwrap();
        let m = m.parse::<UciMove>().unwrap().to_move(&position).unwrap();
        (-200..=200).rev().map(|tens| 10 * tens).find(|least| gains_at_least(&position, m, *least)).unwrap()
    }

    #[test]
    fn a_position_is_settled_if_no_capture_wins_anything() {
        for (fen, settled) in [
            ("5k2/8/8/5K1P/8/8/8/R5r1 b - - 0 47", false),
            ("5k2/8/8/5K1P/8/8/8/R5r1 w - - 0 47", false),
            ("5k2/8/8/5K1P/8/8/6r1/R7 b - - 0 47", true),
            // The pawn is protected.
            ("8/8/4k3/8/r1P5/1P4K1/8/8 b - - 0 39", true),
            ("8/8/8/6P1/5k2/8/8/5K2 b - - 0 44", false),
        ] {
            assert_eq!(is_settled(&position_from_fen(fen).unwrap()), settled, "{fen}");
        }
    }

    #[test]
    fn exchanges_are_played_out_by_the_least_men_for_as_long_as_they_pay() {
        for (fen, m, expected) in [
            // Free, and protected.
            ("4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1", "e3d5", 950),
            ("4k3/8/4p3/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5", 100 - 320),
            ("4k3/8/4p3/3q4/8/4N3/8/4K3 w - - 0 1", "e3d5", 950 - 320),
            // A second attacker pays only if the first is worth no more than what takes it.
            ("4k3/8/4p3/3p4/8/4N3/3R4/4K3 w - - 0 1", "d2d5", 100 - 500 + 100),
            // A rook stands behind the rook, a bishop behind the pawn.
            ("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100 - 500),
            ("4k3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
            ("4k3/5b2/4p3/3p4/2P5/4N3/8/4K3 w - - 0 1", "c4d5", 0),
            ("4k3/8/4p3/3p4/2P5/4N3/8/4K3 w - - 0 1", "c4d5", 100),
            // A king takes only what nobody protects.
            ("8/8/3k4/3p4/8/4N3/8/3RK3 w - - 0 1", "e3d5", 100),
            ("8/8/3k4/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5", 100 - 320),
            // Quiet moves to a square that is attacked, or not; en passant; castling.
            ("4k3/8/4p3/8/8/4N3/8/4K3 w - - 0 1", "e3d5", -320),
            ("4k3/8/8/8/8/4N3/8/4K3 w - - 0 1", "e3d5", 0),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
            ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0),
        ] {
            assert_eq!(gain(fen, m), expected, "{fen} {m}");
        }
    }
}
