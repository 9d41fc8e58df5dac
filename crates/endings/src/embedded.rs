//! The tables that are part of the program: those of three men, so that king and pawn against king needs no making.

use std::{
    num::NonZero,
    sync::{Arc, LazyLock},
};

use crate::{material::Material, store::decode, table::Table};

static FILES: [(&str, &[u8]); 3] = [
    ("KPvK", include_bytes!("../data/KPvK.ending")),
    ("KQvK", include_bytes!("../data/KQvK.ending")),
    ("KRvK", include_bytes!("../data/KRvK.ending")),
];

static TABLES: LazyLock<Vec<Arc<Table>>> = LazyLock::new(|| {
    let table = |&(name, bytes): &(&str, &[u8])| {
        let material: Material = name.parse().expect("an embedded table is named after its ending");
        Arc::new(
            decode(material, bytes, [true; 2], NonZero::<usize>::MIN).expect("an embedded table is whole"),
        )
    };
    FILES.iter().map(table).collect()
});

/// The tables.
pub(crate) fn tables() -> &'static [Arc<Table>] {
    &TABLES
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path, sync::atomic::AtomicBool};

    use super::*;
    use crate::{
        build::{Smaller, make},
        store::encode,
    };

    /// `UPDATE_TABLES=1` writes the files.
    #[test]
    fn embedded_tables_are_those_that_are_made() {
        let is_update = std::env::var_os("UPDATE_TABLES").is_some();
        let mut made = Smaller::new();
        for name in ["KQvK", "KRvK", "KPvK"] {
            let material: Material = name.parse().unwrap();
            let table =
                make(material, &made, NonZero::<usize>::MIN, &|_| (), &AtomicBool::new(false)).unwrap();
            if is_update {
                let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("data/{name}.ending"));
                fs::write(path, encode(&table, NonZero::<usize>::MIN).unwrap()).unwrap();
            } else {
                let embedded = tables().iter().find(|table| table.layout.material == material).unwrap();
                assert_eq!(embedded.slices, table.slices, "{name}");
            }
            made.insert(material, Arc::new(table));
        }
    }
}
