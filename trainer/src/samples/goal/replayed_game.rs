use entente_constraint::{KINDS, Men};
use entente_network::encoding::goal_policy::Aim;
use shakmaty::{Chess, Move, Position};

use super::Archive;
use crate::labels::{Label, label_at, next_label};

/// A replayed game for drawing samples, with every position and its men.
#[derive(Debug)]
pub struct ReplayedGame {
    /// All positions, one more than moves.
    pub positions: Vec<Chess>,
    /// The moves.
    pub moves: Vec<Move>,
    /// The numbers of men in each position.
    pub men: Vec<Men>,
    /// Whole seconds on the mover's clock after each move; empty if the game has no clocks.
    pub clocks: Vec<Option<u32>>,
    /// The plies, from 1, at which the numbers of men changed.
    changes: Vec<usize>,
    /// Whether each position had occurred before.
    occurred: Vec<bool>,
    /// The packed labels of the game.
    labels: Vec<u8>,
}

/// Numbers of men of each of the [`KINDS`].
pub(super) type Counts = [i8; KINDS.len()];

impl ReplayedGame {
    /// Replays a game of the archive.
    pub fn new(archive: &Archive, game: usize) -> ReplayedGame {
        let plies = archive.game_plies(game);
        let mut replayed = ReplayedGame {
            positions: Vec::with_capacity(plies + 1),
            moves: Vec::with_capacity(plies),
            men: Vec::with_capacity(plies + 1),
            clocks: archive.clocks(game).collect(),
            changes: Vec::new(),
            occurred: Vec::new(),
            labels: archive.labels(game).to_vec(),
        };
        let mut men = Men::on(Chess::default().board());
        let mut last = Chess::default();
        for (ply, (position, m)) in archive.replay(game).enumerate() {
            replayed.men.push(men);
            if m.is_capture() || m.is_promotion() {
                men = men.after(m, position.turn());
                replayed.changes.push(ply + 1);
            }
            last = position.clone();
            replayed.positions.push(position);
            replayed.moves.push(m);
        }
        if let Some(m) = replayed.moves.last() {
            last.play_unchecked(*m);
        }
        replayed.positions.push(last);
        replayed.men.push(men);
        replayed.occurred = (0..replayed.positions.len()).map(|ply| replayed.occurred_before(ply)).collect();
        replayed
    }

    /// True if the position after `ply` plies occurred before. Only positions since the last capture or pawn move are
    /// compared.
    fn occurred_before(&self, ply: usize) -> bool {
        let position = &self.positions[ply];
        let first = ply.saturating_sub(position.halfmoves() as usize);
        // Only positions with the same side to move can be equal.
        (first..ply).rev().skip(1).step_by(2).any(|earlier| self.positions[earlier] == *position)
    }

    /// Bit k says whether the position k plies before the one after `ply` plies had occurred before.
    pub fn repeated(&self, ply: usize) -> u8 {
        let places = (0..=ply).rev().take(8).enumerate();
        places.fold(0, |bits, (plies, place)| bits | u8::from(self.occurred[place]) << plies)
    }

    /// The teachers' label of the position after `ply` plies, if there is one.
    pub fn label(&self, ply: usize) -> Option<Label> {
        label_at(&self.labels, ply)
    }

    /// The first ply from `ply` on, with the same side to move, that has a label.
    pub fn next_label(&self, ply: usize) -> Option<usize> {
        next_label(&self.labels, ply).map(|(ply, _)| ply)
    }

    /// The number of moves.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The numbers of men after `ply` plies.
    pub fn counts(&self, ply: usize) -> Counts {
        KINDS.map(|kind| self.men[ply].count(kind) as i8)
    }

    /// The plies after `ply`, up to `last`, at which the numbers of men changed.
    pub fn changes(&self, ply: usize, last: usize) -> &[usize] {
        let first = self.changes.partition_point(|change| *change <= ply);
        let end = self.changes.partition_point(|change| *change <= last);
        &self.changes[first..end.max(first)]
    }

    /// The first ply after `ply`, up to `last`, at which the aim is met.
    pub fn first_met(&self, aim: &Aim, ply: usize, last: usize) -> Option<usize> {
        let last = last.min(self.plies());
        // An aim on numbers of men alone can only be met when these change.
        if aim.is_material_only() {
            let mut changes = self.changes(ply, last).iter().copied();
            return changes.find(|change| aim.holds_for(&self.men[*change]));
        }
        (ply + 1..=last).find(|ply| aim.holds_for(&self.men[*ply]) && aim.holds(&self.positions[*ply]))
    }
}
