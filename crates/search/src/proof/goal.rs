//! The diagram to reach, and the lower bound on the moves that a side still needs.

use entente_constraint::{
    child_of,
    guide::{Costs, MEN, NO_PATH, PLY, Paths, cheapest},
    legality::{Problem, unmoved},
};
use shakmaty::{Bitboard, Board, CastlingSide, Chess, Color, Move, Position, Rank, Role, Square};

use super::victims::{DiagramMan, NEVER, PawnPlace, moves, pawn_places};

/// The diagram that a search must reach, and where games begin.
pub struct ProofGoal {
    problem: Problem,
    start: Chess,
    /// The men that never move.
    frozen: Board,
    /// The places of the other men, White's first.
    places: [Vec<DiagramMan>; 2],
    /// The places of the pawns among them, with their captures.
    pawns: [Vec<PawnPlace>; 2],
    paths: Paths,
}

impl ProofGoal {
    /// The goal of a problem, in games from the initial position.
    pub fn new(problem: &Problem) -> ProofGoal {
        ProofGoal::from(problem, Chess::default())
    }

    /// The goal of a problem, in games from `start`.
    pub fn from(problem: &Problem, start: Chess) -> ProofGoal {
        let mut frozen = problem.board.clone();
        (!unmoved_since(&start, problem)).into_iter().for_each(|square| frozen.discard_piece_at(square));
        let pawns = Color::ALL.map(|color| frozen.by_piece(Role::Pawn.of(color)));
        let paths = Paths::least(frozen.occupied(), pawns);
        let places = Color::ALL.map(|color| {
            let squares = problem.board.by_color(color) & !frozen.occupied();
            squares
                .into_iter()
                .filter_map(|square| Some(DiagramMan { role: problem.board.role_at(square)?, square }))
                .collect::<Vec<_>>()
        });
        let pawns = Color::ALL
            .map(|color| pawn_places(&places[color.fold_wb(0, 1)], color, frozen.occupied(), &paths));
        ProofGoal { problem: problem.clone(), start, frozen, places, pawns, paths }
    }

    /// The position in which games begin.
    pub fn start(&self) -> &Chess {
        &self.start
    }

    /// True if `position` is a solution: the diagram, and whatever else the problem requires.
    pub fn is_met(&self, position: &Chess) -> bool {
        self.problem.is_met(position)
    }

    /// True if a game leads to a solution.
    pub fn is_met_by(&self, game: &[Move]) -> bool {
        self.is_met(&self.end_of(game))
    }

    /// The position after a game.
    fn end_of(&self, game: &[Move]) -> Chess {
        let mut position = self.start.clone();
        game.iter().for_each(|m| position.play_unchecked(*m));
        position
    }

    /// The game with one more move that leads to a solution, if there is such a move.
    pub fn with_last_move(&self, mut game: Vec<Move>) -> Option<Vec<Move>> {
        let position = self.end_of(&game);
        let leads = |m: &Move| self.is_met(&child_of(&position, *m));
        let last = position.legal_moves().into_iter().find(leads)?;
        game.push(last);
        Some(game)
    }

    /// The side to move at the end, if it is known.
    pub fn turn(&self) -> Option<Color> {
        self.problem.turn
    }

    /// The number of men that `color` must still capture; 0 also if there are already too few.
    pub(super) fn captures_needed(&self, board: &Board, color: Color) -> u32 {
        let enemy = color.other();
        board.by_color(enemy).count().saturating_sub(self.problem.board.by_color(enemy).count()) as u32
    }

    /// A lower bound on the moves that `color` needs to reach the diagram, whatever the other side plays; [`NEVER`] if
    /// the diagram can no longer be reached.
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
            *man = (board.role_at(square).expect("the square is occupied"), square);
        }
        let men = &mut men[..count];
        let mut least = self.moves_of(board, en_passant, color, men);
        let Some(king) = board.king_of(color).filter(|king| movable.contains(*king)) else { return least };
        for rook in rights & movable {
            if least == 0 {
                break;
            }
            let side = CastlingSide::from_king_side(king < rook);
            // Castling is a single move: 1 plus the moves from the squares to which it leads.
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

    /// A lower bound on the moves of `men` to their places and of further men to the squares where they must be
    /// captured, without castling.
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
        let mut costs: Costs = [[NO_PATH; MEN]; MEN];
        for (row, place) in costs.iter_mut().zip(places) {
            for (cost, (role, square)) in row.iter_mut().zip(men) {
                *cost = self.paths.cost(color, *role, *square, place.role, place.square);
            }
        }
        costs[places.len()..rows].copy_from_slice(&victims.costs[..victims.count]);
        let Some(column_of) = cheapest(&costs, rows, men.len()) else { return NEVER };
        moves((0..rows).map(|row| costs[row][usize::from(column_of[row])]).sum())
    }

    /// The captures of men of `color` by the other side's pawns, with the cost for each of `men` to be the victim.
    fn victims(
        &self,
        board: &Board,
        en_passant: Option<Square>,
        color: Color,
        men: &[(Role, Square)],
    ) -> Victims {
        let enemy = color.other();
        let pawns = board.by_piece(Role::Pawn.of(enemy)) & !self.frozen.occupied();
        let mut victims = Victims { count: 0, costs: [[NO_PATH; MEN]; MEN] };
        // A pawn that can be captured en passant needs no further move.
        let passed = en_passant.and_then(|square| square.offset(color.fold_wb(8, -8)));
        for place in &self.pawns[enemy.fold_wb(0, 1)] {
            let needed = |from: Square| self.paths.pawn_captures(enemy, from, place.square);
            let least = pawns.into_iter().map(needed).min().unwrap_or(0);
            if least == 0 || least >= NO_PATH {
                continue;
            }
            for capture in place.captures(least).iter().take(MEN - victims.count) {
                for (cost, (role, square)) in victims.costs[victims.count].iter_mut().zip(men) {
                    let moves = capture[*role as usize - 1][square.to_usize()];
                    *cost = match moves {
                        _ if passed == Some(*square) => 0,
                        NEVER => NO_PATH,
                        moves => u16::from(moves) * PLY as u16,
                    };
                }
                victims.count += 1;
            }
        }
        victims
    }
}

/// The men of a diagram that have not moved in any game from `start`. Of starts other than the usual one, these are only
/// pawns, and kings and rooks that must still be able to castle.
fn unmoved_since(start: &Chess, problem: &Problem) -> Bitboard {
    if *start == Chess::default() {
        return unmoved(problem);
    }
    let Problem { board, castling, .. } = problem;
    let colors = Color::ALL.into_iter();
    colors.fold(Bitboard::EMPTY, |still, color| {
        let home = color.fold_wb(Rank::Second, Rank::Seventh);
        // Pawns only go forward.
        let pawns = board.by_piece(Role::Pawn.of(color)) & start.board().by_piece(Role::Pawn.of(color));
        let back = Bitboard::from(color.fold_wb(Rank::First, Rank::Eighth));
        let rooks = castling.unwrap_or_default() & back & board.by_piece(Role::Rook.of(color));
        let king = board.king_of(color).filter(|_| rooks.any()).map_or(Bitboard::EMPTY, Bitboard::from);
        still | pawns & Bitboard::from(home) | rooks | king
    })
}

/// The captures by the other side's pawns.
struct Victims {
    count: usize,
    /// For each capture, the cost for each man to be the victim.
    costs: Costs,
}
