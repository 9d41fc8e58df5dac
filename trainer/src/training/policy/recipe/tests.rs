use super::*;

fn shipped(stage: &str) -> PolicyRecipe {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/recipes/goal-policy-3x64.toml");
    PolicyRecipe::read(path.as_ref(), Some(stage)).unwrap()
}

#[test]
fn a_stage_begins_with_the_final_rate_of_the_previous_one() {
    let stages = [5, 6, 7, 8].map(|number| shipped(&number.to_string()));
    for pair in stages.windows(2) {
        assert_eq!(pair[0].final_learning_rate, Some(pair[1].learning_rate));
        assert_ne!(pair[0].seed, pair[1].seed, "other samples");
    }
    let [first, ..] = &stages;
    let rates = [first.learning_rate, first.final_learning_rate.unwrap()];
    assert!(first.rate(0) < 0.01 * rates[0], "it warms up");
    let is_near = |rate: f64, expected: f64| (rate - expected).abs() < 1e-3 * expected;
    assert!(is_near(first.rate(first.steps() / 2), (rates[0] + rates[1]) / 2.0), "it falls linearly");
    assert!(is_near(first.rate(first.steps()), rates[1]));
    // All stages together also form a single straight line.
    let falls = stages.map(|stage| {
        let last = stage.final_learning_rate.unwrap();
        (stage.learning_rate - last) / stage.positions as f64
    });
    assert!(falls.iter().all(|fall| is_near(*fall, falls[0])), "{falls:?}");
}

#[test]
fn without_a_final_rate_it_is_constant_and_then_falls() {
    let recipe = shipped("3");
    let rate = |share: f64| recipe.rate((share * recipe.steps() as f64) as u64) / recipe.learning_rate;
    assert_eq!(rate(0.2), 1.0);
    assert!((rate(2.0 / 3.0) - 0.5).abs() < 1e-3);
    assert!((rate(1.0) - 0.01).abs() < 1e-9);
}

#[test]
fn validations_are_at_equal_distances_and_at_the_end() {
    let recipe = PolicyRecipe { positions: 2560, validate_every: 1000, ..shipped("5") };
    assert_eq!([0, 2, 3, 5, 9].map(|steps| recipe.next_validation(steps)), [3, 3, 6, 6, 10]);
}
