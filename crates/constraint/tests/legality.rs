//! Which diagrams `legality` refuses and by which rule, and that it refuses no position of a game.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like tests")]

use entente_constraint::legality::{Problem, Rule, earlier, earlier_by_a_quiet_move, illegal};
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use shakmaty::{
    Bitboard, Board, Chess, Color, EnPassantMode, Move, Piece, Position, Role, Square, fen::Fen, san::San,
};

/// The problem of a FEN: the board alone, or with the other fields if there are any.
fn problem(fen: &str) -> Problem {
    let mut fields = fen.split(' ');
    let board = Board::from_ascii_board_fen(fields.next().unwrap().as_bytes()).unwrap();
    let Some(turn) = fields.next() else { return Problem::of(board) };
    let rook = |right: char| match right {
        'K' => Some(Square::H1),
        'Q' => Some(Square::A1),
        'k' => Some(Square::H8),
        'q' => Some(Square::A8),
        _ => None,
    };
    Problem {
        board,
        turn: Some(if turn == "w" { Color::White } else { Color::Black }),
        castling: Some(fields.next().unwrap().chars().filter_map(rook).collect()),
        en_passant: Some(fields.next().unwrap().parse().ok()),
    }
}

macro_rules! illegal {
    ($($name:ident: $fen:literal, $word:literal, $reason:literal;)+) => {$(
        #[test]
        fn $name() {
            let illegal = illegal(&problem($fen)).expect("no game reaches the diagram");
            assert_eq!((illegal.rule.word(), illegal.to_string().as_str()), ($word, $reason));
        }
    )+};
}

