//! Damaged stores, and stores that several threads read.

use super::*;

/// A small store and its games.
fn small_store(folder: &Path) -> (PathBuf, Vec<u8>, Vec<StoredGame>) {
    let (input, output) = (folder.join("small.pgn"), folder.join("small.store"));
    fs::write(&input, DOZEN).unwrap();
    import(&options(&[input], &output), &mut (), &AtomicBool::new(false)).unwrap();
    let bytes = fs::read(&output).unwrap();
    let games = all_games(&GameStore::open(&output).unwrap());
    (output, bytes, games)
}

fn read_store(path: &Path) -> Result<Vec<StoredGame>, String> {
    let store = GameStore::open(path).map_err(|error| error.to_string())?;
    let mut games = Vec::new();
    for block in 0..store.block_count() {
        games.extend(store.read_block(block).map_err(|error| error.to_string())?);
    }
    Ok(games)
}

#[test]
fn a_changed_byte_in_a_store_is_detected() {
    let folder = tempfile::tempdir().unwrap();
    let (path, bytes, games) = small_store(folder.path());
    for place in 0..bytes.len() {
        for flip in [1, 0x80, 0xff] {
            let mut wrong = bytes.clone();
            wrong[place] ^= flip;
            fs::write(&path, &wrong).unwrap();
            match read_store(&path) {
                Ok(read) => assert!(read == games, "other games after a change at {place}"),
                Err(message) => assert!(message.contains("small.store"), "{message}"),
            }
        }
    }
}

#[test]
fn a_truncated_or_longer_store_is_detected() {
    let folder = tempfile::tempdir().unwrap();
    let (path, bytes, _) = small_store(folder.path());
    for end in 0..bytes.len() {
        fs::write(&path, &bytes[..end]).unwrap();
        assert!(GameStore::open(&path).is_err(), "cut at {end}");
    }
    fs::write(&path, [&bytes[..], b"x"].concat()).unwrap();
    assert!(GameStore::open(&path).unwrap_err().to_string().contains("is damaged"));
    fs::write(&path, DOZEN).unwrap();
    assert!(GameStore::open(&path).unwrap_err().to_string().contains("is not a game store"));
    for version in [1, 3] {
        let mut other = bytes.clone();
        other[8] = version;
        fs::write(&path, &other).unwrap();
        let message = GameStore::open(&path).unwrap_err().to_string();
        assert!(message.contains(&format!("version {version}")), "{message}");
        assert!(message.ends_with("import the games again"), "{message}");
    }
}

#[test]
fn several_threads_read_blocks_at_the_same_time() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("many.pgn"), folder.path().join("many.store"));
    fs::write(&input, many_games()).unwrap();
    import(&options(&[input], &output), &mut (), &AtomicBool::new(false)).unwrap();
    let store = GameStore::open(&output).unwrap();
    let expected = all_games(&store);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert!(all_games(&store) == expected));
        }
    });
    assert!(store.read_block(store.block_count()).unwrap_err().to_string().contains("none with index 3"));
}

#[test]
fn the_split_depends_only_on_the_moves() {
    let (_, games, _) = import_bytes(DOZEN).unwrap();
    let splits: Vec<Split> = games.iter().map(StoredGame::split).collect();
    let mut changed = games[0].clone();
    changed.white_rating = 2000;
    assert_eq!(changed.split(), splits[0]);
    assert_eq!(changed.moves[0].to_uci(CastlingMode::Standard).to_string(), "e2e4");
}
