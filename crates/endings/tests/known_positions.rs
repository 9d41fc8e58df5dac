//! Positions of textbooks.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like tests")]

use std::{num::NonZero, sync::atomic::AtomicBool};

use entente_endings::{
    Endings, Material, Store,
    Wdl::{self, Draw, Loss, Win},
    shakmaty::{CastlingMode, Chess, fen::Fen},
};

fn position(fen: &str) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
}

fn prepare(endings: &Endings, name: &str) {
    let material: Material = name.parse().unwrap();
    endings.prepare(material, NonZero::new(2).unwrap(), &|_| (), &AtomicBool::new(false)).unwrap();
}

fn check(endings: &Endings, expected: &[(&str, Wdl)]) {
    for (fen, result) in expected {
        assert_eq!(endings.probe(&position(fen)), Some(*result), "{fen}");
    }
}

#[test]
fn king_and_pawn_against_king_needs_no_making() {
    let endings = Endings::new(&[], None).unwrap();
    check(
        &endings,
        &[
            // The side that is not to move has the opposition.
            ("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", Draw),
            ("8/8/4k3/8/4K3/4P3/8/8 b - - 0 1", Loss),
            ("8/8/4p3/4k3/8/4K3/8/8 b - - 0 1", Draw),
            ("8/8/4p3/4k3/8/4K3/8/8 w - - 0 1", Loss),
            // On the sixth rank the king in front of its pawn wins in any case, but not with a pawn of the rook.
            ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", Win),
            ("k7/8/K7/P7/8/8/8/8 w - - 0 1", Draw),
            // The square of the pawn.
            ("8/8/8/7P/k7/8/8/K7 w - - 0 1", Win),
            ("8/8/8/4k2P/8/8/8/K7 b - - 0 1", Draw),
            // Stalemate, and a promotion that gives none.
            ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", Draw),
            ("8/k1P5/2K5/8/8/8/8/8 w - - 0 1", Win),
            ("k7/2P5/1K6/8/8/8/8/8 w - - 0 1", Win),
        ],
    );
    assert_eq!(endings.probes(), 11);
}

#[test]
fn kings_and_a_minor_piece_are_drawn_without_a_table() {
    let endings = Endings::new(&[], None).unwrap();
    check(
        &endings,
        &[
            ("8/8/4k3/8/4K3/8/8/8 w - - 0 1", Draw),
            ("8/8/4k3/8/4K3/4B3/8/8 w - - 0 1", Draw),
            ("8/8/4k3/4n3/8/4K3/8/8 w - - 0 1", Draw),
            ("8/2b5/4k3/8/4K3/4B3/8/8 w - - 0 1", Draw),
        ],
    );
    assert_eq!(endings.probe(&position("8/2b5/4k3/8/4K3/4N3/8/8 w - - 0 1")), None, "a mate is possible");
    assert_eq!(endings.probe(&position("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")), None, "castling");
    assert_eq!(endings.probe(&position("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")), Some(Win));
    assert_eq!(endings.probe(&Chess::default()), None);
}

#[test]
fn bishops_pieces_and_pawns_of_four_men() {
    let endings = Endings::new(&[], None).unwrap();
    for name in ["KBPvK", "KBNvK", "KNNvK", "KQvKP", "KRvKP", "KQvKR"] {
        prepare(&endings, name);
    }
    check(
        &endings,
        &[
            // The bishop of the wrong colour, and of the right one.
            ("7k/8/8/6KP/8/8/8/5B2 w - - 0 1", Draw),
            ("7k/8/8/6KP/8/8/8/2B5 w - - 0 1", Win),
            ("8/8/8/4k3/8/4K3/8/3BN3 w - - 0 1", Win),
            ("8/8/8/4k3/8/4K3/8/3NN3 w - - 0 1", Draw),
            // The queen against a pawn on the seventh rank.
            ("7K/8/8/8/4Q3/8/1kp5/8 w - - 0 1", Draw),
            ("7K/8/8/8/4Q3/8/pk6/8 w - - 0 1", Draw),
            ("7K/8/8/8/3Q4/8/1pk5/8 w - - 0 1", Win),
            ("7K/8/8/8/7Q/8/3pk3/8 w - - 0 1", Win),
            // Philidor's queen against rook, either to move.
            ("1k6/1r6/2K5/Q7/8/8/8/8 w - - 0 1", Win),
            ("1k6/1r6/2K5/Q7/8/8/8/8 b - - 0 1", Loss),
            // Saavedra: only a promotion to a rook wins.
            ("8/8/1KP5/3r4/8/8/8/k7 w - - 0 1", Win),
            ("8/2P5/8/8/3r4/8/2K5/k7 w - - 0 1", Win),
        ],
    );
}

#[test]
fn en_passant_is_exact() {
    let endings = Endings::new(&[], None).unwrap();
    prepare(&endings, "KPvKP");
    // Each position without the capture, and with it.
    check(
        &endings,
        &[
            ("8/8/6k1/8/Pp6/1K6/8/8 b - - 0 1", Loss),
            ("8/8/6k1/8/Pp6/1K6/8/8 b - a3 0 1", Draw),
            ("8/8/8/8/2PpK3/8/k7/8 b - - 0 1", Loss),
            ("8/8/8/8/2PpK3/8/k7/8 b - c3 0 1", Win),
            ("8/7K/8/3kPp2/8/8/8/8 w - - 0 1", Loss),
            ("8/7K/8/3kPp2/8/8/8/8 w - f6 0 1", Win),
        ],
    );
}

/// Endings whose tables are kept in the folder that `ENTENTE_ENDINGS` names, or else made for the test alone.
fn with_store(test: impl FnOnce(&Endings)) {
    let temporary = tempfile::tempdir().unwrap();
    let folder = std::env::var_os("ENTENTE_ENDINGS").unwrap_or_else(|| temporary.path().into());
    test(&Endings::new(&[], Some(Store::new(folder))).unwrap());
}

#[test]
#[ignore = "makes tables of five men, which takes about a minute"]
fn rook_and_pawn_against_rook() {
    with_store(|endings| {
        prepare(endings, "KRPvKR");
        check(
            endings,
            &[
                // Lucena.
                ("1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1", Win),
                ("2r5/R7/8/8/8/8/1p6/1k1K4 b - - 0 1", Win),
                // Philidor.
                ("4k3/7R/r7/3KP3/8/8/8/8 w - - 0 1", Draw),
                ("4k3/7R/r7/3KP3/8/8/8/8 b - - 0 1", Draw),
                // Vančura.
                ("R7/6k1/P4r2/8/8/8/8/6K1 w - - 0 1", Draw),
            ],
        );
    });
}

#[test]
#[ignore = "makes tables of five men, which takes some minutes"]
fn a_capture_en_passant_is_forced_where_there_is_no_other_move() {
    with_store(|endings| {
        prepare(endings, "KQPvKP");
        prepare(endings, "KQvKP");
        check(
            endings,
            &[
                ("k7/8/1Q6/8/3Pp3/4K3/8/8 b - - 0 1", Draw),
                ("k7/8/1Q6/8/3Pp3/4K3/8/8 b - d3 0 1", Loss),
                ("k7/8/1Q6/8/4p3/4K3/3P4/8 w - - 0 1", Win),
            ],
        );
    });
}