illegal! {
    a_side_without_a_king: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR", "kings", "White has no king";
    two_kings: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKKBNR", "kings", "White has 2 kings";
    adjacent_kings: "8/8/8/3kK3/8/8/8/8", "kings", "the kings stand on adjacent squares, e5 and d5";
    nine_pawns: "rnbqkbnr/pppppppp/8/p7/8/8/PPPPPPPP/RNBQKB1R", "men",
        "Black has 17 men, but never had more than 16";
    a_pawn_on_the_first_rank: "4k3/8/8/8/8/8/8/P3K3", "pawn-rank",
        "White's pawn on a1: a pawn never stands on the first or the eighth rank";
    two_queens_and_eight_pawns: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBQR", "promotions",
        "White has 2 queens, so at least 1 pawn was promoted, but White has all its pawns";
    bishops_of_one_colour: "rnbqkbnr/pppppppp/8/8/4B3/3P1B2/PPP1PPPP/RN1QK1NR", "promotions",
        "White has 2 light-squared bishops, so at least 1 pawn was promoted, but White has all its pawns";
    promotions_past_pawns_that_captured_too_little: "1Knb4/n1N1R1NQ/1NpBr1p1/3N4/RrPkqp2/r3p3/R2B1R2/3nqb1b",
        "pawn-captures",
        "White's pawns captured no men and Black's at most 3 men, so the pawns cannot all have passed each other to reach \
         their squares";
    castling_without_a_rook: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w KQkq -", "castling-rights",
        "White's right to castle with the rook on h1: there is no such rook";
    castling_after_the_king_moved: "rnbq1bnr/ppppkppp/4p3/8/8/8/PPPPPPPP/RNBQKBNR w KQq -", "castling-rights",
        "Black's right to castle with the rook on a8: the king is not on e8, so it has moved";
    en_passant_without_a_pawn: "rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR b KQkq e3", "en-passant",
        "en passant on e3: White has no pawn on e4";
    en_passant_with_a_man_behind_the_pawn: "rnbqkbnr/pppppppp/8/8/4P3/8/PPPPPPP1/RNBQKBNR b KQkq e3", "en-passant",
        "en passant on e3: e2 is not empty, so no pawn has just come from e2";
    en_passant_at_the_wrong_time: "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e3", "en-passant",
        "en passant on e3: the pawn that passed it is White's, but White is to move";
    en_passant_without_a_position_before: "8/8/8/8/R3P2k/8/6N1/K7 b - e3", "en-passant",
        "no pawn can have just passed e3: no position before that double step is legal";
    both_kings_in_check: "4k3/4R3/8/8/8/8/4r3/4K3", "check", "both kings are in check, on e1 and e8";
    check_to_the_wrong_side: "4k3/4R3/8/8/8/8/8/4K3 w - -", "check",
        "White is to move, but Black's king is in check from the rook on e7";
    a_pawn_that_never_moved_gives_check: "4k3/3p4/4K3/8/8/8/8/8", "check",
        "the pawn on d7 never moved, so it cannot have given check to White's king";
    two_knights_give_check: "4k3/8/3N1N2/8/8/8/8/4K3", "check",
        "White's knights on d6 and f6 give check to Black's king, but no last move by White can have led to that";
    three_give_check: "4k3/2N5/8/1B6/8/8/4R3/4K3 b - -", "check",
        "White's rook on e2, bishop on b5 and knight on c7 give check to Black's king, but no last move by White can \
         have led to that";
    two_rooks_give_check_from_both_sides: "R3k2R/8/8/8/8/8/8/4K3", "check",
        "White's rooks on a8 and h8 give check to Black's king, but no last move by White can have led to that";
    a_bishop_behind_unmoved_pawns: "rnbqkbnr/pppppppp/8/8/5B2/8/PPPPPPPP/RN1QKBNR", "shut-in",
        "White's bishop on f4 must have been promoted, because the one from c1 was shut in by the unmoved pawns on b2 \
         and d2; but White has all its pawns";
    a_rook_behind_unmoved_pawns: "rnbqkbnr/pppppppp/8/8/R7/8/PPPPPPPP/1NBQKBNR", "shut-in",
        "White's rook on a4 must have been promoted, because the one from a1 was shut in by the unmoved bishop on c1 \
         and pawns on a2 and b2, and the one from h1 was shut in by the unmoved bishop on f1 and pawns on g2 and h2; \
         but White has all its pawns";
    a_king_behind_unmoved_pawns: "rnbqkbnr/pppppppp/8/8/4K3/8/PPPPPPPP/RNBQ1BNR", "shut-in",
        "White's king on e4 cannot have got there from e1 past the 22 unmoved men";
    a_king_and_a_queen_that_changed_places: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR", "shut-in",
        "White's king on d1 and queen on e1 cannot have left their initial squares: there never was a free square behind \
         the unmoved bishops on c1 and f1 and pawns on c2, d2, e2 and f2";
    a_queen_behind_a_king_that_may_castle: "rnbqkbnr/pppppppp/8/3Q4/8/8/PPPPPPPP/RNB1KBNR w KQkq -", "shut-in",
        "White's queen on d5 must have been promoted, because the one from d1 was shut in by the unmoved king on e1, \
         bishop on c1 and pawns on c2, d2 and e2; but White has all its pawns";
    a_promotion_past_unmoved_pawns: "rnbqkbnr/pppppppp/8/8/8/N7/1PPPPPPP/RNBQKBNR", "shut-in",
        "White's knights on b1, g1 and a3 cannot all be original: one must have been promoted; but no pawn can have \
         reached a suitable promotion square past the 23 unmoved men";
    a_pawn_from_nowhere: "rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPP1/RNBQKBNR", "pawn-ways",
        "White's pawn on a3 cannot have come from any initial square";
    a_capture_without_a_victim: "rnbqkbnr/pppppppp/8/8/8/1P6/1PPPPPPP/RNBQKBNR", "pawn-captures",
        "White's pawns needed at least 1 capture to reach their squares, but Black has all its men";
    more_captures_than_victims: "r1bqkb1r/pppppppp/8/8/P7/P7/P7/RNBQKBNR", "pawn-captures",
        "White's pawns needed at least 3 captures to reach their squares, but Black is missing only 2 men";
    a_capture_of_a_bishop_that_never_moved: "rn1qkbnr/pppppppp/8/8/8/1P6/1PPPPPPP/RNBQKBNR", "pawn-captures",
        "White's pawns needed at least 1 capture to reach their squares, but Black is missing only 1 man, which (from \
         c8) was captured where no pawn can capture";
    a_capture_of_a_bishop_of_the_other_colour: "rnbqk1nr/pppp1ppp/4p3/8/8/1P6/1PPPPPPP/RNBQKBNR", "pawn-captures",
        "White's pawns captured at most 1 man and Black's no men, but to reach their squares they would have had to \
         capture a bishop on a square of the other colour";
    a_capture_of_a_pawn_that_stayed_on_its_file: "rnbqkbnr/ppppppp1/8/8/8/1P6/1PPPPPPP/RNBQKBNR", "pawn-captures",
        "White's pawns captured at most 1 man and Black's no men, but on the files where they needed captures there \
         was nothing to capture: the missing pawns did not leave their files without captures, nor were they promoted \
         past the pawns in front of them";
    pawns_that_passed_each_other: "rnbqkbnr/1ppppppp/8/P7/p7/8/1PPPPPPP/RNBQKBNR", "pawn-captures",
        "no pawn can have captured anything, so the pawns cannot all have passed each other to reach their squares";
    a_promotion_past_a_pawn: "rnbqkbnr/1ppppppp/8/p7/8/R7/1PPPPPPP/RNBQKBNR", "pawn-captures",
        "no pawn can have captured anything, so the pawns cannot all have passed each other to reach their squares";
    the_wrong_turn_after_a_knight_move: "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq -", "parity",
        "it is Black's turn: knights change the colour of their square with every move, and few other men can have \
         moved, so White has made an odd number of moves and Black an even number";
    the_wrong_turn_in_the_initial_position: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq -", "parity",
        "it is White's turn: knights change the colour of their square with every move, and few other men can have \
         moved, so both sides have made an even number of moves";
    a_king_that_came_from_nowhere: "kN6/8/1K6/8/8/8/8/8 w - -", "last-move",
        "Black moved last, but no move by Black leads here from a legal position";
    no_last_move: "2bqkb2/pppppppp/8/8/8/8/PPPPPPPP/2BQKB2", "last-move",
        "neither White nor Black can have made the last move: no position before it is legal";
}

