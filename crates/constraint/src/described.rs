//! Random games, and constraints that describe their positions, for property tests.

use std::sync::OnceLock;

use rand::{RngExt, rngs::ChaCha8Rng};
use shakmaty::{Bitboard, Board, CastlingMode, Chess, Color, Move, Piece, Position, Role};

use super::{
    Atom, Captures, Castled, Castling, Check, Class, Comparison, Constraint, Count, Diagram, Earlier, End,
    HowCastled, IntegerRange, KINDS, Kinds, Material, Men, Ply, Property, RIGHTS, Region, Relation,
    Selection, Situation, Square, Sum, Tally, Tuple, Turn,
};

/// A random legal move. Captures and promotions are preferred, so that games have something to prove.
pub(crate) fn sharp_move(position: &Chess, rng: &mut ChaCha8Rng) -> Option<Move> {
    let moves = position.legal_moves();
    let sharp: Vec<Move> = moves.iter().copied().filter(|m| m.is_capture() || m.is_promotion()).collect();
    let choice = if !sharp.is_empty() && rng.random() { sharp.as_slice() } else { moves.as_slice() };
    (!choice.is_empty()).then(|| choice[rng.random_range(0..choice.len())])
}

/// A random comparison of a random total number of men. All comparisons but `!=` hold.
fn sum_of(men: &Men, rng: &mut ChaCha8Rng) -> Atom {
    let mut class = || -> Class { KINDS.into_iter().filter(|_| rng.random_bool(0.4)).collect() };
    let (class, minus) = (class(), Some(class()).filter(|_| men.count(KINDS[0]) > 0));
    let comparison = Comparison::AtLeast(0);
    let number = Sum { class, minus, comparison }.number(men);
    let comparison = [
        Comparison::In(IntegerRange::exactly(number)),
        Comparison::AtLeast(number),
        Comparison::AtMost(number),
        Comparison::NotIn(IntegerRange::exactly(number)),
    ][rng.random_range(0..4)];
    Atom::Sum(Sum { class, minus, comparison })
}

/// Random men of some kinds, or empty squares if `squares`, in a random region or on the whole board.
fn any_men(rng: &mut ChaCha8Rng, of_pawns: bool, squares: bool) -> Selection {
    let region = any_region(rng);
    if squares && rng.random_bool(0.2) {
        return Selection::Men(Kinds::EMPTY_SQUARE, Some(region));
    }
    let letters = if of_pawns { "Pp" } else { "KQRBNPkqrbnp" };
    let share = [0.0, 0.0, 0.2, 0.6][rng.random_range(0..4)];
    let sure = rng.random_range(0..letters.len());
    let chosen = letters.chars().enumerate().filter(|(index, _)| *index == sure || rng.random_bool(share));
    let kinds = chosen.filter_map(|(_, letter)| Piece::from_char(letter)).collect();
    Selection::Men(kinds, Some(region).filter(|_| rng.random()))
}

/// A random region.
fn any_region(rng: &mut ChaCha8Rng) -> Region {
    let [first, second] = [0, 1].map(|_| shakmaty::Square::new(rng.random_range(0..64)));
    let (low, high) = (first.file().min(second.file()), first.file().max(second.file()));
    let (below, above) = (first.rank().min(second.rank()), first.rank().max(second.rank()));
    let corners = [(low, below), (high, above)].map(|(file, rank)| shakmaty::Square::from_coords(file, rank));
    match rng.random_range(0..12) {
        0..=2 => Region::Square(first),
        3 => Region::Files(low, low),
        4 => Region::Files(low, high),
        5 => Region::Ranks(below, above),
        6 if corners[0] != corners[1] => Region::Rectangle(corners[0], corners[1]),
        7 => Region::Light,
        8 => Region::Kingside,
        9 => Region::Queenside,
        10 => Region::Centre,
        11 => Region::Edge,
        _ => Region::Dark,
    }
}

