//! Files of tables: made when they are missing or damaged, and only then.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like tests")]

use std::{
    fs,
    num::NonZero,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, SystemTime},
};

use entente_endings::{Endings, EndingsError, MEMORY_LIMIT, Material, Prepared, Store};
use tempfile::TempDir;

fn material(name: &str) -> Material {
    name.parse().unwrap()
}

fn endings(folder: &TempDir) -> Endings {
    Endings::new(&[], Some(Store::new(folder.path()))).unwrap()
}

fn prepare(endings: &Endings, name: &str, threads: usize) -> Result<Prepared, EndingsError> {
    endings.prepare(material(name), NonZero::new(threads).unwrap(), &|_| (), &AtomicBool::new(false))
}

fn names(folder: &TempDir) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn tables_are_made_once_and_loaded_afterwards() {
    let folder = tempfile::tempdir().unwrap();
    let first = endings(&folder);
    assert!(!first.is_loaded(material("KRvKP")));
    assert!(!first.load(material("KRvKP"), NonZero::<usize>::MIN).unwrap());
    let made = prepare(&first, "KRvKP", 2).unwrap().made;
    let expected = ["KQvKR", "KRvKR", "KRvKB", "KRvKN", "KRvKP"].map(material);
    assert_eq!(made, expected);
    assert_eq!(prepare(&first, "KRvKP", 2).unwrap().made, []);

    let second = endings(&folder);
    assert!(!second.is_loaded(material("KRvKP")));
    assert_eq!(prepare(&second, "KRvKP", 1).unwrap().made, []);
    assert!(expected.iter().all(|&one| second.is_loaded(one)));
    let listed = second.store().unwrap().tables().unwrap();
    assert_eq!(listed.len(), 5);
    assert!(
        listed
            .iter()
            .all(|table| table.bytes > 1000 && second.store().unwrap().check(table.material).unwrap())
    );
}

#[test]
fn files_do_not_depend_on_the_number_of_threads() {
    let (one, many) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    prepare(&endings(&one), "KPPvK", 1).unwrap();
    prepare(&endings(&many), "KPPvK", 5).unwrap();
    assert_eq!(names(&one), names(&many));
    assert!(names(&one).contains(&"KPPvK.ending".to_string()));
    for name in names(&one) {
        let [first, second] = [&one, &many].map(|folder| fs::read(folder.path().join(&name)).unwrap());
        assert!(first == second, "{name}");
    }
}

#[test]
fn a_damaged_or_foreign_file_is_named_and_made_again() {
    let folder = tempfile::tempdir().unwrap();
    prepare(&endings(&folder), "KBvKN", 1).unwrap();
    prepare(&endings(&folder), "KBvKB", 1).unwrap();
    let path = folder.path().join("KBvKN.ending");
    let whole = fs::read(&path).unwrap();
    let mut changed = whole.clone();
    *changed.last_mut().unwrap() ^= 1;
    let mut other_version = whole.clone();
    other_version[8] = 99;
    let mut other_length = whole.clone();
    other_length[28] ^= 1;
    let other_table = fs::read(folder.path().join("KBvKB.ending")).unwrap();
    let cases: [(&[u8], &str); 7] = [
        (&changed, "the checksum does not match"),
        (&whole[..whole.len() - 1], "the checksum does not match"),
        (b"", "begins with EntEnd"),
        (
            b"#!/bin/sh\necho this is another file that is long enough to have a header\n",
            "begins with EntEnd",
        ),
        (&other_version, "version 99 of the format; expected 1"),
        (&other_length, "bytes before compression; expected 1310720"),
        (&other_table, "this is the table of \"KBvKB\"; expected that of KBvKN"),
    ];
    for (bytes, reason) in cases {
        fs::write(&path, bytes).unwrap();
        let error = endings(&folder).load(material("KBvKN"), NonZero::<usize>::MIN).unwrap_err().to_string();
        assert!(error.contains("KBvKN.ending: ") && error.contains(reason), "{error}");
        let endings = endings(&folder);
        assert!(!endings.is_loaded(material("KBvKN")));
        let prepared = prepare(&endings, "KBvKN", 1).unwrap();
        assert_eq!(prepared.made, [material("KBvKN")]);
        assert_eq!(prepared.replaced.iter().map(ToString::to_string).collect::<Vec<_>>(), [error]);
        assert_eq!(fs::read(&path).unwrap(), whole);
    }
}

