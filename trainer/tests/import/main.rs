//! Whole imports, from PGN files to stores and messages.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like tests")]

mod command;
mod stores;

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use entente_trainer::games::{
    Evaluation, GameResult, GameStore, ImportError, ImportOptions, Player, RatingScale, Split, StoredGame,
    TimeClass, TimeControl,
    fault::{Fault, Reason},
    filter::Filter,
    import::{Observer, import},
    report::{Counts, Report},
    store,
};
use shakmaty::{CastlingMode, Chess, Move, Position, san::San};

const DOZEN: &[u8] = include_bytes!("data/dozen.pgn");

/// A game of 22 plies, from which faulty ones are made.
const GOOD: &str = "[Event \"Club\"]\n[Site \"?\"]\n[Result \"1-0\"]\n[WhiteElo \"1500\"]\n[BlackElo \"1600\"]\n\n\
    1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 \
    11. Nbd2 Bb7 1-0\n\n";

fn everything() -> Filter {
    Filter { min_rating: 1, excluded_base_times: Vec::new(), min_plies: 0 }
}

fn options(files: &[PathBuf], output: &Path) -> ImportOptions {
    ImportOptions {
        files: files.to_vec(),
        output: output.to_owned(),
        filter: everything(),
        scale: None,
        threads: 2,
    }
}

/// Records faults and damage.
#[derive(Default)]
struct Notes {
    faults: Vec<(u64, Fault)>,
    damage: Vec<String>,
}

impl Observer for Notes {
    fn fault(&mut self, _: &Path, game: u64, fault: &Fault) {
        self.faults.push((game, fault.clone()));
    }

    fn file_done(&mut self, _: &Path, _: &Counts, damage: Option<&str>) {
        self.damage.extend(damage.map(str::to_owned));
    }
}

/// Imports a file with these bytes, without filtering.
fn import_bytes(bytes: &[u8]) -> Result<(Report, Vec<StoredGame>, Notes), ImportError> {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("games.pgn"), folder.path().join("games.store"));
    fs::write(&input, bytes).unwrap();
    let mut notes = Notes::default();
    let result = import(&options(&[input], &output), &mut notes, &AtomicBool::new(false));
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 1 + usize::from(result.is_ok()), "{left:?}");
    let report = result?;
    assert_eq!(report.bytes, fs::metadata(&output).unwrap().len());
    let store = GameStore::open(&output).unwrap();
    assert_eq!((store.len() as u64, store.plies()), (report.counts.left(), report.plies));
    Ok((report, all_games(&store), notes))
}

fn all_games(store: &GameStore) -> Vec<StoredGame> {
    (0..store.block_count()).flat_map(|block| store.read_block(block).unwrap()).collect()
}

fn reason_of(bytes: &[u8]) -> Reason {
    let (_, games, notes) = import_bytes(&[bytes, b"\n\n", GOOD.as_bytes()].concat()).unwrap();
    assert_eq!(games.len(), 1, "{}: only the good game is kept", String::from_utf8_lossy(bytes));
    let [(1, fault)] = &notes.faults[..] else { panic!("{:?}", notes.faults) };
    fault.reason()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).unwrap()
}

/// 12,000 games: three chunks.
fn many_games() -> Vec<u8> {
    [DOZEN, b"\n"].concat().repeat(1000)
}