/// A random set of men, or of squares if `squares`.
pub(crate) fn any_set(rng: &mut ChaCha8Rng, of_pawns: bool, squares: bool, depth: u32) -> Selection {
    if depth > 2 || rng.random_bool(0.3) {
        return any_men(rng, of_pawns, squares);
    }
    if !of_pawns && rng.random_bool(0.3) {
        let (_, relation) = Relation::ALL[rng.random_range(0..Relation::ALL.len())];
        let finds_second = matches!(relation, Relation::Attacks | Relation::Xray);
        let may_be_squares = relation != Relation::Shields && (squares || !finds_second);
        let pair = [any_set(rng, false, false, depth + 1), any_set(rng, false, may_be_squares, depth + 1)];
        return Selection::Related(relation, Box::new(pair));
    }
    let (_, property) = Property::ALL[rng.random_range(0..Property::ALL.len())];
    if (of_pawns && !property.is_of_pawns()) || (property == Property::Mobility && !squares) {
        return any_men(rng, of_pawns, squares);
    }
    Selection::With(property, Box::new(any_set(rng, property.is_of_pawns(), false, depth + 1)))
}

/// A random condition on a set, which is not only a number of men of some kinds. On a board, all its comparisons but
/// `!=` hold.
pub(crate) fn any_tally(board: Option<&Board>, rng: &mut ChaCha8Rng) -> Tally {
    let set = any_set(rng, false, true, 0);
    let minus = if rng.random_bool(0.2) { Some(any_set(rng, false, true, 0)) } else { None };
    let comparison = Comparison::AtLeast(1);
    let is_plain = |set: &Selection| matches!(set, Selection::Men(_, None));
    if is_plain(&set) && minus.as_ref().is_none_or(is_plain) {
        return any_tally(board, rng);
    }
    let tally = Tally { set, minus, comparison };
    let number = board.map_or_else(|| rng.random_range(-3..10), |board| tally.number(board));
    let comparison = [
        Comparison::In(IntegerRange::exactly(number)),
        Comparison::AtLeast(number),
        Comparison::AtMost(number),
        Comparison::Greater(number - 1),
        Comparison::Less(number + 1),
        Comparison::NotIn(IntegerRange::exactly(number)),
        Comparison::AtLeast(number.max(1)),
    ][rng.random_range(0..7)];
    Tally { comparison, ..tally }
}

/// The number of conditions on an earlier position.
const FEW: usize = 4;

/// Openings and first moves, which take long to read.
static OPENINGS: OnceLock<[Atom; 4]> = OnceLock::new();

/// The only condition of a constraint.
fn atom(text: &str) -> Option<Atom> {
    match text.parse() {
        Ok(Constraint::Atom(atom)) => Some(atom),
        _ => None,
    }
}

/// Random conditions on the game that led to a position. The only opening that holds is any opening at all, because
/// games are led to openings on known ways.
fn of_the_game(situation: Situation<'_>, rng: &mut ChaCha8Rng) -> Vec<Atom> {
    let captures = Captures::so_far(situation);
    let number = |off: i16| Atom::Captures(Captures(Comparison::In(IntegerRange::exactly(captures + off))));
    let mut atoms = vec![
        number(0),
        number(rng.random_range(-2..3)),
        Atom::Captures(Captures(Comparison::AtMost(captures + rng.random_range(-1..4)))),
        Atom::Captures(Captures(Comparison::AtLeast(captures - rng.random_range(-1..4)))),
    ];
    for how in [HowCastled::NONE, HowCastled::SHORT, HowCastled::LONG, HowCastled::YES] {
        let player = [None, Some(Color::White), Some(Color::Black)][rng.random_range(0..3)];
        atoms.push(Atom::Castled(Castled { player, how }));
    }
    let moves: Vec<String> =
        situation.past.moves().map(|m| m.to_uci(CastlingMode::Standard).to_string()).collect();
    let begun = format!("begins=\"{}\"", moves[..moves.len().min(rng.random_range(1..12))].join(" "));
    atoms.extend(atom(&begun));
    let openings = OPENINGS.get_or_init(|| {
        ["begins='e4 e5 Nf3'", "eco=A00..E99", "opening='Sicilian'", "eco=D00..D99"]
            .map(|text| atom(text).unwrap())
    });
    atoms.extend(openings[..2].iter().cloned());
    atoms.extend(openings[2..].iter().filter(|opening| !opening.holds(situation)).cloned());
    atoms
}

