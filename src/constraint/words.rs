//! Constraints in words, for people who want to know whether they were understood.

use std::fmt::{self, Display, Formatter};

use shakmaty::{CastlingSide, Piece, Role};

use super::{
    Atom, Castling, Check, Class, Comparison, Constraint, Count, Diagram, End, KINDS, RIGHTS, Rating, Region,
    Situation, Square, Sum, Tuple, men::side,
};

impl Constraint {
    /// The constraint in words: a line for each condition, indented below what joins them, with what the line stands
    /// for, and whether that is denied.
    pub fn in_words(&self) -> Vec<Line<'_>> {
        let parts = match self {
            Constraint::All(parts) => parts.as_slice(),
            single => std::slice::from_ref(single),
        };
        parts.iter().flat_map(|part| part.lines(false, 0)).collect()
    }

    fn lines(&self, denied: bool, depth: usize) -> Vec<Line<'_>> {
        let line = |text: String| Line { depth, text, part: self, denied };
        let (heading, parts) = match (self, denied) {
            (Constraint::Atom(atom), false) => return vec![line(atom.in_words())],
            (Constraint::Atom(atom), true) => return vec![line(format!("not: {}", atom.in_words()))],
            (Constraint::Not(inner), _) => return inner.lines(!denied, depth),
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
    /// How deep it is to be indented.
    pub depth: usize,
    /// The words.
    pub text: String,
    /// What they stand for, unless `denied`: then for the opposite.
    pub part: &'a Constraint,
    /// True if they deny it.
    pub denied: bool,
}

impl Line<'_> {
    /// True if what the line says is so.
    pub fn holds(&self, situation: Situation<'_>) -> bool {
        self.part.holds(situation) != self.denied
    }
}

impl Display for Line<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:indent$}{}", "", self.text, indent = 2 * self.depth)
    }
}

impl Atom {
    /// The condition in words.
    pub fn in_words(&self) -> String {
        match self {
            Atom::Tuple(tuple) => tuple_in_words(tuple),
            Atom::Material(material) => {
                let [white, black] = material.tuples().map(|tuple| tuple_in_words(&tuple));
                format!("{white}, and {black}")
            }
            Atom::Count(count) => count_in_words(count),
            Atom::Sum(sum) => sum_in_words(sum),
            Atom::Square(square) => square_in_words(*square),
            Atom::Diagram(diagram) => diagram_in_words(diagram),
            Atom::Castling(castling) => castling_in_words(*castling),
            Atom::Check(Check::Of(color)) => format!("{} is in check", side(*color)),
            Atom::Check(Check::Any) => "the side to move is in check".to_owned(),
            Atom::Check(Check::None) => "nobody is in check".to_owned(),
            Atom::End(End::Checkmate) => "the side to move is checkmated".to_owned(),
            Atom::End(End::Stalemate) => "the side to move is stalemated".to_owned(),
            Atom::Turn(color) => format!("{} is to move", side(*color)),
            Atom::Rating(Rating { player, range }) => {
                let whose =
                    player.map_or("both players".to_owned(), |color| format!("{}'s player", side(color)));
                format!("{whose} rated {}", comparison_in_words(Comparison::In(*range)))
            }
            Atom::Ply(comparison) => {
                format!(
                    "the number of plies from the start of the game is {}",
                    comparison_in_words(*comparison)
                )
            }
        }
    }
}

fn sum_in_words(sum: &Sum) -> String {
    let class = |class: Class| {
        let kinds: Vec<String> = class.pieces().map(|piece| format!("{}s", man(piece))).collect();
        kinds.join(", ")
    };
    let comparison = comparison_in_words(sum.comparison);
    match sum.minus {
        None => format!("the number of {} together is {comparison}", class(sum.class)),
        Some(minus) => {
            format!(
                "the number of {} together, less that of {}, is {comparison}",
                class(sum.class),
                class(minus)
            )
        }
    }
}

fn tuple_in_words(tuple: &Tuple) -> String {
    let kinds = KINDS.into_iter().filter(|piece| piece.color == tuple.color).zip(tuple.counts);
    let men: Vec<String> = kinds
        .filter(|(_, count)| *count > 0)
        .map(|(piece, count)| format!("{count} {}{}", role(piece.role), if count == 1 { "" } else { "s" }))
        .collect();
    let men = men.join(", ");
    match men.as_str() {
        "" => format!("{} has only the king", side(tuple.color)),
        men => format!("{} has, beside the king, exactly {men}", side(tuple.color)),
    }
}

fn count_in_words(count: &Count) -> String {
    let comparison = comparison_in_words(count.comparison);
    match count.minus {
        None => format!("the number of {}s is {comparison}", man(count.piece)),
        Some(minus) => {
            format!("the number of {}s less that of {}s is {comparison}", man(count.piece), man(minus))
        }
    }
}

