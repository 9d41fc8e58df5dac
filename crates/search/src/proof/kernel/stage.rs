//! A stage of a plan: pawns go to their squares, promote, and fall, until a pawn makes the capture at the end of the stage.

use std::{cmp::Reverse, collections::BinaryHeap};

use entente_constraint::legality::kernel::{PAWNS, Pawn, Stage, color};
use rand::{Rng, RngExt};
use shakmaty::{Bitboard, Board, Chess, Color, File, Move, Position, Rank, Role, Square, attacks};

use super::men::Men;
use crate::{
    Keys, Limits,
    game::{is_drawn, key},
};

/// Where the pawns of the beginning are; `None` for those that are captured or have promoted.
type Pawns = [Option<Square>; PAWNS];

/// A game that follows a plan.
pub(super) struct Led {
    pub position: Chess,
    pub moves: Vec<Move>,
    pawns: Pawns,
}

impl Led {
    /// The game without moves.
    pub(super) fn start() -> Led {
        let pawns = std::array::from_fn(|pawn| {
            let rank = color(pawn as Pawn).fold_wb(Rank::Second, Rank::Seventh);
            Some(Square::from_coords(File::new(pawn as u32 % 8), rank))
        });
        Led { position: Chess::default(), moves: Vec::new(), pawns }
    }
}

/// The search for the moves of a stage.
pub(super) struct StageSearch<'a> {
    pub stage: &'a Stage,
    pub men: &'a Men,
    /// Men that must not move.
    pub unmoved: Bitboard,
    /// How many pawns of each side promote in later stages.
    pub later: [u8; 2],
}

/// A position that the search has met.
struct Node {
    position: Chess,
    pawns: Pawns,
    parent: usize,
    /// The move that led here; `None` at the root.
    m: Option<Move>,
    ply: u32,
}

/// The estimated plies of a piece that is not near a square.
const FAR: u32 = 3;
/// The greatest random amount added to the value of a position, in plies.
const NOISE: f32 = 2.0;

