//! Speed of the analysis of a store on one thread, in games per second, compared with pgn-reader, which only replays
//! the same games.
//!
//! The games are random, from a fixed seed. If the environment variable `GAMES_PGN` names a file, its games are used
//! instead.

#![allow(clippy::unwrap_used, reason = "benches may unwrap like tests")]

use std::{
    env, fs,
    hint::black_box,
    io::{Cursor, Read as _},
    ops::ControlFlow,
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use entente_cli::tournament::Shard;
use entente_trainer::{
    analysis::{Pass, Selection, Subject, WantedConstraints},
    games::{GameStore, ImportOptions, filter::Filter, import, open_text},
};
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use shakmaty::{Chess, Position};

/// Random legal games of at most 80 plies in which captures are frequent, as PGN.
fn random_games() -> String {
    let mut random = StdRng::seed_from_u64(1);
    let mut text = String::new();
    for _ in 0..8192 {
        text += "[WhiteElo \"1500\"]\n[BlackElo \"1500\"]\n\n";
        let mut position = Chess::default();
        for _ in 0..80 {
            let legal = position.legal_moves();
            let captures: Vec<_> = legal.iter().copied().filter(|m| m.is_capture()).collect();
            let few = if captures.is_empty() || random.random_bool(0.5) { &legal[..] } else { &captures[..] };
            if few.is_empty() {
                break;
            }
            let m = few[random.random_range(0..few.len())];
            text += &format!("{} ", SanPlus::from_move_and_play_unchecked(&mut position, m));
        }
        text += "1/2-1/2\n\n";
    }
    text
}

/// Only replays games.
struct Player(Chess);

impl Visitor for Player {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        self.0 = Chess::default();
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), _: &[u8], _: RawTag<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<()> {
        match san.san.to_move(&self.0) {
            Ok(m) => {
                self.0.play_unchecked(m);
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(()),
        }
    }

    fn end_game(&mut self, (): ()) {}
}

fn bench(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let input = env::var_os("GAMES_PGN").map_or_else(
        || {
            let path = folder.path().join("random.pgn");
            fs::write(&path, random_games()).unwrap();
            path
        },
        PathBuf::from,
    );
    let mut text = Vec::new();
    open_text(&input, Arc::default()).unwrap().read_to_end(&mut text).unwrap();
    let options = ImportOptions {
        files: vec![input],
        output: folder.path().join("games.store"),
        filter: Filter { min_rating: 0, excluded_base_times: Vec::new(), min_plies: 1 },
        scale: None,
        threads: 2,
    };
    let games = import(&options, &mut (), &AtomicBool::new(false)).unwrap().counts.left();
    let store = GameStore::open(&options.output).unwrap();

    let mut group = criterion.benchmark_group("games");
    group.throughput(Throughput::Elements(games)).sample_size(10).measurement_time(Duration::from_secs(10));
    group.bench_function("pgn-reader and replay alone", |bencher| {
        bencher.iter(|| {
            let mut reader = Reader::new(Cursor::new(&text));
            while reader.read_game(&mut Player(Chess::default())).unwrap().is_some() {}
        });
    });
    for name in ["thesis", "all"] {
        let wanted = WantedConstraints::named(name).unwrap();
        let stop = AtomicBool::new(false);
        let subject = Subject {
            source: String::new(),
            hash: String::new(),
            is_generated: false,
            selection: Selection::default(),
            constraints: wanted.names().to_vec(),
        };
        group.bench_function(format!("analysis, {name}"), |bencher| {
            let blocks = 0..store.block_count();
            let pass = Pass { store: &store, blocks, wanted: &wanted, threads: 1, stop: &stop };
            bencher.iter(|| black_box(pass.run(subject.clone(), Shard::WHOLE, None, &()).unwrap()));
        });
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
