//! Conditions that only search can decide: `eval=-30..30`, `quiet`, `mate=2`, `only`, `best=capture`, `bad=B@h7`, `theme=fork`,
//! `puzzle=1400..1600`.

use std::fmt::{self, Display, Formatter};

use shakmaty::Color;

use super::{Atom, Condition, GameResult, MoveKind};
use crate::{Comparison, IntegerRange, ParseError, Region, Situation, Theme, nearest, reader::Reader};

/// A condition that the rules of chess do not decide. A [`ConditionOracle`](crate::ConditionOracle) must judge it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Judged {
    /// `eval=-30..30`, `eval.mover>=150`: the evaluation in centipawns.
    Eval {
        /// True if the evaluation is for the side to move, false if it is for White.
        by_mover: bool,
        /// The comparison that the evaluation must satisfy.
        comparison: Comparison<i16>,
    },
    /// `wdl=win`, `wdl.white=draw`: what the game leads to if both sides play as well as possible.
    Wdl {
        /// True if the result is that of the side to move, false if it is White's.
        by_mover: bool,
        /// The result.
        result: GameResult,
    },
    /// `quiet`: the side to move is not in check, and no capture, promotion or check gains anything.
    Quiet,
    /// `mate=2`: the side to move can force mate in exactly this number of moves.
    Mate(u8),
    /// `only`: a single move keeps the result.
    Only,
    /// `best=capture`: the best move is of this kind.
    Best(MoveKind),
    /// `bad=capture`: there is a move of this kind, and every such move is a mistake. A capture must win material by
    /// static exchange.
    Bad(MoveKind),
    /// `theme=fork`: only one move wins or saves the game, and its solution shows the theme.
    Theme(Theme),
    /// `moves=2..4`: only one move wins or saves the game, and so many moves of the side to move are forced.
    Moves(Comparison),
    /// `hold`: the side to move is behind in men, and only one move, no capture, keeps the balance.
    Hold,
    /// `convert`: the side to move is ahead in men in a quiet position, and wins.
    Convert,
    /// `puzzle=1400..1600`: the rating that is predicted for the position as a puzzle, on the scale of Lichess. No
    /// rating satisfies it if the position is not a puzzle.
    Puzzle(Comparison<i16>),
}

impl Judged {
    /// The highest evaluation that may be written.
    const MAX_CENTIPAWNS: i32 = 10_000;
    /// The greatest number of moves of a solution that may be written.
    const MAX_MOVES: i32 = 20;
    /// The highest rating of a puzzle that may be written.
    const MAX_RATING: i32 = 5_000;
    /// The longest mate that may be required, in moves.
    pub const LONGEST_MATE: u8 = 5;

    /// The rest of `eval = ( "eval" | "eval.mover" ) compare`.
    pub(super) fn read_eval(reader: &mut Reader, by_mover: bool) -> Result<Atom, ParseError> {
        let comparison =
            reader.comparison(Judged::MAX_CENTIPAWNS, " or >= and whole centipawns, such as -30..30")?;
        Ok(Atom::Judged(Judged::Eval { by_mover, comparison }))
    }

    /// The rest of `wdl = ( "wdl" | "wdl.white" ) "=" ( "win" | "draw" | "loss" )`.
    pub(super) fn read_wdl(reader: &mut Reader, by_mover: bool) -> Result<Atom, ParseError> {
        reader.expect('=', "'=' and a result: win, draw or loss")?;
        let word = reader.one_of(&GameResult::WORDS.map(|(word, _)| word))?;
        let result =
            GameResult::WORDS.into_iter().find_map(|(known, result)| (known == word).then_some(result));
        Ok(Atom::Judged(Judged::Wdl { by_mover, result: result.expect("one of these words was read") }))
    }

    /// The rest of `mate = "mate=" int`, whose keyword begins at `start`.
    pub(super) fn read_mate(reader: &mut Reader, start: usize) -> Result<Atom, ParseError> {
        const EXPECTED: &str =
            "the number of moves to mate, 1 to 5; if mate is already on the board, write checkmate";
        if !reader.eat('=') {
            // Users may write `mate in 2` or `mate-in-2`. Without a number they mean checkmate.
            let rest: String =
                reader.characters[start..].iter().take_while(|c| !"&|,()!".contains(**c)).collect();
            let words = rest.to_ascii_lowercase().replace(['-', '_'], " ");
            let number = words.strip_prefix("mate in ").and_then(|rest| rest.chars().next());
            let number = number.filter(|digit| ('1'..='5').contains(digit));
            reader.position = start;
            let meant = number.map_or("checkmate".to_owned(), |moves| format!("mate={moves}"));
            let error = reader.error_found("mate= and a number of moves", "'mate'");
            return Err(ParseError { suggestion: Some(meant), ..error });
        }
        let number = reader.position_of_next();
        match reader.natural(EXPECTED, Judged::LONGEST_MATE.into())? {
            0 => {
                reader.position = number;
                Err(reader.error_found(EXPECTED, "0"))
            }
            moves => Ok(Atom::Judged(Judged::Mate(moves as u8))),
        }
    }

