use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Role, Square, attacks};

/// Piece values in centipawns for the static exchange evaluation.
pub(super) fn piece_value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 320,
        Role::Bishop => 330,
        Role::Rook => 500,
        Role::Queen => 950,
        Role::King => 1000,
    }
}

/// True if no capture by the side to move wins a pawn or more according to the static exchange evaluation.
pub fn is_settled(position: &Chess) -> bool {
    let captures = position.capture_moves();
    !captures.iter().any(|m| gains_at_least(position, *m, piece_value(Role::Pawn)))
}

/// True if `m` loses at least `most` centipawns according to the static exchange evaluation.
pub fn loses_by_see(position: &Chess, m: Move, most: i32) -> bool {
    !gains_at_least(position, m, 1 - most)
}

/// True if the opponent has a legal capture of the man moved by `m` with which an exchange wins at least `least` centipawns
/// more than the move captures. Later captures may be by pinned men.
pub fn gives_up(position: &Chess, m: Move, least: i32) -> bool {
    if !loses_by_see(position, m, least) {
        return false;
    }
    let mut after = position.clone();
    after.play_unchecked(m);
    let wanted = least + m.capture().map_or(0, piece_value);
    let takes = |reply: &&Move| reply.is_capture() && reply.to() == m.to();
    after.legal_moves().iter().filter(takes).any(|reply| gains_at_least(&after, *reply, wanted))
}

/// True if the static exchange evaluation (SEE) of `m` is at least `least` centipawns: both sides recapture on its
/// square with the least valuable man for as long as that pays. Pins, checks and later promotions are ignored.
pub(super) fn gains_at_least(position: &Chess, m: Move, least: i32) -> bool {
    let (Some(from), to) = (m.from(), m.to()) else { return least <= 0 };
    if m.is_castle() {
        return least <= 0;
    }
    // The gain minus `least` if the moved man is not captured.
    let mut balance = m.capture().map_or(0, piece_value) - least;
    if balance < 0 {
        return false;
    }
    // The same if it is captured without a recapture.
    balance -= piece_value(m.role());
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
        // A king cannot capture a protected man.
        if role == Role::King && (attackers & board.by_color(!side)).any() {
            break;
        }
        occupied.discard(square);
        // Add the attackers behind it (X-rays).
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            attackers |= attacks::bishop_attacks(to, occupied) & (board.bishops() | board.queens());
        }
        if matches!(role, Role::Rook | Role::Queen) {
            attackers |= attacks::rook_attacks(to, occupied) & (board.rooks() | board.queens());
        }
        balance = -balance - 1 - piece_value(role);
        if balance >= 0 {
            // The side that has just captured is ahead even if it is recaptured.
            side = !side;
            break;
        }
    }
    // The side that cannot continue profitably has lost the exchange.
    side != position.turn()
}

/// The men of both sides that attack a square.
fn attackers(board: &Board, square: Square, occupied: Bitboard) -> Bitboard {
    Color::ALL
        .into_iter()
        .map(|side| board.attacks_to(square, side, occupied))
        .fold(Bitboard::EMPTY, |a, b| a | b)
}

/// The least valuable man on `squares`.
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

    /// The static exchange evaluation of a move, rounded down to tens.
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
    fn a_pinned_man_does_not_take_what_is_given_up() {
        let given_up = |fen: &str, m: &str| {
            let position = position_from_fen(fen).unwrap();
            let m = m.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            gives_up(&position, m, 150)
        };
        // The bishop takes a pawn that another pawn protects; the same with the pawn pinned, and with a queen behind it.
        assert!(given_up("4k3/8/4p3/3p4/8/1B6/8/4K3 w - - 0 1", "b3d5"));
        assert!(!given_up("4k3/8/4p3/3p4/8/1B6/8/4RK2 w - - 0 1", "b3d5"));
        assert!(given_up("3qk3/8/4p3/3p4/8/1B6/8/4RK2 w - - 0 1", "b3d5"));
        assert!(!given_up("4k3/8/4p3/3b4/8/1B6/8/4K3 w - - 0 1", "b3d5"), "an equal exchange");
    }

    #[test]
    fn exchanges_use_the_least_valuable_men_and_stop_when_they_do_not_pay() {
        for (fen, m, expected) in [
            // An unprotected queen, then protected men.
            ("4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1", "e3d5", 950),
            ("4k3/8/4p3/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5", 100 - 320),
            ("4k3/8/4p3/3q4/8/4N3/8/4K3 w - - 0 1", "e3d5", 950 - 320),
            // A second attacker does not help if the first is worth more than the captured man and its recapturer.
            ("4k3/8/4p3/3p4/8/4N3/3R4/4K3 w - - 0 1", "d2d5", 100 - 500 + 100),
            // X-rays: a rook behind a rook, a bishop behind a pawn.
            ("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100 - 500),
            ("4k3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
            ("4k3/5b2/4p3/3p4/2P5/4N3/8/4K3 w - - 0 1", "c4d5", 0),
            ("4k3/8/4p3/3p4/2P5/4N3/8/4K3 w - - 0 1", "c4d5", 100),
            // A king captures only unprotected men.
            ("8/8/3k4/3p4/8/4N3/8/3RK3 w - - 0 1", "e3d5", 100),
            ("8/8/3k4/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5", 100 - 320),
            // Quiet moves to an attacked and to a safe square, en passant captures, castling.
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