#[test]
fn stored_games_equal_those_of_the_file() {
    let (report, games, notes) = import_bytes(DOZEN).unwrap();
    assert_eq!(notes.faults, []);
    assert_eq!((report.counts.read, report.counts.dropped_for(Reason::RatingUnknown)), (12, 1));

    // The main lines, read here without the importer.
    let text = std::str::from_utf8(DOZEN).unwrap();
    let mut lines: Vec<Vec<Move>> = Vec::new();
    for movetext in text.split("\n\n").filter(|part| !part.trim_start().starts_with("[Event ")) {
        let (mut position, mut moves, mut nesting) = (Chess::default(), Vec::new(), 0);
        for word in movetext.replace(['(', '{'], " ( ").replace([')', '}'], " ) ").split_whitespace() {
            match word {
                "(" => nesting += 1,
                ")" => nesting -= 1,
                _ if nesting > 0 => {}
                _ => {
                    let san =
                        word.trim_start_matches(|c: char| c.is_ascii_digit() && !word.starts_with("0-0"));
                    let san = san.trim_start_matches('.').trim_end_matches(['!', '?']).replace('0', "O");
                    if let Ok(san) = san.parse::<San>() {
                        let m = san.to_move(&position).unwrap();
                        position.play_unchecked(m);
                        moves.push(m);
                    }
                }
            }
        }
        lines.push(moves);
    }
    assert_eq!(
        lines.iter().map(Vec::len).collect::<Vec<_>>(),
        [43, 64, 58, 90, 40, 77, 61, 50, 44, 52, 120, 19]
    );
    lines.remove(9);
    assert_eq!(games.iter().map(|game| game.moves.clone()).collect::<Vec<_>>(), lines);

    let first = &games[0];
    assert_eq!((first.white_rating, first.black_rating), (1500, 1612));
    assert_eq!((first.scale, first.result), (RatingScale::Online, GameResult::WhiteWins));
    assert_eq!(first.time_control, Some(TimeControl { base: 600, increment: 5 }));
    assert_eq!(first.time_class, TimeClass::Rapid);
    assert_eq!((first.eco.as_deref(), first.opening.as_deref()), (Some("C60"), Some("Ruy Lopez")));
    assert_eq!(&*first.source, "games");
    let evaluations =
        [(0, Evaluation::Centipawns(36)), (20, Evaluation::Mate(-4)), (21, Evaluation::Mate(3))];
    for (ply, evaluation) in evaluations {
        assert_eq!(first.evaluations[ply], Some(evaluation));
    }
    assert_eq!(first.evaluations[10], None);
    assert_eq!(
        (first.clocks[..4].to_vec(), first.clocks[10]),
        (vec![Some(599), Some(598), Some(597), Some(596)], None)
    );
    assert_eq!(first.evaluations.iter().flatten().count(), 42);

    assert_eq!(games[2].evaluations, []);
    assert_eq!(games[2].clocks, []);
    assert_eq!((games[2].scale, games[2].time_control), (RatingScale::Fide, None));
    assert_eq!(games[3].time_class, TimeClass::Blitz, "from the event's name");
    assert_eq!(games[5].time_control, Some(TimeControl { base: 7200, increment: 0 }));
    assert_eq!(games[6].time_class, TimeClass::Correspondence);
    assert_eq!(games[7].opening.as_deref(), Some("Réti Opening"));
    assert_eq!(games[1].result, GameResult::BlackWins);
    assert_eq!(games[2].result, GameResult::Draw);
}

#[test]
fn players_scales_and_clocks_are_stored() {
    let timed = GOOD
        .replace(
            "[Site \"?\"]",
            "[Site \"chess.com\"]\n[White \"player 1\"]\n[Black \"?\"]\n[TimeControl \"180+2\"]",
        )
        .replace("1. e4 e5", "1. e4 {[%clk 0:03:01.4]} e5 {[%clk 0:02:59]}")
        .replace("2. Nf3", "2. Nf3 {[%eval 0.2] [%clk\n0:02:00]}");
    let named = GOOD.replace("[Site \"?\"]", "[White \"player 2\"]\n[Black \"player 1\"]");
    let (_, games, notes) = import_bytes(&[timed, named].concat().into_bytes()).unwrap();
    assert_eq!(notes.faults, []);
    let [timed, named] = &games[..] else { panic!("{games:?}") };
    assert_eq!((timed.scale, named.scale), (RatingScale::ChessCom, RatingScale::Fide));
    assert_eq!(timed.clocks[..4], [Some(181), Some(179), Some(120), None]);
    assert_eq!((timed.clocks.len(), &named.clocks[..]), (22, &[][..]));
    let player = |name| Some(Player::named("games", name));
    assert_eq!(timed.players, [player("player 1"), None]);
    assert_eq!(named.players, [player("player 2"), player("player 1")]);
}

#[test]
fn the_default_filters_are_those_of_the_thesis() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("dozen.pgn"), folder.path().join("dozen.store"));
    fs::write(&input, DOZEN).unwrap();
    let mut options = options(&[input], &output);
    options.filter = Filter::default();
    let report = import(&options, &mut (), &AtomicBool::new(false)).unwrap();
    let reasons = [Reason::RatingUnknown, Reason::LowRating, Reason::TimeControl, Reason::TooShort];
    assert_eq!(reasons.map(|reason| report.counts.dropped_for(reason)), [1, 1, 2, 1]);
    assert_eq!(report.counts.left(), 7);
    let store = GameStore::open(&output).unwrap();
    assert_eq!(store.description().filter, Filter::default());
    assert_eq!(store.description().files, ["dozen.pgn"]);
    assert_eq!(store.description().read, 12);
}