    /// The rest of `best = "best=" kind` or of `bad = "bad=" kind`, which `judged` makes of the kind.
    pub(super) fn read_kind(reader: &mut Reader, judged: fn(MoveKind) -> Judged) -> Result<Atom, ParseError> {
        reader.expect('=', "'=' and a kind of move")?;
        Ok(Atom::Judged(judged(MoveKind::read(reader)?)))
    }

    /// The rest of `theme = "theme=" word`.
    pub(super) fn read_theme(reader: &mut Reader) -> Result<Atom, ParseError> {
        reader.expect('=', "'=' and a theme, such as fork or back-rank")?;
        let start = reader.position_of_next();
        let is_of_word = |c: &&char| c.is_ascii_alphabetic() || **c == '-' || **c == '_';
        let word: String = reader.characters[start..].iter().take_while(is_of_word).collect();
        match Theme::of_word(&word) {
            Some(theme) => {
                reader.position = start + word.len();
                Ok(Atom::Judged(Judged::Theme(theme)))
            }
            None => {
                reader.position = start;
                let found = if word.is_empty() { "no word".to_owned() } else { format!("'{word}'") };
                let words = Theme::ALL.map(Theme::word);
                let error = reader.error_found(&format!("a theme: {}", words.join(", ")), &found);
                Err(ParseError { suggestion: nearest(&word, words).map(str::to_owned), ..error })
            }
        }
    }

    /// The rest of `moves = "moves" compare`.
    pub(super) fn read_moves(reader: &mut Reader) -> Result<Atom, ParseError> {
        let comparison =
            reader.comparison(Judged::MAX_MOVES, " or >= and a number of moves, such as 2..4")?;
        Ok(Atom::Judged(Judged::Moves(comparison)))
    }

    /// True for conditions on the solution of a position, which take several searches.
    pub fn is_about_solutions(self) -> bool {
        matches!(self, Judged::Theme(_) | Judged::Moves(_) | Judged::Hold)
    }

    /// True for conditions that mostly hold just after a mistake of the opponent. A mate can also come without one, and
    /// networks are shown that a mate is wanted, but not its pattern.
    pub(crate) fn needs_a_mistake(self) -> bool {
        match self {
            Judged::Only | Judged::Moves(_) | Judged::Hold | Judged::Puzzle(_) => true,
            Judged::Theme(theme) => theme != Theme::Mate,
            Judged::Eval { .. }
            | Judged::Wdl { .. }
            | Judged::Quiet
            | Judged::Convert
            | Judged::Mate(_)
            | Judged::Best(_)
            | Judged::Bad(_) => false,
        }
    }

    /// The rest of `puzzle = "puzzle" compare`.
    pub(super) fn read_puzzle(reader: &mut Reader) -> Result<Atom, ParseError> {
        let comparison =
            reader.comparison(Judged::MAX_RATING, " or >= and the rating of a puzzle, such as 1400..1600")?;
        Ok(Atom::Judged(Judged::Puzzle(comparison)))
    }

    /// The kind of move that the condition names, if it names one.
    pub(crate) fn move_kind(self) -> Option<MoveKind> {
        match self {
            Judged::Best(kind) | Judged::Bad(kind) => Some(kind),
            _ => None,
        }
    }

    /// The condition with the squares of its kind of move replaced.
    pub(crate) fn with_region(self, replace: impl Fn(Region) -> Region) -> Judged {
        match self {
            Judged::Best(kind) => Judged::Best(kind.with_region(replace)),
            Judged::Bad(kind) => Judged::Bad(kind.with_region(replace)),
            same => same,
        }
    }

    /// The relative cost of judging the condition.
    pub fn cost(self) -> u32 {
        match self {
            Judged::Mate(moves) => moves.into(),
            Judged::Wdl { .. } => 9,
            Judged::Eval { .. } => 10,
            Judged::Best(_) | Judged::Bad(_) => 11,
            Judged::Quiet => 12,
            Judged::Only => 13,
            Judged::Hold | Judged::Convert => 14,
            Judged::Theme(_) | Judged::Moves(_) => 15,
            Judged::Puzzle(_) => 100,
        }
    }
}