#[test]
fn stopped_work_leaves_only_complete_tables() {
    let folder = tempfile::tempdir().unwrap();
    let endings = endings(&folder);
    let stop = AtomicBool::new(false);
    let seen = Mutex::new(Vec::new());
    let progress = |progress: entente_endings::Progress| {
        seen.lock().unwrap().push(progress);
        if progress.material == material("KRvKP") && progress.part > 0.3 {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let error = endings.prepare(material("KRvKP"), NonZero::<usize>::MIN, &progress, &stop).unwrap_err();
    assert!(
        matches!(error, EndingsError::Stopped { material: stopped } if stopped == material("KRvKP")),
        "{error}"
    );
    assert_eq!(names(&folder), ["KQvKR.ending", "KRvKB.ending", "KRvKN.ending", "KRvKR.ending"]);
    assert!(!endings.is_loaded(material("KRvKP")));
    let seen = seen.into_inner().unwrap();
    assert!(seen.iter().all(|progress| progress.complete < progress.total && progress.total == 5));
}

#[test]
fn several_may_make_the_same_table_at_once() {
    let folder = tempfile::tempdir().unwrap();
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| prepare(&endings(&folder), "KNvKN", 1).unwrap());
        }
    });
    assert_eq!(names(&folder), ["KNvKN.ending"]);
    assert!(Store::new(folder.path()).check(material("KNvKN")).unwrap());
}

#[test]
fn unfinished_files_of_the_day_before_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    for (name, hours) in [(".KNvKN.1-0.part", 30), (".KNvKN.2-0.part", 1), ("notes.part", 30)] {
        let file = fs::File::create(folder.path().join(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(hours * 3600)).unwrap();
    }
    prepare(&endings(&folder), "KNvKN", 1).unwrap();
    assert_eq!(names(&folder), [".KNvKN.2-0.part", "KNvKN.ending", "notes.part"]);
}

#[test]
fn five_men_need_a_folder_and_six_are_refused() {
    let endings = Endings::new(&[], None).unwrap();
    let error = prepare(&endings, "KRPvKR", 1).unwrap_err();
    assert!(matches!(error, EndingsError::NoFolder { .. }), "{error}");
    let error = "KRPPvKR".parse::<Material>().unwrap_err().to_string();
    assert_eq!(error, "KRPPvKR has 6 men; tables are made for up to five, kings included");
    let folder = tempfile::tempdir().unwrap();
    let endings = self::endings(&folder);
    for material in Material::all(5) {
        let requirements = endings.can_make(material, NonZero::new(2).unwrap()).unwrap();
        assert!(requirements.making < MEMORY_LIMIT, "{material}: {requirements:?}");
    }
}

#[test]
fn a_folder_without_tables_is_empty_and_a_file_in_its_place_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(Store::new(folder.path().join("missing")).tables().unwrap(), []);
    fs::write(folder.path().join("file"), "").unwrap();
    let store = Store::new(folder.path().join("file"));
    assert!(matches!(store.tables(), Err(EndingsError::Io { .. })));
    let endings = Endings::new(&[], Some(store)).unwrap();
    assert!(matches!(prepare(&endings, "KNvKN", 1), Err(EndingsError::Io { .. })));
    let missing = Endings::new(&[folder.path().join("missing")], None);
    assert!(missing.unwrap_err().to_string().contains("missing: "));
}
