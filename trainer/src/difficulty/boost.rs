//! Boosted regression trees, as the engine evaluates them.

use anyhow::anyhow;
use entente::difficulty::{Tree, TreeNode, Trees};
use forust_ml::{GradientBooster, Matrix, objective::ObjectiveType, tree::Tree as Grown};

/// The number of trees, their depth, and the learning rate; chosen by cross-validation.
const TREES: usize = 250;
const DEPTH: usize = 4;
const LEARNING_RATE: f32 = 0.04;
/// The share of the features that a tree may use, because many are nearly redundant.
const FEATURES_A_TREE: f64 = 0.4;
/// The least weight of a leaf, in examples.
const MIN_LEAF: f32 = 12.0;
/// The seed of the choice of features.
const SEED: u64 = 1;

/// Trees that predict `labels` from `rows` by least squares. Each row has one number for each feature. The result is
/// the same with any number of threads.
///
/// # Errors
/// If the trees cannot be fitted.
pub(super) fn boost(rows: &[&[f64]], labels: &[f64]) -> anyhow::Result<Trees> {
    let width = rows.first().map_or(0, |row| row.len());
    let base = labels.iter().sum::<f64>() / labels.len().max(1) as f64;
    // With few features, a tree may use all of them.
    let share = if width < 8 { 1.0 } else { FEATURES_A_TREE };
    let mut booster = GradientBooster::default()
        .set_objective_type(ObjectiveType::SquaredLoss)
        .set_base_score(base)
        .set_iterations(TREES)
        .set_max_depth(DEPTH)
        .set_max_leaves(1 << DEPTH)
        .set_learning_rate(LEARNING_RATE)
        .set_min_leaf_weight(MIN_LEAF)
        .set_colsample_bytree(share)
        .set_parallel(false)
        .set_seed(SEED);
    let columns: Vec<f64> = (0..width).flat_map(|column| rows.iter().map(move |row| row[column])).collect();
    booster
        .fit_unweighted(&Matrix::new(&columns, rows.len(), width), labels, None)
        .map_err(|error| anyhow!("boosted trees: {error}"))?;
    Ok(Trees { base, trees: booster.trees.iter().map(tree).collect() })
}

/// A tree without what only its growth needed. Values are rounded to a thousandth, so that the file is short.
fn tree(grown: &Grown) -> Tree {
    let rounded = |value: f32| (f64::from(value) * 1000.0).round() / 1000.0;
    // Nodes that were pruned are not copied, so all others get new places.
    let mut order = vec![0];
    let mut next = 0;
    while next < order.len() {
        let node = &grown.nodes[order[next]];
        if !node.is_leaf {
            order.extend([node.left_child, node.right_child]);
        }
        next += 1;
    }
    let place = |number: usize| order.iter().position(|other| *other == number).unwrap_or(0);
    let node = |number: &usize| {
        let node = &grown.nodes[*number];
        if node.is_leaf {
            TreeNode::Leaf(rounded(node.weight_value))
        } else {
            let (below, above) = (place(node.left_child), place(node.right_child));
            TreeNode::Split(node.split_feature, node.split_value, below, above)
        }
    };
    Tree(order.iter().map(node).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_learn_a_step_and_predict_as_they_were_grown() {
        let rows: Vec<[f64; 2]> = (0..400).map(|row| [f64::from(row % 20), f64::from(row / 20)]).collect();
        let label = |row: &[f64; 2]| if row[0] < 10.0 { 1000.0 } else { 1500.0 + 10.0 * row[1] };
        let labels: Vec<f64> = rows.iter().map(label).collect();
        let slices: Vec<&[f64]> = rows.iter().map(|row| &row[..]).collect();
        let trees = boost(&slices, &labels).unwrap();
        for row in &rows {
            assert!((trees.value(row) - label(row)).abs() < 15.0, "{row:?}: {}", trees.value(row));
        }
        assert_eq!(trees.trees.len(), TREES);
    }
}
