//! Selections in words.

use super::{Kinds, Property, Relation, Selection};
use crate::men;

impl Selection {
    /// The set in words, in the plural: "isolated white pawns on the d-file".
    pub(crate) fn in_words(&self) -> String {
        match self {
            Selection::Men(kinds, region) => {
                let place = region.map_or(String::new(), |region| format!(" on {}", region.in_words()));
                if *kinds == Kinds::EMPTY_SQUARE {
                    return format!("empty squares{place}");
                }
                format!("{}{place}", men_in_words(*kinds))
            }
            Selection::With(property, inner) => {
                let inner = inner.in_words();
                match property {
                    Property::Isolated => format!("isolated {inner}"),
                    Property::Doubled => format!("doubled {inner}"),
                    Property::Passed => format!("passed {inner}"),
                    Property::Backward => format!("backward {inner}"),
                    Property::Connected => format!("connected {inner}"),
                    Property::Chain => format!("{inner} in a pawn chain"),
                    Property::Locked => format!("locked {inner}"),
                    Property::Islands => format!("islands of {inner}"),
                    Property::Outpost => format!("{inner}, on an outpost"),
                    Property::Open => format!("{inner}, on an open file"),
                    Property::HalfOpen => format!("{inner}, on a half-open file"),
                    Property::Attacked => format!("attacked {inner}"),
                    Property::Defended => format!("defended {inner}"),
                    Property::Supported => format!("{inner}, protected by a pawn"),
                    Property::Hanging => format!("hanging {inner}"),
                    Property::Pinned => format!("pinned {inner}"),
                    Property::Skewered => format!("skewered {inner}"),
                    Property::Battery => format!("{inner} in a battery"),
                    Property::Trapped => format!("trapped {inner}"),
                    Property::Mobility => format!("squares to which {inner} can move"),
                }
            }
            Selection::Related(relation, pair) => {
                let [first, second] = pair.each_ref().map(Selection::in_words);
                match relation {
                    Relation::Attacks => format!("{second} that {first} attack or protect"),
                    Relation::Forks => format!("{first} that attack at least two of: {second}"),
                    Relation::Xray => format!("{second} that {first} attack through another man"),
                    Relation::Shields => format!("{first} that shield {second} from an enemy line piece"),
                }
            }
        }
    }
}

/// The kinds in words, in the plural.
fn men_in_words(kinds: Kinds) -> String {
    let names: Vec<String> = kinds.pieces().map(|piece| format!("{}s", men::name(piece))).collect();
    match names.as_slice() {
        [] => "men".to_owned(),
        [one] => one.clone(),
        [some @ .., last] => format!("{} or {last}", some.join(", ")),
    }
}
