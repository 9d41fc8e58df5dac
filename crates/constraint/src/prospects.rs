//! What is lost for good, where numbers decide it.

use shakmaty::{Chess, Move, Position};

use super::{Facts, Men, RIGHTS, Situation, child_of, counts::Counts, men::changes_men};

/// What can still be met, for constraints in which nothing is lost for good but numbers of men, rights to castle and
/// plies: turn, check and the end of the game can still come out in any way. Most moves cost next to nothing here.
#[derive(Clone, Debug)]
pub struct Prospects {
    alternatives: Vec<Prospect>,
    /// True if a move that changes no numbers of men can lose one of them nevertheless.
    beside_men: bool,
}

#[derive(Clone, Debug)]
struct Prospect {
    counts: Counts,
    /// Rights to castle that must be held, in the order of [`RIGHTS`].
    keep: [bool; 4],
    /// The most plies from the root.
    longest: u32,
}

impl Prospects {
    /// What `facts`, those of all alternatives, leave; `None` if numbers do not decide it.
    pub(super) fn of<'a>(facts: impl Iterator<Item = Facts<'a>>) -> Option<Prospects> {
        let mut alternatives = Vec::new();
        for facts in facts {
            if !facts.are_of_numbers() {
                return None;
            }
            alternatives.push(Prospect { counts: facts.counts, keep: facts.keep, longest: facts.plies.1 });
        }
        let is_loose = |prospect: &Prospect| prospect.keep == [false; 4] && prospect.longest == u32::MAX;
        let beside_men = !alternatives.iter().all(is_loose);
        Some(Prospects { alternatives, beside_men })
    }

    /// True if the constraint may still be met after `m`, provided that it might before; `men_after` are those after
    /// it. False only where that is proved.
    pub fn keep(&self, situation: Situation<'_>, m: Move, men_after: &Men) -> bool {
        if !self.beside_men && !changes_men(m) {
            return true;
        }
        let lost = if self.beside_men { rights_lost(situation.position, m) } else { [false; 4] };
        let is_held =
            |prospect: &Prospect| prospect.keep.iter().zip(lost).all(|(wanted, lost)| !(*wanted && lost));
        self.alternatives.iter().any(|prospect| {
            situation.ply < prospect.longest
                && prospect.counts.is_reachable_from(men_after)
                && is_held(prospect)
        })
    }
}

/// The rights to castle that nobody holds after `m`, in the order of [`RIGHTS`].
fn rights_lost(position: &Chess, m: Move) -> [bool; 4] {
    let child = child_of(position, m);
    RIGHTS.map(|(_, color, wing)| !child.castles().has(color, wing))
}