impl Condition for Judged {
    /// Judged conditions count as true unless an oracle decides otherwise.
    fn holds(&self, _: Situation<'_>) -> bool {
        true
    }

    fn in_words(&self) -> String {
        match self {
            Judged::Eval { by_mover, comparison } => {
                let whose = if *by_mover { "the side to move" } else { "White" };
                format!("the evaluation for {whose} is {} centipawns", comparison.in_words())
            }
            Judged::Wdl { by_mover, result } => {
                let whose = if *by_mover { "the side to move" } else { "White" };
                let what = match result {
                    GameResult::Win => "wins",
                    GameResult::Draw => "draws",
                    GameResult::Loss => "loses",
                };
                format!("{whose} {what} if both sides play as well as possible")
            }
            Judged::Quiet => "no capture, promotion or check gains anything".to_owned(),
            Judged::Mate(1) => "the side to move mates in one move".to_owned(),
            Judged::Mate(moves) => format!("the side to move mates in {moves} moves, and in no fewer"),
            Judged::Only => "only one move keeps the result".to_owned(),
            Judged::Best(kind) => format!("the best move is {}", kind.in_words()),
            Judged::Bad(MoveKind::Capture) => {
                "a capture seems to win material, and every such capture is a mistake".to_owned()
            }
            Judged::Bad(MoveKind::Quiet) => "every quiet move is a mistake, and there is one".to_owned(),
            Judged::Bad(kind) => format!("there is {}, and it is a mistake", kind.in_words()),
            Judged::Theme(theme) => {
                format!("a single move succeeds, and the solution shows {}", theme.in_words())
            }
            Judged::Moves(comparison) => {
                format!("a single move succeeds, and the number of forced moves is {}", comparison.in_words())
            }
            Judged::Hold => {
                "the side to move is behind in men, and a single move, no capture, keeps the balance"
                    .to_owned()
            }
            Judged::Convert => "the side to move is ahead in men in a quiet position, and wins".to_owned(),
            Judged::Puzzle(comparison) => {
                format!("the predicted rating of the position as a puzzle is {}", comparison.in_words())
            }
        }
    }

    fn mirrored(&self) -> Atom {
        Atom::Judged(match *self {
            Judged::Eval { by_mover: false, comparison } => {
                Judged::Eval { by_mover: false, comparison: negative(comparison) }
            }
            Judged::Wdl { by_mover: false, result } => {
                Judged::Wdl { by_mover: false, result: result.reversed() }
            }
            Judged::Best(kind) => Judged::Best(kind.mirrored()),
            Judged::Bad(kind) => Judged::Bad(kind.mirrored()),
            same => same,
        })
    }
}

/// The comparison that −x satisfies exactly if x satisfies `comparison`.
fn negative(comparison: Comparison<i16>) -> Comparison<i16> {
    let range = |range: IntegerRange<i16>| {
        IntegerRange::new(-range.high(), -range.low()).expect("negatives are in the opposite order")
    };
    match comparison {
        Comparison::In(numbers) => Comparison::In(range(numbers)),
        Comparison::NotIn(numbers) => Comparison::NotIn(range(numbers)),
        Comparison::Less(bound) => Comparison::Greater(-bound),
        Comparison::AtMost(bound) => Comparison::AtLeast(-bound),
        Comparison::Greater(bound) => Comparison::Less(-bound),
        Comparison::AtLeast(bound) => Comparison::AtMost(-bound),
    }
}

/// An evaluation for `side`, given the evaluation for White: negated for Black.
pub fn seen_by(white: i32, side: Color) -> i32 {
    side.fold_wb(white, -white)
}

impl Display for Judged {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Judged::Eval { by_mover, comparison } => {
                write!(f, "eval{}{comparison}", if *by_mover { ".mover" } else { "" })
            }
            Judged::Wdl { by_mover, result } => {
                write!(f, "wdl{}={result}", if *by_mover { "" } else { ".white" })
            }
            Judged::Quiet => f.write_str("quiet"),
            Judged::Mate(moves) => write!(f, "mate={moves}"),
            Judged::Only => f.write_str("only"),
            Judged::Best(kind) => write!(f, "best={kind}"),
            Judged::Bad(kind) => write!(f, "bad={kind}"),
            Judged::Theme(theme) => write!(f, "theme={theme}"),
            Judged::Moves(comparison) => write!(f, "moves{comparison}"),
            Judged::Hold => f.write_str("hold"),
            Judged::Convert => f.write_str("convert"),
            Judged::Puzzle(comparison) => write!(f, "puzzle{comparison}"),
        }
    }
}
