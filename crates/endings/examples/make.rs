//! Makes tables and prints what each took: `cargo run --release -p entente-endings --example make -- FOLDER KRPvKR …`.
//! `THREADS` is the number of threads, all by default.

use std::{
    env,
    sync::{Mutex, atomic::AtomicBool},
    thread,
    time::Instant,
};

use entente_endings::{Endings, Material, Store};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = env::args().skip(1);
    let folder = arguments.next().ok_or("expected a folder and names of endings")?;
    let threads = match env::var("THREADS") {
        Ok(threads) => threads.parse()?,
        Err(_) => thread::available_parallelism()?,
    };
    let endings = Endings::new(&[], Some(Store::new(folder)))?;
    for name in arguments {
        let material: Material = name.parse()?;
        let start = Instant::now();
        let begun = Mutex::new(start);
        let progress = |progress: entente_endings::Progress| {
            if progress.part == 1.0 {
                let mut begun = begun.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                let now = Instant::now();
                eprintln!(
                    "{} {:.2} s ({} of {})",
                    progress.material,
                    (now - *begun).as_secs_f64(),
                    progress.complete,
                    progress.total
                );
                *begun = now;
            }
        };
        let prepared = endings.prepare(material, threads, &progress, &AtomicBool::new(false))?;
        prepared.replaced.iter().for_each(|error| eprintln!("made again: {error}"));
        println!("{material}: {} made in {:.2} s", prepared.made.len(), start.elapsed().as_secs_f64());
    }
    let tables = endings.store().map(Store::tables).transpose()?.unwrap_or_default();
    for table in &tables {
        println!("{:8} {:>10}", table.material, table.bytes);
    }
    println!("{:8} {:>10}", "all", tables.iter().map(|table| table.bytes).sum::<u64>());
    Ok(())
}