impl StageSearch<'_> {
    /// Plays the stage; false if the search finds no way within its limits.
    pub(super) fn play(
        &self,
        led: &mut Led,
        weight: f32,
        rng: &mut impl Rng,
        limits: Limits<'_>,
        nodes: &mut u64,
    ) -> bool {
        if self.is_done(&led.position, &led.pawns) {
            return true;
        }
        let root = Node { position: led.position.clone(), pawns: led.pawns, parent: 0, m: None, ply: 0 };
        let mut met = vec![root];
        let mut seen = Keys::default();
        let mut open = BinaryHeap::from([Reverse((0, 0))]);
        while let Some(Reverse((_, index))) = open.pop() {
            let Node { ref position, pawns, ply, .. } = met[index];
            let (position, left) = (position.clone(), self.left(position, &pawns));
            for m in position.legal_moves() {
                let Some(pawns) = self.after(&position, &pawns, m, left) else { continue };
                let mut child = position.clone();
                child.play_unchecked(m);
                *nodes += 1;
                if limits.forbid(*nodes, 0) {
                    return false;
                }
                if is_drawn(&child) || !seen.insert(key(&child).0) {
                    continue;
                }
                let is_done = self.is_done(&child, &pawns);
                let value = (ply + 1) as f32
                    + weight * self.left(&child, &pawns) as f32
                    + NOISE * rng.random::<f32>();
                open.push(Reverse(((value * 64.0) as u32, met.len())));
                met.push(Node { position: child, pawns, parent: index, m: Some(m), ply: ply + 1 });
                if is_done && !met.last().is_some_and(|node| node.position.legal_moves().is_empty()) {
                    led.follow(met);
                    return true;
                }
            }
        }
        false
    }

    fn is_done(&self, position: &Chess, pawns: &Pawns) -> bool {
        match self.stage.capture {
            // A capture on the last rank promotes.
            Some((capture, square)) => {
                let pawn = pawns[usize::from(capture.pawn)];
                pawn == Some(square) || pawn.is_none()
            }
            None => self.left(position, pawns) == 0,
        }
    }

    /// A rough number of plies to the end of the stage.
    fn left(&self, position: &Chess, pawns: &Pawns) -> u32 {
        let board = position.board();
        let mut left = 0;
        for (pawn, square) in pawns.iter().enumerate() {
            if let (Some(from), Some(to), true) = (*square, self.stage.squares[pawn], self.stage.needed[pawn])
            {
                left += advance(board, pawn as Pawn, from, to);
            }
        }
        for pawn in &self.stage.promotes {
            if let Some(from) = pawns[usize::from(*pawn)] {
                let last = color(*pawn).fold_wb(Rank::Eighth, Rank::First);
                left += advance(board, *pawn, from, Square::from_coords(from.file(), last));
            }
        }
        for pawn in &self.stage.falls {
            if let Some(square) = pawns[usize::from(*pawn)] {
                left += approach(board, board.by_color(!color(*pawn)) & !board.pawns(), square);
            }
        }
        let Some((capture, square)) = self.stage.capture else { return left };
        if capture.victim.is_none() {
            let victims = self.victims(board, pawns, color(capture.pawn), square);
            if !victims.contains(square) {
                left += approach(board, victims, square) + u32::from(board.occupied().contains(square));
            }
        }
        left + 1
    }

    /// The pieces that a pawn of the side `by` may capture on a square.
    fn victims(&self, board: &Board, pawns: &Pawns, by: Color, square: Square) -> Bitboard {
        let promotes = |pawn: &&Pawn| color(**pawn) != by && pawns[usize::from(**pawn)].is_some();
        let now = self.stage.promotes.iter().filter(promotes).count() as u8;
        self.men.victims(board, !by, square, now + self.later[usize::from(by.is_white())])
    }

    /// The pawns after a move; `None` if it is no part of the stage. `left` is the estimate before the move.
    fn after(&self, position: &Chess, pawns: &Pawns, m: Move, left: u32) -> Option<Pawns> {
        let (board, mut after) = (position.board(), *pawns);
        let from = m.from()?;
        if self.unmoved.contains(from) || m.is_castle() && self.unmoved.contains(m.to()) {
            return None;
        }
        if m.role() != Role::Pawn {
            if m.is_capture() {
                let falls = |pawn: &&Pawn| pawns[usize::from(**pawn)] == Some(m.to());
                after[usize::from(*self.stage.falls.iter().find(falls)?)] = None;
            }
            return Some(after);
        }
        let pawn = pawns.iter().position(|square| *square == Some(from))?;
        if m.is_capture() {
            let (capture, square) = self.stage.capture?;
            let is_it = usize::from(capture.pawn) == pawn && m.to() == square && !m.is_en_passant();
            if !is_it || left > 1 {
                return None;
            }
            match capture.victim {
                Some(victim) => after[usize::from(victim)] = None,
                None if !self.victims(board, pawns, position.turn(), square).contains(square) => return None,
                None => {}
            }
        } else if !self.stage.promotes.contains(&(pawn as Pawn)) {
            let (to, goal) = (m.to().rank(), self.stage.squares[pawn]?.rank());
            let is_too_far = if color(pawn as Pawn).is_white() { to > goal } else { to < goal };
            if is_too_far {
                return None;
            }
        }
        after[pawn] = match m.promotion() {
            None => Some(m.to()),
            Some(role) if self.men.may_promote(board, position.turn(), role, m.to()) => None,
            Some(_) => return None,
        };
        Some(after)
    }
}

impl Led {
    /// Adds the moves that lead to the last node.
    fn follow(&mut self, mut met: Vec<Node>) {
        let Some(last) = met.pop() else { return };
        let mut moves: Vec<Move> = last.m.into_iter().collect();
        let mut index = last.parent;
        while let Some(m) = met[index].m {
            moves.push(m);
            index = met[index].parent;
        }
        self.moves.extend(moves.into_iter().rev());
        (self.position, self.pawns) = (last.position, last.pawns);
    }
}

/// The plies of a pawn to a square on its file, and one for each piece in its way.
fn advance(board: &Board, pawn: Pawn, from: Square, to: Square) -> u32 {
    let steps = from.rank().distance(to.rank());
    if steps == 0 {
        return 0;
    }
    let home = color(pawn).fold_wb(Rank::Second, Rank::Seventh);
    let way = (attacks::between(from, to) | Bitboard::from(to)) & board.occupied() & !board.pawns();
    steps - u32::from(steps >= 2 && from.rank() == home) + way.count() as u32
}

/// Roughly how many plies the nearest of some pieces needs to a square.
fn approach(board: &Board, men: Bitboard, square: Square) -> u32 {
    let occupied = board.occupied();
    let attackers =
        board.attacks_to(square, Color::White, occupied) | board.attacks_to(square, Color::Black, occupied);
    if (attackers & men).any() {
        return 1;
    }
    let is_near = |from: Square| {
        let piece = board.piece_at(from);
        let last_steps = piece.map(|piece| attacks::attacks(square, piece, occupied));
        last_steps.is_some_and(|squares| (board.attacks_from(from) & squares & !occupied).any())
    };
    match men.into_iter().any(is_near) {
        true => 2,
        false if men.any() => FAR,
        false => 2 * FAR,
    }
}
