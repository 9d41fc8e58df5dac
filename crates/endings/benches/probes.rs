//! Probes per second: `cargo bench -p entente-endings --bench probes`. `ENTENTE_ENDINGS=FOLDER` adds KRPvKR from this
//! folder of tables, and `SYZYGY=FOLDER` adds Syzygy's tables.

use std::{env, hint::black_box, num::NonZero, sync::atomic::AtomicBool};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use entente_endings::{Endings, Material, Store, shakmaty::Chess};
use rand::{SeedableRng, rngs::StdRng};
use support::random_position;

#[path = "../tests/support/mod.rs"]
#[expect(dead_code, reason = "only random positions are used")]
mod support;

const POSITIONS: usize = 10_000;

fn positions(name: &str) -> Vec<Chess> {
    let material: Material = name.parse().expect("the name of an ending");
    let mut random = StdRng::seed_from_u64(1);
    (0..POSITIONS).map(|_| random_position(material, &mut random)).collect()
}

fn probes(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("probes");
    group.throughput(Throughput::Elements(POSITIONS as u64));
    let mut measure = |name: String, endings: &Endings, positions: &[Chess]| {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                positions.iter().filter(|position| endings.probe(black_box(position)).is_some()).count()
            });
        });
    };
    let mut names = vec!["KPvK", "KQvKR", "KRvKP", "KPvKP"];
    let folder = env::var_os("ENTENTE_ENDINGS");
    names.extend(folder.is_some().then_some("KRPvKR"));
    let own = Endings::new(&[], folder.map(Store::new)).expect("no folder is read");
    for name in names {
        let material: Material = name.parse().expect("the name of an ending");
        let threads = NonZero::<usize>::MIN;
        own.prepare(material, threads, &|_| (), &AtomicBool::new(false)).expect("the table can be made");
        measure(name.to_string(), &own, &positions(name));
    }
    if let Some(folder) = env::var_os("SYZYGY") {
        let syzygy = Endings::new(&[folder.into()], None).expect("the folder of Syzygy's tables can be read");
        for name in ["KQvKR", "KRvKP", "KPvKP"] {
            measure(format!("{name}, Syzygy"), &syzygy, &positions(name));
        }
    }
}

criterion_group!(benches, probes);
criterion_main!(benches);