/// Legal games with strange positions.
const GAMES: [(&str, &str); 12] = [
    (
        "a rook's pawn is promoted to a knight",
        "h4 g5 hxg5 h6 gxh6 Nc6 h7 Nf6 g4 Nxg4 Bh3 Nxf2 Bg4 Nxh1 Bh5 Ne5 Bg6 Nxg6 Nh3 Nf2 Nf4 Rg8 hxg8=N Nh1 Nh6",
    ),
    (
        "a pawn is captured on another file, which it reached by a capture",
        "Nc3 c5 Nd5 h6 Nb4 cxb4 Nf3 b3 axb3",
    ),
    (
        "a pawn runs past one that has captured, and is captured as a queen",
        "e4 g5 Nf3 g4 Bc4 g3 hxg3 h5 Rg1 h4 d3 h3 Nbd2 h2 Ke2 h1=Q c3 Qh5 Qc2 Qb5 Kd1 Qb3 axb3",
    ),
    ("kings on their initial squares again without castling rights", "e4 e5 Ke2 Ke7 Ke1 Ke8"),
    ("the initial position again", "Nf3 Nf6 Ng1 Ng8"),
    (
        "a bishop that never moved is captured, and a pawn promotes to a new one",
        "Nc3 a6 Nd5 a5 Nb6 a4 Nxc8 a3 Nb6 axb2 Nd5 bxa1=B Nf6 gxf6",
    ),
    ("kings far out", "e4 e5 Ke2 Ke7 Kd3 Kd6 Kc4 Kc6"),
    ("queens and kings change places", "d4 d5 Kd2 Kd7 Qe1 Qe8 Kd1 Kd8 Qd2 Qd7 Ke1 Ke8 Qd1 Qd8"),
    ("rooks move behind unmoved pawns", "Nc3 Nc6 Rb1 Rb8 Nd5 Nd4 Ra1 Ra8 Nc3 Nc6 Nb1 Nb8"),
    (
        "a capture en passant opens a line to the king",
        "f3 f5 f4 c6 e4 d6 a4 e5 a5 h6 h3 a6 b4 d5 Qg4 c5 fxe5 f4 d4 b5 axb6 Kf7 Bb5 Qxb6 Kf2 cxd4 Bb2 Ke7 Ra3 h5 c4 dxc3",
    ),
    (
        "castling gives check",
        "d3 a6 f4 g5 h4 gxh4 Nd2 f5 Nb1 Bh6 a3 c5 b3 Bg5 e3 Nf6 b4 h5 Qxh5 Kf8 Qe2 d6 fxg5 Nh7 Qg4 Kg8 e4 cxb4 Nf3 b5 \
         Nc3 Nc6 Nd5 Rb8 Nf6 Nxf6 Nd2 fxe4 Ra2 Qb6 Be2 Kf7 Nb1 Nd7 Be3 Qd4 O-O",
    ),
    (
        "a promotion gives double check",
        "e3 b5 b4 e6 a4 bxa4 h4 Nc6 d3 a5 c3 a3 c4 g5 c5 f5 g3 a4 Nc3 a2 f4 Bh6 hxg5 e5 g4 a3 Bxa3 fxg4 b5 d5 Rh3 Nf6 e4 \
         Kf8 Na4 Nxe4 Nb6 g3 Nd7 Kg8 bxc6 Nf6 g6 d4 Nb8 g2 Rh4 gxf1=R Ke2 Be6 Rg4 exf4 Nf3 Bf8 g7 Nd5 gxh8=R",
    ),
];

