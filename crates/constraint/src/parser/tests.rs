use proptest::prelude::*;

use super::*;
use crate::arbitrary::any_conditions;

fn parse(text: &str) -> Constraint {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn error(text: &str) -> ParseError {
    text.parse::<Constraint>().expect_err(text)
}

#[test]
fn white_space_commas_and_ampersands_all_mean_and() {
    assert_eq!(parse("Q=1 R=2"), parse("Q=1&R=2"));
    assert_eq!(parse("Q=1, R=2"), parse("Q=1 & R=2"));
    assert_eq!(parse("  ( 1 , 2,1,1 ,7 )"), parse("(1,2,1,1,7)"));
}

#[test]
fn and_binds_tighter_than_or() {
    assert_eq!(parse("Q=1 R=2 | q=0"), parse("(Q=1 R=2) | q=0"));
    assert_ne!(parse("Q=1 (R=2 | q=0)"), parse("Q=1 R=2 | q=0"));
}

#[test]
fn errors_name_the_column_and_what_was_expected() {
    assert_eq!(
        error("(1,2,1").to_string(),
        "constraint, column 7: expected ',' and the number of knights, found the end"
    );
    let range = error("Q=1..0");
    assert_eq!((range.column, range.found.as_str()), (6, "0"));
    let doubled = error("pp=2");
    assert_eq!((doubled.column, doubled.found.as_str()), (2, "'p'"));
    assert!(doubled.expected.starts_with('='), "{doubled}");
    assert_eq!(error("").found, "the end");
    assert_eq!(error("Q=1 )").column, 5);
    assert_eq!(error("Q=300").column, 3);
    assert!(error("K=1").expected.contains("kings are not counted"));
    assert_eq!(error("Q=1 & ♛").found, "'♛'");
}

#[test]
fn black_before_a_tuple_means_the_other_side() {
    let tuple = |color| Constraint::from(Tuple { color, counts: [0, 2, 2, 2, 8] });
    assert_eq!(parse("(0,2,2,2,8)"), tuple(Color::White));
    for text in ["black(0,2,2,2,8)", "black (0,2,2,2,8)", "  black\t( 0, 2,2,2 ,8)", "(black(0,2,2,2,8))"] {
        assert_eq!(parse(text), tuple(Color::Black), "{text}");
    }
    assert_eq!(parse("!black (0,2,2,2,8)"), Constraint::Not(Box::new(tuple(Color::Black))));
    assert_eq!(
        parse("(0,2,2,2,8) black (0,2,2,2,8)"),
        Constraint::All(vec![tuple(Color::White), tuple(Color::Black)])
    );
    let short = error("black (0,2,2,2)");
    assert_eq!((short.column, short.expected.as_str()), (15, "',' and the number of pawns"));
    for (text, column) in [("black Q=1", 1), ("black (Q=1)", 8), ("white (0,2,2,2,8)", 1)] {
        assert_eq!(error(text).column, column, "{text}");
    }
}

#[test]
fn numbers_of_three_digits_are_refused_with_their_column() {
    for (text, column) in [
        ("Q<=200", 4),
        ("Q=-100", 4),
        ("Q=1..100", 6),
        ("Q-q>=128", 6),
        ("(100,2,2,2,8)", 2),
        ("Q=99999999999", 3),
    ] {
        let error = error(text);
        assert_eq!(error.column, column, "{text}");
        assert!(error.expected.ends_with("at most 99"), "{text}: {error}");
    }
}

#[test]
fn every_condition_prints_as_it_was_written() {
    for text in [
        "material=KRPvKR",
        "material=KvK",
        "N@f5",
        "k@g8",
        "-@d4",
        "P@a-c",
        "p@6",
        "P@2-4",
        "Q@dark",
        "b@light",
        "-@c",
        "fen=rnbqkbnr/pppp?ppp/8/8/4P3/8/PPPP1PPP/RNBQKB?R",
        "castling=none",
        "castling=KQkq",
        "castling>=Kq",
        "check=white",
        "check=black",
        "check=any",
        "check=none",
        "checkmate",
        "eval=-30..30",
        "eval.mover>=150",
        "!(eval<-1000 | quiet)",
        "mate=3",
        "wdl=win",
        "wdl.white=draw",
        "only",
        "puzzle=1400..1600",
        "!puzzle>2000",
        "best=sacrifice",
        "best=N",
        "best=B@h7",
        "bad=[Pp]@centre",
        "bad=capture",
        "legal<=3",
        "theme=back-rank",
        "moves=2..4",
        "hold",
        "!convert",
        "stalemate",
        "turn=white",
        "turn=black",
        "elo=1500..1700",
        "white.elo=1200",
        "black.elo=0..4000",
        "ply<=40",
        "ply=21",
        "ply!=3..9",
        "ply>=1000",
        "P@d=1",
        "P@d>=1",
        "[Nn]@c3-f6>=2",
        "-@centre=4",
        "P@queenside-p@queenside>=1",
        "P-P@d=7",
        "[QR]-attacks([qr], [QR])=0",
        "isolated(P@d)",
        "passed(supported(P@6-7))>=2",
        "attacks(N, [kqr])>=2",
        "forks(N, -@e4-h8)!=1",
        "shields(n, q)",
        "islands(P)-islands(p)<0",
        "mobility(b@kingside)<=2",
        "N@b - b=1",
        "N@b-n=1",
        "N@b4-b=1",
    ] {
        assert_eq!(parse(text).to_string(), text);
    }
    assert_eq!(parse("castling = qkQK").to_string(), "castling=KQkq");
    assert_eq!(parse("material=KPRvKR"), parse("material=KRPvKR"));
    assert_eq!(parse("P@a -@d4"), parse("P@a & -@d4"));
    assert_eq!(
        parse("P@a-c, N@f5(R@a1|R@h1)!B@light").to_string(),
        "P@a-c & N@f5 & (R@a1 | R@h1) & !B@light"
    );
    assert_eq!(parse("N@outpost R@Open r@halfopen").to_string(), "outpost(N) & open(R) & halfopen(r)");
    assert_eq!(parse("n@center=1 K@rim").to_string(), "n@centre=1 & K@edge");
    assert_eq!(parse("P@d - p@e >= 1 -@d4").to_string(), "P@d-p@e>=1 & -@d4");
    assert_eq!(parse("P@a-p@a=0 P@a-c=3").to_string(), "P@a-p@a=0 & P@a-c=3");
    assert_eq!(parse("Passed( P ) Attacks(N,q)").to_string(), "passed(P) & attacks(N, q)");
    assert_eq!(parse("Checkmate TURN=white").to_string(), "checkmate & turn=white");
}

#[test]
fn unknown_words_get_the_most_similar_word_as_a_suggestion() {
    for (text, column, suggestion) in [
        ("Q=1 chekmate", 5, Some("checkmate")),
        ("stale mate", 1, Some("stalemate")),
        ("tun=white", 1, Some("turn")),
        ("turn=wite", 6, Some("white")),
        ("check=balck", 7, Some("black")),
        ("castling=nome", 10, Some("none")),
        ("somewhere", 1, None),
        ("N@f5 and n@a1", 6, Some("&")),
        ("Q=1 or q=1", 5, Some("|")),
        ("not Q=1", 1, Some("!")),
        ("mate", 1, Some("checkmate")),
        ("Nf5", 2, Some("N@f5")),
        ("P@ab", 3, None),
        ("elo=-5", 5, None),
        ("N@i5", 3, None),
        ("N@f9", 3, None),
        ("P@c-a", 5, None),
        ("N@", 3, None),
        ("castling=KK", 11, None),
        ("castling KQ", 10, None),
        ("material=KRPKR", 13, None),
        ("material=RvK", 10, None),
        ("material=KRvR", 13, None),
        ("fen=8/8/9", 9, None),
        ("elo=5000", 5, None),
        ("elo>5", 4, None),
        ("ply", 4, None),
        ("ply<=1001", 6, None),
        ("eval", 5, None),
        ("eval=-30..", 11, None),
        ("eval=30..-30", 10, None),
        ("eval>20000", 6, None),
        ("puzzle", 7, None),
        ("puzzle=1600..1400", 14, None),
        ("puzzle<6000", 8, None),
        ("mate=0", 6, None),
        ("mate=6", 6, None),
        ("best=move", 6, None),
        ("best=N@outpost", 8, None),
        ("wdl=won", 5, None),
        ("wdl", 4, None),
        ("best=N@i9", 8, None),
        ("bad=sacrifise", 5, Some("sacrifice")),
        ("legal=219", 7, None),
        ("legal", 6, None),
        ("best", 5, None),
        ("theme=frok", 7, Some("fork")),
        ("theme=", 7, None),
        ("theme", 6, None),
        ("moves=21", 7, None),
        ("hodl", 1, Some("hold")),
        ("quite", 1, Some("quiet")),
        ("-d4", 2, None),
        ("isolatd(P)", 1, Some("isolated")),
        ("isolated P", 10, None),
        ("isolated(N)", 10, None),
        ("islands([Pn])", 9, None),
        ("hanging(-@d4)", 9, None),
        ("hanging(mobility(N))", 9, None),
        ("attacks(N)", 10, None),
        ("attacks(N, q", 13, None),
        ("attacks(-@d4, q)", 9, None),
        ("passed(suported(P))", 8, Some("supported")),
        ("N@outpst", 3, Some("outpost")),
        ("P@kingsid=1", 3, Some("kingside")),
        ("-@outpost", 3, None),
        ("P@f6-c3", 6, None),
        ("[Pp]@a-h4..5>=6", 6, Some("a4-h5")),
        ("P@c-f6", 3, Some("c6-f6")),
        ("P@d=100", 5, None),
        ("P@d-p", 6, None),
        ("open=4", 6, None),
        ("open", 5, None),
        ("halfopen=d4", 10, None),
        ("bishops=oposite", 9, Some("opposite")),
        ("majority=queensid", 10, Some("queenside")),
        ("white.halfopn=c", 1, Some("white.halfopen")),
        ("flip Q=1", 6, None),
        ("shift(N@centre)", 7, None),
    ] {
        let error = error(text);
        assert_eq!((error.column, error.suggestion.as_deref()), (column, suggestion), "{text}: {error}");
    }
}

#[test]
fn ratings_apply_to_the_whole_constraint() {
    assert_eq!(error("Q=1 | elo=1500").column, 7);
    assert_eq!(error("!(Q=1 white.elo=1500)").column, 7);
    assert_eq!(error("Q=1 (q=1 | (R=1 elo=1500))").column, 17);
    parse("(elo=1500 Q=1) & (q=1 | r=1)");
}

#[test]
fn shorthands_are_written_out() {
    for (short, long) in [
        ("open=d", "!P@d !p@d"),
        ("open=c-d", "(!P@c !p@c) (!P@d !p@d)"),
        ("white.halfopen=c", "!P@c p@c"),
        ("black.halfopen=c", "!p@c P@c"),
        ("halfopen=c", "!P@c p@c | !p@c P@c"),
        ("majority=queenside", "P@queenside-p@queenside>=1"),
        ("black.majority=a-c", "p@a-c-P@a-c>=1"),
        ("bishops=opposite", "B=1 b=1 (B@light b@dark | B@dark b@light)"),
        ("bishops=same", "B=1 b=1 (B@light b@light | B@dark b@dark)"),
    ] {
        assert_eq!(parse(short), parse(long), "{short}");
    }
    // The same words are sets of men.
    assert_eq!(parse("open(R) halfopen(r)>=2").to_string(), "open(R) & halfopen(r)>=2");
}

#[test]
fn sets_within_sets_are_limited() {
    let nested = |depth: usize| format!("{}N{}", "attacked(".repeat(depth), ")".repeat(depth));
    parse(&nested(7));
    assert!(error(&nested(8)).expected.contains("at most 8"));
    assert!(error(&"attacked(".repeat(100_000)).expected.contains("at most 8"));
}

#[test]
fn deep_nesting_is_an_error_and_not_a_crash() {
    assert!(error(&"(".repeat(100_000)).expected.contains("nested"));
    assert!(error(&"!".repeat(100_000)).expected.contains("nested"));
    let nested = |depth: usize| format!("{}Q=1{}", "(".repeat(depth), ")".repeat(depth));
    parse(&nested(MAX_NESTING));
    assert_eq!(error(&nested(MAX_NESTING + 1)).column, MAX_NESTING + 1);
}

proptest! {
    #[test]
    fn printed_constraints_parse_to_the_same_value(constraint in any_conditions()) {
        prop_assert_eq!(parse(&constraint.to_string()), constraint);
    }

    #[test]
    fn any_text_parses_or_fails_with_a_column_inside_it(text in "\\PC{0,40}") {
        if let Err(error) = text.parse::<Constraint>() {
            prop_assert!((1..=text.chars().count() + 1).contains(&error.column));
        }
    }
}

#[test]
fn other_notations_get_a_suggestion() {
    for (text, column, found, meant) in [
        ("KRPvKR", 1, "'KRPvKR'", "material=KRPvKR"),
        ("turn=white KQvK", 12, "'KQvK'", "material=KQvK"),
        ("4k3/8/8/8/8/8/8/4K2R", 1, "'4k3/8/8/8/8/8/8/4K2R'", "fen=4k3/8/8/8/8/8/8/4K2R"),
        ("r3k3/8/8/8/8/8/8/4K2R w - - 0 1", 1, "'r3k3/8/8/8/8/8/8/4K2R'", "fen=r3k3/8/8/8/8/8/8/4K2R"),
        ("rnbqkbnr/8/8/8/8/8/8/4K3", 1, "'rnbqkbnr/8/8/8/8/8/8/4K3'", "fen=rnbqkbnr/8/8/8/8/8/8/4K3"),
        ("Q=0 && q=0", 6, "'&&'", "&"),
        ("Q=0 || q=0", 6, "'||'", "|"),
        ("mate-in-1", 1, "'mate'", "mate=1"),
        ("Q=0 mate in 2", 5, "'mate'", "mate=2"),
        ("mate-in-9", 1, "'mate'", "checkmate"),
    ] {
        let error = error(text);
        assert_eq!((error.column, error.found.as_str()), (column, found), "{text}");
        assert_eq!(error.suggestion.as_deref(), Some(meant), "{text}");
    }
    // Text that resembles nothing gets no suggestion.
    assert_eq!(error("Kxx").suggestion, None);
    assert_eq!(error("4k3/9").suggestion, None);
}

#[test]
fn a_whole_fen_gives_the_board_the_turn_and_the_castling_rights() {
    let board = "fen=r3k3/8/8/8/8/8/8/4K2R";
    for (fields, conditions) in [
        (" w Kq - 0 1", " turn=white castling=Kq"),
        (" b - e3 12 99", " turn=black castling=none"),
        (" w K", " turn=white castling=K"),
        (" w - - N@f3", " turn=white castling=none N@f3"),
        (" b - | q=0", " turn=black castling=none | q=0"),
        (" b=1", " & b=1"),
    ] {
        assert_eq!(parse(&format!("{board}{fields}")), parse(&format!("{board}{conditions}")), "{fields}");
    }
    assert_eq!(error(&format!("{board} w")).column, board.len() + 2);
}

#[test]
fn a_negated_fen_negates_its_turn_and_castling_rights_too() {
    let board = "fen=r3k3/8/8/8/8/8/8/4K2R";
    for (fen, conditions) in [
        (format!("!{board} w Kq - 0 1"), format!("!({board} turn=white castling=Kq)")),
        (format!("!!{board} b - Q=1"), format!("!!({board} turn=black castling=none) Q=1")),
        (format!("!{board}"), format!("!({board})")),
    ] {
        assert_eq!(parse(&fen), parse(&conditions), "{fen}");
    }
}

#[test]
fn then_is_between_or_and_and() {
    for (text, meaning) in [
        ("Q=1 q=1 then Q=0 q=0", "earlier(Q=1 q=1) Q=0 q=0"),
        ("(Q=1) THEN (Q=0 | q=0)", "earlier(Q=1) (Q=0 | q=0)"),
        ("Q=1 then Q=0 | q=0", "(earlier(Q=1) Q=0) | q=0"),
        ("Q=2 then Q=1 then Q=0", "earlier(earlier(Q=2) Q=1) Q=0"),
        ("!(Q=1 then Q=0)", "!(earlier(Q=1) Q=0)"),
        ("Q=2 then (Q=1 then Q=0)", "earlier(Q=2) (earlier(Q=1) Q=0)"),
        ("mirror(Q=1 then q=0)", "earlier(q=1) Q=0"),
        ("flip(P@c4 then P@c5)", "earlier(P@f4) P@f5"),
    ] {
        let flat = |constraint: Constraint| constraint.to_string().replace(['(', ')'], "");
        assert_eq!(flat(parse(text)), flat(parse(meaning)), "{text}");
    }
    assert_eq!(parse("Q=1 then Q=0 q=0").to_string(), "earlier(Q=1) & Q=0 & q=0");
    for (text, column, expected) in [
        ("then Q=1", 1, "what came before 'then'"),
        ("Q=1 then", 9, "a condition"),
        ("elo=1500 Q=1 then Q=0", 1, "no rating under 'then'"),
        ("quiet then Q=0", 1, "only the last position is judged"),
        ("earlier(Q=0 | mate=2)", 9, "only the last position is judged"),
        ("earlier Q=0", 9, "'(' and what held"),
        ("earlier(Q=0", 12, "')'"),
    ] {
        let error = error(text);
        assert_eq!(error.column, column, "{text}: {error}");
        assert!(error.expected.contains(expected), "{text}: {error}");
    }
    assert!(parse("Q=1 then Q=0 quiet elo=1500").is_judged());
    // The input is untrusted.
    assert!(parse(&["Q=1"; 9].join(" then ")).is_of_the_game());
    assert!(error(&["Q=1"; 10].join(" then ")).expected.contains("at most 8 earlier positions"));
    assert!(error(&"Q=1 then ".repeat(100_000)).expected.contains("at most 8 earlier positions"));
}

#[test]
fn conditions_on_the_game_print_as_they_are_read() {
    for (text, printed) in [
        ("captures <= 4", "captures<=4"),
        ("Castled=Queenside", "castled=long"),
        ("white.castled=kingside", "white.castled=short"),
        ("black.castled=yes", "black.castled=yes"),
        (
            "castled=same",
            "white.castled=long & black.castled=long | white.castled=short & black.castled=short",
        ),
        ("opening = 'Queen's Gambit'", "opening=\"Queen's Gambit\""),
        ("opening=\"queens gambit\"", "opening=\"Queen's Gambit\""),
        ("ECO=b20", "eco=B20"),
        ("eco=A00..a09", "eco=A00..A09"),
        ("begins='1. e4 e5 2. f1c4 Nc6 3.Qh5 Nf6 4.Qxf7#'", "begins=\"1.e4 e5 2.Bc4 Nc6 3.Qh5 Nf6 4.Qxf7\""),
        ("earlier( Q=0,q=0 )", "earlier(Q=0 & q=0)"),
    ] {
        assert_eq!(parse(text).to_string(), printed, "{text}");
        assert_eq!(parse(printed), parse(text), "{text}");
    }
    for (text, column, expected) in [
        ("captures=x", 10, "a number"),
        ("captures", 9, "the number of captures"),
        ("castled=left", 9, "long, short, none, yes"),
        ("white.castled=opposite", 15, "for one side"),
        ("opening=Sicilian", 9, "in quotes"),
        ("opening=\"Sicilian", 18, "the closing quote"),
        ("opening=\"Sicilain\"", 10, "the name of an opening"),
        ("eco=F00", 5, "from A00 to E99"),
        ("eco=B90..B80", 10, "not before B90"),
        ("begins=\"1.e4 e5 2.Ke3\"", 19, "a legal move"),
        ("begins=\"\"", 9, "moves from the initial position"),
        ("mirror(eco=B90)", 8, "'mirror' can move"),
        ("mirror(earlier(begins=\"e4\"))", 8, "'mirror' can move"),
        ("flip(castled=long)", 6, "'flip' can move"),
    ] {
        let error = error(text);
        assert_eq!(error.column, column, "{text}: {error}");
        assert!(error.expected.contains(expected), "{text}: {error}");
    }
    assert_eq!(error("opening=\"Sicilain\"").suggestion.as_deref(), Some("Sicilian Defense"));
}
