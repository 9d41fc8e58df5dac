//! Speed of importing and of reading a store, in games per second. The games are random, from a fixed seed.

#![allow(clippy::unwrap_used, reason = "benches may unwrap like tests")]

use std::{fmt::Write, fs, hint::black_box, sync::atomic::AtomicBool, thread, time::Duration};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use entente_trainer::games::{GameStore, ImportOptions, filter::Filter, import};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use shakmaty::{Chess, Position, san::SanPlus};

const GAMES: usize = 8192;
const PLIES: usize = 80;

/// Random legal games of at most 80 plies, as PGN.
fn random_games() -> String {
    let mut random = StdRng::seed_from_u64(1);
    let mut text = String::new();
    for game in 0..GAMES {
        let (white, black) = (random.random_range(1000..2800), random.random_range(1000..2800));
        write!(text, "[Event \"{game}\"]\n[WhiteElo \"{white}\"]\n[BlackElo \"{black}\"]\n\n").unwrap();
        let mut position = Chess::default();
        for ply in 0..PLIES {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let m = legal[random.random_range(0..legal.len())];
            if ply % 2 == 0 {
                write!(text, "{}. ", ply / 2 + 1).unwrap();
            }
            write!(text, "{} ", SanPlus::from_move_and_play_unchecked(&mut position, m)).unwrap();
        }
        text.push_str("1/2-1/2\n\n");
    }
    text
}

fn bench(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("random.pgn"), folder.path().join("random.store"));
    fs::write(&input, random_games()).unwrap();
    let cores = thread::available_parallelism().map_or(1, Into::into);

    let mut group = criterion.benchmark_group("games");
    group.throughput(Throughput::Elements(GAMES as u64)).sample_size(10);
    group.measurement_time(Duration::from_secs(10));
    for threads in if cores > 1 { vec![1, cores] } else { vec![1] } {
        let options = ImportOptions {
            files: vec![input.clone()],
            output: output.clone(),
            filter: Filter { min_plies: 0, ..Filter::default() },
            scale: None,
            threads,
        };
        group.bench_function(format!("import, {threads} threads"), |bencher| {
            bencher.iter(|| import(&options, &mut (), &AtomicBool::new(false)).unwrap());
        });
    }
    let store = GameStore::open(&output).unwrap();
    group.bench_function("read the store, 1 thread", |bencher| {
        bencher.iter(|| {
            for block in 0..store.block_count() {
                black_box(store.read_block(block).unwrap());
            }
        });
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