#[test]
fn no_position_of_a_strange_game_is_refused() {
    for (name, moves) in GAMES {
        let mut position = Chess::default();
        for san in moves.split_whitespace() {
            let m =
                san.parse::<San>().unwrap().to_move(&position).unwrap_or_else(|_| panic!("{name}: {san}"));
            position.play_unchecked(m);
            assert_not_refused(&position);
        }
    }
}

/// Asserts that a position of a game is not refused: neither its board alone nor all that is known about it.
fn assert_not_refused(position: &Chess) {
    let alone = Problem::of(position.board().clone());
    let whole = |mode| Problem {
        turn: Some(position.turn()),
        castling: Some(position.castles().castling_rights()),
        en_passant: Some(position.ep_square(mode)),
        ..alone.clone()
    };
    for problem in [alone.clone(), whole(EnPassantMode::Legal), whole(EnPassantMode::Always)] {
        if let Some(reason) = illegal(&problem) {
            panic!("{}: {reason}", Fen::from_position(position, EnPassantMode::Legal));
        }
    }
}

/// The weight with which a random player chooses a move.
type Eagerness = fn(&Chess, Move) -> u32;

const PLAYERS: [Eagerness; 6] = [
    |_, _| 1,
    // Pawns capture and promote, so that almost every missing man was needed as a victim.
    |_, m| match (m.role(), m.is_capture()) {
        (Role::Pawn, true) => 200,
        (_, true) => 1,
        (Role::Pawn, false) => {
            if m.is_promotion() {
                100
            } else {
                20
            }
        }
        _ => 5,
    },
    // Only pawns capture, and only pawns are captured: the files of the missing pawns matter.
    |position, m| match (m.role(), was_pawn(position, m)) {
        (Role::Pawn, true) => 300,
        _ if m.is_capture() => 0,
        (Role::Pawn, false) => {
            if m.is_promotion() {
                100
            } else {
                30
            }
        }
        _ => 5,
    },
    |position, m| match m.role() {
        Role::Pawn if m.capture() == Some(Role::Pawn) => 300,
        _ if m.is_capture() && !was_pawn(position, m) => 0,
        Role::Pawn => {
            if m.is_promotion() {
                200
            } else {
                20
            }
        }
        Role::Knight if m.is_capture() => 20,
        _ => 5,
    },
    // Rare moves.
    |position, m| {
        let mut after = position.clone();
        after.play_unchecked(m);
        let rare = u32::from(m.is_promotion() || m.is_castle()) * 20 + u32::from(m.is_en_passant()) * 200;
        1 + rare + 5 * u32::from(m.is_capture()) + 10 * after.checkers().count().pow(3) as u32
    },
    // The pawns stay at home, and other men are shut in.
    |_, m| match m.role() {
        Role::Pawn => 1,
        Role::King => 100,
        _ if m.is_capture() => 200,
        _ => 30,
    },
];

