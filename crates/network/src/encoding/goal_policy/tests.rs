use entente_constraint::{Check, End};
use entente_search::PortableMath as _;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use shakmaty::{Bitboard, CastlingMode, CastlingSide, Color, EnPassantMode, Square, fen::Fen, uci::UciMove};

use super::*;

/// The position with the colours swapped and the board flipped vertically.
fn mirrored(position: &Chess) -> Chess {
    let fen = Fen::from_position(position, EnPassantMode::PseudoLegal).to_string();
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    let swap = |text: &str| -> String {
        let swapped =
            |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
        text.chars().map(swapped).collect()
    };
    let ranks: Vec<String> = fields[0].split('/').rev().map(swap).collect();
    fields[0] = ranks.join("/");
    fields[1] = if fields[1] == "w" { "b".to_owned() } else { "w".to_owned() };
    fields[2] = swap(&fields[2]);
    fields[3] = fields[3].replace('3', "x").replace('6', "3").replace('x', "6");
    fields.join(" ").parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
}

fn mirrored_aim(aim: &Aim) -> Aim {
    let mut other = Aim::NONE;
    for kind in 0..10 {
        other.counts[(kind + 5) % 10] = aim.counts[kind];
    }
    let negative = |bound: Option<i8>| bound.map(|bound: i8| -bound);
    other.differences =
        aim.differences.map(|span| Span { least: negative(span.most), most: negative(span.least) });
    for index in 0..13 {
        let from = if index < 12 { (index + 6) % 12 } else { 12 };
        other.squares[index] = aim.squares[from].flip_vertical();
    }
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            other.castling[aim::right(color.other(), side)] = aim.castling[aim::right(color, side)];
        }
    }
    other.check = aim.check.map(|check| match check {
        Check::Of(color) => Check::Of(color.other()),
        check => check,
    });
    other.turn = aim.turn.map(Color::other);
    other.end = aim.end;
    other
}

fn random_aim(rng: &mut StdRng) -> Aim {
    let span = |rng: &mut StdRng| Span {
        least: rng.random_bool(0.4).then(|| rng.random_range(-2..5)),
        most: rng.random_bool(0.4).then(|| rng.random_range(0..9)),
    };
    let mut aim = Aim::NONE;
    aim.counts = std::array::from_fn(|_| span(rng));
    aim.differences = std::array::from_fn(|_| span(rng));
    aim.squares = std::array::from_fn(|_| Bitboard(rng.random::<u64>() & rng.random::<u64>()));
    aim.castling = std::array::from_fn(|_| rng.random_bool(0.5).then(|| rng.random()));
    let color = Color::from_white(rng.random());
    aim.check = [None, Some(Check::Any), Some(Check::None), Some(Check::Of(color))][rng.random_range(0..4)];
    aim.turn = rng.random_bool(0.5).then_some(color);
    aim.end = [None, Some(End::Checkmate), Some(End::Stalemate)][rng.random_range(0..3)];
    aim
}

fn input(position: &Chess, context: &Context, aim: &Aim) -> (Vec<f32>, Vec<f32>) {
    let (mut planes, mut features) = (vec![7.0; PLANES * 64], vec![7.0; FEATURES]);
    encode(position, context, aim, &mut planes, &mut features);
    (planes, features)
}

#[test]
fn both_colours_get_the_same_input() {
    let mut rng = StdRng::seed_from_u64(1);
    let mut seen = 0;
    for _ in 0..40 {
        let (mut position, mut context) = (Chess::default(), Context::default());
        for ply in 0..80 {
            let aim = random_aim(&mut rng);
            context.ratings = [Some(1500), rng.random_bool(0.5).then_some(1900)];
            context.plies_left = rng.random_bool(0.5).then_some(30);
            context.ply = ply;
            let other = Context {
                ratings: [context.ratings[1], context.ratings[0]],
                last_moves: context.last_moves.map(|m| m.map(flipped)),
                ..context
            };
            let mut ours = input(&position, &context, &aim);
            let mut theirs = input(&mirrored(&position), &other, &mirrored_aim(&aim));
            // The plane that tells Black's turn differs.
            for (planes, _) in [&mut ours, &mut theirs] {
                planes[108 * 64..109 * 64].fill(0.0);
            }
            assert!(ours == theirs, "{position:?}\n{aim:?}");
            seen += 1;
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let m = legal[rng.random_range(0..legal.len())];
            position.play_unchecked(m);
            context.last_moves.rotate_right(1);
            context.last_moves[0] = Some(m);
        }
    }
    assert!(seen > 2000);
}

/// The move on the vertically flipped board.
fn flipped(m: Move) -> Move {
    match m {
        Move::Normal { role, from, capture, to, promotion } => {
            Move::Normal { role, from: from.flip_vertical(), capture, to: to.flip_vertical(), promotion }
        }
        Move::EnPassant { from, to } => {
            Move::EnPassant { from: from.flip_vertical(), to: to.flip_vertical() }
        }
        Move::Castle { king, rook } => {
            Move::Castle { king: king.flip_vertical(), rook: rook.flip_vertical() }
        }
        Move::Put { role, to } => Move::Put { role, to: to.flip_vertical() },
    }
}

