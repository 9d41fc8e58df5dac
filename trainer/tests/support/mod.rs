//! Runs the trainer as a process, in a folder with games.

use std::{
    fs,
    process::{Command, Output},
};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use shakmaty::{Chess, Position, san::SanPlus};
use tempfile::TempDir;

pub(crate) fn trainer(folder: &TempDir, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_entente-trainer"))
        .args(arguments)
        // Threads of libtorch wait for each other by spinning, which takes seconds where other tests run.
        .env("OMP_NUM_THREADS", "1")
        .current_dir(folder.path())
        .output()
        .expect("the trainer starts")
}

pub(crate) fn succeed(folder: &TempDir, arguments: &[&str]) -> String {
    let output = trainer(folder, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

pub(crate) fn fail(folder: &TempDir, arguments: &[&str]) -> String {
    let output = trainer(folder, arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

/// Writes random games as `games.store` and the recipe as `recipe.toml`. Each game has these PGN tags.
pub(crate) fn folder_with_games(games: u64, recipe: &str, tags: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let pgn: String = (0..games).map(|seed| tags.to_owned() + &random_pgn(seed)).collect();
    fs::write(folder.path().join("games.pgn"), pgn).expect("written");
    fs::write(folder.path().join("recipe.toml"), recipe).expect("written");
    succeed(&folder, &["import", "games.pgn", "--output", "games.store", "--min-plies", "0"]);
    folder
}

fn random_pgn(seed: u64) -> String {
    let mut random = StdRng::seed_from_u64(seed);
    let mut position = Chess::default();
    let mut moves = String::new();
    for _ in 0..60 {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let san =
            SanPlus::from_move_and_play_unchecked(&mut position, legal[random.random_range(0..legal.len())]);
        moves.push_str(&format!("{san} "));
    }
    format!("[WhiteElo \"1500\"]\n[BlackElo \"1500\"]\n[Result \"1/2-1/2\"]\n\n{moves}1/2-1/2\n\n")
}
