use shakmaty::{Position, san::San};

use super::*;

/// What a text has: for each game its moves in plain notation, and its fault as `line ply what`, or nothing.
fn found(text: &str) -> Vec<(Vec<String>, String)> {
    let mut games = Games::new(text.as_bytes());
    let mut all = Vec::new();
    while let Some(found) = games.next_game().unwrap() {
        let described = |fault: GameFault| format!("{} {} {}", fault.line, fault.ply, fault.what);
        all.push(match found {
            Found::Game(read) => {
                let mut position = read.game.root().clone();
                let mut moves = Vec::new();
                for &m in read.game.moves() {
                    moves.push(San::from_move(&position, m).to_string());
                    position.play_unchecked(m);
                }
                (moves, read.fault.map_or(String::new(), described))
            }
            Found::Skipped(fault) => (vec!["skipped".to_owned()], described(fault)),
            Found::Text(fault) => (vec!["text".to_owned()], described(fault)),
            Found::Nothing => continue,
        });
    }
    all
}

/// Texts as people have them, each with the moves of its games and their faults.
const ODDITIES: &[(&str, &[(&str, &str)])] = &[
    // Moves.
    ("1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Bf1xb5", &[("e4 e5 Nf3 Nc6 Bb5", "")]),
    ("1. e2-e4 d7-d5 2. e4xd5 Qd8xd5 3. Nb1-c3 *", &[("e4 d5 exd5 Qxd5 Nc3", "")]),
    ("1. e2e4 e7e5 2. g1f3 b8c6 3. f1b5 g8f6 4. e1g1 *", &[("e4 e5 Nf3 Nc6 Bb5 Nf6 O-O", "")]),
    ("1.e4 e5 2.Nf3 Nc6 3.Bc4 Bc5 4.0-0 Nf6 5.d3 0-0 *", &[("e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6 d3 O-O", "")]),
    ("1. Nf3 d5 2. g3 c5 3. Bg2 Nc6 4. O–O *", &[("Nf3 d5 g3 c5 Bg2 Nc6 O-O", "")]),
    ("1. e4 d5 2. ed5 *", &[("e4 d5 exd5", "")]),
    ("1. e4 d5 2. d5 *", &[("e4 d5", "1 3 illegal move d5")]),
    ("1. e4 d5 2. e:d5 Q:d5 *", &[("e4 d5 exd5 Qxd5", "")]),
    ("1. e4 d5 2. exd5 Qd5 *", &[("e4 d5 exd5 Qxd5", "")]),
    ("1. ♘f3 ♞f6 2. ♙d4 *", &[("Nf3 Nf6 d4", "")]),
    ("1. Sf3 d5 *", &[("text", "1 1 \"Sf3\" is not a move")]),
    ("1. e4 e5 2. nf3 Nc6 *", &[("e4 e5", "1 3 \"nf3\" is not a move")]),
    ("1. Pe4 Pe5 *", &[("e4 e5", "")]),
    (
        "1. Nf3 Nf6 2. Nc3 Nc6 3. Nd4 e5 4. Nb5 a6 5. Nd4 *",
        &[("Nf3 Nf6 Nc3 Nc6 Nd4 e5", "1 7 ambiguous move Nb5")],
    ),
    // Promotions.
    ("[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8Q+ Kg7 *", &[("a8=Q Kg7", "")]),
    ("[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8(N) Kg7 2. Nb6 *", &[("a8=N Kg7 Nb6", "")]),
    ("[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a7-a8=R++ Kg7 *", &[("a8=R Kg7", "")]),
    ("[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a7a8b Kg7 *", &[("a8=B Kg7", "")]),
    ("[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8 Kg7 *", &[("", "3 1 illegal move a8")]),
    // Signs behind a move and alone.
    ("1. e4± e5∓ 2. Nf3+- Nc6-+ 3. Bb5+= a6=+ 4. O-O± *", &[("e4 e5 Nf3 Nc6 Bb5 a6 O-O", "")]),
    ("1. e4 e5 2. Nf3± Nc6 3. Bc4+/- Nf6 4. O-O⩲ Be7□ *", &[("e4 e5 Nf3 Nc6 Bc4 Nf6 O-O Be7", "")]),
    ("1. e4 e5 2. Nf3= Nc6 ± 3. Bb5!? N a6 +- *", &[("e4 e5 Nf3 Nc6 Bb5 a6", "")]),
    ("1. e4!! e5?! 2. Qh5 ! Ke7 ?? 3. Qxe5++ *", &[("e4 e5 Qh5 Ke7 Qxe5", "")]),
    ("1. e4 Nf6 2. e5 d5 3. exd6 e.p. exd6 *", &[("e4 Nf6 e5 d5 exd6 exd6", "")]),
    ("1. e4 Nf6 2. e5 d5 3. exd6e.p. exd6 $6 $142 *", &[("e4 Nf6 e5 d5 exd6 exd6", "")]),
    ("1. e4 e5 2. Nf3- Nc6 *", &[("e4 e5", "1 3 \"Nf3-\" is not a move")]),
    ("1. e4 $ e5 *", &[("e4", "1 2 expected a number after \"$\"")]),
    // Null moves and results.
    ("1. e4 -- 2. d4 *", &[("e4", "1 2 -- is a null move, which no game has")]),
    ("1. e4 Z0 2. d4 *", &[("e4", "1 2 Z0 is a null move, which no game has")]),
    ("1. e4 e5 1-0 2. Nf3", &[("e4 e5", "1 3 \"2\" after the result")]),
    ("1. e4 e5 ½–½", &[("e4 e5", "")]),
    ("1. e4 e5 1/2", &[("e4 e5", "1 3 \"1/2\" is not a move")]),
    // Numbers, lines and comments.
    ("1 e4 e5 2 Nf3 Nc6 *", &[("e4 e5 Nf3 Nc6", "")]),
    ("1.e4 1…e5 2.Nf3 … Nc6 *", &[("e4 e5 Nf3 Nc6", "")]),
    ("1. e4\u{a0}e5 2.\u{a0}Nf3 *", &[("e4 e5 Nf3", "")]),
    ("1. e4 e5\r\n\r\n2. Nf3\r\n\r\n2... Nc6 1-0\r\n", &[("e4 e5 Nf3 Nc6", "")]),
    ("1. e4 {1. d4 \n\n 1-0 } e5 ; 2. d4\n% 2. c4\n2. Nf3 *", &[("e4 e5 Nf3", "")]),
    ("1. e4 (1. d4 d5 (1... Nf6 {)}) 2. c4) e5 *", &[("e4 e5", "")]),
    ("1. e4 (1. d4 e5 2. Nf3 *", &[("e4", "1 2 a variation without its end")]),
    ("1. e4 } e5 *", &[("e4", "1 2 the end of a comment without its beginning")]),
    // Several games.
    ("1. e4 e5 1-0\n1. d4 d5 0-1\n\n1. c4 *\n", &[("e4 e5", ""), ("d4 d5", ""), ("c4", "")]),
    (
        "[Event \"a\"]\n\n1. e4 {no end\n\n[Event \"b\"]\n\n1. zz\n\n[Event \"c\"]\n\n1. c4 *",
        &[("e4", "3 2 a comment without its end"), ("", "7 1 \"zz\" is not a move"), ("c4", "")],
    ),
    (
        "[White \"a\"] [Black \"b\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n\n[FEN \"nonsense\"]\n\n1. e4 *",
        &[
            ("skipped", "1 1 the variant Atomic"),
            ("skipped", "6 1 illegal initial position: invalid board part in fen"),
        ],
    ),
    ("Dear friend, here is my game:\n\n1. e4 e5 *", &[("text", "1 1 \"Dear\" is not a move"), ("e4 e5", "")]),
    ("{only a comment}\n\n*\n", &[]),
];

