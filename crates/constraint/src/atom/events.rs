//! Events in the game that led to a position, for conditions on earlier positions and openings.

use std::{
    hash::{DefaultHasher, Hash as _, Hasher as _},
    sync::Arc,
};

use shakmaty::{CastlingSide, Color, Position as _};

use super::{Atom, Constraint};
use crate::situation::{Notes, Situation};

/// The most events that are noted.
const MAX_NOTED: usize = 64;

/// The number of a condition's event; `None` if it asks for none.
fn number(atom: &Atom) -> Option<u64> {
    match atom {
        Atom::Earlier(earlier) => Some(earlier.number()),
        Atom::Opening(opening) => Some(opening.number()),
        _ => None,
    }
}

/// True if a condition's event happens in a position.
fn happens(atom: &Atom, situation: Situation<'_>) -> bool {
    match atom {
        Atom::Earlier(earlier) => earlier.0.holds(situation),
        Atom::Opening(opening) => opening.contains(situation.position),
        _ => false,
    }
}

/// Notes on what happens in a game, as it is played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diary {
    /// The conditions whose events are noted, those inside others first.
    conditions: Arc<[Atom]>,
    notes: Notes,
}

impl Diary {
    /// Notes on what `constraint` asks of a game that has got to `start`; `None` if it asks for no events.
    pub fn of(constraint: &Constraint, start: Situation<'_>) -> Option<Diary> {
        let mut conditions = Vec::new();
        collect(constraint, &mut conditions);
        conditions.truncate(MAX_NOTED);
        if conditions.is_empty() {
            return None;
        }
        let events: Arc<[u64]> = conditions.iter().filter_map(number).collect();
        let plies = start.past.len();
        let mut notes = Notes { events: Arc::clone(&events), plies, before: 0, now: 0 };
        for (bit, (atom, number)) in conditions.iter().zip(&*events).enumerate() {
            let has_happened =
                |with_last| start.has_happened(*number, with_last, |before| happens(atom, before));
            notes.before |= u64::from(has_happened(false)) << bit;
            notes.now |= u64::from(has_happened(true)) << bit;
        }
        Some(Diary { conditions: conditions.into(), notes })
    }

    /// Notes on what a condition asks of a game that is replayed from its first position.
    pub(super) fn replayed(atom: &Atom, situation: Situation<'_>) -> Diary {
        let Situation { past, ply, .. } = situation;
        let (root, moves) = (past.first_position(), past.moves().collect::<Vec<_>>());
        let first = Situation::first(root, ply.saturating_sub(moves.len() as u32));
        let mut diary = Diary::of(&Constraint::Atom(atom.clone()), first).unwrap_or_default();
        let mut position = root.clone();
        for (index, m) in moves.iter().enumerate() {
            position.play_unchecked(*m);
            diary.note(first.after(&moves[..=index], &position));
        }
        diary
    }

    /// The notes.
    pub fn notes(&self) -> &Notes {
        &self.notes
    }

    /// Adds the notes on the position after one more move.
    pub fn note(&mut self, situation: Situation<'_>) {
        self.notes.plies = situation.past.len();
        self.notes.before = self.notes.now;
        for (bit, atom) in self.conditions.iter().enumerate() {
            let past = situation.past.with_notes(&self.notes);
            if self.notes.now & (1 << bit) == 0 && happens(atom, Situation { past, ..situation }) {
                self.notes.now |= 1 << bit;
            }
        }
    }
}

/// Adds the conditions that ask for an event in the game, those inside others first.
fn collect(constraint: &Constraint, conditions: &mut Vec<Atom>) {
    for atom in constraint.atoms() {
        if let Atom::Earlier(earlier) = atom {
            collect(&earlier.0, conditions);
        }
        if number(atom).is_some() && !conditions.contains(atom) {
            conditions.push(atom.clone());
        }
    }
}

impl Constraint {
    /// What the conditions on the game remember of a game, as a number.
    pub(crate) fn memory(&self, situation: Situation<'_>) -> u64 {
        let mut memory = DefaultHasher::new();
        for atom in self.atoms() {
            match atom {
                Atom::Earlier(earlier) => {
                    (atom.holds(situation), earlier.0.memory(situation)).hash(&mut memory);
                }
                Atom::Begins(begins) => begins.plies_left(situation).hash(&mut memory),
                Atom::Castled(_) => {
                    let castled = Color::ALL.map(|color| situation.past.castled(color));
                    castled.map(|side| side.map(CastlingSide::is_king_side)).hash(&mut memory);
                }
                Atom::Opening(_) => atom.holds(situation).hash(&mut memory),
                _ => {}
            }
        }
        memory.finish()
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, Move, Position as _, fen::Fen, san::SanPlus};

    use super::*;

    const BEGUN: &str = "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be3 e5 Nb3 Be7 Qd2 O-O O-O-O Nxe4 Nxe4";

