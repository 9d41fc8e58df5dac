use crate::{export::recipe_of, training::policy::PolicyName};

/// What a judge knows of the games that it judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The reference policy of this trainer. It learned from human games that no generating network has seen.
    Reference,
    /// Another network of this trainer. It learned from the same human games as the network that generates.
    OwnKind,
    /// A network that this trainer did not make.
    Stranger,
}

impl Origin {
    /// The origin of an ONNX file, according to the recipe in it.
    pub fn of(file: &[u8]) -> Origin {
        let Ok(recipe) = recipe_of(file) else { return Origin::Stranger };
        let recipe: toml::Table = recipe.parse().unwrap_or_default();
        let says = |key: &str, wanted: &str| recipe.get(key).and_then(toml::Value::as_str) == Some(wanted);
        if says("network", PolicyName::ReferencePolicy.name()) && says("games", "reference") {
            Origin::Reference
        } else {
            Origin::OwnKind
        }
    }

    /// What a report says about such a judge.
    pub fn description(self) -> &'static str {
        match self {
            Origin::Reference => {
                "reference: a network of this trainer that learned from other games than the network that generates, \
                 and never generates"
            }
            Origin::OwnKind => {
                "own kind: a network of this trainer that learned from the same games as the network that generates"
            }
            Origin::Stranger => "stranger: a network that this trainer did not make",
        }
    }
}
