//! Constraints moved on the board: `flip(…)` exchanges the wings, `shift(…)` looks for a pattern anywhere.

use shakmaty::{Bitboard, Board, File, Piece, Rank, Role, Square};

use super::{Atom, Constraint, Diagram, Earlier, Kinds, MoveKind, Region, Selection, Tally};

impl Constraint {
    /// The constraint with the files a and h exchanged, b and g, and so on.
    ///
    /// # Errors
    /// A condition on castling or on the opening, which has no image.
    pub(crate) fn flipped(&self) -> Result<Constraint, Atom> {
        self.moved(&|atom| match atom {
            Atom::Square(square) => {
                Ok(Atom::Square(crate::Square { region: square.region.flipped(), ..*square }))
            }
            Atom::Tally(tally) => Ok(with_regions(tally, &Region::flipped)),
            Atom::Judged(judged) => Ok(Atom::Judged(judged.with_region(Region::flipped))),
            Atom::Diagram(diagram) => {
                let mut board = diagram.board.clone();
                board.flip_horizontal();
                Ok(Atom::Diagram(Box::new(Diagram { board, unknown: diagram.unknown.flip_horizontal() })))
            }
            Atom::Castling(_) | Atom::Castled(_) | Atom::Opening(_) | Atom::Begins(_) => Err(atom.clone()),
            other => Ok(other.clone()),
        })
    }

    /// At least one of the places to which the pattern can be moved on the board. All its squares, files, ranks and
    /// rectangles move together, and none may leave the board. Other conditions stay the same.
    ///
    /// # Errors
    /// A condition on castling, on the opening or on a named region, which cannot be moved.
    pub(crate) fn shifted(&self) -> Result<Constraint, Atom> {
        let mut places: Vec<Constraint> = Vec::new();
        for files in -7..=7 {
            for ranks in -7..=7 {
                let step = Step { files, ranks };
                let moved = self.moved(&|atom| step.moves(atom).map_err(Some)?.ok_or(None));
                match moved {
                    Ok(place) if !places.contains(&place) => places.push(place),
                    Err(Some(atom)) => return Err(atom),
                    Ok(_) | Err(None) => {}
                }
            }
        }
        // A pattern that fits nowhere is kept as it is, and analysis says why it is impossible.
        Ok(match places.len() {
            0 => self.clone(),
            1 => places.remove(0),
            _ => Constraint::Any(places),
        })
    }

    /// The constraint with each condition replaced.
    fn moved<E>(&self, replace: &impl Fn(&Atom) -> Result<Atom, E>) -> Result<Constraint, E> {
        let all =
            |parts: &[Constraint]| parts.iter().map(|part| part.moved(replace)).collect::<Result<_, E>>();
        Ok(match self {
            Constraint::All(parts) => Constraint::All(all(parts)?),
            Constraint::Any(parts) => Constraint::Any(all(parts)?),
            Constraint::Not(inner) => Constraint::Not(Box::new(inner.moved(replace)?)),
            Constraint::Atom(Atom::Earlier(earlier)) => {
                Constraint::Atom(Atom::Earlier(Box::new(Earlier(earlier.0.moved(replace)?))))
            }
            Constraint::Atom(atom) => Constraint::Atom(replace(atom)?),
        })
    }
}

/// A number of files to the right and of ranks up.
#[derive(Clone, Copy)]
struct Step {
    files: i32,
    ranks: i32,
}

impl Step {
    /// The condition moved by the step; `None` if a part leaves the board, or a pawn gets to the first or last rank.
    ///
    /// # Errors
    /// A condition that cannot be moved.
    fn moves(self, atom: &Atom) -> Result<Option<Atom>, Atom> {
        match atom {
            Atom::Square(square) => {
                let region = self.region(square.region).map_err(|()| atom.clone())?;
                let fits = |region: &Region| square.man.is_none_or(|man| has_room(man, *region));
                Ok(region.filter(fits).map(|region| Atom::Square(crate::Square { region, ..*square })))
            }
            Atom::Tally(tally) => {
                for set in [Some(&tally.set), tally.minus.as_ref()].into_iter().flatten() {
                    if !self.fits(set).map_err(|()| atom.clone())? {
                        return Ok(None);
                    }
                }
                let moved = |region| self.region(region).ok().flatten().unwrap_or(region);
                Ok(Some(with_regions(tally, &moved)))
            }
            Atom::Judged(judged) => {
                let region = judged.move_kind().and_then(MoveKind::region);
                let Some(region) = region else { return Ok(Some(atom.clone())) };
                let moved = self.region(region).map_err(|()| atom.clone())?;
                Ok(moved.map(|moved| Atom::Judged(judged.with_region(|_| moved))))
            }
            Atom::Diagram(diagram) => {
                let (mut board, mut known) = (Board::empty(), Bitboard::EMPTY);
                for square in !diagram.unknown {
                    let Some(to) = self.square(square) else { return Ok(None) };
                    known.add(to);
                    if let Some(piece) = diagram.board.piece_at(square) {
                        if !has_room(piece, Region::Square(to)) {
                            return Ok(None);
                        }
                        board.set_piece_at(to, piece);
                    }
                }
                Ok(Some(Atom::Diagram(Box::new(Diagram { board, unknown: !known }))))
            }
            Atom::Castling(_) | Atom::Castled(_) | Atom::Opening(_) | Atom::Begins(_) => Err(atom.clone()),
            other => Ok(Some(other.clone())),
        }
    }

