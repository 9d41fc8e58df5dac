//! Short words for conditions that the language can also write out: `open=d`, `bishops=opposite`.

use shakmaty::{Color, File};

use super::one_or;
use crate::{
    Atom, Castled, Comparison, Constraint, HowCastled, IntegerRange, Region, Selection, Tally,
    reader::{ParseError, Reader},
};

/// The words that begin a shorthand.
pub(super) const SHORTHANDS: [&str; 11] = [
    "open",
    "halfopen",
    "white.halfopen",
    "black.halfopen",
    "majority",
    "white.majority",
    "black.majority",
    "bishops",
    "castled",
    "white.castled",
    "black.castled",
];

impl Reader {
    /// Reads a shorthand, if one is next: `shorthand = "open=" files | [ side "." ] "halfopen=" files | [ side "." ]
    /// "majority=" where | "bishops=" ( "opposite" | "same" ) | [ side "." ] "castled=" way`. The result is the
    /// constraint written out.
    pub(super) fn shorthand(&mut self) -> Result<Option<Constraint>, ParseError> {
        let start = self.position_of_next();
        let word = self.word().to_ascii_lowercase();
        let (side, name) = match word.split_once('.') {
            Some(("white", name)) => (Some(Color::White), name),
            Some(("black", name)) => (Some(Color::Black), name),
            _ => (None, word.as_str()),
        };
        if !SHORTHANDS.contains(&word.as_str()) {
            return Ok(None);
        }
        self.position += word.len();
        // `open(R)` and `halfopen(R)` are sets of men.
        if side.is_none() && matches!(name, "open" | "halfopen") && self.peek() == Some('(') {
            self.position = start;
            return Ok(None);
        }
        Ok(Some(match name {
            "open" => {
                self.expect('=', "'=' and a file, such as open=d, or '(' and men, such as open(R)")?;
                self.on_each_file(|file| all([none_on(Color::White, file), none_on(Color::Black, file)]))?
            }
            "halfopen" => {
                self.expect('=', "'=' and a file, such as halfopen=c, or '(' and men, such as halfopen(R)")?;
                let of = |color: Color, file| all([none_on(color, file), !none_on(color.other(), file)]);
                self.on_each_file(|file| match side {
                    Some(color) => of(color, file),
                    None => Constraint::Any(Color::ALL.map(|color| of(color, file)).to_vec()),
                })?
            }
            "majority" => {
                self.expect('=', "'=' and the squares, such as queenside or a-c")?;
                let region = Region::read(self, &[])?;
                let [own, enemy] = match side {
                    Some(Color::Black) => [Color::Black, Color::White],
                    _ => Color::ALL,
                }
                .map(|color| pawns(color, region));
                let comparison = Comparison::AtLeast(1);
                Atom::Tally(Box::new(Tally { set: own, minus: Some(enemy), comparison })).into()
            }
            "castled" => {
                let start = self.position_of_next();
                let way = Castled::read_way(self)?;
                match (HowCastled::named(way), side) {
                    (Some(how), player) => Atom::Castled(Castled { player, how }).into(),
                    (None, None) => castled_on_wings(way == "same"),
                    (None, Some(_)) => {
                        self.position = start + 1;
                        return Err(
                            self.error_found("long, short, none or yes for one side", &format!("'{way}'"))
                        );
                    }
                }
            }
            _ => {
                self.expect('=', "'=' and opposite or same")?;
                let is_same = self.one_of(&["opposite", "same"])? == "same";
                bishops(is_same)
            }
        }))
    }

    /// Reads a file or a range of files, all of which must satisfy a condition.
    fn on_each_file(&mut self, condition: impl Fn(File) -> Constraint) -> Result<Constraint, ParseError> {
        const EXPECTED: &str = "a file or files, such as d or a-c";
        let start = self.position_of_next();
        let found = self.field_at(start);
        match Region::read(self, &[]) {
            Ok(Region::Files(first, last)) => {
                let files = File::ALL.into_iter().filter(|file| (first..=last).contains(file));
                Ok(one_or(files.map(condition).collect(), Constraint::All))
            }
            Ok(_) => {
                self.position = start;
                Err(self.error_found(EXPECTED, &format!("'{found}'")))
            }
            Err(error) => Err(ParseError { expected: EXPECTED.to_owned(), ..error }),
        }
    }
}

fn all(parts: [Constraint; 2]) -> Constraint {
    Constraint::All(parts.to_vec())
}

fn pawns(color: Color, region: Region) -> Selection {
    Selection::Men([color.pawn()].into_iter().collect(), Some(region))
}

/// No pawn of `color` on a file.
fn none_on(color: Color, file: File) -> Constraint {
    let pawn = crate::Square { man: Some(color.pawn()), region: Region::Files(file, file) };
    Constraint::Not(Box::new(Atom::Square(pawn).into()))
}

impl std::ops::Not for Constraint {
    type Output = Constraint;

    fn not(self) -> Constraint {
        match self {
            Constraint::Not(inner) => *inner,
            other => Constraint::Not(Box::new(other)),
        }
    }
}

/// Both sides have castled, on the same wing or on different ones.
fn castled_on_wings(are_same: bool) -> Constraint {
    let wings = [HowCastled::LONG, HowCastled::SHORT];
    let castled = |player, how| Atom::Castled(Castled { player: Some(player), how }).into();
    let pairs = [0, 1].map(|white| {
        let black = if are_same { white } else { 1 - white };
        all([castled(Color::White, wings[white]), castled(Color::Black, wings[black])])
    });
    Constraint::Any(pairs.to_vec())
}

/// One bishop for each side, on squares of the same colour or of different ones.
fn bishops(is_same: bool) -> Constraint {
    let on = |color: Color, region| -> Constraint {
        Atom::Square(crate::Square { man: Some(color.bishop()), region }).into()
    };
    let one = |color: Color| -> Constraint {
        let comparison = Comparison::In(IntegerRange::exactly(1));
        crate::Count { piece: color.bishop(), minus: None, comparison }.into()
    };
    let colours = [Region::Light, Region::Dark];
    let pairs = [0, 1].map(|white| {
        let black = if is_same { white } else { 1 - white };
        all([on(Color::White, colours[white]), on(Color::Black, colours[black])])
    });
    Constraint::All(vec![one(Color::White), one(Color::Black), Constraint::Any(pairs.to_vec())])
}
