//! Checks tables of a store with shakmaty's move generator: the result of a random position must be the best over its
//! moves. `cargo run --release -p entente-endings --example check -- FOLDER COUNT KRPvKR …` makes tables that the
//! folder lacks, prints the numbers of results, and writes positions whose result no capture decides at once to
//! FOLDER/sample.txt, for other programs to judge. Exits with status 1 if a result is not the best over the moves.

use std::{env, fs, num::NonZero, path::PathBuf, sync::atomic::AtomicBool, thread};

use entente_endings::{
    Endings, Material, Store,
    shakmaty::{EnPassantMode, Position, fen::Fen},
};
use rand::{SeedableRng, rngs::StdRng};
use support::{by_moves, random_position};

#[path = "../tests/support/mod.rs"]
mod support;

/// The number of positions of each ending in the sample.
const SAMPLE: usize = 100;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = env::args().skip(1);
    let folder: PathBuf = arguments.next().ok_or("expected a folder of tables")?.into();
    let count: usize = arguments.next().ok_or("expected a number of positions")?.parse()?;
    let threads = thread::available_parallelism()?;
    let mut sample = String::new();
    let mut wrong = 0;
    for name in arguments {
        let material: Material = name.parse()?;
        let endings = Endings::new(&[], Some(Store::new(&folder)))?;
        endings.prepare(material, threads, &|_| (), &AtomicBool::new(false))?;
        for other in material.successors() {
            endings.prepare(other, threads, &|_| (), &AtomicBool::new(false))?;
        }
        let (results, failed) = check(&endings, material, count, threads);
        let [lost, drawn, won] = results;
        println!("{material:8} {count} positions: {won} won, {drawn} drawn, {lost} lost; {failed} wrong");
        wrong += failed;
        let mut random = StdRng::seed_from_u64(2);
        let mut listed = 0;
        while listed < SAMPLE {
            let position = random_position(material, &mut random);
            let result = endings.probe(&position).ok_or("no result")?;
            let is_quiet = position.legal_moves().iter().all(|one| !one.is_capture() && !one.is_promotion());
            if is_quiet && !position.is_check() {
                sample += &format!(
                    "{material} {result:?} {}\n",
                    Fen::from_position(&position, EnPassantMode::Legal)
                );
                listed += 1;
            }
        }
    }
    fs::write(folder.join("sample.txt"), sample)?;
    if wrong > 0 {
        return Err(format!("{wrong} results are not the best over the moves").into());
    }
    Ok(())
}

/// The numbers of losses, draws and wins, and of results that are not the best over the moves.
fn check(
    endings: &Endings,
    material: Material,
    count: usize,
    threads: NonZero<usize>,
) -> ([usize; 3], usize) {
    let part = |thread: usize| {
        let mut random = StdRng::seed_from_u64(thread as u64);
        let (mut results, mut wrong) = ([0; 3], 0);
        for _ in 0..count / threads.get() {
            let position = random_position(material, &mut random);
            let result = endings.probe(&position);
            if let Some(result) = result {
                results[result as usize] += 1;
            }
            if result.is_none() || result != by_moves(endings, &position) {
                wrong += 1;
                println!("{}: {result:?}", Fen::from_position(&position, EnPassantMode::Legal));
            }
        }
        (results, wrong)
    };
    thread::scope(|scope| {
        let parts: Vec<_> = (0..threads.get()).map(|thread| scope.spawn(move || part(thread))).collect();
        let parts = parts.into_iter().map(|part| part.join().expect("a check does not panic"));
        parts.fold(([0; 3], 0), |(results, wrong), (more, failed)| {
            ([results[0] + more[0], results[1] + more[1], results[2] + more[2]], wrong + failed)
        })
    })
}