#[test]
fn planes_and_features_are_where_the_documentation_has_them() {
    let start = Chess::default();
    let mut aim = Aim::NONE;
    // White must have one knight, and a knight must stand on f3.
    aim.counts[3] = Span::exactly(1);
    aim.squares[1].add(Square::F3);
    let (planes, features) = input(&start, &Context { plies_left: Some(50), ..Context::default() }, &aim);
    let at = |plane: usize, square: Square| planes[64 * plane + usize::from(square)];
    assert_eq!((at(0, Square::E2), at(0, Square::E7), at(6, Square::E7)), (1.0, 0.0, 1.0));
    assert_eq!((at(12, Square::H1), at(12, Square::A8), at(12, Square::E1)), (1.0, 1.0, 0.0));
    assert_eq!((at(33, Square::G1), at(33, Square::B8)), (0.5, 0.0), "one of two knights must disappear");
    assert_eq!((at(38, Square::F3), at(37, Square::F3)), (1.0, 0.0));
    assert_eq!(at(50, Square::D4), 1.0);
    assert_eq!(&features[8..11], [1.0, 1.0, 51f32.portable_ln() / 5.0]);
    assert_eq!(
        features[FIRST_FEATURES - 2..FIRST_FEATURES],
        [1.0, 0.125],
        "there are demands, and one square does not meet them"
    );

    let m = "e2e4".parse::<UciMove>().unwrap().to_move(&start).unwrap();
    let mut next = start;
    next.play_unchecked(m);
    let context = Context { last_moves: [Some(m), None, None, None], ..Context::default() };
    let (planes, features) = input(&next, &context, &Aim::NONE);
    // Black sees White's pawn move from e7 to e5.
    let at = |plane: usize, square: Square| planes[64 * plane + usize::from(square)];
    assert_eq!((at(14, Square::E7), at(15, Square::E5)), (1.0, 1.0));
    assert_eq!(features[FIRST_FEATURES - 2..], [0.0; 10]);
}

#[test]
fn clock_and_scale_follow_the_features_of_older_networks() {
    let known = Context {
        scale: Some(RatingScale::ChessCom),
        seconds_left: Some(60),
        time_control: Some([180, 2]),
        ..Context::default()
    };
    let (_, features) = input(&Chess::default(), &known, &Aim::NONE);
    let expected = [
        1.0,
        61f32.portable_ln() / 8.0,
        (-6f32).portable_exp(),
        (-1f32).portable_exp(),
        1.0,
        181f32.portable_ln() / 8.0,
        0.2,
        1.0,
    ];
    assert_eq!(features[FIRST_FEATURES..], expected);
    assert_eq!(features[4..6], [1.0, 0.0], "older networks read chess.com as online");

    let mut first = vec![7.0; FIRST_FEATURES];
    encode(&Chess::default(), &known, &Aim::NONE, &mut vec![0.0; PLANES * 64], &mut first);
    assert_eq!(first, features[..FIRST_FEATURES]);
}

/// Earlier boards are encoded as in the input of Leela Chess Zero.
#[test]
fn earlier_boards_equal_those_of_lc0() {
    use crate::encoding::lc0;

    let line = "e2e4 d7d5 e4d5 g8f6 f1b5 c7c6 d5c6 b8c6 g1f3 a7a6 e1g1 c8d7";
    let (mut position, mut played) = (Chess::default(), Vec::new());
    for word in line.split(' ') {
        let m = word.parse::<shakmaty::uci::UciMove>().unwrap().to_move(&position).unwrap();
        played.push(m);
        position.play_unchecked(m);
        let repeated = if played.len() > 4 { 0b1010 } else { 0 };
        let context = Context { last_moves: last_moves(&played), repeated, ..Context::default() };
        let (mut ours, mut theirs) = (vec![0.0; PLANES * 64], vec![0.0; lc0::PLANES * 64]);
        encode(&position, &context, &Aim::NONE, &mut ours, &mut [0.0; FEATURES]);
        lc0::encode(&position, &played, context.repeated, &mut theirs);
        let plane = |planes: &[f32], number: usize| planes[number * 64..][..64].to_vec();
        for place in 0..=4 {
            for kind in 0..12 {
                let number = if place == 0 { kind } else { 51 + 12 * (place - 1) + kind };
                assert_eq!(
                    plane(&ours, number),
                    plane(&theirs, 13 * place + kind),
                    "{word}, {place}, {kind}"
                );
            }
            assert_eq!(plane(&ours, 99 + place), plane(&theirs, 13 * place + 12), "{word}, {place}");
        }
        for number in 104..109 {
            assert_eq!(plane(&ours, number), plane(&theirs, number), "{word}, {number}");
        }
        let clock: Vec<f32> = plane(&ours, 109).iter().map(|number| (number * 100.0).round()).collect();
        assert_eq!(clock, plane(&theirs, 109));
    }
}