    /// True if all regions of a set stay on the board.
    fn fits(self, set: &Selection) -> Result<bool, ()> {
        match set {
            Selection::Men(_, None) => Ok(true),
            Selection::Men(kinds, Some(region)) => {
                let is_of_pawns = kinds.are_within(Kinds::PAWNS);
                let fits = |region| !is_of_pawns || has_room(shakmaty::Color::White.pawn(), region);
                Ok(self.region(*region)?.is_some_and(fits))
            }
            Selection::With(_, inner) => self.fits(inner),
            Selection::Related(_, pair) => Ok(self.fits(&pair[0])? && self.fits(&pair[1])?),
        }
    }

    /// The region moved by the step; `None` if a part of it leaves the board.
    ///
    /// # Errors
    /// If the region has a name and cannot be moved.
    fn region(self, region: Region) -> Result<Option<Region>, ()> {
        let both = |first: Option<Square>, last: Option<Square>| {
            first.zip(last).map(|(first, last)| Region::Rectangle(first, last))
        };
        Ok(match region {
            Region::Square(square) => self.square(square).map(Region::Square),
            Region::Files(first, last) => {
                self.file(first).zip(self.file(last)).map(|(a, b)| Region::Files(a, b))
            }
            Region::Ranks(first, last) => {
                self.rank(first).zip(self.rank(last)).map(|(a, b)| Region::Ranks(a, b))
            }
            Region::Rectangle(first, last) => both(self.square(first), self.square(last)),
            Region::Light | Region::Dark if (self.files + self.ranks) % 2 == 0 => Some(region),
            Region::Light => Some(Region::Dark),
            Region::Dark => Some(Region::Light),
            Region::Kingside | Region::Queenside | Region::Centre | Region::Edge => return Err(()),
        })
    }

    fn square(self, square: Square) -> Option<Square> {
        Some(Square::from_coords(self.file(square.file())?, self.rank(square.rank())?))
    }

    fn file(self, file: File) -> Option<File> {
        file.offset(self.files)
    }

    fn rank(self, rank: Rank) -> Option<Rank> {
        rank.offset(self.ranks)
    }
}

/// True if a man can stand in a region.
fn has_room(man: Piece, region: Region) -> bool {
    let edges = Bitboard::from(Rank::First) | Bitboard::from(Rank::Eighth);
    man.role != Role::Pawn || (region.squares() & !edges).any()
}

fn with_regions(tally: &Tally, region: &impl Fn(Region) -> Region) -> Atom {
    let mapped = |set: &Selection| set.mapped(&|kinds| kinds, region);
    let (set, minus) = (mapped(&tally.set), tally.minus.as_ref().map(mapped));
    Atom::Tally(Box::new(Tally { set, minus, comparison: tally.comparison }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::arbitrary::any_conditions;

    fn parse(text: &str) -> Constraint {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn the_wings_are_exchanged() {
        for (text, flipped) in [
            ("flip(N@f5 P@a-c=3)", "N@c5 & P@f-h=3"),
            ("flip(isolated(P@d) -@b2-c3 B@light)", "isolated(P@e) & -@f2-g3 & B@dark"),
            ("flip(R@kingside turn=white Q=1)", "R@queenside & turn=white & Q=1"),
            ("flip(best=B@h7 bad=[Nn]@a-c)", "best=B@a7 & bad=[Nn]@f-h"),
            ("flip(fen=8/8/8/8/8/8/8/K?k5)", "fen=8/8/8/8/8/8/8/5k?K"),
        ] {
            assert_eq!(parse(text).to_string(), flipped, "{text}");
        }
        let error = "flip(Q=1 castling=K)".parse::<Constraint>().unwrap_err();
        assert_eq!((error.column, error.found.as_str()), (6, "'castling=K'"));
    }

    #[test]
    fn a_pattern_moves_as_a_whole_and_stays_on_the_board() {
        let parts = |text: &str| match parse(text) {
            Constraint::Any(parts) => parts.iter().map(ToString::to_string).collect(),
            one => vec![one.to_string()],
        };
        assert_eq!(parts("shift(N@d4)").len(), 64);
        // Pawns stand on six ranks.
        assert_eq!(parts("shift(P@c4 P@d4)").len(), 7 * 6);
        assert_eq!(parts("shift(P@c P@d)").len(), 7);
        assert_eq!(parts("shift(R@7)").len(), 8);
        assert_eq!(parts("shift(N@c3-d4 Q=1)").len(), 49);
        assert!(parts("shift(best=B@h7 k@g8)").contains(&"best=B@g7 & k@f8".to_owned()));
        assert!(parts("shift(B@light b@e4)").contains(&"B@dark & b@e5".to_owned()));
        assert_eq!(
            parts("shift(fen=????????/????????/????????/????????/????????/????????/????????/Kk??????)").len(),
            7 * 8
        );
        for text in ["shift(N@centre)", "shift(castling>=K N@d4)"] {
            assert_eq!(text.parse::<Constraint>().unwrap_err().column, 7, "{text}");
        }
    }

    proptest! {
        #[test]
        fn flipping_twice_restores_the_constraint(constraint in any_conditions()) {
            if let Ok(flipped) = constraint.flipped() {
                prop_assert_eq!(flipped.flipped(), Ok(constraint));
            }
        }
    }
}
