//! The arguments of a call, checked.

use std::collections::BTreeMap;

use entente::{
    generation::Quota,
    settings::{GenerationSettings, Kind, Settings, Value},
};
use entente_constraint::{Constraint, Target};
use entente_search::position_from_fen;
use serde_json::{Map, Value as Json};
use shakmaty::Chess;

use crate::{
    Refusal,
    parameter::{DEFAULT_SECONDS, Inputs, Parameter, SECONDS, Shape, name_of},
};

/// The arguments of a call.
#[derive(Debug)]
pub struct Arguments {
    given: BTreeMap<&'static str, Vec<Value>>,
    /// The settings, with the number of threads of this machine unless it is given.
    pub settings: GenerationSettings,
}

impl Arguments {
    /// Reads the arguments of a tool with these inputs. `null` is the same as nothing.
    ///
    /// # Errors
    /// If an argument is missing, unknown or wrong.
    pub fn read(inputs: &Inputs, given: &Map<String, Json>) -> Result<Arguments, Refusal> {
        let own: Vec<&Parameter> = inputs.all().collect();
        let mut values = BTreeMap::new();
        let mut settings = Settings::default();
        settings.generation.threads = (Quota::cores() as u32).min(Quota::MAX_THREADS);
        for (name, json) in given.iter().filter(|(_, json)| !json.is_null()) {
            if let Some(parameter) = own.iter().find(|parameter| parameter.name == name) {
                let read = match parameter.shape {
                    Shape::One(kind) => value(kind, json).map(|value| vec![value]),
                    Shape::Texts(most) => texts(json, most),
                };
                values.insert(parameter.name, read.map_err(|reason| Refusal::of(name, reason))?);
            } else if let Some(row) = inputs.rows().find(|row| name_of(row) == *name) {
                let text = scalar(row.kind, json).map_err(|reason| Refusal::of(name, reason))?;
                row.parse(&mut settings, &text).map_err(|reason| Refusal::of(name, reason))?;
                if let Some(covered) = row
                    .covers
                    .iter()
                    .map(|covered| name_of(covered.row()))
                    .find(|name| given.contains_key(name))
                {
                    return Err(Refusal::of(name, format!("expected {name} or {covered}, found both")));
                }
            } else {
                let mut names: Vec<String> = own.iter().map(|parameter| parameter.name.to_owned()).collect();
                names.extend(inputs.rows().map(name_of));
                return Err(Refusal::of(
                    name,
                    format!("no such argument; expected one of {}", names.join(", ")),
                ));
            }
        }
        if let Some(missing) =
            own.iter().find(|parameter| parameter.is_required && !values.contains_key(parameter.name))
        {
            let expected = match &missing.shape {
                Shape::One(kind) => kind.to_string(),
                Shape::Texts(_) => "a list of texts".to_owned(),
            };
            return Err(Refusal::of(missing.name, format!("expected {expected}, found nothing")));
        }
        Ok(Arguments { given: values, settings: settings.generation })
    }