    /// A game from a root: its moves, and its positions from the root on.
    fn game(root: &Chess, moves: &str) -> (Vec<Move>, Vec<Chess>) {
        let (mut played, mut positions) = (Vec::new(), vec![root.clone()]);
        for san in moves.split_whitespace() {
            let mut position = positions[played.len()].clone();
            let m = san.parse::<SanPlus>().unwrap().san.to_move(&position).unwrap();
            position.play_unchecked(m);
            played.push(m);
            positions.push(position);
        }
        (played, positions)
    }

    /// The plies of a game at which a constraint holds, with notes and without.
    fn plies(constraint: &str, root: &Chess, moves: &str) -> Vec<usize> {
        let constraint: Constraint =
            constraint.parse().unwrap_or_else(|error| panic!("{constraint}: {error}"));
        let (played, positions) = game(root, moves);
        let situation = |ply: usize| Situation::root(root).after(&played[..ply], &positions[ply]);
        let mut diary = Diary::of(&constraint, situation(0));
        let mut held = Vec::new();
        for ply in 0..positions.len() {
            let here = situation(ply);
            if let Some(diary) = diary.as_mut().filter(|_| ply > 0) {
                diary.note(here);
            }
            let holds = constraint.holds(here);
            let Some(diary) = &diary else {
                held.extend(holds.then_some(ply));
                continue;
            };
            let noted = Situation { past: here.past.with_notes(diary.notes()), ..here };
            assert_eq!(constraint.holds(noted), holds, "{constraint} at {ply}");
            // The notes also answer for the next position, in which they have not been made yet.
            if ply + 1 < positions.len() {
                let next = noted.after(&played[ply..=ply], &positions[ply + 1]);
                assert_eq!(
                    constraint.holds(next),
                    constraint.holds(situation(ply + 1)),
                    "{constraint} after {ply}"
                );
            }
            held.extend(holds.then_some(ply));
        }
        held
    }

    #[test]
    fn conditions_on_the_game_hold_from_the_right_ply() {
        let start = Chess::default();
        for (constraint, first, last) in [
            ("captures=0", 0, 5),
            ("captures=2", 7, 17),
            ("captures>=4", 19, 19),
            ("black.castled=short", 16, 19),
            ("castled=yes", 17, 19),
            ("castled=opposite", 17, 19),
            ("castled=none", 0, 15),
            ("white.castled=none", 0, 16),
            ("opening=\"Sicilian\"", 2, 19),
            ("opening=\"Sicilian, Najdorf\"", 10, 19),
            ("eco=B90", 10, 19),
            ("eco=B00", 1, 19),
            ("begins=\"1.e4 c5 2.Nf3\"", 3, 19),
            ("earlier(captures=1)", 7, 19),
            ("captures=1 then castled=yes", 17, 19),
            ("ply=3 then captures=2 then captures=3 ply<=18", 18, 18),
            ("!earlier(N@f3)", 0, 3),
            ("earlier(earlier(N@f3) p=7)", 8, 19),
            ("earlier(opening=\"Sicilian, Najdorf\")", 11, 19),
        ] {
            assert_eq!(plies(constraint, &start, BEGUN), (first..=last).collect::<Vec<_>>(), "{constraint}");
        }
        for constraint in [
            "castled=same",
            "white.castled=short",
            "eco=C00..C99",
            "begins=\"1.e4 e5\"",
            "captures=3 then captures=2",
        ] {
            assert_eq!(plies(constraint, &start, BEGUN), [], "{constraint}");
        }
    }

    #[test]
    fn many_positions_in_order_need_no_replay_for_each() {
        let start = Chess::default();
        let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(40);
        let knights = ["N@f3"; 9].join(" then ");
        // Each move of the knight to f3 is followed by one of the other knight.
        assert_eq!(plies(&knights, &start, &shuffle)[0], 4 * 4 + 1);
    }

    #[test]
    fn an_opening_may_be_reached_by_transposition() {
        let start = Chess::default();
        let transposed = "Nf3 c5 Nc3 d6 d4 cxd4 Nxd4 a6 e4 Nf6";
        assert_eq!(plies("opening=\"Sicilian, Najdorf\"", &start, transposed), [10]);
        assert_eq!(plies("begins=\"1.e4\"", &start, transposed), []);
    }

    #[test]
    fn a_game_counts_from_its_first_position() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 20".parse::<Fen>().unwrap();
        let root = fen.into_position::<Chess>(CastlingMode::Standard).unwrap();
        let moves = "O-O-O O-O Kc7 Ra7+";
        assert_eq!(plies("black.castled=long white.castled=short", &root, moves), [2, 3, 4]);
        assert_eq!(plies("black.castled=none", &root, moves), [0]);
        assert_eq!(plies("captures=0", &root, moves), [0, 1, 2, 3, 4]);
        assert_eq!(plies("begins=\"1.e4\" | eco=A00..E99", &root, moves), []);
    }
}
