//! Constraints in words, so that users can check whether they were understood.

use std::fmt::{self, Display, Formatter};

use super::{Constraint, Situation};

impl Constraint {
    /// The constraint in words: a line for each condition, indented below the operator that joins the conditions.
    pub fn in_words(&self) -> Vec<Line<'_>> {
        let parts = match self {
            Constraint::All(parts) => parts.as_slice(),
            single => std::slice::from_ref(single),
        };
        parts.iter().flat_map(|part| part.lines(false, 0)).collect()
    }

    fn lines(&self, negated: bool, depth: usize) -> Vec<Line<'_>> {
        let line = |text: String| Line { depth, text, part: self, negated };
        let (heading, parts) = match (self, negated) {
            (Constraint::Atom(atom), false) => return vec![line(atom.in_words())],
            (Constraint::Atom(atom), true) => return vec![line(format!("not: {}", atom.in_words()))],
            (Constraint::Not(inner), _) => return inner.lines(!negated, depth),
            (Constraint::All(parts), false) => ("all of these:", parts),
            (Constraint::All(parts), true) => ("not all of these:", parts),
            (Constraint::Any(parts), false) => ("at least one of these:", parts),
            (Constraint::Any(parts), true) => ("none of these:", parts),
        };
        let inner = parts.iter().flat_map(|part| part.lines(false, depth + 1));
        std::iter::once(line(heading.to_owned())).chain(inner).collect()
    }
}

/// A line of a constraint in words.
#[derive(Clone, Debug)]
pub struct Line<'a> {
    /// The depth of the indentation.
    pub depth: usize,
    /// The words.
    pub text: String,
    /// The part of the constraint that the words express, or whose negation they express if `negated`.
    pub part: &'a Constraint,
    /// True if the words express the negation of `part`.
    pub negated: bool,
}

impl Line<'_> {
    /// True if the statement of the line is true.
    pub fn holds(&self, situation: Situation<'_>) -> bool {
        self.part.holds(situation) != self.negated
    }
}

impl Display for Line<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:indent$}{}", "", self.text, indent = 2 * self.depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.parse::<Constraint>().expect(text).in_words().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_condition_has_words() {
        for (text, expected) in [
            ("(1,2,0,1,7)", "White has the king and exactly 1 queen, 2 rooks, 1 knight, 7 pawns"),
            ("material=KRvK", "White has the king and exactly 1 rook, and Black has only the king"),
            ("Q=1", "the number of white queens is 1"),
            ("p!=2..4", "the number of black pawns is not 2 to 4"),
            ("R-r>=1", "the number of white rooks minus the number of black rooks is at least 1"),
            ("[BN]=3", "the total number of white bishops, white knights is 3"),
            ("N@f5", "a white knight stands on f5"),
            ("P@a-c", "a white pawn stands on one of the files a to c"),
            ("b@dark", "a black bishop stands on a dark square"),
            ("-@d4", "d4 is empty"),
            ("P@d=1", "the number of white pawns on the d-file is 1"),
            ("isolated(P@d)", "the number of isolated white pawns on the d-file is at least 1"),
            (
                "attacks(N, [qr])>=2",
                "the number of black queens or black rooks that white knights attack or protect is at least 2",
            ),
            (
                "P@queenside-p@queenside>=1",
                "the number of white pawns on the queenside minus the number of black pawns on the queenside is at \
                 least 1",
            ),
            ("-@2", "a square on rank 2 is empty"),
            (
                "fen=8/8/8/8/8/8/8/K?k5",
                "the board is 8/8/8/8/8/8/8/K?k5, with anything on the square marked '?'",
            ),
            ("castling=none", "no castling rights remain"),
            ("castling>=Kq", "the castling rights are at least: White kingside, Black queenside"),
            ("check=black", "Black is in check"),
            ("stalemate", "the side to move is stalemated"),
            ("turn=white", "White is to move"),
            ("elo=1500..1700", "both players rated 1500 to 1700"),
            ("ply<=40", "the number of plies from the start of the game is at most 40"),
            ("wdl.white=draw", "White draws if both sides play as well as possible"),
            ("legal=3", "the number of legal moves is 3"),
            ("best=[Nn]@d5", "the best move is a move of a white knight or a black knight to d5"),
            ("bad=B@h7", "there is a move of a white bishop to h7, and it is a mistake"),
            ("captures<=4", "the number of captures in the game is at most 4"),
            ("white.castled=long", "White has castled queenside"),
            ("castled=yes", "each side has castled"),
            ("black.castled=none", "Black has not castled"),
            ("castled=none", "neither side has castled"),
            (
                "opening='sicilian najdorf'",
                "the game goes through the opening Sicilian Defense: Najdorf Variation",
            ),
            ("ECO=b90", "the game goes through a position with the ECO code B90"),
            ("eco=B90..B99", "the game goes through a position with an ECO code from B90 to B99"),
            ("begins=\"e2e4 c7c5 Nf3\"", "the game begins with 1.e4 c5 2.Nf3"),
            (
                "earlier(Q=1 ply<=20)",
                "at an earlier position of the game: the number of white queens is 1; the number of plies from the \
                 start of the game is at most 20",
            ),
        ] {
            assert_eq!(words(text), [expected], "{text}");
        }
    }

    #[test]
    fn a_line_holds_if_its_statement_is_true() {
        let position = shakmaty::Chess::default();
        let situation = Situation::root(&position);
        let verdicts = |text: &str| -> Vec<bool> {
            let constraint: Constraint = text.parse().unwrap();
            constraint.in_words().iter().map(|line| line.holds(situation)).collect()
        };
        assert_eq!(verdicts("!Q=1 N@g1"), [false, true]);
        assert_eq!(verdicts("!(Q=1 | R=3) (Q=0 | q=1)"), [false, true, false, true, false, true]);
    }

    #[test]
    fn conditions_are_indented_below_the_operator_that_joins_them() {
        assert_eq!(
            words("Q=0 !(q=1 | !(r=0 & !R=2))"),
            [
                "the number of white queens is 0",
                "none of these:",
                "  the number of black queens is 1",
                "  not all of these:",
                "    the number of black rooks is 0",
                "    not: the number of white rooks is 2",
            ]
        );
    }
}
