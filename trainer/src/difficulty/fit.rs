//! Fits trees for the rating and trees for its error.

use anyhow::ensure;
use entente::difficulty::{FEATURES, RatingModel, Trees};

use super::{Example, Examples, boost::boost, examples::FOLDS};

/// The share of puzzles whose rating differs from the prediction by at most the stated error.
const WITHIN: f64 = 2.0 / 3.0;
/// The least number of examples for a fit.
const MIN_EXAMPLES: usize = 100;

/// A model, and how well other choices of features would predict.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The model.
    pub model: RatingModel,
    /// Predictions of the examples that were kept back from fits to fewer features, each with what it reads.
    pub baselines: Vec<(&'static str, Vec<f64>)>,
    /// Correlation and mean error in the cross-validation of the fit.
    pub validation: (f64, f64),
}

/// Fits a model to the examples that are not kept back.
///
/// The trees for the error learn the absolute errors of a cross-validation, because errors in the fit itself are too
/// small. They are then scaled so that the stated share of these errors is at most as large as predicted.
///
/// # Errors
/// If there are too few examples.
pub fn fit(examples: &Examples) -> anyhow::Result<Fitted> {
    let (own, kept) = (examples.part(false), examples.part(true));
    ensure!(
        own.len() >= MIN_EXAMPLES && !kept.is_empty(),
        "expected at least {MIN_EXAMPLES} puzzles to fit and some to keep back, found {} and {}",
        own.len(),
        kept.len()
    );
    let all = |example: &&Example| example.features.clone();
    let ratings: Vec<f64> = own.iter().map(|example| example.rating).collect();
    let rating = fit_to(&own, all, &ratings)?;
    let predicted = cross_validated(&own, &ratings)?;
    let errors: Vec<f64> = predicted.iter().zip(&ratings).map(|(own, real)| (own - real).abs()).collect();
    let validation = (correlation(&predicted, &ratings), mean(&errors));
    let expected = cross_validated(&own, &errors)?;
    let mut ratios: Vec<f64> = errors.iter().zip(&expected).map(|(real, own)| real / own.max(1.0)).collect();
    ratios.sort_by(f64::total_cmp);
    let scale = ratios[((ratios.len() as f64 * WITHIN) as usize).min(ratios.len() - 1)];
    let error = scaled(fit_to(&own, all, &errors)?, scale);
    let model = RatingModel { features: FEATURES.clone(), rating, error };
    let named = |name: &str| FEATURES.iter().position(|feature| feature == name).unwrap_or(0);
    let (moves, depth) = (named("moves"), named("depth"));
    let of_line =
        FEATURES.iter().position(|name| name.starts_with(|c: char| c.is_ascii_digit())).unwrap_or(0);
    type Choose = Box<dyn Fn(&&Example) -> Vec<f64>>;
    let choices: [(&'static str, Choose); 5] = [
        ("number of moves of the puzzle's own solution", Box::new(|example| vec![example.moves])),
        ("number of moves of the engine's solution", Box::new(move |example| vec![example.features[moves]])),
        ("depth at which the engine's search finds the first move", {
            Box::new(move |example| vec![example.features[depth]])
        }),
        (
            "everything without the human policy",
            Box::new(move |example| example.features[..of_line].to_vec()),
        ),
        ("the human policy alone", Box::new(move |example| example.features[of_line..].to_vec())),
    ];
    let mut baselines = Vec::new();
    for (name, choose) in choices {
        let trees = fit_to(&own, &choose, &ratings)?;
        baselines.push((name, kept.iter().map(|example| trees.value(&choose(example))).collect()));
    }
    Ok(Fitted { model, baselines, validation })
}

/// Trees that predict `labels` from what `choose` selects.
fn fit_to(
    examples: &[&Example],
    choose: impl Fn(&&Example) -> Vec<f64>,
    labels: &[f64],
) -> anyhow::Result<Trees> {
    let rows: Vec<Vec<f64>> = examples.iter().map(choose).collect();
    boost(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>(), labels)
}

/// The prediction of each example's label by trees that were fitted to the other folds.
fn cross_validated(examples: &[&Example], labels: &[f64]) -> anyhow::Result<Vec<f64>> {
    let mut predicted = vec![0.0; examples.len()];
    for fold in 0..FOLDS {
        let (rows, known): (Vec<&[f64]>, Vec<f64>) = examples
            .iter()
            .zip(labels)
            .filter(|(example, _)| example.fold != fold)
            .map(|(example, label)| (&example.features[..], *label))
            .unzip();
        let trees = boost(&rows, &known)?;
        for (example, predicted) in examples.iter().zip(&mut predicted) {
            if example.fold == fold {
                *predicted = trees.value(&example.features);
            }
        }
    }
    Ok(predicted)
}

/// The same trees with all values multiplied.
fn scaled(mut trees: Trees, factor: f64) -> Trees {
    trees.base *= factor;
    for node in trees.trees.iter_mut().flat_map(|tree| &mut tree.0) {
        if let entente::difficulty::TreeNode::Leaf(value) = node {
            *value = (*value * factor * 1000.0).round() / 1000.0;
        }
    }
    trees
}

pub(super) fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len().max(1) as f64
}

