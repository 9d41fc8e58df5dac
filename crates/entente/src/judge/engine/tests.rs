#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like tests")]

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::PathBuf,
    sync::{Mutex, MutexGuard},
};

use entente_search::position_from_fen;
use shakmaty::{Chess, Position};
use tempfile::TempDir;

use super::*;

/// Held by each test. A process that one test starts may inherit the file of another test's engine while it is being
/// written, and a file that is open for writing cannot be executed.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// An engine as a shell script: `body` runs for each line it reads, which is in `$line`.
fn engine(body: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fake");
    let text = format!("#!/bin/sh\nwhile read -r line; do\n{body}\ndone\n");
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    (folder, path)
}

/// An engine that answers the greeting correctly, and answers `go` with `answer`.
fn polite(answer: &str) -> (TempDir, PathBuf) {
    engine(&format!(
        "case \"$line\" in\n\
         uci) echo 'id name Fake 1.0'; echo 'option name Threads type spin default 4'; \
         echo 'option name Hash type spin default 16'; echo uciok;;\n\
         isready) echo readyok;;\n\
         go*) {answer};;\n\
         quit) exit 0;;\n\
         esac"
    ))
}

const PATIENCE: Duration = Duration::from_secs(20);
const IMPATIENCE: Duration = Duration::from_millis(700);

fn start(path: &Path, nodes: u64, memory: Option<u32>, patience: Duration) -> Result<UciEngine, EngineError> {
    UciEngine::start(path, EngineSettings { option: "--engine", nodes, memory, patience })
}

/// The engine's score of the initial position.
fn ask(path: &Path, patience: Duration) -> Result<Score, EngineError> {
    let mut engine = start(path, 100, None, patience)?;
    engine.begin()?;
    engine.score(&Game::new(Chess::default()))
}

fn complaint(path: &Path, patience: Duration) -> String {
    let error = format!("{:#}", ask(path, patience).expect_err("a complaint"));
    assert!(error.contains(&format!("--engine {}: ", path.display())), "{error}");
    error
}

#[test]
fn the_last_score_of_the_best_line_counts() {
    let _alone = alone();
    let (_folder, path) = polite(
        "echo 'info depth 1 score cp 10 pv e2e4'; echo; echo 'hello'; echo 'info string score cp 7'; \
         echo 'info depth 2 score cp 25 upperbound'; echo 'info depth 2 multipv 2 score cp 1'; \
         echo 'info currmove e2e4'; echo 'bestmove e2e4 ponder e7e5'",
    );
    assert_eq!(ask(&path, PATIENCE).unwrap(), Score::Centipawns(25));
    let engine = start(&path, 100, None, PATIENCE).unwrap();
    assert_eq!(engine.name(), "Fake 1.0");
}

#[test]
fn the_engine_receives_the_game_the_nodes_one_thread_and_the_memory() {
    let _alone = alone();
    let (folder, path) = polite("echo 'info score mate -3'; echo 'bestmove e2e4'");
    let heard = folder.path().join("heard");
    let text = fs::read_to_string(&path).unwrap();
    let text = text.replace("do\n", &format!("do\necho \"$line\" >> {}\n", heard.display()));
    fs::write(&path, text).unwrap();
    let mut engine = start(&path, 1234, Some(3), PATIENCE).unwrap();
    engine.begin().unwrap();
    let mut game = Game::new(Chess::default());
    assert_eq!(engine.score(&game).unwrap(), Score::Mate(-3));
    let m = game.position().legal_moves()[0];
    game.play(m);
    engine.score(&game).unwrap();
    const FEN: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 3 40";
    let mut game = Game::new(position_from_fen(FEN).unwrap());
    engine.score(&game).unwrap();
    game.play(game.position().legal_moves()[0]);
    let later = game.moves()[0].to_uci(shakmaty::CastlingMode::Standard);
    engine.score(&game).unwrap();
    drop(engine);
    let m = m.to_uci(shakmaty::CastlingMode::Standard);
    let expected = [
        "uci",
        "setoption name Threads value 1",
        "setoption name Hash value 3",
        "isready",
        "ucinewgame",
        "isready",
        "position startpos",
        "go nodes 1234",
        &format!("position startpos moves {m}"),
        "go nodes 1234",
        &format!("position fen {FEN}"),
        "go nodes 1234",
        &format!("position fen {FEN} moves {later}"),
        "go nodes 1234",
        "quit",
    ];
    assert_eq!(fs::read_to_string(heard).unwrap().lines().collect::<Vec<_>>(), expected);
}

#[test]
fn an_engine_that_hangs_is_killed_after_the_time_limit() {
    let _alone = alone();
    // It reads nothing more, not even the end of its input.
    let (folder, path) = polite("echo $$ > \"$0.pid\"; trap '' TERM; exec sleep 600");
    let error = complaint(&path, IMPATIENCE);
    assert!(error.contains("expected `bestmove` within 700ms; its last line was"), "{error}");
    let process = fs::read_to_string(folder.path().join("fake.pid")).unwrap();
    let is_there = Command::new("kill").args(["-0", process.trim()]).stderr(Stdio::null()).status().unwrap();
    assert!(!is_there.success(), "process {process} is left");
}

#[test]
fn an_engine_that_dies_is_named_with_its_status() {
    let _alone = alone();
    let (_folder, path) = polite("echo 'info score cp 10'; exit 3");
    let error = complaint(&path, PATIENCE);
    assert!(error.contains("it ended (exit status: 3)") && error.contains("`info score cp 10`"), "{error}");
    let (_folder, path) = engine("exit 1");
    let error = complaint(&path, PATIENCE);
    assert!(error.contains("it ended (exit status: 1); expected `uciok`; it said nothing"), "{error}");
}

#[test]
fn an_engine_that_talks_nonsense_is_refused() {
    let _alone = alone();
    let (_folder, path) = polite("echo 'info score cp much'; echo 'bestmove e2e4'");
    let error = complaint(&path, PATIENCE);
    assert!(error.contains("before `bestmove` after `position startpos`; its last line was"), "{error}");
    // It never stops sending: lines, lines without an end, and bytes that are not text.
    for babble in
        ["while :; do echo babble; done", "exec cat /dev/zero", "printf '\\377\\376\\n'; exec sleep 600"]
    {
        let (_folder, path) = engine(babble);
        assert!(complaint(&path, IMPATIENCE).contains("expected `uciok` within 700ms"), "{babble}");
    }
}

#[test]
fn a_file_that_is_not_a_program_is_refused() {
    let _alone = alone();
    let (folder, _) = engine("");
    assert!(complaint(folder.path(), PATIENCE).contains("cannot be started"));
    assert!(complaint(&folder.path().join("nothing"), PATIENCE).contains("cannot be started"));
}
