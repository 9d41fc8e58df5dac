//! What a game can still reach, for constraints in which numbers decide that.

use shakmaty::{Chess, Color, Move, Position};

use super::{
    Facts, GameFacts, HowCastled, Men, RIGHTS, Situation, atom::Captures, child_of, counts::Counts,
    men::changes_men,
};

/// The alternatives that can still be satisfied, for constraints that only numbers of men, castling and the number of
/// plies can make unreachable. Any side to move, check and end of the game are still possible. Testing a move
/// costs next to nothing for most moves.
#[derive(Clone, Debug)]
pub struct Prospects {
    alternatives: Vec<Prospect>,
    /// True if a move that does not change the numbers of men can make an alternative unreachable.
    quiet_moves_matter: bool,
}

#[derive(Clone, Debug)]
struct Prospect {
    counts: Counts,
    /// The castling rights that must remain, in the order of [`RIGHTS`].
    keep: [bool; 4],
    /// The most plies from the root.
    longest: u32,
    /// The most captures in the game.
    captures: i16,
    /// How White and Black must have castled in the end.
    castled: [HowCastled; 2],
}

impl Prospects {
    /// The prospects from the `facts` of all possible alternatives; `None` if numbers alone do not decide what is
    /// reachable.
    pub(super) fn of<'a>(facts: impl Iterator<Item = Facts<'a>>) -> Option<Prospects> {
        let mut alternatives = Vec::new();
        for facts in facts {
            if !facts.are_of_numbers() {
                return None;
            }
            let GameFacts { captures: (_, captures), castled } = facts.game;
            let Facts { counts, keep, plies: (_, longest), .. } = facts;
            alternatives.push(Prospect { counts, keep, longest, captures, castled });
        }
        let is_loose = |prospect: &Prospect| {
            let Prospect { keep, longest, castled, .. } = prospect;
            *keep == [false; 4] && *longest == u32::MAX && *castled == [HowCastled::ANY; 2]
        };
        let quiet_moves_matter = !alternatives.iter().all(is_loose);
        Some(Prospects { alternatives, quiet_moves_matter })
    }

    /// True if the constraint may still be satisfied after `m`, provided that this was true before `m`; false only if
    /// that is proved impossible. `men_after` are the numbers of men after `m`.
    pub fn keep(&self, situation: Situation<'_>, m: Move, men_after: &Men) -> bool {
        if !self.quiet_moves_matter && !changes_men(m) {
            return true;
        }
        let lost = if self.quiet_moves_matter { rights_lost(situation.position, m) } else { [false; 4] };
        let is_held =
            |prospect: &Prospect| prospect.keep.iter().zip(lost).all(|(wanted, lost)| !(*wanted && lost));
        self.alternatives.iter().any(|prospect| {
            situation.ply < prospect.longest
                && prospect.counts.is_reachable_from(men_after)
                && is_held(prospect)
                && prospect.allows_captures(situation, m, men_after)
                && prospect.allows_castling(situation, m)
        })
    }
}

impl Prospect {
    /// True if the captures so far, with `m`, leave as many as the numbers of men still need.
    fn allows_captures(&self, situation: Situation<'_>, m: Move, men_after: &Men) -> bool {
        self.captures == i16::MAX || {
            let so_far = Captures::so_far(situation) + i16::from(m.is_capture());
            so_far + self.counts.forced_captures(men_after) as i16 <= self.captures
        }
    }

    /// True if both sides have castled as they must after `m`, or still can.
    fn allows_castling(&self, situation: Situation<'_>, m: Move) -> bool {
        self.castled == [HowCastled::ANY; 2] || {
            let child = child_of(situation.position, m);
            let moves = [m];
            let after = situation.after(&moves, &child);
            Color::ALL.into_iter().all(|color| self.castled[color.fold_wb(0, 1)].is_open(after, color))
        }
    }
}

/// The castling rights that are lost after `m`, in the order of [`RIGHTS`].
fn rights_lost(position: &Chess, m: Move) -> [bool; 4] {
    let child = child_of(position, m);
    RIGHTS.map(|(_, color, wing)| !child.castles().has(color, wing))
}
