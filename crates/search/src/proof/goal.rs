//! A diagram as the search asks for it, and the least number of moves that a side still needs.

use entente_constraint::{
    guide::{Costs, MEN, NO_WAY, PLY, Paths, cheapest},
    legality::{Problem, unmoved},
};
use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, EnPassantMode, File, Position, Rank, Role, Square,
};

use super::victims::{NEVER, PawnPlace, Place, moves, pawn_places};

/// What a search is to come to from the initial position.
pub struct Goal {
    problem: Problem,
    /// Men that never move.
    frozen: Board,
    /// The others, White's first.
    places: [Vec<Place>; 2],
    /// Those of them that are pawns, with what they capture.
    pawns: [Vec<PawnPlace>; 2],
    paths: Paths,
}

impl Goal {
    /// The problem's.
    pub fn new(problem: &Problem) -> Goal {
        let mut frozen = problem.board.clone();
        (!unmoved(problem)).into_iter().for_each(|square| frozen.discard_piece_at(square));
        let pawns = Color::ALL.map(|color| frozen.by_piece(Role::Pawn.of(color)));
        let paths = Paths::least(frozen.occupied(), pawns);
        let places = Color::ALL.map(|color| {
            let squares = problem.board.by_color(color) & !frozen.occupied();
            squares
                .into_iter()
                .filter_map(|square| Some(Place { role: problem.board.role_at(square)?, square }))
                .collect::<Vec<_>>()
        });
        let pawns = Color::ALL
            .map(|color| pawn_places(&places[color.fold_wb(0, 1)], color, frozen.occupied(), &paths));
        Goal { problem: problem.clone(), frozen, places, pawns, paths }
    }

    /// True if a game has come there.
    pub fn is_met(&self, position: &Chess) -> bool {
        let Problem { board, turn, castling, en_passant } = &self.problem;
        position.board() == board
            && turn.is_none_or(|turn| turn == position.turn())
            && castling.is_none_or(|rights| rights == position.castles().castling_rights())
            && en_passant.is_none_or(|square| match square {
                None => position.ep_square(EnPassantMode::Legal).is_none(),
                square => square == position.ep_square(EnPassantMode::Always),
            })
    }

    /// Who is to move at the end, if that is known.
    pub fn turn(&self) -> Option<Color> {
        self.problem.turn
    }

    /// The men that `color` must capture; 0 also where there are too few already.
    pub(super) fn captures_needed(&self, board: &Board, color: Color) -> u32 {
        let enemy = color.other();
        board.by_color(enemy).count().saturating_sub(self.problem.board.by_color(enemy).count()) as u32
    }

    /// The least number of moves that `color` needs until the diagram can be there, with any moves of the other side;
    /// [`NEVER`] if it cannot come to it any more. A bound: no game has fewer.
    pub(super) fn moves_needed(
        &self,
        board: &Board,
        rights: Bitboard,
        en_passant: Option<Square>,
        color: Color,
    ) -> u8 {
        let own = board.by_color(color);
        let frozen = self.frozen.by_color(color);
        let stays = |role: Role| (self.frozen.by_role(role) & frozen & !board.by_role(role)).is_empty();
        if !(frozen & !own).is_empty() || !Role::ALL.into_iter().all(stays) {
            return NEVER;
        }
        let mut men = [(Role::King, Square::A1); MEN];
        let movable = own & !frozen;
        let count = movable.count();
        if count > MEN || count < self.places[color.fold_wb(0, 1)].len() {
            return NEVER;
        }
        for (man, square) in men.iter_mut().zip(movable) {
            *man = (board.role_at(square).expect("a man stands there"), square);
        }
        let men = &mut men[..count];
        let mut least = self.moves_of(board, en_passant, color, men);
        for side in CastlingSide::ALL {
            let home = color.fold_wb(Rank::First, Rank::Eighth);
            let rook = Square::from_coords(if side.is_king_side() { File::H } else { File::A }, home);
            let king = Square::from_coords(File::E, home);
            if least == 0 || !rights.contains(rook) || !movable.contains(rook) || !movable.contains(king) {
                continue;
            }
            // One move instead of several: the way from where castling leads, and the castling.
            let mut castled = [(Role::King, Square::A1); MEN];
            castled[..count].copy_from_slice(men);
            for man in &mut castled[..count] {
                match man.1 {
                    square if square == king => man.1 = side.king_to(color),
                    square if square == rook => man.1 = side.rook_to(color),
                    _ => {}
                }
            }
            let after = self.moves_of(board, en_passant, color, &castled[..count]);
            least = least.min(after.saturating_add(1));
        }
        least
    }

    /// The least number of moves of `men` to their places, and of the others to where they are captured, without castling.
    fn moves_of(
        &self,
        board: &Board,
        en_passant: Option<Square>,
        color: Color,
        men: &[(Role, Square)],
    ) -> u8 {
        let victims = self.victims(board, en_passant, color, men);
        let places = &self.places[color.fold_wb(0, 1)];
        let rows = places.len() + victims.count;
        if rows > men.len() {
            return NEVER;
        }
        let mut costs: Costs = [[NO_WAY; MEN]; MEN];
        for (row, place) in costs.iter_mut().zip(places) {
            for (cost, (role, square)) in row.iter_mut().zip(men) {
                *cost = self.paths.cost(color, *role, *square, place.role, place.square);
            }
        }
        costs[places.len()..rows].copy_from_slice(&victims.costs[..victims.count]);
        let Some(column_of) = cheapest(&costs, rows, men.len()) else { return NEVER };
        moves((0..rows).map(|row| costs[row][usize::from(column_of[row])]).sum())
    }

    /// The men of `color`, among `men`, that the other side's pawns have to capture.
    fn victims(
        &self,
        board: &Board,
        en_passant: Option<Square>,
        color: Color,
        men: &[(Role, Square)],
    ) -> Victims {
        let enemy = color.other();
        let pawns = board.by_piece(Role::Pawn.of(enemy)) & !self.frozen.occupied();
        let mut victims = Victims { count: 0, costs: [[NO_WAY; MEN]; MEN] };
        // A pawn that can be captured en passant is where it must be.
        let passed = en_passant.and_then(|square| square.offset(color.fold_wb(8, -8)));
        for place in &self.pawns[enemy.fold_wb(0, 1)] {
            let needed = |from: Square| self.paths.pawn_captures(enemy, from, place.square);
            let least = pawns.into_iter().map(needed).min().unwrap_or(0);
            if least == 0 || least >= NO_WAY {
                continue;
            }
            for capture in place.captures(least).iter().take(MEN - victims.count) {
                for (cost, (role, square)) in victims.costs[victims.count].iter_mut().zip(men) {
                    let moves = capture[*role as usize - 1][square.to_usize()];
                    *cost = match moves {
                        _ if passed == Some(*square) => 0,
                        NEVER => NO_WAY,
                        moves => u16::from(moves) * PLY as u16,
                    };
                }
                victims.count += 1;
            }
        }
        victims
    }
}

/// Men who have to be captured by pawns.
struct Victims {
    count: usize,
    /// What it costs each man of their side to be one of them.
    costs: Costs,
}
