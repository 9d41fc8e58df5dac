use std::{convert::Infallible, sync::Arc};

use super::*;
use crate::{
    network::Parameters,
    samples::{SatisfactionSet, tests::random_set},
    training::{
        CHECKPOINT,
        satisfaction::{Recipe, Record, Satisfaction},
    },
};

/// Pairs per step: few, because steps take most of the time.
const BATCH: u64 = 8;
const NEVER: Duration = Duration::from_secs(1_000_000);
const NO_SAVES: RunOptions = RunOptions { command: String::new(), save_every: NEVER, limit: None };

fn recipe(epochs: u64) -> Recipe {
    let validations_per_epoch = 3;
    let pairs_per_epoch = BATCH * 40;
    let example = Recipe::example();
    Recipe { epochs, batch: BATCH, pairs_per_epoch, validations_per_epoch, averaging: 0.9, ..example }
}

fn set(games: u64, plies: usize) -> Arc<SatisfactionSet> {
    Arc::new(random_set(games, plies))
}

fn trainer(recipe: &Recipe, set: &Arc<SatisfactionSet>) -> Trainer<Satisfaction> {
    // Several threads would wait for each other, and for other tests.
    tch::set_num_threads(1);
    let task = Satisfaction::new(recipe, Arc::clone(set), set, Device::Cpu);
    Trainer::new(recipe, task, Device::Cpu)
}

fn train(trainer: &mut Trainer<Satisfaction>) -> Outcome {
    trainer.run(&NO_SAVES, &AtomicBool::new(false), |_, _| Ok::<_, Infallible>(())).unwrap()
}

/// Writes a checkpoint and reads it again, as a new process would.
fn through_a_file(trainer: &Trainer<Satisfaction>) -> Checkpoint<Satisfaction> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(CHECKPOINT);
    trainer.save(&path).unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
    Checkpoint::read(&path, Device::Cpu).unwrap()
}

/// The state as TOML, as in checkpoints.
fn text<T: serde::Serialize>(state: &T) -> String {
    toml::to_string(state).unwrap()
}

#[test]
fn the_loss_falls_on_a_few_games() {
    let set = set(4, 60);
    let recipe = Recipe {
        batch: 16,
        pairs_per_epoch: 16 * 150,
        learning_rate: 2e-3,
        validations_per_epoch: 1,
        ..recipe(6)
    };
    let mut trainer = trainer(&recipe, &set);
    assert_eq!(train(&mut trainer), Outcome::Finished);
    let losses: Vec<f64> = trainer.progress().records.iter().map(|record| record.validation_loss).collect();
    assert_eq!(losses.len(), 6);
    assert!(losses[5] < 0.5 * losses[0], "{losses:?}");
    let best = trainer.progress().best.as_ref().unwrap();
    assert!(best.measures.score.auc.unwrap() > 0.95, "{:?}", best.measures);
}

#[test]
fn a_network_that_counts_still_counts_after_training() {
    let set = set(4, 60);
    let recipe = Recipe { network: "thesis-2".to_owned(), counting: true, ..recipe(1) };
    let mut trainer = trainer(&recipe, &set);
    let initial = trainer.rows().best;
    train(&mut trainer);
    let trained = trainer.rows().best;
    assert_ne!(initial, trained);
    let architecture = trainer.task().architecture();
    let restored = Parameters::zeros(architecture, Device::Cpu).with(trained.copy()).counting(architecture);
    assert!((restored.flat() - trained).abs().max().double_value(&[]) < 1e-6);
}

