//! Single conditions.

use shakmaty::{Color, File, Rank};

use super::{MAX_NUMBER, ParseError, Parser};
use crate::constraint::{Atom, Castling, Check, Diagram, End, Material, RIGHTS, Rating, Region, Tuple};

/// The words that begin a condition.
const KEYWORDS: [&str; 13] = [
    "black",
    "mirror",
    "material",
    "fen",
    "castling",
    "check",
    "checkmate",
    "stalemate",
    "turn",
    "elo",
    "white.elo",
    "black.elo",
    "ply",
];
/// The strongest player that may be asked for.
const MOST_ELO: i32 = 4000;
/// The longest game that may be asked for, in plies.
const MOST_PLIES: i32 = 1000;

/// What people write who do not know the language.
const MEANT: [(&str, &str); 4] = [("and", "&"), ("or", "|"), ("not", "!"), ("mate", "checkmate")];

pub(super) const CONDITION: &str = "a condition: a count such as Q=1, p>=5 or [BN]=3 (QRBNP White, qrbnp Black), a square such as N@f5, \
                         (Q,R,B,N,P), black(q,r,b,n,p), material=, fen=, castling=, check=, checkmate, stalemate, \
                         turn=, elo=, ply<=, '!' or '('";

impl Parser {
    /// `atom = count | material | square | diagram | castling | check | end | turn | rating | ply`
    pub(super) fn atom(&mut self) -> Result<Atom, ParseError> {
        let start = self.position_of_next();
        let word = self.word();
        // One letter, or two by mistake, is a man; more are a word.
        if word.len() < 3 {
            return self.of_a_man();
        }
        self.position += word.len();
        let known = KEYWORDS.iter().find(|keyword| keyword.eq_ignore_ascii_case(&word));
        Ok(match *known.unwrap_or(&"") {
            "black" if self.peek() == Some('(') => {
                self.eat('(');
                Atom::Tuple(self.tuple(Color::Black)?)
            }
            "black" => {
                self.position = start;
                let expected = "'black(' before the five numbers (q,r,b,n,p), or a count such as b=1";
                return Err(self.error(expected));
            }
            "mirror" => return Err(self.error("'(' and the constraint to be mirrored")),
            "material" => Atom::Material(self.material()?),
            "fen" => Atom::Diagram(Box::new(self.diagram()?)),
            "castling" => Atom::Castling(self.castling()?),
            "check" => {
                self.expect('=', "'=' and the king in check")?;
                Atom::Check(match self.one_of(&["white", "black", "any", "none"])? {
                    "white" => Check::Of(Color::White),
                    "black" => Check::Of(Color::Black),
                    "any" => Check::Any,
                    _ => Check::None,
                })
            }
            "checkmate" => Atom::End(End::Checkmate),
            "stalemate" => Atom::End(End::Stalemate),
            "turn" => {
                self.expect('=', "'=' and the side to move")?;
                Atom::Turn(Color::from_white(self.one_of(&["white", "black"])? == "white"))
            }
            "ply" => Atom::Ply(self.comparison(MOST_PLIES, " or >=")?),
            "elo" => self.rating(None, start)?,
            "white.elo" => self.rating(Some(Color::White), start)?,
            "black.elo" => self.rating(Some(Color::Black), start)?,
            _ => {
                self.position = start;
                return Err(self.error_at_word(CONDITION, &word, &KEYWORDS));
            }
        })
    }

    /// The rest of `tuple = "(" Q "," R "," B "," N "," P ")"`, behind the opening parenthesis.
    pub(super) fn tuple(&mut self, color: Color) -> Result<Tuple, ParseError> {
        let mut counts = [0; 5];
        let names = ["queens", "rooks", "bishops", "knights", "pawns"];
        for (index, (count, name)) in counts.iter_mut().zip(names).enumerate() {
            if index > 0 {
                self.expect(',', &format!("',' and the number of {name}"))?;
            }
            *count = self.natural(&format!("the number of {name}"), MAX_NUMBER.into())? as u8;
        }
        self.expect(')', "')' after the five numbers (Q,R,B,N,P)")?;
        Ok(Tuple { color, counts })
    }

    /// The rest of `material = "material=" men "v" men`.
    fn material(&mut self) -> Result<Material, ParseError> {
        self.expect('=', "'=' and White's men, such as KRP")?;
        let white = self.men("White's men, beginning with K, then any of QRBNP")?;
        self.expect('v', "another of White's men (QRBNP), or 'v' and Black's men")?;
        let black = self.men("Black's men in upper case, beginning with K, then any of QRBNP")?;
        Ok(Material { white, black })
    }

    fn men(&mut self, expected: &str) -> Result<[u8; 5], ParseError> {
        self.expect('K', expected)?;
        let mut counts = [0_u8; 5];
        while let Some(kind) = self.characters.get(self.position).and_then(|letter| "QRBNP".find(*letter)) {
            if counts[kind] == MAX_NUMBER as u8 {
                return Err(self.error(&format!("at most {MAX_NUMBER} men of a kind")));
            }
            counts[kind] += 1;
            self.position += 1;
        }
        Ok(counts)
    }

    /// The rest of `diagram = "fen=" placement`.
    fn diagram(&mut self) -> Result<Diagram, ParseError> {
        self.expect('=', "'=' and a FEN's piece placement")?;
        let start = self.position_of_next();
        let ends = |c: &char| c.is_whitespace() || "&|,)(!".contains(*c);
        let text: String = self.characters[start..].iter().take_while(|c| !ends(c)).collect();
        Diagram::parse(&text)
            .map_err(|error| {
                self.position = start + error.offset;
                self.error(error.expected)
            })
            .inspect(|_| self.position = start + text.chars().count())
    }

