//! Whether the men that pawns captured can have stood where they were captured.
//!
//! A missing pawn that captured nothing was captured on its file, or promoted past the pawn before it. If pawns had to
//! capture on other files, and no officers are missing, somebody else must have captured, too.

use shakmaty::Role;

use super::needs::{FILES, Needs};

/// What becomes of a pawn.
#[derive(Clone, Copy, Default)]
pub(super) struct Fate {
    /// The number of the need that it meets, if any.
    pub need: Option<usize>,
    pub captures: u8,
    /// Further captures, on a way around the pawn before it.
    pub detour: u8,
}

/// What became of the pawns of a side.
pub(super) struct Pawns<'a> {
    pub needs: &'a Needs,
    /// By the file that each started on.
    pub fates: [Fate; FILES],
    /// The men that they can have captured at most.
    pub victims: u8,
    /// The captures that they have made at least.
    pub captures: u8,
}

impl Pawns<'_> {
    /// Captures that nobody is known to have made.
    fn spare(&self) -> u8 {
        self.victims.saturating_sub(self.captures)
    }

    /// The pawns that are missing, by their files.
    fn missing(&self) -> impl Iterator<Item = usize> {
        (0..FILES).filter(|file| self.fates[*file].need.is_none())
    }

    /// True if the pawn of a file stays there, so that no pawn before it gets past it.
    fn bars(&self, file: usize) -> bool {
        let fate = self.fates[file];
        fate.need.is_some() && fate.captures + fate.detour == 0
    }

    /// How often pawns captured on each file at least, and how often on any file beside.
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

/// False if the pawns of one side captured more often than there was somebody to capture.
pub(super) fn suffices(white: &Pawns<'_>, black: &Pawns<'_>) -> bool {
    // Each further capture frees one pawn of a side at most: the one that captures, or the one that it stood before.
    let spare = white.spare() + black.spare();
    [(white, black), (black, white)].into_iter().all(|(hunters, prey)| {
        let missing = prey.missing().count() as u8;
        let officers = hunters.victims.saturating_sub(missing);
        let (on, anywhere) = hunters.landings();
        let found = prey.missing().filter(|file| !hunters.bars(*file) || on[*file] > 0).count() as u8;
        let elsewhere = (missing - found).min(anywhere);
        hunters.captures <= officers + found + elsewhere + spare
    })
}
