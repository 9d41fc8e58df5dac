//! x
mod build;
mod error;
mod layout;
mod material;
mod men;
mod pawns;
mod squares;
mod table;
mod wdl;
pub use error::EndingsError;
pub use material::{MAX_MEN, Material};
pub use wdl::Wdl;

/// tmp
pub fn try_all(names: &[&str]) {
    use std::sync::Arc;
    let mut made = build::Smaller::new();
    let stop = std::sync::atomic::AtomicBool::new(false);
    for name in names {
        for material in name.parse::<Material>().unwrap().needed() {
            if made.contains_key(&material) { continue; }
            let start = std::time::Instant::now();
            let table = build::make(material, &made, std::num::NonZero::new(2).unwrap(), &|_| (), &stop).unwrap();
            let time = start.elapsed();
            println!("{material} {time:?} {} bytes", table.layout.bytes());
            made.insert(material, Arc::new(table));
        }
    }
}
