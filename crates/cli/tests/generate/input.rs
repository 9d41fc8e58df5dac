//! Wrong input and impossible constraints.

use std::fs;

use crate::{entente, names, stderr, support::fragile_network, system::no_file};

#[test]
fn errors_name_the_wrong_input_and_the_status_is_two() {
    let three_bytes = tempfile::NamedTempFile::new().unwrap();
    fs::write(&three_bytes, b"abc").unwrap();
    let three_bytes = three_bytes.path().to_str().unwrap();
    let cases: &[(&[&str], &str)] = &[
        (&["(1,2,1,1,9)"], "impossible: (1,2,1,1,9): White needs at least 9 pawns"),
        (&["(1,2,1"], "column 7: expected ',' and the number of knights"),
        (&["Q=1..0"], "column 6"),
        (&["pp=2"], "column 2"),
        (
            &["(1,2,1,1,7)", "--network", "no-such-model.onnx"],
            &format!("--network: no-such-model.onnx: {}\n", no_file()),
        ),
        (&["(1,2,1,1,7)", "--network", three_bytes], three_bytes),
        (&["q=0", "--evaluator", "network"], "reads only exact counts of White"),
        (&["q=0", "--from", "8/8/8"], "--from"),
        (&["q=0", "--criterion", "2"], "--criterion"),
        (&["q=0", "--depth", "0"], "--depth"),
        (&["q=0", "--method", "Best-First", "--depth", "2"], "--depth: only the method negamax uses it"),
        (&["q=0", "--count", "0"], "--count"),
        (&["q=0", "--nodes", "0"], "--nodes"),
        (&["q=0", "--movetime", "0"], "--movetime"),
        (&["q=0", "--max-plies", "0"], "--max-plies"),
        (&["q=0", "--threads", "0"], "expected 1 to 256"),
        (&["q=0", "--threads", "257"], "expected 1 to 256"),
        (&["q=0", "--index", "3"], "--seed"),
        (
            &["q=0", "--method", "negamax", "--backend", "torch"],
            "'torch' for '--backend <WORD>': this build has no libtorch; build with --features torch",
        ),
        (&["(1,2,1,1,7)", "--evaluator", "material", "--backend", "torch"], "this build has no libtorch"),
        (&["ply>=30", "--max-plies", "20"], "--max-plies 20: the constraint needs at least 30 plies"),
        (&["N@f3", "--faithful"], "--faithful: the published algorithm knows nothing but numbers of men"),
        (&["N@f3", "--depth", "2"], "--depth: only the method negamax uses it"),
        (&["N@f3", "--method", "negamax"], "is led by numbers of men alone"),
        (&["k@c3 P@b2 P@d2"], "impossible: k@c3 & P@b2 & P@d2: Black's men cannot all reach"),
        (&["isolated(N)"], "column 10: expected pawns: P, p or [Pp], found 'N'"),
        (&["isolated(P@d) P@c"], "impossible: isolated(P@d) & P@c: isolated(P@d) contradicts"),
        (&["iqp", "--definitions", "no-such-file"], &format!("--definitions no-such-file: {}", no_file())),
        (&["q=2", "--from", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"], "Black needs 2 promoted men"),
    ];
    let page = entente(&["generate", "q=0", "--count", "20001", "--format", "html"]);
    assert_eq!(page.status.code(), Some(2));
    assert!(stderr(&page).contains("--count 20001: a page can have at most 20000 positions"), "{page:?}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    for (arguments, message) in cases {
        let fixed = ["generate", "--format", "pgn", "--output", file.to_str().unwrap()];
        let output = entente(&[&fixed[..], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "{arguments:?} left a file");
    }
}

#[test]
fn a_network_that_fails_on_a_position_is_an_error_and_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let [network, games] = ["fragile.onnx", "games.pgn"].map(|name| folder.path().join(name));
    fs::write(&network, fragile_network(0..8)).unwrap();
    let [network, games] = [&network, &games].map(|path| path.to_str().unwrap());
    let output = entente(&["generate", "(1,2,2,2,7)", "--network", network, "--output", games]);
    assert_eq!(output.status.code(), Some(2));
    let errors = stderr(&output);
    assert!(errors.starts_with(&format!("entente: network {network}: ")), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert_eq!(names(folder.path()), ["fragile.onnx"]);
}

#[test]
fn names_from_a_file_of_definitions_stand_for_constraints() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("structures.txt");
    let path = file.to_str().unwrap();
    fs::write(&file, "# Words of a club.\nlet early = ply<=4\nlet king = P@e4 early  # a game\n").unwrap();
    let arguments = ["king turn=black", "--definitions", path];
    let checked = entente(&[&["check"][..], &arguments].concat());
    assert!(
        String::from_utf8_lossy(&checked.stdout).starts_with("(P@e4 & ply<=4) & turn=black\n"),
        "{checked:?}"
    );
    let fixed = ["generate", "--method", "best-first", "--seed", "1", "--format", "pgn"];
    let found = entente(&[&fixed[..], &arguments].concat());
    // The tag can be read without the file.
    let pgn = String::from_utf8_lossy(&found.stdout).into_owned();
    assert!(pgn.contains("[Constraint \"(P@e4 & ply<=4) & turn=black\"]"), "{pgn}");
    assert!(stderr(&entente(&["check", "king"])).contains("found 'king'"));
    fs::write(&file, "let early = ply<=4\nlet passed = P@e4\n").unwrap();
    let refused = entente(&[&["check"][..], &arguments].concat());
    assert_eq!(refused.status.code(), Some(2));
    let expected = format!("--definitions {path}: line 2, column 5: expected a name");
    assert!(stderr(&refused).contains(&expected), "{}", stderr(&refused));
}

#[test]
fn check_finds_what_the_game_must_have_in_games_and_refuses_it_for_a_fen() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.pgn");
    let text = "[Event \"a\"]\n\n1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be2 e5 *\n\n\
                [Event \"b\"]\n\n1. Nf3 d6 2. d4 c5 3. Nc3 cxd4 4. Nxd4 a6 5. e4 Nf6 *\n";
    fs::write(&games, text).unwrap();
    for (constraint, places) in [
        ("opening='Sicilian, Najdorf'", "1/10 1/11 1/12 2/10"),
        ("eco=B90 then ply=12", "1/12"),
        ("captures=2 p=7 turn=black begins=\"1.e4 c5\" ply<=9", "1/7 1/9"),
        ("castled=yes", ""),
    ] {
        let found = entente(&["check", constraint, "--pgn", games.to_str().unwrap()]);
        let lines = String::from_utf8_lossy(&found.stdout).into_owned();
        let place = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            format!("{}/{}", words[1], words[3])
        };
        let found: Vec<String> = lines.lines().map(place).collect();
        assert_eq!(found.join(" "), places, "{constraint}");
    }
    let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    let refused = entente(&["check", "Q=0 captures<=3", "--fen", fen]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("'captures<=3' is about the game"), "{}", stderr(&refused));
}