#[test]
fn oddities_of_pgn_are_read_or_named_with_game_and_ply() {
    assert!(ODDITIES.len() >= 30);
    for (text, expected) in ODDITIES {
        let found = found(text);
        let found: Vec<(String, &str)> =
            found.iter().map(|(moves, fault)| (moves.join(" "), fault.as_str())).collect();
        let expected: Vec<(String, &str)> =
            expected.iter().map(|(moves, fault)| ((*moves).to_owned(), *fault)).collect();
        assert_eq!(found, expected, "{text}");
    }
}

/// The dropped move of a fault that once went unnoticed made another game, because castling was legal.
#[test]
fn no_token_is_skipped() {
    for token in
        ["Nf3x", "?Nf3", "Nf3{", "Nf33", "N", "Nf9", "<>", "Nf3\u{1}", "Ke8e", "0-0-0-0", "Z1", "e4e5e6"]
    {
        let text = format!("[Event \"x\"]\n\n1. e4 e5 2. {token} Nc6 3. Bc4 Nf6 4. Qe2 Be7\n");
        let games = found(&text);
        let (moves, fault) = &games[0];
        // "N" is a sign, after which Black's move is read as White's.
        assert!(moves.len() < 4 && !fault.is_empty(), "{token}: {moves:?} {fault}");
    }
}

#[test]
fn ratings_are_read_and_faults_have_the_number_of_their_game() {
    let text = "text\n\n[WhiteElo \"1400\"]\n[BlackElo \"?\"]\n\n1. e4 *\n\n[WhiteElo \"x\"]\n\n1. zz *\n";
    let mut games = Games::new(text.as_bytes());
    assert!(matches!(games.next_game().unwrap(), Some(Found::Text(_))));
    let Some(Found::Game(first)) = games.next_game().unwrap() else { panic!() };
    assert_eq!((first.ratings, first.fault), ([Some(1400), None], None));
    let Some(Found::Game(second)) = games.next_game().unwrap() else { panic!() };
    let fault = GameFault { game: 2, ply: 1, line: 10, what: "\"zz\" is not a move".to_owned() };
    assert_eq!((second.ratings, second.fault), ([None, None], Some(fault)));
    assert!(games.next_game().unwrap().is_none());
}

/// A text of random words must never cause a panic or end the reading.
#[test]
fn random_text_is_never_a_panic() {
    const WORDS: &[&str] = &[
        "e4",
        "e5",
        "Nf3",
        "O-O",
        "0-0-0",
        "{",
        "}",
        "(",
        ")",
        ";",
        "\n",
        "\n\n",
        "[Event \"x\"]\n",
        "[FEN \"8/8\"]\n",
        "1.",
        "1-0",
        "*",
        "$",
        "$1",
        "a8(Q)",
        "é",
        "\u{feff}",
        "±",
        "--",
        "%",
        "\\",
        "\"",
        "..",
        "…",
        "\u{2654}",
        "(Q)",
        "O-",
        "e",
    ];
    let mut state = 1u64;
    for _ in 0..3000 {
        let mut text = Vec::new();
        for _ in 0..12 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let word = WORDS[(state >> 33) as usize % WORDS.len()].as_bytes();
            // Some words lose their last byte, which may be a part of a character.
            text.extend_from_slice(&word[..word.len() - usize::from(state >> 60 == 0)]);
            if state >> 63 == 0 {
                text.push(b' ');
            }
        }
        let mut games = Games::new(&text[..]);
        while games.next_game().unwrap().is_some() {}
    }
}
