//! Games as text files for the transformer, from the command line.

mod support;

use std::fs;

use support::{fail, folder_with_games, succeed, trainer};

#[test]
fn written_files_are_valid_and_an_edit_is_found() {
    let folder = folder_with_games(400, "", "");
    let all = succeed(&folder, &["sequence", "games.store", "-o", "dataset", "--part", "all"]);
    assert!(all.contains("400 games") && all.contains(" lines\n") && all.contains(" 2 splits"), "{all}");
    let checked = succeed(&folder, &["sequence", "--check", "dataset/split"]);
    assert!(checked.contains("400 games\n") && checked.contains(" 0 invalid games"), "{checked}");
    // Repeating the command changes nothing; other games are refused.
    assert_eq!(succeed(&folder, &["sequence", "games.store", "-o", "dataset", "--part", "all"]), all);
    let other = fail(&folder, &["sequence", "games.store", "-o", "dataset", "--part", "test"]);
    assert!(other.contains("give another folder"), "{other}");
    // Directly from PGN.
    let few = succeed(&folder, &["sequence", "games.pgn", "-o", "few", "--part", "all", "--games", "7"]);
    assert!(few.contains(" 7 games"), "{few}");

    let path = folder.path().join("dataset/split/castle_dataset_split_1.txt");
    let text = fs::read_to_string(&path).expect("a split");
    let edited: Vec<String> = text
        .lines()
        .enumerate()
        .map(|(number, line)| if number == 100 { line.replacen(",0", "", 1) } else { line.to_owned() })
        .collect();
    fs::write(&path, edited.join("\n")).expect("written");
    let output = trainer(&folder, &["sequence", "--check", "dataset/split"]);
    let found = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{found}");
    assert!(found.contains("castle_dataset_split_1.txt: line 101: expected 64 squares, found 63"), "{found}");
}

#[test]
fn a_vocabulary_that_lacks_a_move_is_refused_with_the_game_and_leaves_no_lines() {
    let folder = folder_with_games(20, "", "");
    succeed(&folder, &["vocabulary"]);
    let path = folder.path().join("rules_based_mapping/all_legal_moves.json");
    let whole = fs::read_to_string(&path).expect("written");
    let options = ["--part", "all", "--vocabulary", "rules_based_mapping/all_legal_moves.json"];
    let run = |output| [&["sequence", "games.store", "-o", output][..], &options].concat();
    succeed(&folder, &run("whole"));
    // Some game of twenty by random movers has this one.
    fs::write(&path, whole.replace("  \"e7e6\",\n", "")).expect("written");
    let lacking = fail(&folder, &run("lacking"));
    assert!(lacking.contains("the vocabulary lacks e7e6") && lacking.contains(", ply "), "{lacking}");
    assert_eq!(fs::metadata(folder.path().join("lacking/2_uci_moves_dataset.txt")).expect("begun").len(), 0);
    fs::write(&path, whole.replace("\"e7e6\"", "\"e7e9\"")).expect("written");
    let broken = fail(&folder, &run("broken"));
    assert!(
        broken.contains("all_legal_moves.json: entry ") && broken.contains("\"e7e9\" is not a move"),
        "{broken}"
    );
}