#[test]
fn a_resumed_run_ends_exactly_like_an_uninterrupted_one() {
    let set = set(10, 60);
    let two = recipe(2);
    let mut whole = trainer(&two, &set);
    train(&mut whole);

    // Stop once within the first epoch and once after it.
    let mut first = trainer(&two, &set);
    let stop = AtomicBool::new(false);
    (0..9).for_each(|_| first.step());
    stop.store(true, Ordering::Relaxed);
    let outcome = first.run(&NO_SAVES, &stop, |_, _| Ok::<_, Infallible>(())).unwrap();
    assert_eq!(outcome, Outcome::Interrupted);
    let one = recipe(1);
    let mut second = trainer(&one, &set);
    second.restore(through_a_file(&first)).unwrap();
    assert_eq!(train(&mut second), Outcome::Finished);
    let mut third = trainer(&two, &set);
    third.restore(through_a_file(&second)).unwrap();
    train(&mut third);

    assert_eq!(whole.weights, third.weights);
    assert_eq!(whole.average, third.average);
    assert_eq!(whole.best, third.best);
    let best = |trainer: &Trainer<Satisfaction>| {
        trainer.progress().best.as_ref().map(|best| (best.steps, best.measures.score))
    };
    assert_eq!(best(&whole), best(&third));
    let (whole, third) = (whole.progress(), third.progress());
    assert_eq!(whole.records.len(), third.records.len());
    for (a, b) in whole.records.iter().zip(&third.records) {
        // The losses are summed in other groups.
        assert!((a.train_loss - b.train_loss).abs() < 1e-9);
        assert_eq!(a.validation_loss, b.validation_loss);
    }
}

#[test]
fn training_stops_if_the_loss_does_not_improve() {
    let set = set(3, 30);
    // The rate is far too high.
    let recipe = Recipe { learning_rate: 0.9, patience: 2, averaging: 0.0, ..recipe(50) };
    let mut trainer = trainer(&recipe, &set);
    assert_eq!(train(&mut trainer), Outcome::NoImprovement);
    assert_eq!(train(&mut trainer), Outcome::NoImprovement, "it does not continue when resumed");
}

#[test]
fn a_loss_that_is_not_finite_ends_the_run_before_anything_is_saved() {
    let set = set(3, 30);
    let mut trainer = trainer(&recipe(1), &set);
    trainer.weights = &trainer.weights * f64::NAN;
    let outcome = trainer.run(&NO_SAVES, &AtomicBool::new(false), |_, event| Err(event));
    assert_eq!(outcome, Ok(Outcome::Diverged));
}

#[test]
fn weights_that_are_not_finite_after_the_last_step_are_neither_validated_nor_saved() {
    let set = set(3, 30);
    // The only step has the loss of the random weights.
    let recipe = Recipe { pairs_per_epoch: BATCH, learning_rate: f64::INFINITY, ..recipe(1) };
    let mut trainer = trainer(&Recipe { validations_per_epoch: 1, ..recipe }, &set);
    let outcome = trainer.run(&NO_SAVES, &AtomicBool::new(false), |_, event| Err(event));
    assert!(trainer.recent_loss().is_finite());
    assert_eq!(outcome, Ok(Outcome::Diverged));
    assert!(trainer.progress().best.is_none());
}

#[test]
fn the_clock_affects_only_checkpoints() {
    let set = set(3, 30);
    let stop = AtomicBool::new(false);
    let events = |limit, save_every| {
        let recipe = Recipe { pairs_per_epoch: BATCH * 120, validations_per_epoch: 2, ..recipe(1) };
        let mut trainer = trainer(&recipe, &set);
        let mut events = Vec::new();
        let options = RunOptions { limit, save_every, ..NO_SAVES };
        let run = trainer.run(&options, &stop, |trainer, event| {
            if event != Event::Steps {
                events.push((trainer.progress().steps, event));
            }
            Ok::<_, Infallible>(())
        });
        let best = trainer.progress().best.as_ref().map(|best| best.steps);
        (run.unwrap(), events, best)
    };
    let (outcome, all, best) = events(None, NEVER);
    assert_eq!(outcome, Outcome::Finished);
    assert!(all.iter().all(|(_, event)| matches!(event, Event::Validated(_))), "{all:?}");
    assert_eq!(all.iter().map(|(steps, _)| *steps).collect::<Vec<_>>(), [60, 120]);
    let (saving, mut more, same) = events(None, Duration::ZERO);
    more.retain(|event| !matches!(event, (20 | 40 | 80 | 100, Event::Save)));
    assert_eq!((saving, more, same), (outcome, all, best), "only saves are added");
    let nothing_done = events(Some(Duration::ZERO), NEVER);
    assert_eq!(
        nothing_done,
        (Outcome::TimeLimit, vec![(0, Event::Save)], None),
        "--resume finds a checkpoint"
    );
}