    /// The rest of `castling = "castling" ("=" | ">=") ("none" | letters of KQkq)`.
    fn castling(&mut self) -> Result<Castling, ParseError> {
        let at_least = self.eat_word(">=");
        if !at_least {
            self.expect('=', "'=' or '>=' and the rights: none, or letters of KQkq")?;
        }
        let word = self.word();
        let mut rights = [false; 4];
        if word.eq_ignore_ascii_case("none") {
            self.position += word.len();
            return Ok(Castling { rights, at_least });
        }
        if word.is_empty() {
            return Err(self.error("none, or letters of KQkq"));
        }
        let start = self.position;
        for letter in word.chars() {
            match RIGHTS.iter().position(|(right, ..)| *right == letter) {
                Some(right) if !rights[right] => rights[right] = true,
                Some(_) => return Err(self.error("each of KQkq once")),
                None => {
                    self.position = start;
                    return Err(self.error_at_word("none, or letters of KQkq", &word, &["none"]));
                }
            }
            self.position += 1;
        }
        Ok(Castling { rights, at_least })
    }

    fn rating(&mut self, player: Option<Color>, start: usize) -> Result<Atom, ParseError> {
        self.expect('=', "'=' and a rating, such as 1500 or 1500..1700")?;
        self.rating = Some(start);
        if self.peek() == Some('-') {
            return Err(self.error("a rating, which is not negative"));
        }
        Ok(Atom::Rating(Rating { player, range: self.range(MOST_ELO)? }))
    }

    /// `where = square | file ["-" file] | rank ["-" rank] | "light" | "dark"`
    pub(super) fn region(&mut self) -> Result<Region, ParseError> {
        const EXPECTED: &str =
            "a square (f5), a file or files (a, a-c), a rank or ranks (6, 2-4), light or dark";
        let start = self.position_of_next();
        let word = self.word();
        for (name, region) in [("light", Region::Light), ("dark", Region::Dark)] {
            if word.eq_ignore_ascii_case(name) {
                self.position += word.len();
                return Ok(region);
            }
        }
        if word.len() > 2 {
            return Err(self.error_at_word(EXPECTED, &word, &["light", "dark"]));
        }
        let character = |offset: usize| self.characters.get(start + offset).copied();
        let file = |offset| character(offset).and_then(File::from_char);
        let rank = |offset| character(offset).and_then(Rank::from_char);
        // A '-' may also begin the next condition, an empty square.
        let is_range = character(1) == Some('-');
        let (length, region) = match (file(0), rank(0)) {
            (Some(file), _) if rank(1).is_some() => {
                let rank = rank(1).expect("just seen");
                (2, Region::Square(shakmaty::Square::from_coords(file, rank)))
            }
            (Some(_), _) if character(1).is_some_and(|c| c.is_ascii_alphanumeric()) => {
                return Err(self.error_found(
                    EXPECTED,
                    &format!("'{}{}'", self.characters[start], self.characters[start + 1]),
                ));
            }
            (Some(first), _) if is_range && file(2).is_some() => {
                (3, Region::Files(first, file(2).expect("just seen")))
            }
            (Some(file), _) => (1, Region::Files(file, file)),
            (_, Some(first)) if is_range && rank(2).is_some() => {
                (3, Region::Ranks(first, rank(2).expect("just seen")))
            }
            (_, Some(rank)) => (1, Region::Ranks(rank, rank)),
            (None, None) => return Err(self.error(EXPECTED)),
        };
        let is_ordered = match region {
            Region::Files(first, last) => first <= last,
            Region::Ranks(first, last) => first <= last,
            _ => true,
        };
        self.position = start + length;
        if is_ordered {
            return Ok(region);
        }
        self.position -= 1;
        Err(self.error("the later of the two behind '-'"))
    }

    /// One of `words`.
    fn one_of(&mut self, words: &[&'static str]) -> Result<&'static str, ParseError> {
        self.skip_space();
        let word = self.word();
        match words.iter().find(|known| known.eq_ignore_ascii_case(&word)) {
            Some(known) => {
                self.position += word.len();
                Ok(known)
            }
            None if word.is_empty() => Err(self.error(&words.join(", "))),
            None => Err(self.error_at_word(&words.join(", "), &word, words)),
        }
    }

    pub(super) fn position_of_next(&mut self) -> usize {
        self.skip_space();
        self.position
    }

    /// The letters that stand next, and dots between them.
    pub(super) fn word(&mut self) -> String {
        self.skip_space();
        let rest = &self.characters[self.position..];
        let is_letter = |index: usize| rest.get(index).is_some_and(char::is_ascii_alphabetic);
        let belongs =
            |index: &usize| is_letter(*index) || (rest.get(*index) == Some(&'.') && is_letter(index + 1));
        (0..).take_while(belongs).map(|index| rest[index]).collect()
    }

    /// An error at a word, with the one of `words` that is most like it, if one is.
    pub(super) fn error_at_word(&self, expected: &str, word: &str, words: &[&'static str]) -> ParseError {
        let word_in_case = word.to_ascii_lowercase();
        let distance = |known: &&&str| strsim::damerau_levenshtein(&word_in_case, known);
        let nearest = words.iter().min_by_key(distance).filter(|known| 3 * distance(known) <= word.len());
        let longer = words.iter().find(|known| word.len() > 2 && known.starts_with(&word_in_case));
        let nearest = nearest.or(longer);
        let meant = MEANT.iter().find(|(written, _)| *written == word_in_case).map(|(_, meant)| meant);
        let error = self.error_found(expected, &format!("'{word}'"));
        ParseError { suggestion: meant.or(nearest).map(|word| (*word).to_owned()), ..error }
    }
}
