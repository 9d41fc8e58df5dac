//! Boosted regression trees that predict a puzzle's rating, and how far it may be off.

use std::{
    fmt::{self, Display, Formatter},
    sync::LazyLock,
};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{FEATURES, first_sight};

/// The least error of a rating that the policy bounds.
const BOUND_ERROR: f64 = 400.0;

/// The predicted rating of a puzzle, on the scale of Lichess's puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PuzzleRating {
    /// The rating, a multiple of [`PuzzleRating::STEP`].
    pub rating: i16,
    /// Two thirds of real puzzles with this prediction have a rating that differs by at most this much; a multiple of
    /// [`PuzzleRating::STEP`].
    pub error: i16,
}

impl PuzzleRating {
    /// Ratings and errors are rounded to multiples of this.
    pub const STEP: i16 = 10;
}

impl Display for PuzzleRating {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "puzzle rating {} ± {}", self.rating, self.error)
    }
}

/// The model that predicts ratings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatingModel {
    /// The names of the features that it reads, in their order.
    pub features: Vec<String>,
    /// Predicts the rating.
    pub rating: Trees,
    /// Predicts the error of that prediction.
    pub error: Trees,
}

/// The sum of a number and of the values of trees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trees {
    /// The number.
    pub base: f64,
    /// The trees.
    pub trees: Vec<Tree>,
}

/// A decision tree. Its first node is the root.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tree(pub Vec<TreeNode>);

/// A node of a tree: in JSON a number, or a list of the four members of a split.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TreeNode {
    /// A leaf with its value.
    Leaf(f64),
    /// A split: the place of a feature, a bound, and the nodes that continue if the feature is below the bound, and if
    /// it is not. Both come after this node.
    Split(usize, f64, usize, usize),
}

/// Why a model cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// It is not JSON, or not a model.
    #[error("expected a model of puzzle ratings as JSON: {0}")]
    Json(serde_json::Error),
    /// It reads other features than this program computes.
    #[error("expected a model that reads the features {expected}; found {found}")]
    Features {
        /// The names of the features of this program.
        expected: String,
        /// Those of the model.
        found: String,
    },
    /// A tree is damaged.
    #[error("tree {tree}, node {node}: expected a known feature and later nodes of the tree")]
    Tree {
        /// The number of the tree, from 0.
        tree: usize,
        /// The number of the node, from 0.
        node: usize,
    },
}

impl RatingModel {
    /// The content of the embedded model's file.
    pub const EMBEDDED: &'static str = include_str!("../../models/puzzle-rating.json");

    /// The embedded model.
    ///
    /// # Panics
    /// Never; a test reads it.
    pub fn embedded() -> &'static RatingModel {
        static MODEL: LazyLock<RatingModel> = LazyLock::new(|| {
            RatingModel::from_json(RatingModel::EMBEDDED).expect("the embedded model is valid")
        });
        &MODEL
    }

    /// Reads a model.
    ///
    /// # Errors
    /// [`ModelError`] if the text is not a model, or one for other features.
    pub fn from_json(text: &str) -> Result<RatingModel, ModelError> {
        let model: RatingModel = serde_json::from_str(text).map_err(ModelError::Json)?;
        if model.features != *FEATURES {
            let (expected, found) = (FEATURES.join(" "), model.features.join(" "));
            return Err(ModelError::Features { expected, found });
        }
        for trees in [&model.rating, &model.error] {
            for (number, Tree(nodes)) in trees.trees.iter().enumerate() {
                let is_later = |from: usize, to: usize| (from + 1..nodes.len()).contains(&to);
                let is_sound = |(place, node): (usize, &TreeNode)| match *node {
                    TreeNode::Leaf(_) => true,
                    TreeNode::Split(feature, _, below, above) => {
                        feature < FEATURES.len() && is_later(place, below) && is_later(place, above)
                    }
                };
                let damaged = nodes.iter().enumerate().position(|node| !is_sound(node));
                if let Some(node) = damaged.or(nodes.is_empty().then_some(0)) {
                    return Err(ModelError::Tree { tree: number, node });
                }
            }
        }
        Ok(model)
    }

    /// The prediction for a puzzle with these features, one number for each of [`FEATURES`]. If the policy says that
    /// nearly every player finds the line, the trees' rating is bounded.
    pub fn predict(&self, features: &[f64]) -> PuzzleRating {
        let step = f64::from(PuzzleRating::STEP);
        let rounded = |number: f64| (number / step).round() as i16 * PuzzleRating::STEP;
        let (rating, error) = (self.rating.value(features), self.error.value(features));
        let bound = first_sight::bound(features);
        let (rating, error) = if bound < rating { (bound, error.max(BOUND_ERROR)) } else { (rating, error) };
        PuzzleRating { rating: rounded(rating.clamp(0.0, 5000.0)), error: rounded(error.clamp(step, 2000.0)) }
    }
}

