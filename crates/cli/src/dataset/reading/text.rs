//! The fields of a data set's plan in TOML, with their places.

use std::{collections::BTreeMap, fmt, path::PathBuf};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use toml::Spanned;

use crate::tournament::OneOrMore;

/// A plan as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlanText {
    pub dataset: Spanned<DatasetText>,
}

/// Settings by their names.
type Fields = BTreeMap<Spanned<String>, Spanned<toml::Value>>;

/// The table `[dataset]`: the fields of every plan, and settings.
#[derive(Default)]
pub(super) struct DatasetText {
    pub name: Option<Spanned<String>>,
    pub positions: Option<Spanned<u64>>,
    pub seed: Option<u64>,
    pub max_plies: Option<Spanned<u32>>,
    pub from: Option<Spanned<String>>,
    pub constraints: Option<Spanned<OneOrMore>>,
    pub constraints_file: Option<Spanned<PathBuf>>,
    pub ratings: Option<Spanned<Vec<Spanned<toml::Value>>>>,
    pub settings: Fields,
}

// Written by hand because serde's `flatten` would lose the places.
impl<'de> Deserialize<'de> for DatasetText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<DatasetText, D::Error> {
        struct Table;
        impl<'de> Visitor<'de> for Table {
            type Value = DatasetText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table with positions, constraints and settings")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<DatasetText, A::Error> {
                let mut text = DatasetText::default();
                while let Some(key) = map.next_key::<Spanned<String>>()? {
                    match key.get_ref().as_str() {
                        "name" => text.name = Some(map.next_value()?),
                        "positions" => text.positions = Some(map.next_value()?),
                        "seed" => text.seed = Some(map.next_value()?),
                        "max-plies" => text.max_plies = Some(map.next_value()?),
                        "from" => text.from = Some(map.next_value()?),
                        "constraints" => text.constraints = Some(map.next_value()?),
                        "constraints-file" => text.constraints_file = Some(map.next_value()?),
                        "ratings" => text.ratings = Some(map.next_value()?),
                        _ => drop(text.settings.insert(key, map.next_value()?)),
                    }
                }
                Ok(text)
            }
        }
        deserializer.deserialize_map(Table)
    }
}