/// A random selection of conditions about a position. Conditions that do not hold are negated, so the constraint holds.
pub(crate) fn all_that_holds(situation: Situation<'_>, rng: &mut ChaCha8Rng) -> Constraint {
    let Situation { position, ply, past } = situation;
    let men = Men::on(position.board());
    let mut atoms = vec![
        Atom::Tuple(Tuple { color: Color::White, counts: men.white() }),
        Atom::Material(Material { white: men.white(), black: men.black() }),
        Atom::Castling(Castling {
            rights: RIGHTS.map(|(_, color, side)| position.castles().has(color, side)),
            at_least: rng.random(),
        }),
        Atom::Castling(Castling { rights: rng.random(), at_least: rng.random() }),
        Atom::Turn(Turn(position.turn())),
        Atom::Ply(Ply(Comparison::In(IntegerRange::exactly(ply as i16)))),
        Atom::Check(if position.is_check() { Check::Of(position.turn()) } else { Check::None }),
        Atom::Check(Check::Of(position.turn().other())),
        Atom::End(End::Checkmate),
        Atom::End(End::Stalemate),
        sum_of(&men, rng),
        sum_of(&men, rng),
        Atom::Diagram(Box::new(Diagram { unknown: Bitboard::EMPTY, board: position.board().clone() })),
    ];
    let unknown = Bitboard(rng.random());
    let mut board = position.board().clone();
    unknown.into_iter().for_each(|square| _ = board.remove_piece_at(square));
    atoms.push(Atom::Diagram(Box::new(Diagram { unknown, board })));
    for _ in 0..30 {
        atoms.push(Atom::Tally(Box::new(any_tally(Some(position.board()), rng))));
    }
    for place in shakmaty::Square::ALL {
        let man = position.board().piece_at(place);
        atoms.push(Atom::Square(Square { man, region: Region::Square(place) }));
        atoms.push(Atom::Square(Square {
            man: Piece::from_char("KQRBNPkqrbnp-".as_bytes()[rng.random_range(0..13)].into()),
            region: [Region::Square(place), Region::Files(place.file(), place.file())]
                [rng.random_range(0..2)],
        }));
    }
    for color in Color::ALL {
        for (region, squares) in
            [(Region::Light, Bitboard::LIGHT_SQUARES), (Region::Dark, Bitboard::DARK_SQUARES)]
        {
            let bishop = Piece { color, role: Role::Bishop };
            atoms.push(Atom::Square(Square { man: Some(bishop), region }));
            if (position.board().by_piece(bishop) & squares).is_empty() {
                atoms.push(Atom::Count(Count {
                    piece: bishop,
                    minus: None,
                    comparison: Comparison::AtLeast(men.count(bishop) as i8),
                }));
            }
        }
    }
    atoms.extend(of_the_game(situation, rng));
    if !past.is_empty() && rng.random_bool(0.2) {
        let plies = rng.random_range(0..past.len());
        let mut before = past.first_position().clone();
        past.moves().take(plies).for_each(|m| before.play_unchecked(m));
        let (moves, first) = (past.moves().take(plies).collect::<Vec<_>>(), ply - past.len() as u32);
        let before = Situation::first(past.first_position(), first).after(&moves, &before);
        if let Constraint::All(mut parts) = all_that_holds(before, rng)
            && parts.len() > FEW
        {
            // Every position of the game is tested against them.
            let first = rng.random_range(0..parts.len() - FEW);
            let parts = parts.drain(first..first + FEW).collect();
            atoms.push(Atom::Earlier(Box::new(Earlier(Constraint::All(parts)))));
        }
    }
    let kept = rng.random_range(0.02..0.9);
    let parts = atoms.into_iter().filter(|_| rng.random_bool(kept)).map(|atom| {
        let holds = atom.holds(situation);
        let atom = Constraint::Atom(atom);
        if holds { atom } else { Constraint::Not(Box::new(atom)) }
    });
    Constraint::All(parts.collect())
}