impl Trees {
    /// The sum for these features.
    pub fn value(&self, features: &[f64]) -> f64 {
        self.base + self.trees.iter().map(|tree| tree.value(features)).sum::<f64>()
    }
}

impl Tree {
    fn value(&self, features: &[f64]) -> f64 {
        let mut node = 0;
        loop {
            match self.0[node] {
                TreeNode::Leaf(value) => return value,
                TreeNode::Split(feature, bound, below, above) => {
                    node = if features[feature] < bound { below } else { above };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(trees: &str) -> String {
        let features = serde_json::to_string(&*FEATURES).unwrap();
        format!(r#"{{"features":{features},"rating":{trees},"error":{{"base":204,"trees":[]}}}}"#)
    }

    #[test]
    fn the_embedded_model_reads_the_features_of_this_program() {
        let model = RatingModel::from_json(RatingModel::EMBEDDED).unwrap();
        assert!(model.rating.trees.len() > 50 && model.error.trees.len() > 50);
    }

    #[test]
    fn trees_are_added_and_the_result_is_rounded() {
        let trees = r#"{"base":1500,"trees":[[[0,2.5,1,2],-100.4,[1,0.5,3,4],1,2],[7.0]]}"#;
        let model = RatingModel::from_json(&model(trees)).unwrap();
        // No player finds the line, so the policy does not bound the rating.
        let mut features: Vec<f64> =
            FEATURES.iter().map(|name| if name == "1200s_sum" { -9.0 } else { 0.0 }).collect();
        let of = |features: &[f64]| model.rating.value(features);
        assert!((of(&features) - 1406.6).abs() < 1e-9);
        features[0] = 2.5;
        assert!((of(&features) - 1508.0).abs() < 1e-9);
        features[1] = 0.5;
        assert!((of(&features) - 1509.0).abs() < 1e-9);
        assert_eq!(model.predict(&features).to_string(), "puzzle rating 1510 ± 200");
    }

    #[test]
    fn a_damaged_model_is_refused() {
        for (trees, expected) in [
            (r#"{"base":0,"trees":[[]]}"#, "tree 0, node 0"),
            (r#"{"base":0,"trees":[[1.0],[[0,1.0,1,3],1.0,2.0]]}"#, "tree 1, node 0"),
            (r#"{"base":0,"trees":[[[0,1.0,0,1],1.0]]}"#, "tree 0, node 0"),
            (r#"{"base":0,"trees":[[[999,1.0,1,2],1.0,2.0]]}"#, "tree 0, node 0"),
            (r#"{"base":0}"#, "expected a model"),
        ] {
            let error = RatingModel::from_json(&model(trees)).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        let other = r#"{"features":["a"],"rating":{"base":0,"trees":[]},"error":{"base":0,"trees":[]}}"#;
        assert!(RatingModel::from_json(other).unwrap_err().to_string().contains("found a"));
    }
}
