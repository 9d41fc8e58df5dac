//! Compares random positions with Syzygy's tables in a folder: `cargo run --release -p entente-endings --example
//! compare -- FOLDER COUNT KPvKP KQvKR …`; without names all endings of up to four men whose tables are in the folder.
//! Exits with status 1 if a result differs.

use std::{env, num::NonZero, path::PathBuf, sync::atomic::AtomicBool};

use entente_endings::{
    Endings, Material, Wdl,
    shakmaty::{EnPassantMode, Position, fen::Fen},
};
use rand::{SeedableRng, rngs::StdRng};
use support::{by_moves, random_position};

#[path = "../tests/support/mod.rs"]
mod support;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = env::args().skip(1);
    let folder: PathBuf = arguments.next().ok_or("expected a folder with Syzygy's tables")?.into();
    let count: usize = arguments.next().ok_or("expected a number of positions")?.parse()?;
    let mut names: Vec<Material> = arguments.map(|name| name.parse()).collect::<Result<_, _>>()?;
    if names.is_empty() {
        let all = [3, 4].into_iter().flat_map(Material::all);
        names = all.filter(|material| folder.join(format!("{material}.rtbw")).exists()).collect();
    }
    let syzygy = Endings::new(&[folder], None)?;
    let own = Endings::new(&[], None)?;
    let mut random = StdRng::seed_from_u64(1);
    let mut all_different = 0;
    for material in names {
        own.prepare(material, NonZero::<usize>::MIN, &|_| (), &AtomicBool::new(false))?;
        let mut results = [0_usize; 3];
        let (mut en_passant, mut different) = (0, 0);
        for _ in 0..count {
            let position = random_position(material, &mut random);
            let expected = syzygy.wdl_after_zeroing(&position).map(|wdl| match wdl.signum() {
                -1 => Wdl::Loss,
                0 => Wdl::Draw,
                _ => Wdl::Win,
            });
            let found = own.probe(&position);
            en_passant += usize::from(position.ep_square(EnPassantMode::Legal).is_some());
            if let Some(found) = found {
                results[found as usize] += 1;
            }
            if found.is_none() || found != expected || by_moves(&own, &position) != expected {
                different += 1;
                let fen = Fen::from_position(&position, EnPassantMode::Legal);
                println!("{fen}: {found:?}, Syzygy {expected:?}");
            }
        }
        let [lost, drawn, won] = results;
        println!(
            "{material:8} {count} positions: {won} won, {drawn} drawn, {lost} lost, {en_passant} en passant; \
             {different} different"
        );
        all_different += different;
    }
    if all_different > 0 {
        return Err(format!("{all_different} results differ").into());
    }
    Ok(())
}