/// Pearson's correlation.
pub(super) fn correlation(left: &[f64], right: &[f64]) -> f64 {
    let (of_left, of_right) = (mean(left), mean(right));
    let product = |a: &[f64], of_a: f64, b: &[f64], of_b: f64| -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - of_a) * (b - of_b)).sum()
    };
    let spread = product(left, of_left, left, of_left) * product(right, of_right, right, of_right);
    if spread > 0.0 { product(left, of_left, right, of_right) / spread.sqrt() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Features of a line that no player finds, so that the policy does not bound the rating.
    fn unbounded() -> Vec<f64> {
        FEATURES.iter().map(|name| if name == "1200s_sum" { -9.0 } else { 0.0 }).collect()
    }

    /// Examples whose rating depends on one feature, with an error that depends on another.
    fn examples() -> Examples {
        let example = |number: u32| {
            let mut features = unbounded();
            (features[0], features[1]) = (f64::from(1 + number % 4), f64::from(number / 4 % 2));
            let off = if features[1] > 0.0 { 300.0 } else { 30.0 };
            let sign = if (number / 8).is_multiple_of(2) { 1.0 } else { -1.0 };
            // The errors are spread over the whole width.
            let off = sign * off * f64::from(number / 16 % 10) / 9.0;
            Example {
                rating: 1000.0 + 200.0 * features[0] + off,
                moves: 1.0,
                is_solved: true,
                is_kept_back: number % 5 == 4,
                fold: (number / 160 % u32::from(FOLDS)) as u8,
                features,
            }
        };
        Examples { all: (0..1600).map(example).collect(), left_out: 0 }
    }

    #[test]
    fn ratings_and_their_errors_are_learned() {
        let Fitted { model, baselines, validation: (r, error) } = fit(&examples()).unwrap();
        assert!(r > 0.8 && error < 100.0, "{r} {error}");
        for (moves, loose) in [(1, false), (1, true), (4, false), (4, true)] {
            let mut features = unbounded();
            (features[0], features[1]) = (f64::from(moves), f64::from(u8::from(loose)));
            let predicted = model.predict(&features);
            assert!((f64::from(predicted.rating) - (1000.0 + 200.0 * f64::from(moves))).abs() < 60.0);
            // Two thirds of a uniform spread.
            let expected = if loose { 200 } else { 20 };
            assert!((predicted.error - expected).abs() <= 40, "{moves} {loose}: {predicted:?}");
        }
        assert_eq!(baselines.len(), 5);
    }

    #[test]
    fn correlations_have_known_values() {
        assert!((correlation(&[1.0, 2.0, 3.0], &[2.0, 4.0, 6.0]) - 1.0).abs() < 1e-12);
        assert!((correlation(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]) + 1.0).abs() < 1e-12);
        assert!(correlation(&[1.0, 2.0, 1.0, 2.0], &[5.0, 5.0, 7.0, 7.0]).abs() < 1e-12);
        assert_eq!(correlation(&[1.0, 1.0], &[1.0, 2.0]), 0.0);
    }
}
