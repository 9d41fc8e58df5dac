use super::Recipe;

/// The learning rate of the batch that begins after `pairs` pairs. It is constant, and then falls linearly to a
/// hundredth over the last `decay_epochs` epochs.
pub(super) fn learning_rate(recipe: &Recipe, pairs: u64) -> f64 {
    const LAST: f64 = 0.01;
    let per_epoch = recipe.pairs_per_epoch as f64;
    let left = (recipe.epochs as f64 - pairs as f64 / per_epoch).max(0.0);
    let share = if recipe.decay_epochs > 0.0 { (left / recipe.decay_epochs).min(1.0) } else { 1.0 };
    recipe.learning_rate * share.max(LAST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_constant_and_then_falls() {
        let recipe = Recipe { epochs: 4, decay_epochs: 1.0, ..Recipe::example() };
        let rate = |epochs: f64| {
            learning_rate(&recipe, (epochs * recipe.pairs_per_epoch as f64) as u64) / recipe.learning_rate
        };
        assert_eq!(rate(0.0), 1.0);
        assert_eq!(rate(3.0), 1.0);
        assert!((rate(3.5) - 0.5).abs() < 1e-9);
        assert!((rate(4.0) - 0.01).abs() < 1e-9);
    }
}
