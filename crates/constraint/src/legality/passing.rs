//! Whether the pawns of both sides can have become all the men that were originally pawns, with no more captures than
//! there are victims.
//!
//! This is a depth-first search over the files. For each file, it chooses what became of White's and of Black's pawn.
//! If neither of them captured, they still face each other: to pass the other, a pawn must capture.

use std::collections::HashSet;

use shakmaty::Role;

use super::{
    captures::{self, Fate, Pawns},
    needs::{FILES, Needs},
    victims::Victims,
    ways::{NO_PATH, pawn_home},
};

/// The result of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passing {
    Possible,
    Impossible,
    /// The node limit was reached.
    Unknown,
}

/// The most nodes, each a choice for the two pawns of a file. They take a few milliseconds.
const MAX_NODES: u32 = 20_000;

/// What the search tests about captures in addition to their number.
#[derive(Clone, Copy)]
pub(super) struct Tests {
    /// Bishops are not captured on squares of the other colour.
    pub colours: bool,
    /// Missing pawns are not captured on files that they cannot have reached.
    pub files: bool,
}

/// Searches for a possible fate of every pawn.
pub(super) fn search(needs: [&Needs; 2], victims: [&Victims; 2], tests: Tests) -> Passing {
    let mut search = Search {
        needs,
        victims,
        tests,
        least: Default::default(),
        fates: Default::default(),
        failed: HashSet::new(),
        nodes: 0,
    };
    for (side, needs) in needs.iter().enumerate() {
        for (index, need) in needs.list.iter().enumerate() {
            search.least[side][index][FILES] = NO_PATH;
            for file in (0..FILES).rev() {
                let least = &mut search.least[side][index];
                least[file] = least[file + 1].min(need.captures[file]);
            }
        }
    }
    let unmet = needs.map(|needs| ((1_u16 << needs.list.len()) - 1) as u8);
    match search.from(0, unmet, [Spent::default(); 2]) {
        true => Passing::Possible,
        false if search.nodes > MAX_NODES => Passing::Unknown,
        false => Passing::Impossible,
    }
}

/// The captures of a side's pawns so far.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
struct Spent {
    all: u8,
    /// The captures on light and on dark squares by pawns that captured with every move. These stay on the colour on
    /// which they start.
    on: [u8; 2],
}

