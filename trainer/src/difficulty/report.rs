//! How well a model predicts the ratings of puzzles that took no part in its fit.

use std::fmt::Write as _;

use entente::difficulty::PuzzleRating;

use super::{
    Example, Examples, Fitted,
    fit::{correlation, mean},
};

/// The predictions for the puzzles that were kept back.
#[derive(Clone, Debug)]
pub struct Report {
    /// The ratings.
    pub real: Vec<f64>,
    /// The predictions.
    pub predicted: Vec<PuzzleRating>,
    /// The table of the model and of the baselines, and the table of the errors, in Markdown.
    pub text: String,
}

/// The width of the bands in the table of errors.
const BAND: f64 = 300.0;

impl Report {
    /// The report of a fit.
    pub fn new(examples: &Examples, fitted: &Fitted) -> Report {
        let kept = examples.part(true);
        let real: Vec<f64> = kept.iter().map(|example| example.rating).collect();
        let predicted: Vec<PuzzleRating> =
            kept.iter().map(|example| fitted.model.predict(&example.features)).collect();
        let text = text(examples, &kept, &real, &predicted, fitted);
        Report { real, predicted, text }
    }
}

fn text(
    examples: &Examples,
    kept: &[&Example],
    real: &[f64],
    predicted: &[PuzzleRating],
    fitted: &Fitted,
) -> String {
    let own: Vec<f64> = predicted.iter().map(|predicted| f64::from(predicted.rating)).collect();
    let deviation = mean(&real.iter().map(|rating| (rating - mean(real)).powi(2)).collect::<Vec<_>>()).sqrt();
    let solved = examples.all.iter().filter(|example| example.is_solved).count();
    let (all, share) = (examples.all.len(), 100.0 * solved as f64 / examples.all.len() as f64);
    let total = all + examples.left_out;
    let mut text = format!(
        "Of {total} puzzles, the engine calls {all} puzzles, and finds the first move of {share:.1}% of these. The \
         model was fitted\nto {} of them (in cross-validation: correlation {:.3}, mean error {:.0}). The table has the \
         other {}, whose ratings\nhave a standard deviation of {deviation:.0}.\n\n| predicted from | correlation | mean \
         error |\n|---|---|---|\n",
        all - kept.len(),
        fitted.validation.0,
        fitted.validation.1,
        kept.len(),
    );
    let row = |text: &mut String, name: &str, predicted: &[f64]| {
        let _ = writeln!(
            text,
            "| {name} | {:.3} | {:.0} |",
            correlation(predicted, real),
            mean(&errors(predicted, real))
        );
    };
    row(&mut text, "**the model**", &own);
    let trees = kept.iter().map(|example| fitted.model.rating.value(&example.features));
    row(&mut text, "its trees, without the bound for easy lines", &trees.collect::<Vec<_>>());
    fitted.baselines.iter().for_each(|(name, predicted)| row(&mut text, name, predicted));
    let constant = vec![mean(real); real.len()];
    let _ = writeln!(text, "| the mean rating | – | {:.0} |", mean(&errors(&constant, real)));
    let _ = write!(
        text,
        "\nThe stated error should be exceeded by one puzzle in three. By predicted rating:\n\n| predicted | puzzles | \
         mean rating | mean error | stated error | within it |\n|---|---|---|---|---|---|\n"
    );
    let of = |text: &mut String, name: &str, chosen: &dyn Fn(usize) -> bool| {
        let places: Vec<usize> = (0..real.len()).filter(|place| chosen(*place)).collect();
        if places.is_empty() {
            return;
        }
        let pick = |numbers: &dyn Fn(usize) -> f64| {
            mean(&places.iter().map(|place| numbers(*place)).collect::<Vec<_>>())
        };
        let off = |place: usize| (own[place] - real[place]).abs();
        let stated = |place: usize| f64::from(predicted[place].error);
        let within = |place: usize| f64::from(u8::from(off(place) <= stated(place)));
        let _ = writeln!(
            text,
            "| {name} | {} | {:.0} | {:.0} | {:.0} | {:.0}% |",
            places.len(),
            pick(&|place| real[place]),
            pick(&off),
            pick(&stated),
            100.0 * pick(&within)
        );
    };
    for band in 1..10 {
        let low = f64::from(band) * BAND;
        let is_in = |place: usize| (low..low + BAND).contains(&own[place]);
        of(&mut text, &format!("{low:.0}–{:.0}", low + BAND - 1.0), &is_in);
    }
    of(&mut text, "**all**", &|_| true);
    let _ = write!(
        text,
        "\nBy stated error:\n\n| stated error | puzzles | mean rating | mean error | stated error | within it |\n|---|---|---|---|---|---|\n"
    );
    let mut stated: Vec<i16> = predicted.iter().map(|predicted| predicted.error).collect();
    stated.sort_unstable();
    let (low, high) = (stated[stated.len() / 3], stated[2 * stated.len() / 3]);
    of(&mut text, &format!("below {low}"), &|place| predicted[place].error < low);
    of(&mut text, &format!("{low}–{}", high - 1), &|place| (low..high).contains(&predicted[place].error));
    of(&mut text, &format!("{high} and more"), &|place| predicted[place].error >= high);
    text
}

fn errors(predicted: &[f64], real: &[f64]) -> Vec<f64> {
    predicted.iter().zip(real).map(|(own, real)| (own - real).abs()).collect()
}
