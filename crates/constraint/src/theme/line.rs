//! A line of moves that solves a position.

use shakmaty::{Bitboard, Board, Chess, Color, Move, Position as _};

/// The moves that solve a position, with the replies of the opponent. The side that moves first is the solver.
#[derive(Clone, Debug)]
pub struct SolutionLine {
    /// The positions, one more than there are moves.
    positions: Vec<Chess>,
    moves: Vec<Move>,
    /// The move that led to the first position, if it is known.
    previous: Option<Move>,
}

/// A move of the solver, with what comes before and after it.
#[derive(Clone, Copy)]
pub(super) struct Step<'a> {
    /// The position in which it is played.
    pub before: &'a Chess,
    /// The move.
    pub m: Move,
    /// The position after it.
    pub after: &'a Chess,
    /// The opponent's reply.
    pub reply: Option<Move>,
}

impl SolutionLine {
    /// The line of these legal moves from `start`. `previous` is the move that led to `start`, if it is known: a
    /// recapture then counts as such.
    pub fn new(start: Chess, moves: &[Move], previous: Option<Move>) -> SolutionLine {
        let mut positions = vec![start];
        for m in moves {
            positions.push(crate::child_of(&positions[positions.len() - 1], *m));
        }
        SolutionLine { positions, moves: moves.to_vec(), previous }
    }

    /// The move that led to the first position, if it is known.
    pub(super) fn previous(&self) -> Option<Move> {
        self.previous
    }

    /// The position to be solved.
    pub fn first(&self) -> &Chess {
        &self.positions[0]
    }

    /// The position after the last move.
    pub fn last(&self) -> &Chess {
        &self.positions[self.positions.len() - 1]
    }

    /// All positions.
    pub(super) fn positions(&self) -> &[Chess] {
        &self.positions
    }

    /// The side that solves.
    pub fn solver(&self) -> Color {
        self.first().turn()
    }

    /// True if the solver mates.
    pub fn is_mate(&self) -> bool {
        self.last().is_checkmate() && self.last().turn() != self.solver()
    }

    /// The moves of the solver.
    pub(super) fn steps(&self) -> impl DoubleEndedIterator<Item = Step<'_>> {
        (0..self.moves.len()).step_by(2).map(|ply| Step {
            before: &self.positions[ply],
            m: self.moves[ply],
            after: &self.positions[ply + 1],
            reply: self.moves.get(ply + 1).copied(),
        })
    }

    /// The moves of the solver, each with the one after it.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (Step<'_>, Step<'_>)> {
        self.steps().zip(self.steps().skip(1))
    }
}

impl Step<'_> {
    /// The board before the move.
    pub(super) fn board(&self) -> &Board {
        self.before.board()
    }

    /// The board after the move.
    pub(super) fn board_after(&self) -> &Board {
        self.after.board()
    }

    /// The solver's men after the move.
    pub(super) fn own(&self) -> Bitboard {
        self.after.board().by_color(self.before.turn())
    }

    /// The opponent's men after the move.
    pub(super) fn enemies(&self) -> Bitboard {
        self.after.board().by_color(self.after.turn())
    }
}
