use super::*;

const EXAMPLE: &str = r#"
    kind = "satisfaction"
    network = "thesis-1"
    constraints = "thesis-7"
    pairs_per_epoch = 640
    epochs = 2
    batch = 64
    patience = 3
    seed = 1
"#;

impl Recipe {
    pub(crate) fn example() -> Recipe {
        Recipe::parse(EXAMPLE, "example.toml").unwrap()
    }
}

fn error(text: &str) -> String {
    Recipe::parse(text, "example.toml").unwrap_err().to_string()
}

#[test]
fn missing_keys_have_defaults() {
    let recipe = Recipe::example();
    assert_eq!((recipe.learning_rate, recipe.validation_pairs), (1e-3, 300_000));
    assert_eq!((recipe.precision, recipe.validations_per_epoch), (Precision::Bf16, 1));
    assert_eq!(recipe.constraints.constraints().len(), 7);
}

#[test]
fn errors_name_the_file_and_the_key() {
    let unknown = error(&format!("{EXAMPLE}\nmomentum = 0.9"));
    assert!(unknown.starts_with("example.toml") && unknown.contains("momentum"), "{unknown}");
    assert!(error(&EXAMPLE.replace("seed = 1", "")).contains("seed"));
    assert!(error(&EXAMPLE.replace("batch = 64", "batch = 0")).contains("`batch`"));
    assert!(error(&EXAMPLE.replace("= 640", "= 650")).contains("`pairs_per_epoch`"));
    assert!(error(&format!("{EXAMPLE}\nvalidations_per_epoch = 11")).contains("`validations_per_epoch`"));
    assert!(error(&EXAMPLE.replace("thesis-1", "thesis-9")).contains("key `network`"));
    assert!(error(&EXAMPLE.replace("thesis-7", "thesis-8")).contains("thesis-17"));
    assert!(error(&EXAMPLE.replace("epochs = 2", "epochs = \"two\"")).contains("epochs"));
    assert!(error(&format!("{EXAMPLE}\ncounting = true")).contains("`counting`"));
    assert!(error(&format!("{EXAMPLE}\nahead = [0.8, 0.2]")).contains("`ahead`"));
}

#[test]
fn a_run_can_be_resumed_with_more_epochs_but_not_with_another_batch() {
    let recipe = Recipe::example();
    let longer = Recipe { epochs: 9, learning_rate: 1e-4, ..recipe.clone() };
    assert_eq!(recipe.incompatible_key(&longer), None);
    let wider = Recipe { batch: 128, ..recipe.clone() };
    assert_eq!(recipe.incompatible_key(&wider), Some("batch"));
    let other = Recipe { validation_pairs: 1000, ..recipe.clone() };
    assert_eq!(recipe.incompatible_key(&other), Some("validation_pairs"), "losses could not be compared");
}

#[test]
fn parsing_the_text_of_a_recipe_restores_it() {
    let recipe = Recipe { altered: 0.1 + 0.2, averaging: 0.9998, seed: 9, ..Recipe::example() };
    assert_eq!(Recipe::parse(&recipe.toml(), "again.toml").unwrap(), recipe);
}

#[test]
fn validations_are_at_fixed_steps_and_at_the_end_of_every_epoch() {
    let walk = |validations_per_epoch: u64| {
        let recipe = Recipe { validations_per_epoch, ..Recipe::example() };
        assert_eq!(recipe.steps_per_epoch(), 10);
        let mut steps = 0;
        let due: Vec<u64> = std::iter::repeat_with(|| {
            steps = recipe.next_validation(steps);
            steps
        })
        .take_while(|due| *due <= 20)
        .collect();
        assert_eq!(recipe.next_validation(due[0] - 1), due[0], "wherever the run is resumed");
        due
    };
    assert_eq!(walk(1), [10, 20]);
    assert_eq!(walk(4), [3, 5, 8, 10, 13, 15, 18, 20]);
    assert_eq!(walk(10), (1..=20).collect::<Vec<_>>());
}

#[test]
fn the_rate_is_constant_and_then_falls() {
    let recipe = Recipe { epochs: 4, decay_epochs: 1.0, ..Recipe::example() };
    let rate = |epochs: f64| {
        recipe.learning_rate_after((epochs * recipe.pairs_per_epoch as f64) as u64) / recipe.learning_rate
    };
    assert_eq!(rate(0.0), 1.0);
    assert_eq!(rate(3.0), 1.0);
    assert!((rate(3.5) - 0.5).abs() < 1e-9);
    assert!((rate(4.0) - 0.01).abs() < 1e-9);
}
