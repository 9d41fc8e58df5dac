//! The first moves of the game: `begins="1.e4 c5 2.Nf3"`.

use std::fmt::{self, Display, Formatter};

use shakmaty::{
    CastlingMode, Chess, Color, Move, Position as _,
    san::{San, SanPlus},
    uci::UciMove,
};

use super::{Atom, Condition};
use crate::{ParseError, Situation, reader::Reader};

/// The most moves that may be written, in plies.
const MAX_PLIES: usize = 200;

/// The game begins with these moves from the initial position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Begins(Vec<Move>);

impl Begins {
    /// The rest of `begins = "begins=" '"' moves '"'`, with moves in SAN or UCI notation.
    pub(super) fn read(reader: &mut Reader) -> Result<Atom, ParseError> {
        const EXPECTED: &str =
            "moves from the initial position in quotes, such as \"1.e4 c5 2.Nf3\" or \"e2e4 c7c5\"";
        reader.expect('=', &format!("'=' and {EXPECTED}"))?;
        let (start, text) = reader.quoted(EXPECTED)?;
        let (mut position, mut moves) = (Chess::default(), Vec::new());
        let mut column = start;
        for word in text.split(' ') {
            // "1.e4", "1." and "1...c5" have a number before the move.
            let after_number = word.trim_start_matches(|c: char| c.is_ascii_digit());
            let bare =
                if after_number.starts_with('.') { after_number.trim_start_matches('.') } else { word };
            if !bare.is_empty() {
                let san = bare.parse::<SanPlus>().ok().and_then(|plus| plus.san.to_move(&position).ok());
                let uci = || bare.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&position).ok());
                let m = san.or_else(uci);
                reader.position = column + word.chars().count() - bare.chars().count();
                match m {
                    Some(m) if moves.len() < MAX_PLIES => {
                        position.play_unchecked(m);
                        moves.push(m);
                    }
                    Some(_) => return Err(reader.error_found(&format!("at most {MAX_PLIES} plies"), "more")),
                    None => {
                        return Err(reader.error_found("a legal move in SAN or UCI", &format!("'{bare}'")));
                    }
                }
            }
            column += word.chars().count() + 1;
        }
        if moves.is_empty() {
            reader.position = start;
            return Err(reader.error_found(EXPECTED, "none"));
        }
        reader.position = start + text.chars().count() + 1;
        Ok(Atom::Begins(Box::new(Begins(moves))))
    }

    /// The number of further plies until the game has begun with the moves; `None` if it has begun otherwise.
    pub(crate) fn plies_left(&self, situation: Situation<'_>) -> Option<usize> {
        let past = situation.past;
        let agrees = past.moves().zip(&self.0).all(|(played, wanted)| played == *wanted);
        let may_begin = *past.first_position() == Chess::default() && situation.ply as usize == past.len();
        (agrees && may_begin).then(|| self.0.len().saturating_sub(past.len()))
    }

    /// The moves in UCI notation.
    pub fn moves(&self) -> impl Iterator<Item = UciMove> {
        self.0.iter().map(|m| m.to_uci(CastlingMode::Standard))
    }
}

impl Condition for Begins {
    fn holds(&self, situation: Situation<'_>) -> bool {
        self.plies_left(situation) == Some(0)
    }

    fn in_words(&self) -> String {
        format!("the game begins with {}", numbered(&self.0))
    }

    /// Never used: [`Constraint::mirrored`](crate::Constraint::mirrored) is refused for this condition.
    fn mirrored(&self) -> Atom {
        Atom::Begins(Box::new(self.clone()))
    }
}

/// The moves in SAN with their numbers.
fn numbered(moves: &[Move]) -> String {
    let mut position = Chess::default();
    let mut words = Vec::new();
    for m in moves {
        let san = San::from_move(&position, *m);
        let number = position.fullmoves();
        words.push(if position.turn() == Color::White { format!("{number}.{san}") } else { san.to_string() });
        position.play_unchecked(*m);
    }
    words.join(" ")
}

impl Display for Begins {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "begins=\"{}\"", numbered(&self.0))
    }
}
