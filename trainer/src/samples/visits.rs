use entente_constraint::thesis::Counts;
use entente_network::encoding::thesis::bitmaps;
use shakmaty::{Board, Chess, Color, Move, Position, Role};

use super::PackedBoard;

/// A position of a game, and the constraints that the game satisfies from there on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Visit {
    /// The position as the network sees it.
    pub board: PackedBoard,
    /// One bit for each constraint: whether it is satisfied there or later in the game.
    pub satisfied: u32,
}

/// Writes the distinct positions of a game to `visits`. With `mirrored`, colours are exchanged and the boards mirrored.
pub(super) fn visits_of(moves: &[Move], constraints: &[Counts], mirrored: bool, visits: &mut Vec<Visit>) {
    visits.clear();
    let mut position = Chess::default();
    // Positions can only recur while no man was captured and no pawn moved.
    let mut recurs_from = vec![0];
    let mut from = 0;
    visits.push(visit(position.board(), constraints, mirrored));
    for (index, m) in moves.iter().enumerate() {
        position.play_unchecked(*m);
        if m.is_zeroing() {
            from = index + 1;
        }
        recurs_from.push(from);
        visits.push(visit(position.board(), constraints, mirrored));
    }
    for index in (1..visits.len()).rev() {
        visits[index - 1].satisfied |= visits[index].satisfied;
    }
    let mut kept = 0;
    let boards: Vec<PackedBoard> = visits.iter().map(|visit| visit.board).collect();
    for index in 0..boards.len() {
        if !boards[recurs_from[index]..index].contains(&boards[index]) {
            visits[kept] = visits[index];
            kept += 1;
        }
    }
    visits.truncate(kept);
}

fn visit(board: &Board, constraints: &[Counts], mirrored: bool) -> Visit {
    let mut board = board.clone();
    if mirrored {
        board.mirror();
    }
    let count = |role| (board.by_color(Color::White) & board.by_role(role)).count() as u8;
    let counts: Counts = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn].map(count);
    let satisfied = constraints
        .iter()
        .enumerate()
        .fold(0, |bits, (index, wanted)| bits | u32::from(counts == *wanted) << index);
    Visit { board: PackedBoard::new(&bitmaps(&board)), satisfied }
}
