//! The fields of a plan in TOML, each with its place.

use std::{fmt, ops::Range, path::PathBuf};

use serde::{
    Deserialize, Deserializer,
    de::{SeqAccess, Visitor},
};
use toml::Spanned;

use crate::{
    encoding::goal_policy::RatingScale,
    generation::{
        BackendChoice, EvaluatorChoice, MethodChoice,
        goal_policy::{Priors, Realism},
    },
};

/// A plan as it is written.
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
    pub entrants: Spanned<Vec<EntrantText>>,
}

/// An entrant as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct EntrantText {
    pub name: Spanned<String>,
    pub method: Option<Spanned<MethodChoice>>,
    pub depth: Option<Spanned<u32>>,
    pub faithful: Option<Spanned<bool>>,
    pub criterion: Option<Spanned<f32>>,
    pub evaluator: Option<Spanned<EvaluatorChoice>>,
    pub network: Option<Spanned<String>>,
    pub backend: Option<Spanned<BackendChoice>>,
    pub nodes: Option<Spanned<u64>>,
    pub movetime: Option<Spanned<u64>>,
    pub realism: Option<Spanned<Realism>>,
    pub guidance: Option<Spanned<f32>>,
    pub temperature: Option<Spanned<f32>>,
    pub late_temperature: Option<Spanned<f32>>,
    pub elo: Option<Spanned<u16>>,
    pub white_elo: Option<Spanned<u16>>,
    pub black_elo: Option<Spanned<u16>>,
    pub rating_scale: Option<Spanned<RatingScale>>,
    pub population: Option<Spanned<u32>>,
    pub mask: Option<Spanned<u32>>,
    pub tilt: Option<Spanned<f32>>,
    pub finish: Option<Spanned<bool>>,
    pub visits: Option<Spanned<u32>>,
    pub priors: Option<Spanned<Priors>>,
}

fn one() -> u64 {
    1
}

/// A text, or several; each with its place if it is known.
pub(super) struct OneOrMore(pub Vec<(String, Option<Range<usize>>)>);

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

impl EntrantText {
    /// Where an option stands, by its name.
    pub fn span_of(&self, option: &str) -> Option<Range<usize>> {
        fn span<T>(field: &Option<Spanned<T>>) -> Option<Range<usize>> {
            field.as_ref().map(Spanned::span)
        }
        match option {
            "method" => span(&self.method),
            "depth" => span(&self.depth),
            "faithful" => span(&self.faithful),
            "criterion" => span(&self.criterion),
            "evaluator" => span(&self.evaluator),
            "network" => span(&self.network),
            "backend" => span(&self.backend),
            "nodes" => span(&self.nodes),
            "movetime" => span(&self.movetime),
            "realism" => span(&self.realism),
            "guidance" => span(&self.guidance),
            "temperature" => span(&self.temperature),
            "late-temperature" => span(&self.late_temperature),
            "elo" => span(&self.elo),
            "white-elo" => span(&self.white_elo),
            "black-elo" => span(&self.black_elo),
            "rating-scale" => span(&self.rating_scale),
            "population" => span(&self.population),
            "mask" => span(&self.mask),
            "tilt" => span(&self.tilt),
            "finish" => span(&self.finish),
            "visits" => span(&self.visits),
            "priors" => span(&self.priors),
            _ => None,
        }
    }
}