#[test]
fn the_content_decides_the_compression_and_games_stay_the_same() {
    let (_, expected, _) = import_bytes(DOZEN).unwrap();
    let (half, rest) = DOZEN.split_at(DOZEN.len() / 2);
    let skippable = [&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3][..], &zstd(DOZEN)].concat();
    let mut long = zstd::Encoder::new(Vec::new(), 3).unwrap();
    long.window_log(27).unwrap();
    long.write_all(DOZEN).unwrap();
    for (name, bytes) in [
        ("zstd", zstd(DOZEN)),
        ("zstd, two frames", [zstd(half), zstd(rest)].concat()),
        ("zstd, skippable frame first", skippable),
        ("zstd, long window", long.finish().unwrap()),
        ("gzip", gzip(DOZEN)),
        ("gzip, two members", [gzip(half), gzip(rest)].concat()),
        ("bzip2", bzip2(DOZEN)),
        ("bzip2, two streams", [bzip2(half), bzip2(rest)].concat()),
        ("byte order mark", [b"\xef\xbb\xbf", DOZEN].concat()),
        ("CR LF", String::from_utf8(DOZEN.to_vec()).unwrap().replace('\n', "\r\n").into_bytes()),
    ] {
        let (report, games, notes) = import_bytes(&bytes).unwrap_or_else(|error| panic!("{name}: {error:#}"));
        assert_eq!((report.damaged_files, notes.faults), (0, Vec::new()), "{name}");
        assert!(games == expected, "{name}");
    }
}

#[test]
fn the_store_is_the_same_for_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("one.pgn"), folder.path().join("two.pgn.zst"));
    fs::write(&one, many_games()).unwrap();
    fs::write(&two, zstd(GOOD.repeat(5000).as_bytes())).unwrap();
    let files = [one, two];
    let mut stores = [1, 2, 7].map(|threads| {
        let output = folder.path().join(format!("{threads}.store"));
        let mut options = options(&files, &output);
        options.threads = threads;
        let report = import(&options, &mut (), &AtomicBool::new(false)).unwrap();
        assert_eq!(report.counts.left(), 11_000 + 5000);
        assert_eq!(GameStore::open(&output).unwrap().block_count(), 5);
        fs::read(&output).unwrap()
    });
    let [first, rest @ ..] = &mut stores;
    assert!(rest.iter().all(|store| store == first));
}

#[test]
fn every_kind_of_damage_is_counted_under_its_reason() {
    for (from, to, reason) in [
        ("2. Nf3", "2. Nf4", Reason::IllegalMove),
        ("4. Ba4", "4. --", Reason::IllegalMove),
        ("11. Nbd2", "11. Nd2", Reason::AmbiguousMove),
        ("5. O-O", "5. castles", Reason::Movetext),
        ("9. h3 Nb8", "9. h3", Reason::Movetext),
        ("9. h3", "9. h3 {", Reason::CutOff),
        ("Bb7 1-0", "Bb7 1-0 Kf1", Reason::Movetext),
        ("Bb7 1-0", "Bb7", Reason::CutOff),
        ("Bb7 1-0", "B", Reason::CutOff),
        ("\"1500\"", "\"about 1500\"", Reason::Tag),
        ("[Result \"1-0\"]", "[Result \"0-1\"]", Reason::Tag),
        ("[Site \"?\"]", "[TimeControl \"quick\"]", Reason::Tag),
        ("[Site \"?\"]", "[FEN \"8/8/4k3/8/8/4K3/4P3/8 w - - 0 1\"]", Reason::StartPosition),
        ("[Site \"?\"]", "[Variant \"Atomic\"]", Reason::StartPosition),
    ] {
        let text = GOOD.replacen(from, to, 1);
        assert_ne!(text, GOOD, "{from}");
        assert_eq!(reason_of(text.as_bytes()), reason, "{to}");
    }
    let long = GOOD.replacen("9. h3", &format!("9. h3 {{{}}}", "x".repeat(2 << 20)), 1);
    assert_eq!(reason_of(long.as_bytes()), Reason::TooLong);
}

#[test]
fn unusual_encodings_are_harmless_in_tags_and_comments() {
    let latin = [b"[White \"M\xfcller\"]\n[Opening \"R\xe9ti\"]\n".as_slice(), GOOD.as_bytes()].concat();
    let (_, games, notes) = import_bytes(&latin).unwrap();
    assert_eq!((games[0].opening.as_deref(), notes.faults.len()), (Some("Réti"), 0));
    let comment =
        [b"[Event \"x\"]\n[WhiteElo \"1500\"]\n[BlackElo \"1500\"]\n\n1. e4 {\xff\xfe\x00} e5 1-0\n"
            .as_slice()];
    assert_eq!(import_bytes(&comment.concat()).unwrap().1[0].moves.len(), 2);
}