/// True if a move captures a pawn, or a piece of a kind of which there are more than in the initial position.
fn was_pawn(position: &Chess, m: Move) -> bool {
    let Some(role) = m.capture() else { return false };
    let kind = role.of(position.turn().other());
    role == Role::Pawn || position.board().by_piece(kind).count() > Board::new().by_piece(kind).count()
}

#[test]
fn no_position_of_a_random_game_is_refused() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for eagerness in PLAYERS {
        for _ in 0..100 {
            let mut position = Chess::default();
            for _ in 0..rng.random_range(10..=150) {
                let moves = position.legal_moves();
                let weights: Vec<u32> = moves.iter().map(|m| eagerness(&position, *m)).collect();
                let sum: u32 = weights.iter().sum();
                if sum == 0 {
                    break;
                }
                let mut drawn = rng.random_range(0..sum);
                let chosen = weights.iter().position(|weight| {
                    let here = drawn < *weight;
                    drawn = drawn.saturating_sub(*weight);
                    here
                });
                position.play_unchecked(moves[chosen.unwrap()]);
                assert_not_refused(&position);
            }
        }
    }
}

#[test]
fn the_position_before_a_move_is_among_the_earlier_ones() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let (mut quiet, mut en_passant) = (0, 0);
    for _ in 0..30 {
        let mut position = Chess::default();
        for _ in 0..rng.random_range(20..=100) {
            let moves = position.legal_moves();
            let rare = |m: &&Move| m.is_en_passant() || m.is_promotion() || m.is_castle();
            let Some(last) = moves.len().checked_sub(1) else { break };
            let m = *moves.iter().find(rare).unwrap_or(&moves[rng.random_range(0..=last)]);
            let before = position.clone();
            position.play_unchecked(m);
            let problem = Problem::of_position(&position);
            let is_before =
                |earlier: &Problem| earlier.board == *before.board() && earlier.turn == Some(before.turn());
            let found = earlier(&problem);
            assert!(found.iter().any(is_before), "{m} to {}", position.board());
            let is_quiet = !m.is_capture() && !m.is_castle() && m.role() != Role::Pawn;
            let by_quiet = earlier_by_a_quiet_move(&problem);
            assert!(!is_quiet || by_quiet.iter().any(is_before), "{m} to {}", position.board());
            quiet += u32::from(is_quiet);
            if m.is_en_passant() {
                let step =
                    found.iter().find(|earlier| is_before(earlier)).and_then(Problem::before_double_step);
                assert_eq!(
                    step.unwrap().turn,
                    Some(position.turn()),
                    "the pawn that was captured moved before"
                );
                en_passant += 1;
            }
        }
    }
    assert!(quiet > 300 && en_passant > 3, "{quiet} {en_passant}");
}

#[test]
fn every_board_has_an_answer() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for round in 0..20_000 {
        let mut board = if round % 4 == 0 { Board::new() } else { Board::empty() };
        for _ in 0..rng.random_range(0..64) {
            let role = Role::ALL[rng.random_range(0..6)];
            // Plausible boards reach the later rules, too.
            let square = Square::new(rng.random_range(0..64));
            let color = if rng.random() { Color::White } else { Color::Black };
            let is_plausible =
                role != Role::King && (role != Role::Pawn || !Bitboard::BACKRANKS.contains(square));
            if round % 2 == 1 || is_plausible {
                board.set_piece_at(square, Piece { color, role });
            }
        }
        for color in Color::ALL {
            if round % 2 == 0 && board.king_of(color).is_none() {
                board.set_piece_at(Square::new(rng.random_range(0..64)), Role::King.of(color));
            }
        }
        let problem = Problem {
            board,
            turn: [None, Some(Color::White), Some(Color::Black)][rng.random_range(0..3)],
            castling: rng.random::<bool>().then(|| Bitboard(rng.random::<u64>() & rng.random::<u64>())),
            en_passant: [None, Some(None), Some(Some(Square::new(rng.random_range(0..64))))]
                [rng.random_range(0..3)],
        };
        if let Some(reason) = illegal(&problem) {
            assert!(!reason.to_string().is_empty());
        }
    }
}

#[test]
fn the_words_of_the_rules_differ() {
    let mut words = Rule::ALL.map(Rule::word).to_vec();
    words.sort_unstable();
    words.dedup();
    assert_eq!(words.len(), Rule::ALL.len());
}