    /// The text or word of an argument.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        match self.given.get(name)?.first()? {
            Value::Text(text) => Some(text),
            Value::Word(word) => Some(word),
            _ => None,
        }
    }

    /// The texts of a list.
    pub(crate) fn texts(&self, name: &str) -> impl Iterator<Item = &str> {
        self.given.get(name).into_iter().flatten().filter_map(|value| match value {
            Value::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// The number of an argument.
    pub(crate) fn number(&self, name: &str) -> Option<u64> {
        match self.given.get(name)?.first()? {
            Value::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// The switch of an argument.
    pub(crate) fn switch(&self, name: &str) -> Option<bool> {
        match self.given.get(name)?.first()? {
            Value::Switch(switch) => Some(*switch),
            _ => None,
        }
    }

    /// The most time for the call, in seconds.
    pub fn seconds(&self) -> u64 {
        self.number(SECONDS.name).unwrap_or(DEFAULT_SECONDS)
    }

    /// The constraint of an argument; `None` if it was not given.
    ///
    /// # Errors
    /// If the text is not a constraint.
    pub(crate) fn constraint(&self, name: &str) -> Result<Option<Constraint>, Refusal> {
        let parse = |text: &str| text.parse().map_err(|error| Refusal::of_constraint(name, &error));
        self.text(name).map(parse).transpose()
    }

    /// The target of an argument that is a constraint; `None` if it was not given.
    ///
    /// # Errors
    /// If the text is not a constraint, or it is too complex.
    pub(crate) fn target(&self, name: &str) -> Result<Option<Target>, Refusal> {
        let constraint = self.constraint(name)?;
        constraint
            .map(|constraint| Target::new(constraint).map_err(|error| Refusal::of(name, error)))
            .transpose()
    }

    /// The position of an argument that is a FEN; `None` if it was not given.
    ///
    /// # Errors
    /// If the text is not the FEN of a legal position.
    pub(crate) fn position(&self, name: &str) -> Result<Option<Chess>, Refusal> {
        self.text(name).map(|text| position(name, text)).transpose()
    }
}

/// The position of a FEN, which is the argument `name`.
///
/// # Errors
/// If the text is not the FEN of a legal position.
pub fn position(name: &str, text: &str) -> Result<Chess, Refusal> {
    position_from_fen(text).map_err(|error| {
        Refusal::of(name, format!("expected the FEN of a legal position: {error}; found {text:?}"))
    })
}

/// A value as text, of which the kind makes it again. Numbers and switches may be texts, because models write them so.
fn scalar(kind: Kind, json: &Json) -> Result<String, String> {
    match json {
        Json::String(text) => Ok(text.clone()),
        Json::Number(number) => Ok(number.to_string()),
        Json::Bool(switch) => Ok(switch.to_string()),
        Json::Null | Json::Array(_) | Json::Object(_) => Err(format!("expected {kind}, found {json}")),
    }
}

fn value(kind: Kind, json: &Json) -> Result<Value, String> {
    let text = scalar(kind, json)?;
    match kind.parse(&text) {
        Ok(Some(value)) => Ok(value),
        Ok(None) => Err(format!("expected {kind}, found {json}")),
        Err(error) => Err(error.to_string()),
    }
}

/// A list of texts. A single text is a list of one.
fn texts(json: &Json, most: usize) -> Result<Vec<Value>, String> {
    let expected = || format!("expected a list of 1 to {most} texts");
    let one = [json.clone()];
    let list = match json {
        Json::String(_) => &one[..],
        Json::Array(list) => list,
        _ => return Err(format!("{}, found {json}", expected())),
    };
    if list.is_empty() || list.len() > most {
        return Err(format!("{}, found {}", expected(), list.len()));
    }
    let text = |json: &Json| match json {
        Json::String(text) => Ok(Value::Text(text.clone())),
        _ => Err(format!("{}, found {json} among them", expected())),
    };
    list.iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::TOOLS;

    fn read(tool: &str, given: Json) -> Result<Arguments, Refusal> {
        let tool = TOOLS.iter().find(|known| known.name == tool).unwrap();
        Arguments::read(&tool.inputs, given.as_object().unwrap())
    }

    #[test]
    fn arguments_and_settings_are_read_and_null_is_nothing() {
        let given = json!({ "constraint": "Q=0", "count": 3, "white_elo": 1500, "strict": true,
            "realism": "FAST", "guidance": 0.5, "seed": null });
        let arguments = read("generate", given).unwrap();
        assert_eq!((arguments.text("constraint"), arguments.number("count")), (Some("Q=0"), Some(3)));
        assert_eq!((arguments.seconds(), arguments.number("seed")), (60, None));
        let settings = &arguments.settings;
        assert_eq!((settings.white_elo, settings.black_elo, settings.seed), (Some(1500), None, None));
        assert_eq!((settings.strict, settings.guidance), (true, 0.5));
        let positions = read("policy", json!({ "positions": "a", "elo": "1500" })).unwrap();
        assert_eq!(positions.texts("positions").collect::<Vec<_>>(), ["a"]);
        assert_eq!(positions.settings.black_elo, Some(1500));
    }

    #[test]
    fn wrong_arguments_are_named_with_what_was_expected() {
        for (tool, given, expected) in [
            ("generate", json!({}), "constraint: expected a text, found nothing"),
            (
                "generate",
                json!({ "constraint": "Q=0", "count": 101 }),
                "count: expected 1 to 100, found \"101\"",
            ),
            (
                "generate",
                json!({ "constraint": "Q=0", "count": 1.5 }),
                "count: expected 1 to 100, found \"1.5\"",
            ),
            ("generate", json!({ "constraint": ["Q=0"] }), "constraint: expected a text, found [\"Q=0\"]"),
            (
                "generate",
                json!({ "constraint": "Q=0", "elo": 5000 }),
                "elo: expected 1 to 4000, found \"5000\"",
            ),
            (
                "generate",
                json!({ "constraint": "Q=0", "elo": 1500, "white_elo": 1500 }),
                "elo: expected elo or white_elo, found both",
            ),
            (
                "generate",
                json!({ "constraint": "Q=0", "strict": 3 }),
                "strict: expected true or false, found \"3\"",
            ),
            (
                "generate",
                json!({ "constraint": "Q=0", "judge": "/bin/sh" }),
                "judge: no such argument; expected one of",
            ),
            (
                "generate",
                json!({ "constraint": "Q=0", "seconds": 0 }),
                "seconds: expected 1 to 3600, found \"0\"",
            ),
            ("policy", json!({ "positions": [] }), "positions: expected a list of 1 to 64 texts, found 0"),
            ("policy", json!({ "positions": [1] }), "found 1 among them"),
            ("policy", json!({}), "positions: expected a list of texts, found nothing"),
            (
                "draw",
                json!({ "fen": "8/8", "format": "gif" }),
                "format: expected one of png, svg, found \"gif\"",
            ),
        ] {
            let error = read(tool, given.clone()).unwrap_err().to_string();
            assert!(error.contains(expected), "{given}: {error}");
        }
    }

    #[test]
    fn texts_that_are_not_constraints_or_positions_are_named() {
        let arguments = read("check", json!({ "constraint": "Q=", "fen": "x" })).unwrap();
        let error = arguments.target("constraint").unwrap_err();
        assert_eq!((error.column, error.argument.as_deref()), (Some(3), Some("constraint")));
        assert!(error.to_string().starts_with("constraint, column 3: "), "{error}");
        let error = arguments.position("fen").unwrap_err().to_string();
        assert!(error.starts_with("fen: expected the FEN of a legal position"), "{error}");
        assert_eq!(arguments.position("other"), Ok(None));
    }
}
