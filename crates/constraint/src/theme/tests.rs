//! Each theme with a line that shows it and one that does not. The positions were made for these tests.

use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen, uci::UciMove};

use super::*;

/// The line of these moves in UCI notation. Moves before a `|` lead to the position.
fn line(fen: &str, moves: &str) -> SolutionLine {
    let mut position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).expect(fen);
    let (before, after) = moves.split_once('|').unwrap_or(("", moves));
    let mut previous = None;
    for m in before.split_whitespace() {
        let m = m.parse::<UciMove>().unwrap().to_move(&position).expect(m);
        position.play_unchecked(m);
        previous = Some(m);
    }
    let (start, mut played) = (position.clone(), Vec::new());
    for m in after.split_whitespace() {
        let m = m.parse::<UciMove>().unwrap().to_move(&position).expect(m);
        position.play_unchecked(m);
        played.push(m);
    }
    SolutionLine::new(start, &played, previous)
}

#[test]
fn each_theme_is_seen_where_it_is_and_not_where_it_is_not() {
    for (theme, fen, shown, other) in [
        // The knight checks and attacks the rook; or it attacks the rook alone.
        (Theme::Fork, "r3k3/5ppp/8/1N6/8/8/5PPP/6K1 w - - 0 1", "b5c7 e8d8 c7a8", "b5d4 e8d8 d4e2"),
        (Theme::Pin, "4k3/5ppp/8/8/4n3/8/5PPP/R5K1 w - - 0 1", "a1e1 f7f5 f2f3", "a1d1 f7f5 f2f3"),
        (Theme::Skewer, "8/8/8/3k3r/8/8/8/R5K1 w - - 0 1", "a1a5 d5e4 a5h5", "a1a5 d5e4 a5a4"),
        (Theme::Discovered, "3q2k1/5ppp/8/3N4/8/8/5PPP/3R2K1 w - - 0 1", "d5f6 g7f6 d1d8", "d5e7 d8e7 d1e1"),
        (Theme::DoubleCheck, "4k3/8/8/8/4N3/8/8/4R1K1 w - - 0 1", "e4f6", "e4c5"),
        // The rook leaves the bishop alone; or it still protects it.
        (Theme::Deflection, "3r2k1/5ppp/8/3b4/8/8/5PPP/R2R2K1 w - - 0 1", "a1a8 d8a8 d1d5", "a1a8 d5a8 d1d8"),
        (Theme::Decoy, "6k1/1q3pp1/8/3N4/8/6K1/5PP1/R6R w - - 0 1", "h1h8 g8h8 a1h1", "h1h8 g8h8 a1a4"),
        (
            Theme::CapturingDefender,
            "4k3/5ppp/2n5/4b3/8/8/5PPP/2R1R1K1 w - - 0 1",
            "c1c6 h7h6 e1e5",
            "c1c5 h7h6 e1e5",
        ),
        (
            Theme::Interference,
            "3r2k1/5ppp/8/8/5N2/8/2Rb1PPP/6K1 w - - 0 1",
            "f4d5 g8f8 c2d2",
            "f4e6 h7h6 c2d2",
        ),
        (Theme::Clearance, "6k1/5ppp/8/8/8/8/5PPP/R1B3K1 w - - 0 1", "c1h6 g7h6 a1d1", "c1h6 g7h6 a1a8"),
        (
            Theme::Intermezzo,
            "3rk3/5ppp/8/8/3N4/8/5PPP/R2R2K1 b - - 0 1",
            "d8d4 | a1a8 e8e7 d1d4",
            "d8d4 | d1d4 e8e7 a1a8",
        ),
        (Theme::Xray, "R1r3k1/5ppp/5Q2/8/8/8/5PPP/6K1 w - - 0 1", "f6d8 c8d8 a8d8", "f6e5 c8a8 e5a1"),
        (
            Theme::Trapped,
            "6k1/5ppp/8/8/8/2P5/bP3PPP/2K4R w - - 0 1",
            "b2b3 h7h6 c1b2 h6h5 b2a2",
            "h1e1 h7h6 e1e8",
        ),
        (Theme::Hanging, "4k3/5ppp/8/3n4/8/8/5PPP/3R2K1 w - - 0 1", "d1d5", "d1e1"),
        (Theme::Sacrifice, "6k1/5ppp/8/8/8/8/5PPP/R1B3K1 w - - 0 1", "c1h6 g7h6 a1d1", "c1e3 g7g6 a1d1"),
        (Theme::QueenSacrifice, "5r1k/6pp/7N/8/2Q5/8/5PPP/6K1 w - - 0 1", "c4g8 f8g8 h6f7", "c4c1 f8f7 c1c8"),
        (
            Theme::RookSacrifice,
            "6k1/1q3pp1/8/3N4/8/6K1/5PP1/R6R w - - 0 1",
            "h1h8 g8h8 a1h1",
            "h1h5 g8f8 a1a8",
        ),
        (
            Theme::ExchangeSacrifice,
            "4k3/1p3ppp/2n5/8/8/8/5PPP/2R3K1 w - - 0 1",
            "c1c6 b7c6 g1f1",
            "c1c5 b7b6 c5c6",
        ),
        (Theme::MinorSacrifice, "6k1/5ppp/8/8/8/8/5PPP/R1B3K1 w - - 0 1", "c1h6 g7h6 a1d1", "c1h6 g7g6 a1d1"),
        (Theme::Promotion, "4k3/P7/8/8/8/8/8/6K1 w - - 0 1", "a7a8q", "g1g2"),
        (Theme::Underpromotion, "4k3/P7/8/8/8/8/8/6K1 w - - 0 1", "a7a8n", "a7a8q"),
        (Theme::EnPassant, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "e5e6"),
        (Theme::AdvancedPawn, "4k3/8/8/P7/8/8/8/6K1 w - - 0 1", "a5a6", "g1g2"),
        (Theme::QuietMove, "8/5ppk/8/8/8/8/5PPP/R5K1 w - - 0 1", "a1d1 h7g8 d1d8", "a1a7 h7g8 a7a8"),
        (
            Theme::Perpetual,
            "6k1/5pp1/7p/8/4Q3/8/5PPP/6K1 w - - 0 1",
            "e4e8 g8h7 e8e4 h7g8 e4e8",
            "e4e8 g8h7 e8e4 g7g6",
        ),
        // The queen offers itself; if it is taken, White has no move.
        (Theme::Stalemate, "8/1Q6/8/8/8/6k1/5q2/7K w - - 0 1", "b7f3", "b7b8"),
        (Theme::Mate, "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", "a1a7"),
        (Theme::BackRank, "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", "a1a7"),
        (Theme::Smothered, "5r1k/6pp/7N/8/2Q5/8/5PPP/6K1 w - - 0 1", "c4g8 f8g8 h6f7", "c4f7 f8f7 h6f7"),
        (Theme::Arabian, "7k/8/5N2/8/8/8/8/6RK w - - 0 1", "g1g8", "g1g7"),
        (Theme::Hook, "3k4/2Np4/1P6/4R3/8/1K6/8/8 w - - 0 1", "e5e8", "e5e7"),
        (Theme::Boden, "8/1B6/3p4/8/8/6B1/6p1/K4kr1 w - - 0 1", "b7a6", "b7d5"),
        (Theme::DoubleBishop, "7k/7p/8/K2B4/8/8/8/4B3 w - - 0 1", "e1c3", "e1f2"),
        (Theme::Dovetail, "8/8/4p3/3pk3/1Q6/6P1/8/6K1 w - - 0 1", "b4f4", "b4d4"),
        (Theme::Epaulette, "2rkrQ2/8/8/8/K7/8/8/8 w - - 0 1", "f8d6", "f8f6"),
        (Theme::Anastasia, "8/4N1pk/8/8/8/8/2K5/R7 w - - 0 1", "a1h1", "a1g1"),
    ] {
        assert!(theme.is_shown_by(&line(fen, shown)), "{theme}: {fen} {shown}");
        assert!(!theme.is_shown_by(&line(fen, other)), "no {theme}: {fen} {other}");
    }
    // The king that steps between rook and bishop interferes with nothing.
    let stepped = line("3r4/8/8/2k5/8/8/R2b4/6K1 w - - 0 1", "a2c2 c5d4 c2d2");
    assert!(!Theme::Interference.is_shown_by(&stepped));
    // The line may include the move that stalemates the solver.
    assert!(Theme::Stalemate.is_shown_by(&line("8/1Q6/8/8/8/6k1/5q2/7K w - - 0 1", "b7f3 g3f3")));
    // It is the opponent who is stalemated.
    assert!(!Theme::Stalemate.is_shown_by(&line("8/8/8/8/8/5k2/4p3/4K3 b - - 0 1", "f3e3")));
}

#[test]
fn every_word_means_its_theme_in_any_notation() {
    for theme in Theme::ALL {
        assert_eq!(Theme::of_word(theme.word()), Some(theme));
        assert_eq!(Theme::of_word(&theme.word().to_uppercase().replace('-', "_")), Some(theme));
    }
    for (word, theme) in [
        ("backRankMate", Theme::BackRank),
        ("attraction", Theme::Decoy),
        ("xRayAttack", Theme::Xray),
        ("defensiveMove", Theme::Defence),
        ("zwischenzug", Theme::Intermezzo),
    ] {
        assert_eq!(Theme::of_word(word), Some(theme));
    }
    assert_eq!(Theme::of_word("forks"), None);
    assert_eq!(Theme::of_word(""), None);
}
