//! Atoms: the single conditions of a constraint. Each kind has a file with its type, how it is read and printed, and an
//! `impl Condition`, which tests positions.
//!
//! To add one, add its file, a variant of [`Atom`], its arm in `Atom::condition`, and its keyword.
//! `docs/architecture.md` lists the files outside this folder.

mod castling;
mod check;
mod count;
mod diagram;
mod end;
mod judged;
mod ply;
mod rating;
mod square;
mod sum;
mod tuple;
mod turn;

use std::fmt::{self, Display, Formatter};

use shakmaty::{Bitboard, Chess, Color};

pub use castling::homes;
pub use castling::{Castling, RIGHTS};
pub use check::Check;
pub use count::Count;
pub use diagram::{Diagram, DiagramError};
pub use end::End;
pub use judged::seen_by;
pub use judged::{BestMove, Judged};
pub use ply::Ply;
pub use rating::Rating;
pub use square::{Region, Square};
pub use sum::{Class, Sum};
pub use tuple::{Material, Tuple};
pub use turn::Turn;

use super::{ParseError, Situation, reader::Reader};

/// A single condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// `(1,2,1,1,7)`: the exact counts of one side.
    Tuple(Tuple),
    /// `R=1..2`, `Q-q=0`: the number of men of one kind, or the difference between two.
    Count(Count),
    /// `[BN]>=3`, `[QR]-[qr]=1`: the number of men of several kinds together, or the difference between two such.
    Sum(Sum),
    /// `material=KRPvKR`: the exact counts of both sides.
    Material(Material),
    /// `N@f5`, `P@a-c`, `-@d4`: what stands where.
    Square(Square),
    /// `fen=…`: the whole board, but for the squares that do not matter.
    Diagram(Box<Diagram>),
    /// `castling=KQ`, `castling>=k`: the rights held.
    Castling(Castling),
    /// `check=white`: which king is in check.
    Check(Check),
    /// `checkmate`, `stalemate`
    End(End),
    /// `eval=-30..30`, `quiet`, `mate=2`, `only`, `best=capture`: what search finds. A witness judges it.
    Judged(Judged),
    /// `turn=white`: who is to move.
    Turn(Turn),
    /// `elo=1500..1700`: how strong the players are. A wish for the game, which no position breaks.
    Rating(Rating),
    /// `ply<=40`: the length of the game from its root.
    Ply(Ply),
}

/// What every kind of condition knows of itself. What it prints is read as the same condition.
pub(super) trait Condition: Display {
    /// True if it holds.
    fn holds(&self, situation: Situation<'_>) -> bool;

    /// What it says, in words.
    fn in_words(&self) -> String;

    /// The same with White and Black exchanged and the board turned upside down.
    fn mirrored(&self) -> Atom;

    /// True if it says where men must stand or must not: then more can be lost for good than numbers tell.
    fn places_men(&self) -> bool {
        false
    }

    /// The squares that it names, and that of the king it says is mated, where it holds. Numbers of men, rights and
    /// diagrams name none.
    fn named_squares(&self, _position: &Chess) -> Bitboard {
        Bitboard::EMPTY
    }
}

/// Reads what stands behind a keyword, which begins where it is told.
type Read = fn(&mut Reader, usize) -> Result<Atom, ParseError>;

/// The words that begin a condition.
pub(super) const KEYWORDS: [(&str, Read); 17] = [
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
    ("eval", |reader, _| Judged::read_eval(reader, false)),
    ("eval.mover", |reader, _| Judged::read_eval(reader, true)),
    ("quiet", |_, _| Ok(Atom::Judged(Judged::Quiet))),
    ("mate", |reader, start| Judged::read_mate(reader, start)),
    ("only", |_, _| Ok(Atom::Judged(Judged::Only))),
    ("best", |reader, _| Judged::read_best(reader)),
];

/// What an error says where a condition is expected.
pub(super) const CONDITION: &str = "a condition: a count such as Q=1, p>=5 or [BN]=3 (QRBNP White, qrbnp Black), a square such as N@f5, \
                         (Q,R,B,N,P), black(q,r,b,n,p), material=, fen=, castling=, check=, checkmate, stalemate, \
                         turn=, elo=, ply<=, eval=, quiet, mate=, only, best=, '!' or '('";

impl Atom {
    fn condition(&self) -> &dyn Condition {
        match self {
            Atom::Tuple(tuple) => tuple,
            Atom::Count(count) => count,
            Atom::Sum(sum) => sum,
            Atom::Material(material) => material,
            Atom::Square(square) => square,
            Atom::Diagram(diagram) => &**diagram,
            Atom::Castling(castling) => castling,
            Atom::Check(check) => check,
            Atom::End(end) => end,
            Atom::Judged(judged) => judged,
            Atom::Turn(turn) => turn,
            Atom::Rating(rating) => rating,
            Atom::Ply(ply) => ply,
        }
    }

    /// True if the condition holds.
    pub fn holds(&self, situation: Situation<'_>) -> bool {
        self.condition().holds(situation)
    }

    /// The condition in words.
    pub fn in_words(&self) -> String {
        self.condition().in_words()
    }

    /// The condition with White and Black exchanged and the board turned upside down.
    pub(super) fn mirrored(&self) -> Atom {
        self.condition().mirrored()
    }

    /// True if it says where men must stand or must not.
    pub(super) fn places_men(&self) -> bool {
        self.condition().places_men()
    }

    /// The squares that it names where it holds, for pictures.
    pub(super) fn named_squares(&self, position: &Chess) -> Bitboard {
        self.condition().named_squares(position)
    }

    /// True for conditions on the numbers of men of each kind alone.
    pub fn counts_men(&self) -> bool {
        matches!(self, Atom::Tuple(_) | Atom::Count(_) | Atom::Material(_))
    }

    /// True for ratings, which every position meets.
    pub fn is_wish(&self) -> bool {
        matches!(self, Atom::Rating(_))
    }

    /// True for conditions on what the position is worth.
    pub fn says_evaluation(&self) -> bool {
        matches!(self, Atom::Judged(Judged::Eval { .. }))
    }

    /// True for conditions on the length of the game.
    pub fn counts_plies(&self) -> bool {
        matches!(self, Atom::Ply(_))
    }
}

impl Display for Atom {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.condition().fmt(f)
    }
}

/// How the language names a side.
fn color_name(color: Color) -> &'static str {
    color.fold_wb("white", "black")
}
