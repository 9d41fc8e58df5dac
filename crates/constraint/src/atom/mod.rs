//! Atoms: the single conditions of a constraint. Each kind has its own file with its type, its parser, its printer, and
//! an `impl Condition`, which tests positions.
//!
//! To add a kind, add its file, a variant of [`Atom`], an arm in `Atom::condition`, and a keyword.
//! `docs/architecture.md` lists the files to change outside this folder.

mod begins;
mod captures;
mod castled;
mod castling;
mod check;
mod count;
mod diagram;
mod earlier;
mod end;
mod events;
mod expression;
mod game_result;
mod judged;
mod legal;
mod move_kind;
mod opening;
mod ply;
mod rating;
mod square;
mod sum;
mod tally;
mod tuple;
mod turn;

use std::{
    fmt::{self, Display, Formatter},
    hash::{DefaultHasher, Hash, Hasher as _},
};

use shakmaty::{Bitboard, Chess, Color};

pub use begins::Begins;
pub use captures::Captures;
pub use castled::{Castled, HowCastled};
pub use castling::homes;
pub use castling::{Castling, RIGHTS};
pub use check::Check;
pub use count::Count;
pub use diagram::{Diagram, DiagramError};
pub use earlier::Earlier;
pub use end::End;
pub use events::Diary;
pub use expression::Constraint;
pub use game_result::GameResult;
pub use judged::Judged;
pub use judged::seen_by;
pub use legal::Legal;
pub use move_kind::MoveKind;
pub use opening::Opening;
pub use ply::Ply;
pub use rating::Rating;
pub use square::Square;
pub use sum::{Class, Sum};
pub use tally::Tally;
pub use tuple::{Material, Tuple};
pub use turn::Turn;

use super::{ParseError, Situation, reader::Reader};

/// A single condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// `(1,2,1,1,7)`: the exact numbers of one side's men.
    Tuple(Tuple),
    /// `R=1..2`, `Q-q=0`: the number of men of one kind, or the difference between two kinds.
    Count(Count),
    /// `[BN]>=3`, `[QR]-[qr]=1`: the total number of men of several kinds, or the difference between two totals.
    Sum(Sum),
    /// `material=KRPvKR`: the exact numbers of both sides' men.
    Material(Material),
    /// `N@f5`, `P@a-c`, `-@d4`: a man on a square or in a region, or an empty square.
    Square(Square),
    /// `P@d=1`, `passed(P)>=2`, `attacks(N, [qrk])>=2`: how many men or squares a set has, or how many more than
    /// another.
    Tally(Box<Tally>),
    /// `fen=…`: the whole board, except for squares that do not matter.
    Diagram(Box<Diagram>),
    /// `castling=KQ`, `castling>=k`: the castling rights.
    Castling(Castling),
    /// `check=white`: which king is in check.
    Check(Check),
    /// `checkmate`, `stalemate`
    End(End),
    /// `eval=-30..30`, `quiet`, `mate=2`, `only`, `best=capture`, `theme=fork`: decided by search, through an oracle.
    Judged(Judged),
    /// `turn=white`: the side to move.
    Turn(Turn),
    /// `elo=1500..1700`: the strength of the players. A preference for the game, which every position satisfies.
    Rating(Rating),
    /// `ply<=40`: the length of the game from its root.
    Ply(Ply),
    /// `legal<=3`: the number of legal moves.
    Legal(Legal),
    /// `captures<=4`: the number of captures in the game.
    Captures(Captures),
    /// `white.castled=long`: how the players have castled.
    Castled(Castled),
    /// `opening="Sicilian, Najdorf"`, `eco=B90`: the opening that the game goes through.
    Opening(Opening),
    /// `begins="1.e4 c5"`: the first moves of the game.
    Begins(Box<Begins>),
    /// `earlier(Q=0 q=0)`: what held at an earlier position of the game.
    Earlier(Box<Earlier>),
}

