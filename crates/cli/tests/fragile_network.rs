//! A network that loads may still fail on a position. This must be an error, not a panic or a lost answer.

mod support;

use std::sync::{Arc, atomic::AtomicBool};

use entente::{
    engine::Engine,
    generation::{GenerationError, Job, NegamaxPlan, Plan, Quota},
    satisfaction::SatisfactionModel,
};
use entente_constraint::{Target, thesis::constraint};
use entente_network::{NetworkError, NetworkKind as _, SatisfactionNetwork, encoding::thesis};
use shakmaty::{Chess, Position};
use support::fragile_network;

#[test]
fn a_session_reports_a_failure_and_works_for_the_next_input() {
    let network =
        SatisfactionNetwork::from_bytes("fragile", &fragile_network(0..8)).expect("it works for zeros");
    let mut session = network.session();
    let mut planes = [0.0; thesis::LENGTH];
    assert_eq!(session.run(&planes).unwrap(), 0.5);
    thesis::encode(&thesis::bitmaps(Chess::default().board()), &[1, 2, 2, 2, 7], &mut planes);
    for _ in 0..2 {
        let error = session.run(&planes).unwrap_err();
        assert!(matches!(error, NetworkError::Model { .. }), "{error}");
        assert_eq!(session.run(&[0.0; thesis::LENGTH]).unwrap(), 0.5);
    }
}

#[test]
fn positions_before_a_failure_are_delivered_with_any_number_of_threads() {
    let run = |rows, threads| {
        let target = Target::new(constraint([1, 2, 2, 2, 7])).unwrap();
        let network = SatisfactionNetwork::from_bytes("fragile", &fragile_network(rows)).unwrap();
        let model = SatisfactionModel::Network(Arc::new(network));
        let job = Job::new(target, Plan::Negamax(NegamaxPlan::new(model)));
        let quota = Quota::new(400, threads);
        let mut delivered = Vec::new();
        let result = Engine::run_job(&job, quota, &AtomicBool::new(false), |generation| {
            delivered.push(generation.position);
        });
        assert!(matches!(result, Err(GenerationError::Network(NetworkError::Model { .. }))), "{result:?}");
        delivered
    };
    assert!(run(0..8, 2).is_empty());
    let delivered = run(4..8, 1);
    assert!((1..400).contains(&delivered.len()), "{}", delivered.len());
    for _ in 0..3 {
        assert_eq!(run(4..8, 3), delivered);
    }
}