fn comparison_in_words<T: Copy + Ord + Display>(comparison: Comparison<T>) -> String {
    let range = |low: T, high: T| if low == high { low.to_string() } else { format!("{low} to {high}") };
    match comparison {
        Comparison::In(numbers) => range(numbers.low(), numbers.high()),
        Comparison::NotIn(numbers) => format!("not {}", range(numbers.low(), numbers.high())),
        Comparison::Less(bound) => format!("less than {bound}"),
        Comparison::AtMost(bound) => format!("at most {bound}"),
        Comparison::Greater(bound) => format!("more than {bound}"),
        Comparison::AtLeast(bound) => format!("at least {bound}"),
    }
}

fn square_in_words(Square { man: wanted, region }: Square) -> String {
    let place = match region {
        Region::Square(square) => square.to_string(),
        Region::Files(first, last) if first == last => format!("the {}-file", first.char()),
        Region::Files(first, last) => format!("the files {} to {}", first.char(), last.char()),
        Region::Ranks(first, last) if first == last => format!("rank {}", first.char()),
        Region::Ranks(first, last) => format!("the ranks {} to {}", first.char(), last.char()),
        Region::Light => "a light square".to_owned(),
        Region::Dark => "a dark square".to_owned(),
    };
    match (wanted, region) {
        (Some(piece), _) => format!("a {} stands on {place}", man(piece)),
        (None, Region::Files(..) | Region::Ranks(..)) => format!("a square of {place} is empty"),
        (None, _) => format!("{place} is empty"),
    }
}

fn diagram_in_words(diagram: &Diagram) -> String {
    match diagram.unknown.count() {
        0 => format!("the board is exactly {diagram}"),
        1 => format!("the board is {diagram}, with anything on the square '?'"),
        free => format!("the board is {diagram}, with anything on the {free} squares '?'"),
    }
}

fn castling_in_words(castling: Castling) -> String {
    let rights: Vec<String> = RIGHTS
        .into_iter()
        .zip(castling.rights)
        .filter(|(_, held)| *held)
        .map(|((_, color, wing), _)| {
            format!("{} {}", side(color), if wing == CastlingSide::KingSide { "short" } else { "long" })
        })
        .collect();
    match (rights.is_empty(), castling.at_least) {
        (true, false) => "nobody has the right to castle any more".to_owned(),
        (true, true) => "any rights to castle, or none".to_owned(),
        (false, false) => format!("the rights to castle are exactly: {}", rights.join(", ")),
        (false, true) => format!("the rights to castle are at least: {}", rights.join(", ")),
    }
}

fn man(piece: Piece) -> String {
    format!("{} {}", piece.color.fold_wb("white", "black"), role(piece.role))
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
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
            ("(1,2,0,1,7)", "White has, beside the king, exactly 1 queen, 2 rooks, 1 knight, 7 pawns"),
            ("material=KRvK", "White has, beside the king, exactly 1 rook, and Black has only the king"),
            ("Q=1", "the number of white queens is 1"),
            ("p!=2..4", "the number of black pawns is not 2 to 4"),
            ("R-r>=1", "the number of white rooks less that of black rooks is at least 1"),
            ("N@f5", "a white knight stands on f5"),
            ("P@a-c", "a white pawn stands on the files a to c"),
            ("b@dark", "a black bishop stands on a dark square"),
            ("-@d4", "d4 is empty"),
            ("-@2", "a square of rank 2 is empty"),
            ("fen=8/8/8/8/8/8/8/K?k5", "the board is 8/8/8/8/8/8/8/K?k5, with anything on the square '?'"),
            ("castling=none", "nobody has the right to castle any more"),
            ("castling>=Kq", "the rights to castle are at least: White short, Black long"),
            ("check=black", "Black is in check"),
            ("stalemate", "the side to move is stalemated"),
            ("turn=white", "White is to move"),
            ("elo=1500..1700", "both players rated 1500 to 1700"),
            ("ply<=40", "the number of plies from the start of the game is at most 40"),
        ] {
            assert_eq!(words(text), [expected], "{text}");
        }
    }

    #[test]
    fn a_line_holds_if_what_it_says_is_so() {
        let position = shakmaty::Chess::default();
        let situation = Situation { position: &position, ply: 0 };
        let verdicts = |text: &str| -> Vec<bool> {
            let constraint: Constraint = text.parse().unwrap();
            constraint.in_words().iter().map(|line| line.holds(situation)).collect()
        };
        assert_eq!(verdicts("!Q=1 N@g1"), [false, true]);
        assert_eq!(verdicts("!(Q=1 | R=3) (Q=0 | q=1)"), [false, true, false, true, false, true]);
    }

    #[test]
    fn conditions_stand_below_what_joins_them() {
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
