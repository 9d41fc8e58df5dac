//! Evaluations, encodings and cooperative nodes a second: `cargo bench --bench engine`.

#![allow(clippy::unwrap_used, reason = "benches may unwrap like tests")]

use std::{hint::black_box, sync::Arc, sync::atomic::AtomicBool};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use entente::{
    engine::Engine,
    generation::{Job, NegamaxPlan, Plan},
    satisfaction::{NetworkEvaluator, SatisfactionModel},
};
use entente_constraint::{Goal, Men, Situation, Target, guide::Guide, thesis::constraint};
use entente_network::{
    NetworkKind as _, Policy, Query, SatisfactionNetwork,
    encoding::{
        goal_policy::{Aim, Context},
        thesis,
    },
};
use entente_search::{Limits, Negamax, NegamaxSettings, satisfaction::SatisfactionEvaluator as _};
use rand::{SeedableRng, rngs::ChaCha8Rng};
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

const COUNTS: [u8; 5] = [1, 2, 1, 1, 7];

fn middlegame() -> Chess {
    let fen: Fen = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 2 8".parse().unwrap();
    fen.into_position(CastlingMode::Standard).unwrap()
}

fn goal() -> Goal {
    Goal::new(&constraint(COUNTS)).unwrap()
}

fn encoding(criterion: &mut Criterion) {
    let position = middlegame();
    let mut planes = vec![0.0; thesis::LENGTH];
    let mut group = criterion.benchmark_group("encoding");
    group.throughput(Throughput::Elements(1));
    group.bench_function("thesis planes", |bencher| {
        bencher.iter(|| thesis::encode(&thesis::bitmaps(position.board()), &COUNTS, black_box(&mut planes)));
    });
    group.finish();
}

fn evaluation(criterion: &mut Criterion) {
    let position = middlegame();
    let mut group = criterion.benchmark_group("evaluation");
    group.throughput(Throughput::Elements(1));
    for (name, _) in SatisfactionNetwork::EMBEDDED {
        let mut network = NetworkEvaluator::new(&SatisfactionNetwork::open(name).unwrap(), &goal()).unwrap();
        group.bench_function(format!("cpu {name}"), |bencher| {
            bencher.iter(|| network.evaluate(black_box(&position)).unwrap());
        });
    }
    let moves = position.legal_moves();
    for (name, _) in Policy::EMBEDDED {
        let mut policy = Policy::open(name).unwrap().session();
        let (position, moves) = (&position, moves.as_slice());
        let query = Query { position, moves, played: &[], context: Context::default(), aim: &Aim::NONE };
        group.bench_function(format!("cpu {name}"), |bencher| {
            bencher.iter(|| policy.ask_one(black_box(&query)).unwrap());
        });
    }
    let mut material = SatisfactionModel::Men.evaluator(&goal()).unwrap();
    let mut values = Vec::new();
    group.throughput(Throughput::Elements(moves.len() as u64));
    group.bench_function("material", |bencher| {
        bencher.iter(|| {
            values.clear();
            material.evaluate_moves(black_box(&position), &moves, &|| false, &mut values).unwrap();
        });
    });
    group.finish();
}

fn reachability(criterion: &mut Criterion) {
    let men = Men::on(middlegame().board());
    let mut group = criterion.benchmark_group("constraint");
    for text in ["(1,2,1,1,7)", "Q-q=0 R=1..2 (n=0 | p!=5) !(b=2 B=2)"] {
        let goal = Goal::new(&text.parse().unwrap()).unwrap();
        group.bench_function(format!("reachable {text}"), |bencher| {
            bencher.iter(|| goal.is_reachable_from(black_box(&men)));
        });
    }
    group.finish();
}

/// What a position costs best-first search, and what it costs to begin one.
fn guide(criterion: &mut Criterion) {
    let (start, position) = (Chess::default(), middlegame());
    let mut group = criterion.benchmark_group("guide");
    group.throughput(Throughput::Elements(1));
    for text in [
        "N@h8 n@a1",
        "Q=0 q=0 castling=none",
        "checkmate",
        "fen=r2q1rk1/pp2bppp/2n1pn2/2pp4/3P1Bb1/2PBPN2/PP1NQPPP/R4RK1",
    ] {
        let target = text.parse().unwrap();
        let guide = Guide::new(&target, Situation::root(&start)).unwrap();
        group.bench_function(format!("estimate {text}"), |bencher| {
            bencher.iter(|| guide.estimate(Situation::first(black_box(&position), 16)));
        });
    }
    let target = "N@h8 n@a1".parse().unwrap();
    group.bench_function("new", |bencher| {
        bencher.iter(|| Guide::new(&target, Situation::root(&start)).unwrap());
    });
    group.finish();
}

fn search(criterion: &mut Criterion) {
    let position = middlegame();
    let stop = AtomicBool::new(false);
    let mut group = criterion.benchmark_group("cooperative nodes");
    for depth in [2, 3] {
        let settings = NegamaxSettings { depth, criterion: 0.1, faithful: false };
        let choose = |seed| {
            let mut negamax =
                Negamax::new(goal(), SatisfactionModel::Men.evaluator(&goal()).unwrap(), settings);
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            negamax.choose(&position, |_| true, &mut rng, Limits::until(&stop)).unwrap();
            negamax.nodes
        };
        group.throughput(Throughput::Elements(choose(1)));
        group.bench_function(format!("material depth {depth}"), |bencher| bencher.iter(|| choose(1)));
    }
    group.finish();
}

fn generation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("positions");
    group.throughput(Throughput::Elements(1));
    let network = SatisfactionModel::Network(Arc::new(SatisfactionNetwork::open("thesis-2").unwrap()));
    for model in [SatisfactionModel::Men, network] {
        let target = Target::new("(1,2,1,1,7)".parse().unwrap()).unwrap();
        let plan = NegamaxPlan::new(model);
        let name = format!("(1,2,1,1,7) {} depth {}", plan.model.name(), plan.search.depth);
        let job = Job::new(target, Plan::Negamax(plan));
        let mut generator = Engine::generator(&job).unwrap();
        let mut index = 0;
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                index += 1;
                generator.generate(index, &AtomicBool::new(false)).unwrap()
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = engine;
    config = Criterion::default().sample_size(20);
    targets = encoding, evaluation, reachability, guide, search, generation
}
criterion_main!(engine);
