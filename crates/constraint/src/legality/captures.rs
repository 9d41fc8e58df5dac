//! Whether there were men to capture on the files where pawns must have captured.
//!
//! A missing pawn that captured nothing was captured on its own file, or promoted past the pawn in front of it. If
//! pawns had to capture on other files, and no pieces are missing, another pawn must have captured, too.

use shakmaty::Role;

use super::needs::{FILES, Needs};

/// What became of a pawn.
#[derive(Clone, Copy, Default)]
pub(super) struct Fate {
    /// The index of the need that it meets; `None` if the pawn is missing.
    pub need: Option<usize>,
    /// The captures with which it meets the need.
    pub captures: u8,
    /// Additional captures with which it passes the pawn in front of it.
    pub detour: u8,
}

/// What became of the pawns of a side.
pub(super) struct Pawns<'a> {
    pub needs: &'a Needs,
    /// The fates, by the initial file of each pawn.
    pub fates: [Fate; FILES],
    /// The most captures that they can have made.
    pub victims: u8,
    /// The fewest captures that they must have made.
    pub captures: u8,
}

impl Pawns<'_> {
    /// The captures that are possible but not assigned to a pawn.
    fn spare(&self) -> u8 {
        self.victims.saturating_sub(self.captures)
    }

    /// The initial files of the missing pawns.
    fn missing(&self) -> impl Iterator<Item = usize> {
        (0..FILES).filter(|file| self.fates[*file].need.is_none())
    }

    /// True if the pawn of a file never left it, so that no pawn in front of it can pass.
    fn bars(&self, file: usize) -> bool {
        let fate = self.fates[file];
        fate.need.is_some() && fate.captures + fate.detour == 0
    }

    /// The fewest captures of the pawns on each file, and the number of further captures, which may be on any file.
    fn landings(&self) -> ([u8; FILES], u8) {
        let (mut on, mut anywhere) = ([0; FILES], 0);
        for (file, fate) in self.fates.iter().enumerate() {
            let Some(need) = fate.need.map(|need| &self.needs.list[need]) else { continue };
            anywhere += fate.captures + fate.detour;
            if let (Role::Pawn, Some(square)) = (need.role, need.squares.first()) {
                let to = square.file().to_usize();
                let crossed = if to < file { to..file } else { file + 1..to + 1 };
                for landing in crossed {
                    on[landing] += 1;
                    anywhere = anywhere.saturating_sub(1);
                }
            }
        }
        (on, anywhere)
    }
}

/// False if the pawns of one side captured more often than there were men on the files where they captured.
pub(super) fn suffice(white: &Pawns<'_>, black: &Pawns<'_>) -> bool {
    // Each spare capture frees at most one pawn of a side: the pawn that captures, or the pawn that it faced.
    let spare = white.spare() + black.spare();
    [(white, black), (black, white)].into_iter().all(|(capturers, victims)| {
        let missing = victims.missing().count() as u8;
        let pieces = capturers.victims.saturating_sub(missing);
        let (on, anywhere) = capturers.landings();
        let found = victims.missing().filter(|file| !capturers.bars(*file) || on[*file] > 0).count() as u8;
        let elsewhere = (missing - found).min(anywhere);
        capturers.captures <= pieces + found + elsewhere + spare
    })
}
