//! The same constraint with the colours of the two sides exchanged: `mirror(…)`.

use shakmaty::{Color, Piece, Rank};

use super::{
    Atom, Castling, Check, Class, Constraint, Count, Diagram, Material, Rating, Region, Square, Sum, Tuple,
};

impl Constraint {
    /// What the constraint says, with White and Black exchanged and the board turned upside down. What is mirrored twice
    /// is as it was.
    pub fn mirrored(self) -> Constraint {
        let all = |parts: Vec<Constraint>| parts.into_iter().map(Constraint::mirrored).collect();
        match self {
            Constraint::All(parts) => Constraint::All(all(parts)),
            Constraint::Any(parts) => Constraint::Any(all(parts)),
            Constraint::Not(inner) => Constraint::Not(Box::new(inner.mirrored())),
            Constraint::Atom(atom) => Constraint::Atom(atom.mirrored()),
        }
    }
}

impl Atom {
    fn mirrored(self) -> Atom {
        match self {
            Atom::Tuple(Tuple { color, counts }) => Atom::Tuple(Tuple { color: color.other(), counts }),
            Atom::Count(Count { piece, minus, comparison }) => {
                Atom::Count(Count { piece: other(piece), minus: minus.map(other), comparison })
            }
            Atom::Sum(Sum { class, minus, comparison }) => {
                let mirrored = |class: Class| class.pieces().map(other).collect();
                Atom::Sum(Sum { class: mirrored(class), minus: minus.map(mirrored), comparison })
            }
            Atom::Material(Material { white, black }) => {
                Atom::Material(Material { white: black, black: white })
            }
            Atom::Square(Square { man, region }) => {
                Atom::Square(Square { man: man.map(other), region: region.mirrored() })
            }
            Atom::Diagram(diagram) => {
                let Diagram { mut unknown, mut board } = *diagram;
                unknown = unknown.flip_vertical();
                board.flip_vertical();
                board.swap_colors();
                Atom::Diagram(Box::new(Diagram { unknown, board }))
            }
            Atom::Castling(Castling { rights: [a, b, c, d], at_least }) => {
                Atom::Castling(Castling { rights: [c, d, a, b], at_least })
            }
            Atom::Check(Check::Of(color)) => Atom::Check(Check::Of(color.other())),
            Atom::Turn(color) => Atom::Turn(color.other()),
            Atom::Rating(Rating { player, range }) => {
                Atom::Rating(Rating { player: player.map(Color::other), range })
            }
            same @ (Atom::Check(_) | Atom::End(_) | Atom::Ply(_)) => same,
        }
    }
}

impl Region {
    fn mirrored(self) -> Region {
        let flipped = |rank: Rank| rank.flip_vertical();
        match self {
            Region::Square(square) => Region::Square(square.flip_vertical()),
            Region::Ranks(first, last) => Region::Ranks(flipped(last), flipped(first)),
            Region::Light => Region::Dark,
            Region::Dark => Region::Light,
            same @ Region::Files(..) => same,
        }
    }
}

fn other(piece: Piece) -> Piece {
    Piece { color: piece.color.other(), role: piece.role }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::{Chess, Position};

    use super::*;
    use crate::constraint::{Situation, arbitrary::any_conditions};

    #[test]
    fn the_sides_change_places() {
        for (text, mirrored) in [
            ("mirror(N@f5 check=black)", "n@f4 & check=white"),
            ("mirror((1,2,1,1,7) P@2-4 turn=white)", "black(1,2,1,1,7) & p@5-7 & turn=black"),
            ("Q-q=1 castling>=Kq", "Q-q=1 & castling>=Kq"),
            ("mirror(Q-q=1 castling>=Kq)", "q-Q=1 & castling>=Qk"),
            ("mirror([BN]-[rq]=1 B@light)", "[bn]-[QR]=1 & b@dark"),
            (
                "mirror(fen=rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR)",
                "fen=rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR",
            ),
            ("!mirror(Q=1 | mirror(q=1))", "!(q=1 | q=1)"),
            ("mirror(material=KRPvKR)", "material=KRvKRP"),
        ] {
            let constraint: Constraint = text.parse().unwrap();
            assert_eq!(constraint.to_string(), mirrored);
        }
    }

    proptest! {
        #[test]
        fn mirrored_twice_is_as_it_was_and_the_initial_position_is_its_own_mirror_but_for_the_turn(
            constraint in any_conditions(),
        ) {
            let start = Chess::default();
            let passed = start.clone().swap_turn().unwrap();
            let at = |position| Situation::root(position);
            let mirrored = constraint.clone().mirrored();
            prop_assert_eq!(constraint.holds(at(&start)), mirrored.clone().holds(at(&passed)));
            prop_assert_eq!(mirrored.mirrored(), constraint);
        }
    }
}
