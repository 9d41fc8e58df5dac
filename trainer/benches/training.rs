//! Speed of training in pairs per second, including encoding, with one thread for the network.

use std::{convert::Infallible, hint::black_box, sync::Arc};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use entente_constraint::thesis::SEVENTEEN;
use entente_trainer::{
    network::{Architecture, Parameters, Precision, forward, write_gradients},
    samples::{Sampler, SatisfactionSet},
    training::{Adam, keep_freed_memory},
};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use shakmaty::{Chess, Move, Position};
use tch::{Device, Tensor};

const BATCH: u64 = 128;

fn random_game(random: &mut StdRng) -> Vec<Move> {
    let mut position = Chess::default();
    let mut moves = Vec::new();
    while moves.len() < 80 && !position.is_game_over() {
        let legal = position.legal_moves();
        let m = legal[random.random_range(0..legal.len())];
        position.play_unchecked(m);
        moves.push(m);
    }
    moves
}

fn set() -> SatisfactionSet {
    let mut random = StdRng::seed_from_u64(1);
    let games: Vec<_> = (0..200).map(|_| random_game(&mut random)).collect();
    let read = |block: usize| Ok::<_, Infallible>(vec![games[block].clone()]);
    SatisfactionSet::build("bench", &SEVENTEEN, games.len(), read, false, 1, || ()).expect("200 games")
}

fn training(criterion: &mut Criterion) {
    tch::set_num_threads(1);
    keep_freed_memory();
    let set = Arc::new(set());
    let mut sampler = Sampler::uniform(&set, 1);
    let (mut planes, mut labels) = (Vec::new(), Vec::new());

    let mut group = criterion.benchmark_group("training");
    group.throughput(Throughput::Elements(BATCH)).sample_size(20);
    let mut next = 0;
    let mut fill = |planes: &mut Vec<f32>, labels: &mut Vec<f32>| {
        sampler.fill(next..next + BATCH, planes, labels);
        next += BATCH;
    };
    group.bench_function("sample and encode a batch", |bencher| {
        bencher.iter(|| fill(black_box(&mut planes), &mut labels));
    });
    for name in Architecture::NAMES {
        let network = Architecture::named(name).expect("listed");
        let parameters = Parameters::random(&network, Device::Cpu, 1);
        let gradients = Parameters::zeros(&network, Device::Cpu);
        for precision in [Precision::F32, Precision::Bf16] {
            let mut adam = Adam::new(parameters.flat());
            let mut step = 0;
            group.bench_function(format!("step of {name}, {precision:?}"), |bencher| {
                bencher.iter(|| {
                    fill(&mut planes, &mut labels);
                    let input = Tensor::from_slice(&planes).view([-1, 17, 8, 8]);
                    let target = Tensor::from_slice(&labels);
                    let _ = write_gradients(&network, &parameters, &input, &target, precision, &gradients);
                    step += 1;
                    adam.step(parameters.flat(), gradients.flat(), step, 1e-3, None);
                });
            });
        }
        fill(&mut planes, &mut labels);
        let input = Tensor::from_slice(&planes).view([-1, 17, 8, 8]);
        group.bench_function(format!("forward pass of {name}"), |bencher| {
            bencher.iter(|| forward(&network, &parameters, black_box(&input)));
        });
    }
    group.finish();
}

criterion_group!(benches, training);
criterion_main!(benches);
