use std::convert::Infallible;

use super::*;
use crate::{dataset::tests::random_set, training::CheckpointError};

const NEVER: Duration = Duration::from_secs(1_000_000);
const EPOCHS_ONLY: RunOptions = RunOptions { save_every: NEVER, validate_every: NEVER, limit: None };

fn recipe(epochs: u64) -> Recipe {
    Recipe { epochs, batch: 32, pairs_per_epoch: 32 * 40, averaging: 0.9, ..Recipe::example() }
}

fn trainer<'a>(recipe: &Recipe, set: &'a SatisfactionSet) -> Trainer<'a> {
    Trainer::new(recipe, set, set, Device::Cpu).unwrap()
}

fn train(trainer: &mut Trainer<'_>) -> Outcome {
    trainer.run(&EPOCHS_ONLY, &AtomicBool::new(false), |_, _| Ok::<_, Infallible>(())).unwrap()
}

/// Written and read again, as by a new process.
fn through_a_file(checkpoint: &Checkpoint) -> Checkpoint {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(Checkpoint::FILE);
    checkpoint.write(&path).unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
    Checkpoint::read(&path, Device::Cpu).unwrap()
}

fn without_times(progress: &Progress) -> Progress {
    let mut progress = Progress { seconds: 0.0, total_seconds: 0.0, ..progress.clone() };
    for record in &mut progress.records {
        (record.seconds, record.samples_per_second) = (0.0, 0.0);
    }
    progress
}

#[test]
fn the_loss_falls_on_games_that_can_be_learnt() {
    let set = random_set(4, 60);
    let recipe = Recipe { pairs_per_epoch: 32 * 150, learning_rate: 2e-3, ..recipe(6) };
    let mut trainer = trainer(&recipe, &set);
    assert_eq!(train(&mut trainer), Outcome::Finished);
    let losses: Vec<f64> = trainer.progress().records.iter().map(|record| record.validation_loss).collect();
    assert_eq!(losses.len(), 6);
    assert!(losses[5] < 0.5 * losses[0], "{losses:?}");
    let best = trainer.progress().best.as_ref().unwrap();
    assert!(best.score.auc.unwrap() > 0.95, "{best:?}");
}

#[test]
fn a_resumed_run_ends_exactly_like_one_that_was_never_stopped() {
    let set = random_set(10, 60);
    let two = recipe(2);
    let mut whole = trainer(&two, &set);
    train(&mut whole);

    // Stopped once within the first epoch and once after it.
    let mut first = trainer(&two, &set);
    let stop = AtomicBool::new(false);
    let interrupt = RunOptions { save_every: NEVER, validate_every: NEVER, limit: Some(NEVER) };
    first.steps(17);
    stop.store(true, Ordering::Relaxed);
    let outcome = first.run(&interrupt, &stop, |_, _| Ok::<_, Infallible>(())).unwrap();
    assert_eq!(outcome, Outcome::Interrupted);
    let one = recipe(1);
    let mut second = trainer(&one, &set);
    second.restore(through_a_file(&first.checkpoint())).unwrap();
    assert_eq!(train(&mut second), Outcome::Finished);
    let mut third = trainer(&two, &set);
    third.restore(through_a_file(&second.checkpoint())).unwrap();
    train(&mut third);

    assert_eq!(whole.parameters.flat(), third.parameters.flat());
    assert_eq!(whole.average.flat(), third.average.flat());
    assert_eq!(whole.best, third.best);
    let (whole, third) = (without_times(whole.progress()), without_times(third.progress()));
    assert_eq!(whole.records.len(), third.records.len());
    for (a, b) in whole.records.iter().zip(&third.records) {
        // Sums of losses are grouped otherwise.
        assert!((a.train_loss - b.train_loss).abs() < 1e-9);
        assert_eq!(a.validation_loss, b.validation_loss);
    }
}

#[test]
fn training_stops_when_nothing_improves() {
    let set = random_set(3, 30);
    // Far too high a rate.
    let recipe = Recipe { learning_rate: 0.9, patience: 2, averaging: 0.0, ..recipe(50) };
    let mut trainer = trainer(&recipe, &set);
    assert_eq!(train(&mut trainer), Outcome::NoImprovement);
    assert_eq!(train(&mut trainer), Outcome::NoImprovement, "it does not go on when resumed");
}

#[test]
fn a_loss_that_is_not_finite_ends_the_run_before_anything_is_saved() {
    let set = random_set(3, 30);
    let mut trainer = trainer(&recipe(1), &set);
    let broken = trainer.checkpoint().parameters * f64::NAN;
    trainer.restore(Checkpoint { parameters: broken, ..trainer.checkpoint() }).unwrap();
    let outcome = trainer.run(&EPOCHS_ONLY, &AtomicBool::new(false), |_, event| Err(event));
    assert_eq!(outcome, Ok(Outcome::Diverged));
}

#[test]
fn no_time_left_changes_nothing() {
    let set = random_set(3, 30);
    let mut trainer = trainer(&recipe(1), &set);
    let options = RunOptions { limit: Some(Duration::ZERO), ..EPOCHS_ONLY };
    let outcome = trainer.run(&options, &AtomicBool::new(false), |_, event| Err(event));
    assert_eq!(outcome, Ok(Outcome::TimeLimit));
}

#[test]
fn a_checkpoint_of_another_run_is_refused() {
    let (set, other) = (random_set(3, 30), random_set(4, 30));
    let checkpoint = trainer(&recipe(1), &other).checkpoint();
    let error = trainer(&recipe(1), &set).restore(checkpoint).unwrap_err();
    assert!(error.contains("other games"), "{error}");
    let checkpoint = trainer(&Recipe { seed: 2, ..recipe(1) }, &set).checkpoint();
    assert!(trainer(&recipe(1), &set).restore(checkpoint).unwrap_err().contains("`seed`"));
}

#[test]
fn a_damaged_checkpoint_is_an_error_that_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(Checkpoint::FILE);
    let missing = Checkpoint::read(&path, Device::Cpu).unwrap_err();
    assert!(matches!(missing, CheckpointError::Io { .. }));
    trainer(&recipe(1), &random_set(3, 30)).checkpoint().write(&path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    for length in [0, 3, 100, bytes.len() - 1] {
        std::fs::write(&path, &bytes[..length]).unwrap();
        let error = Checkpoint::read(&path, Device::Cpu).unwrap_err().to_string();
        assert!(error.contains(Checkpoint::FILE), "{error}");
    }
}