struct Search<'a> {
    needs: [&'a Needs; 2],
    victims: [&'a Victims; 2],
    tests: Tests,
    /// For each side and need, the fewest captures that a pawn of this file or a later one needs.
    least: [[[u8; FILES + 1]; FILES]; 2],
    fates: [[Fate; FILES]; 2],
    /// The states from which there is no way, for a search that does not ask where pawns captured.
    failed: HashSet<State>,
    nodes: u32,
}

/// A file, the needs that are unmet, and the captures so far.
type State = (usize, [u8; 2], [Spent; 2]);

impl Search<'_> {
    fn from(&mut self, file: usize, unmet: [u8; 2], spent: [Spent; 2]) -> bool {
        let state = (file, unmet, spent);
        if self.failed.contains(&state) {
            return false;
        }
        let found = self.choose(file, unmet, spent);
        // Where the pawns captured depends on the fates of the files before, too.
        if !found && !self.tests.files && self.nodes <= MAX_NODES {
            self.failed.insert(state);
        }
        found
    }

    /// Chooses the fates of the pawns of this file and the later ones.
    fn choose(&mut self, file: usize, unmet: [u8; 2], spent: [Spent; 2]) -> bool {
        if file == FILES {
            return unmet == [0; 2] && (!self.tests.files || self.has_victims_on_the_files(spent));
        }
        let (white, black) = (self.fates(0, file, unmet[0]), self.fates(1, file, unmet[1]));
        for one in white.iter().flatten() {
            let Some(left_white) = self.after(0, file, unmet[0], spent[0], *one) else { continue };
            for other in black.iter().flatten() {
                self.nodes += 1;
                if self.nodes > MAX_NODES {
                    return false;
                }
                let Some(left_black) = self.after(1, file, unmet[1], spent[1], *other) else { continue };
                let unmet = [left_white.0, left_black.0];
                let spent = [left_white.1, left_black.1];
                (self.fates[0][file], self.fates[1][file]) = (*one, *other);
                if !self.must_pass(*one, *other) {
                    if self.from(file + 1, unmet, spent) {
                        return true;
                    }
                    continue;
                }
                for (side, fate) in [one, other].into_iter().enumerate() {
                    let (mut spent, detour) = (spent, self.detour(side, *fate));
                    spent[side].all += detour;
                    (self.fates[0][file], self.fates[1][file]) = (*one, *other);
                    self.fates[side][file].detour = detour;
                    if self.affords(side, file + 1, unmet[side], spent[side])
                        && self.from(file + 1, unmet, spent)
                    {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// The possible fates of the pawn of a side and file, the cheapest first. A missing pawn comes last.
    fn fates(&self, side: usize, file: usize, unmet: u8) -> [Option<Fate>; FILES + 1] {
        let mut fates = [None; FILES + 1];
        let mut count = 0;
        let list = &self.needs[side].list;
        for (index, need) in list.iter().enumerate() {
            // Men that promoted are alike if pawns need the same captures for them: the first stands for all.
            let is_like = |other: usize| unmet & (1 << other) != 0 && need.is_like(&list[other]);
            if unmet & (1 << index) != 0 && need.captures[file] < NO_PATH && !(0..index).any(is_like) {
                fates[count] = Some(Fate { need: Some(index), captures: need.captures[file], detour: 0 });
                count += 1;
            }
        }
        fates[..count].sort_unstable_by_key(|fate| fate.map(|fate| fate.captures));
        if (unmet.count_ones() as usize) < FILES - file {
            fates[count] = Some(Fate::default());
        }
        fates
    }

    /// The unmet needs and the captures of a side after a fate; `None` if the side has too few victims for them.
    fn after(&self, side: usize, file: usize, unmet: u8, spent: Spent, fate: Fate) -> Option<(u8, Spent)> {
        let (mut unmet, mut spent) = (unmet, spent);
        if let Some(need) = fate.need {
            unmet &= !(1 << need);
            spent.all += fate.captures;
            if fate.captures > 0 && fate.captures == self.ranks(side, need) {
                let home = pawn_home(self.needs[side].color, file);
                spent.on[usize::from(home.is_dark())] += fate.captures;
            }
        }
        self.affords(side, file + 1, unmet, spent).then_some((unmet, spent))
    }

    /// True if there are enough victims for the captures made and for those still needed.
    fn affords(&self, side: usize, file: usize, unmet: u8, spent: Spent) -> bool {
        let victims = self.victims[side];
        if self.tests.colours && (spent.on[0] > victims.on[0] || spent.on[1] > victims.on[1]) {
            return false;
        }
        let mut all = spent.all;
        for (index, least) in self.least[side].iter().enumerate() {
            if unmet & (1 << index) != 0 {
                all = all.saturating_add(least[file]);
            }
        }
        all <= victims.all
    }

    /// The number of ranks that a pawn advances to meet a need.
    fn ranks(&self, side: usize, need: usize) -> u8 {
        let (color, need) = (self.needs[side].color, &self.needs[side].list[need]);
        match (need.role, need.squares.first()) {
            (Role::Pawn, Some(square)) => square.rank().distance(pawn_home(color, 0).rank()) as u8,
            _ => 6,
        }
    }

    /// True if both pawns of a file are on the board, possibly promoted, without captures, and no longer face each
    /// other.
    fn must_pass(&self, white: Fate, black: Fate) -> bool {
        let (Some(white_need), Some(black_need)) = (white.need, black.need) else { return false };
        if white.captures + black.captures > 0 {
            return false;
        }
        let (white, black) = (&self.needs[0].list[white_need], &self.needs[1].list[black_need]);
        let faces = white.squares.first().map(|square| square.rank())
            < black.squares.first().map(|square| square.rank());
        !(white.role == Role::Pawn && black.role == Role::Pawn && faces)
    }

    /// The captures with which a pawn leaves its file and, unless it was promoted, returns to it.
    fn detour(&self, side: usize, fate: Fate) -> u8 {
        let pawn = fate.need.is_none_or(|need| self.needs[side].list[need].role == Role::Pawn);
        if pawn { 2 } else { 1 }
    }

    /// True if there were enough victims where the pawns captured.
    fn has_victims_on_the_files(&self, spent: [Spent; 2]) -> bool {
        let side = |side: usize| Pawns {
            needs: self.needs[side],
            fates: self.fates[side],
            victims: self.victims[side].all,
            captures: spent[side].all,
        };
        captures::suffice(&side(0), &side(1))
    }
}