#[test]
fn the_best_validation_keeps_its_origin() {
    let set = set(3, 30);
    let mut first = trainer(&recipe(1), &set);
    let options = RunOptions { command: "train".to_owned(), ..NO_SAVES };
    first.run(&options, &AtomicBool::new(false), |_, _| Ok::<_, Infallible>(())).unwrap();
    let best = first.progress().best.as_ref().unwrap();
    assert_eq!((&best.origin.recipe, best.origin.command.as_str()), (&recipe(1), "train"));
    assert_eq!((best.origin.device.as_str(), best.origin.date.len()), ("CPU", 10));
    assert_eq!(best.origin.threads, tch::get_num_threads() as u64);

    // The rate is too high for a better network.
    let mut longer = trainer(&Recipe { learning_rate: 0.9, averaging: 0.0, ..recipe(2) }, &set);
    longer.restore(through_a_file(&first)).unwrap();
    train(&mut longer);
    assert_eq!(longer.progress().steps, 80);
    assert_eq!(longer.progress().best.as_ref().map(text), Some(text(best)));
}

#[test]
fn checkpoints_restore_every_number_exactly() {
    let set = set(3, 30);
    let mut trainer = trainer(&recipe(1), &set);
    let mut bits = 1u64;
    for _ in 0..2000 {
        bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // Numbers of all sizes, including subnormal ones.
        let number = f64::from_bits(bits >> 1);
        if number.is_finite() {
            let best = Some(number);
            trainer.progress.records.push(Record {
                epoch: number,
                pairs: bits >> 2,
                train_loss: -number,
                validation_loss: 0.1 + 0.2,
                auc: best,
                learning_rate: f64::MIN_POSITIVE,
                samples_per_second: 1e300,
                seconds: f64::MAX,
            });
        }
    }
    assert_eq!(through_a_file(&trainer).progress.records, trainer.progress.records);
}

#[test]
fn a_checkpoint_that_cannot_be_written_is_an_io_error_and_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let trainer = trainer(&recipe(1), &set(3, 30));
    let path = folder.path().join(CHECKPOINT);
    std::fs::create_dir(&path).unwrap();
    for path in [path, folder.path().join("missing").join(CHECKPOINT)] {
        let error = trainer.save(&path).unwrap_err();
        assert!(matches!(error, CheckpointError::Io { .. }), "{error}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_checkpoint_of_another_run_is_refused() {
    let (set, other) = (set(3, 30), set(4, 30));
    let checkpoint = through_a_file(&trainer(&recipe(1), &other));
    let error = trainer(&recipe(1), &set).restore(checkpoint).unwrap_err();
    assert!(error.contains("other games"), "{error}");
    let checkpoint = through_a_file(&trainer(&Recipe { seed: 2, ..recipe(1) }, &set));
    assert!(trainer(&recipe(1), &set).restore(checkpoint).unwrap_err().contains("`seed`"));
}

#[test]
fn a_damaged_checkpoint_is_an_error_that_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(CHECKPOINT);
    let read = |path: &Path| Checkpoint::<Satisfaction>::read(path, Device::Cpu).err().unwrap();
    let missing = read(&path);
    assert!(matches!(missing, CheckpointError::Io { .. }));
    trainer(&recipe(1), &set(3, 30)).save(&path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    for length in [0, 3, 100, bytes.len() - 1] {
        std::fs::write(&path, &bytes[..length]).unwrap();
        let error = read(&path).to_string();
        assert!(error.contains(CHECKPOINT), "{error}");
    }
}