/// What every kind of condition implements. Its printed form parses to the same condition.
pub(super) trait Condition: Display {
    /// True if the condition holds.
    fn holds(&self, situation: Situation<'_>) -> bool;

    /// The condition in words.
    fn in_words(&self) -> String;

    /// The condition with White and Black exchanged and the board flipped.
    fn mirrored(&self) -> Atom;

    /// True if the condition requires men on certain squares or forbids them there. It can then become unreachable even
    /// though the numbers of men still fit.
    fn places_men(&self) -> bool {
        false
    }

    /// The squares to highlight where the condition holds: the squares that it names, or the square of the mated king.
    /// Numbers of men, castling rights and diagrams have none.
    fn named_squares(&self, _position: &Chess) -> Bitboard {
        Bitboard::EMPTY
    }
}

/// Reads the rest of a condition after its keyword. The argument is the position where the keyword begins.
type Read = fn(&mut Reader, usize) -> Result<Atom, ParseError>;

/// The keywords that begin a condition.
pub(super) const KEYWORDS: [(&str, Read); 30] = [
    ("material", |reader, _| Material::read(reader)),
    ("fen", |reader, _| Diagram::read(reader)),
    ("castling", |reader, _| Castling::read(reader)),
    ("check", |reader, _| Check::read(reader)),
    ("checkmate", |_, _| Ok(Atom::End(End::Checkmate))),
    ("stalemate", |_, _| Ok(Atom::End(End::Stalemate))),
    ("turn", |reader, _| Turn::read(reader)),
    ("elo", |reader, start| Rating::read(reader, None, start)),
    ("white.elo", |reader, start| Rating::read(reader, Some(Color::White), start)),
    ("black.elo", |reader, start| Rating::read(reader, Some(Color::Black), start)),
    ("ply", |reader, _| Ply::read(reader)),
    ("legal", |reader, _| Legal::read(reader)),
    ("captures", |reader, _| Captures::read(reader)),
    ("opening", |reader, _| Opening::read_name(reader)),
    ("eco", |reader, _| Opening::read_codes(reader)),
    ("begins", |reader, _| Begins::read(reader)),
    ("eval", |reader, _| Judged::read_eval(reader, false)),
    ("eval.mover", |reader, _| Judged::read_eval(reader, true)),
    ("wdl", |reader, _| Judged::read_wdl(reader, true)),
    ("wdl.white", |reader, _| Judged::read_wdl(reader, false)),
    ("quiet", |_, _| Ok(Atom::Judged(Judged::Quiet))),
    ("mate", |reader, start| Judged::read_mate(reader, start)),
    ("only", |_, _| Ok(Atom::Judged(Judged::Only))),
    ("best", |reader, _| Judged::read_kind(reader, Judged::Best)),
    ("bad", |reader, _| Judged::read_kind(reader, Judged::Bad)),
    ("theme", |reader, _| Judged::read_theme(reader)),
    ("moves", |reader, _| Judged::read_moves(reader)),
    ("hold", |_, _| Ok(Atom::Judged(Judged::Hold))),
    ("convert", |_, _| Ok(Atom::Judged(Judged::Convert))),
    ("puzzle", |reader, _| Judged::read_puzzle(reader)),
];

/// What errors say if a condition is expected.
pub(super) const CONDITION: &str = "a condition: a count such as Q=1, p>=5 or [BN]=3 (QRBNP White, qrbnp Black), \
     a square such as N@f5, men on squares such as P@d=1, a set such as passed(P)>=1 or attacks(N, [qr])>=2, (Q,R,B,N,P), black(q,r,b,n,p), material=, fen=, castling=, check=, checkmate, \
     stalemate, turn=, elo=, ply<=, legal<=, captures<=, castled=, opening=, eco=, begins=, earlier(, eval=, wdl=, quiet, mate=, only, best=, bad=, theme=, moves=, hold, convert, puzzle=, '!' or '('";

impl Atom {
    fn condition(&self) -> &dyn Condition {
        match self {
            Atom::Tuple(tuple) => tuple,
            Atom::Count(count) => count,
            Atom::Sum(sum) => sum,
            Atom::Material(material) => material,
            Atom::Square(square) => square,
            Atom::Tally(tally) => &**tally,
            Atom::Diagram(diagram) => &**diagram,
            Atom::Castling(castling) => castling,
            Atom::Check(check) => check,
            Atom::End(end) => end,
            Atom::Judged(judged) => judged,
            Atom::Turn(turn) => turn,
            Atom::Rating(rating) => rating,
            Atom::Ply(ply) => ply,
            Atom::Legal(legal) => legal,
            Atom::Captures(captures) => captures,
            Atom::Castled(castled) => castled,
            Atom::Opening(opening) => opening,
            Atom::Begins(begins) => &**begins,
            Atom::Earlier(earlier) => &**earlier,
        }
    }

    /// True if the condition holds.
    pub fn holds(&self, situation: Situation<'_>) -> bool {
        match self {
            // Without notes, each earlier position would be tested by a replay of the game before it.
            Atom::Earlier(earlier) if !situation.past.has_notes() && earlier.0.stages() > 0 => {
                let diary = Diary::replayed(self, situation);
                let past = situation.past.with_notes(diary.notes());
                earlier.holds(Situation { past, ..situation })
            }
            _ => self.condition().holds(situation),
        }
    }

    /// The condition in words.
    pub fn in_words(&self) -> String {
        self.condition().in_words()
    }

    /// The condition with White and Black exchanged and the board flipped.
    pub(super) fn mirrored(&self) -> Atom {
        self.condition().mirrored()
    }

    /// True if the condition requires men on certain squares or forbids them there.
    pub(super) fn places_men(&self) -> bool {
        self.condition().places_men()
    }

    /// The squares to highlight in pictures where the condition holds.
    pub(super) fn named_squares(&self, position: &Chess) -> Bitboard {
        self.condition().named_squares(position)
    }

    /// True for conditions on the numbers of men of single kinds. Sums are not among them.
    pub fn counts_men(&self) -> bool {
        matches!(self, Atom::Tuple(_) | Atom::Count(_) | Atom::Material(_))
    }

    /// True for ratings, which every position satisfies.
    pub fn is_always_satisfied(&self) -> bool {
        matches!(self, Atom::Rating(_))
    }

    /// True for conditions on the evaluation.
    pub fn is_evaluation(&self) -> bool {
        matches!(self, Atom::Judged(Judged::Eval { .. }))
    }

    /// True for conditions on the length of the game.
    pub fn counts_plies(&self) -> bool {
        match self {
            Atom::Ply(_) => true,
            Atom::Earlier(earlier) => earlier.0.atoms().iter().any(|atom| atom.counts_plies()),
            _ => false,
        }
    }

    /// True for conditions on the game that leads to the position, other than its length.
    pub fn is_of_the_game(&self) -> bool {
        use Atom::{Begins, Captures, Castled, Earlier, Opening};
        matches!(self, Captures(_) | Castled(_) | Opening(_) | Begins(_) | Earlier(_))
    }
}

impl Display for Atom {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.condition().fmt(f)
    }
}

/// A number for a value, which is the same for equal values.
fn number_of(value: &impl Hash) -> u64 {
    let mut number = DefaultHasher::new();
    value.hash(&mut number);
    number.finish()
}

/// The language's word for a side.
fn color_name(color: Color) -> &'static str {
    color.fold_wb("white", "black")
}