/// Wherever a file is cut, the games before the cut are kept and the incomplete one is reported.
#[test]
fn a_file_cut_anywhere_keeps_only_whole_games() {
    let text = &GOOD.as_bytes()[..GOOD.trim_end().len()];
    for end in 1..text.len() {
        let (report, games, notes) = import_bytes(&[GOOD.as_bytes(), &text[..end]].concat()).unwrap();
        assert_eq!((games.len(), report.counts.read, notes.faults.len()), (1, 2, 1), "cut at {end}");
        assert_eq!(notes.faults[0].0, 2);
    }
}

#[test]
fn a_truncated_compressed_file_keeps_the_games_before_the_cut() {
    // The games differ, so that the compressed text is long enough for several blocks of each format.
    let text: String = (0..20_000)
        .map(|number| GOOD.replacen("Club", &format!("Club {}", number * 7919 % 100_003), 1))
        .collect();
    for (name, whole) in
        [("zstd", zstd(text.as_bytes())), ("gzip", gzip(text.as_bytes())), ("bzip2", bzip2(text.as_bytes()))]
    {
        let (report, games, notes) = import_bytes(&whole[..whole.len() * 3 / 5]).unwrap();
        assert_eq!((report.damaged_files, notes.damage.len()), (1, 1), "{name}");
        assert!((1000..20_000).contains(&games.len()), "{name}: {}", games.len());
        assert!(notes.faults.len() <= 1, "{name}: {:?}", notes.faults);
        let mut flipped = whole.clone();
        flipped[whole.len() / 2] ^= 0x55;
        let (_, games, notes) = import_bytes(&flipped).unwrap();
        assert!(!notes.damage.is_empty() || !notes.faults.is_empty() || games.len() < 20_000, "{name}");
    }
}

#[test]
fn no_games_or_none_kept_is_an_error_and_keeps_an_older_store() {
    for bytes in [&b""[..], b"\n\r\n \n", &gzip(b""), &zstd(DOZEN)[..9]] {
        assert!(matches!(import_bytes(bytes), Err(ImportError::NoGames { .. })), "{bytes:?}");
    }
    assert!(matches!(import_bytes(b"PK\x03\x04 and so on"), Err(ImportError::Read { .. })));
    assert!(matches!(import_bytes(b"hello there"), Err(ImportError::NoneLeft { .. })));

    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("bad.pgn"), folder.path().join("old.store"));
    fs::write(&input, GOOD.replace("1500", "500")).unwrap();
    let old = [store::MAGIC, &b"old"[..]].concat();
    fs::write(&output, &old).unwrap();
    let mut options = options(&[input], &output);
    options.filter = Filter::default();
    let error = import(&options, &mut (), &AtomicBool::new(false)).unwrap_err();
    assert_eq!(error.to_string(), "read 1 game, kept none: 1 low rating; no store was written");
    assert_eq!(fs::read(&output).unwrap(), old);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn only_a_store_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let (input, other) = (folder.path().join("a.pgn"), folder.path().join("b.pgn"));
    fs::write(&input, GOOD).unwrap();
    fs::write(&other, DOZEN).unwrap();
    let run = |output: &Path| {
        import(&options(std::slice::from_ref(&input), output), &mut (), &AtomicBool::new(false))
    };
    let error = anyhow::Error::from(run(&other).unwrap_err());
    assert!(format!("{error:#}").contains("b.pgn: it exists and is not a game store"), "{error:#}");
    let roundabout = folder.path().join("../").join(folder.path().file_name().unwrap()).join("a.pgn");
    assert!(matches!(run(&roundabout), Err(ImportError::OutputIsInput { .. })));
    assert_eq!((fs::read(&input).unwrap(), fs::read(&other).unwrap()), (GOOD.into(), DOZEN.into()));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);

    let store = folder.path().join("games.store");
    run(&store).unwrap();
    run(&store).expect("a store is replaced");
}

#[test]
fn an_interrupted_import_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("many.pgn"), folder.path().join("many.store"));
    fs::write(&input, many_games().repeat(4)).unwrap();
    let result = import(&options(&[input], &output), &mut (), &AtomicBool::new(true));
    assert!(matches!(result, Err(ImportError::Interrupted)));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
