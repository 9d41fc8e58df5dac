//! Constraints with White and Black exchanged: `mirror(…)`.

use super::Constraint;

impl Constraint {
    /// The constraint with White and Black exchanged and the board flipped. Mirroring twice restores the constraint.
    /// Openings and first moves stay the same: the parser refuses them here, because White always begins.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::{Chess, Position};

    use super::*;
    use crate::{Situation, arbitrary::any_conditions};

    #[test]
    fn the_sides_are_exchanged_and_the_board_is_flipped() {
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
            ("mirror(P@b2-d4=1 K@queenside -@centre=4)", "p@b5-d7=1 & k@queenside & -@centre=4"),
            ("mirror(passed(P@6)-attacks(N, [qr]@light)=0)", "passed(p@3)-attacks(n, [QR]@dark)=0"),
        ] {
            let constraint: Constraint = text.parse().unwrap();
            assert_eq!(constraint.to_string(), mirrored);
        }
    }

    proptest! {
        #[test]
        fn mirroring_twice_restores_the_constraint_and_the_initial_position_mirrors_itself_except_for_the_turn(
            constraint in any_conditions(),
        ) {
            let start = Chess::default();
            let black_to_move = start.clone().swap_turn().unwrap();
            let at = |position| Situation::root(position);
            let mirrored = constraint.clone().mirrored();
            prop_assert_eq!(constraint.holds(at(&start)), mirrored.clone().holds(at(&black_to_move)));
            prop_assert_eq!(mirrored.mirrored(), constraint);
        }
    }
}
