use entente_network::{Backend, NetworkError, NetworkSource, Policy, SatisfactionNetwork};

use super::*;
use crate::{
    generation::Plan,
    satisfaction::SatisfactionModel,
    settings::{Evaluator, Setting, Value},
};

/// A source for requests that need no network.
struct NoNetworks;

impl NetworkSource for NoNetworks {
    fn network(
        &mut self,
        name: &str,
        _: Backend,
    ) -> Result<std::sync::Arc<SatisfactionNetwork>, NetworkError> {
        panic!("{name} is requested")
    }

    fn policy(&mut self, name: &str, _: Backend) -> Result<std::sync::Arc<Policy>, NetworkError> {
        panic!("{name} is requested")
    }
}

fn request(change: impl FnOnce(&mut GenerationSettings)) -> Request {
    let by_men = |settings: &mut GenerationSettings| {
        settings.method = Some(Method::Negamax);
        settings.evaluator = Evaluator::Men;
    };
    Request::new("Q=0 q=0".parse().unwrap(), GenerationSettings::with(by_men).changed(change))
}

#[test]
fn a_field_out_of_bounds_gives_the_same_error_as_its_flag() {
    for (setting, value, change) in [
        (
            Setting::Depth,
            Value::Integer(99),
            (|settings| settings.depth = Some(99)) as fn(&mut GenerationSettings),
        ),
        (Setting::Criterion, Value::Number(1.5), |settings| settings.criterion = 1.5),
        (Setting::Threads, Value::Integer(0), |settings| settings.threads = 0),
        (Setting::MaxPlies, Value::Integer(1001), |settings| settings.max_plies = Some(1001)),
    ] {
        let error = request(change).resolve(&mut NoNetworks).unwrap_err();
        let by_flag = setting.check(&value).unwrap_err();
        assert_eq!(error.to_string(), by_flag.to_string());
        assert_eq!(error.settings, [(setting, Some(value))]);
    }
}

#[test]
fn a_missing_seed_is_drawn_when_the_request_is_resolved() {
    let seed = |request: Request| request.resolve(&mut NoNetworks).unwrap().seed;
    assert_eq!(seed(request(|settings| settings.seed = Some(7))), 7);
    let seeds: Vec<u64> = (0..4).map(|_| seed(request(|_| ()))).collect();
    assert!(seeds.iter().all(|seed| (1..=i32::MAX as u64).contains(seed)), "{seeds:?}");
    assert!(seeds.iter().any(|seed| *seed != seeds[0]), "{seeds:?}");
}

#[test]
fn a_plan_has_the_settings_and_its_description_names_them() {
    let change = |settings: &mut GenerationSettings| {
        (settings.depth, settings.criterion, settings.nodes) = (Some(3), 0.2, Some(500));
    };
    let job = request(change).resolve(&mut NoNetworks).unwrap();
    let Plan::Negamax(plan) = &job.plan else { panic!("{:?}", job.plan) };
    assert!(matches!(plan.model, SatisfactionModel::Men));
    assert_eq!((plan.search.depth, plan.search.criterion, plan.search.faithful), (3, 0.2, false));
    assert_eq!((job.budget.nodes, job.budget.attempts, job.max_plies), (Some(500), Budget::ATTEMPTS, 101));
    assert_eq!(job.description, "negamax depth 3 men criterion 0.2");
}

#[test]
fn settings_that_the_method_does_not_use_are_named_by_their_ids() {
    let change = |settings: &mut GenerationSettings| (settings.tilt, settings.visits) = (1.0, 9);
    let unused = request(change).resolve(&mut NoNetworks).unwrap().unused.unwrap();
    assert_eq!(unused.settings, [(Setting::Tilt, None), (Setting::Visits, None)]);
    assert!(unused.with_flags().starts_with("--tilt, --visits: "), "{}", unused.with_flags());
}
