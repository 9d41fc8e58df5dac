//! The fields of a plan in TOML, with their places.

use std::{collections::BTreeMap, fmt, ops::Range, path::PathBuf};

use serde::{
    Deserialize, Deserializer,
    de::{SeqAccess, Visitor},
};
use toml::Spanned;

/// A plan as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct PlanText {
    pub name: Option<Spanned<String>>,
    pub games: Spanned<u64>,
    #[serde(default = "one")]
    pub seed: u64,
    pub max_plies: Option<Spanned<u32>>,
    pub from: Option<Spanned<String>>,
    pub constraints: Option<Spanned<OneOrMore>>,
    pub constraints_file: Option<Spanned<PathBuf>>,
    pub published: Option<Spanned<PathBuf>>,
    pub entrants: Spanned<Vec<Spanned<EntrantText>>>,
}

/// An entrant as written: its name, and settings by their names.
pub(super) type EntrantText = BTreeMap<Spanned<String>, Spanned<toml::Value>>;

fn one() -> u64 {
    1
}

/// One string or several, each with its place if that is known.
pub(crate) struct OneOrMore(pub Vec<(String, Option<Range<usize>>)>);

impl<'de> Deserialize<'de> for OneOrMore {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OneOrMore, D::Error> {
        struct Texts;
        impl<'de> Visitor<'de> for Texts {
            type Value = OneOrMore;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a constraint, the name of a set, or a list of them")
            }

            fn visit_str<E>(self, text: &str) -> Result<OneOrMore, E> {
                Ok(OneOrMore(vec![(text.to_owned(), None)]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut texts: A) -> Result<OneOrMore, A::Error> {
                let mut all = Vec::new();
                while let Some(text) = texts.next_element::<Spanned<String>>()? {
                    let span = text.span();
                    all.push((text.into_inner(), Some(span)));
                }
                Ok(OneOrMore(all))
            }
        }
        deserializer.deserialize_any(Texts)
    }
}
