//! What a tool can be given, and how a client is told.

use entente::settings::{Kind, Row, Spelling, TABLE};
use serde_json::{Map, Value, json};

/// A parameter of a tool that is not a setting.
#[derive(Debug)]
pub struct Parameter {
    /// Its name, in snake case.
    pub name: &'static str,
    /// Its type.
    pub shape: Shape,
    /// Whether every call must give it.
    pub is_required: bool,
    /// Its meaning, with its default if it has one.
    pub help: &'static str,
}

/// The type of a parameter.
#[derive(Debug)]
pub enum Shape {
    /// A text, a number, a word or a switch.
    One(Kind),
    /// A list of at least one text and at most this many.
    Texts(usize),
}

/// Everything that a tool can be given.
#[derive(Debug)]
pub struct Inputs {
    /// Its own parameters; `seconds` is added to them.
    pub parameters: &'static [Parameter],
    /// Which settings it takes, too.
    pub settings: fn(&Row) -> bool,
}

impl Inputs {
    /// The parameters, without the settings.
    pub(crate) fn all(&self) -> impl Iterator<Item = &'static Parameter> + Clone {
        self.parameters.iter().chain([&SECONDS])
    }

    /// The settings. Those that name files or programs are for the person who starts the server, not for a model.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &'static Row> + use<> {
        let belongs = self.settings;
        TABLE
            .iter()
            .filter(move |row| row.spelling != Spelling::None && row.kind != Kind::Text && belongs(row))
    }
}

/// For tools without settings.
pub(crate) fn no_settings(_: &Row) -> bool {
    false
}

/// The parameter that every tool has.
pub(crate) static SECONDS: Parameter = Parameter {
    name: "seconds",
    shape: Shape::One(Kind::Integer { least: 1, most: 3600 }),
    is_required: false,
    help: "The most time for this call, in seconds; what was found until then is the result [default: 60]",
};

/// The value of [`SECONDS`] if a client gives none.
pub(crate) const DEFAULT_SECONDS: u64 = 60;

impl Parameter {
    pub(crate) const fn required(name: &'static str, kind: Kind, help: &'static str) -> Parameter {
        Parameter { name, shape: Shape::One(kind), is_required: true, help }
    }

    pub(crate) const fn optional(name: &'static str, kind: Kind, help: &'static str) -> Parameter {
        Parameter { name, shape: Shape::One(kind), is_required: false, help }
    }

    fn schema(&self) -> Value {
        let mut schema = match &self.shape {
            Shape::One(kind) => of_kind(*kind),
            Shape::Texts(most) => {
                json!({ "type": "array", "items": { "type": "string" }, "minItems": 1, "maxItems": most })
            }
        };
        schema["description"] = self.help.into();
        schema
    }
}

/// The name of a setting as a parameter.
pub(crate) fn name_of(row: &Row) -> String {
    row.name.replace('-', "_")
}

/// The JSON schema of a tool's arguments.
pub fn schema(inputs: &Inputs) -> Map<String, Value> {
    let own = inputs.all();
    let required: Vec<&str> =
        own.clone().filter(|parameter| parameter.is_required).map(|parameter| parameter.name).collect();
    let mut properties: Map<String, Value> =
        own.map(|parameter| (parameter.name.to_owned(), parameter.schema())).collect();
    for row in inputs.rows() {
        let mut schema = of_kind(row.kind);
        schema["description"] = format!("{} [default: {}]", row.help.trim(), row.usual()).into();
        properties.insert(name_of(row), schema);
    }
    let schema = json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    });
    match schema {
        Value::Object(schema) => schema,
        _ => Map::new(),
    }
}

fn of_kind(kind: Kind) -> Value {
    // As people write it: 0.01, not the nearest number that the setting can hold.
    let number = |number: f32| number.to_string().parse::<f64>().unwrap_or_else(|_| number.into());
    match kind {
        Kind::Text => json!({ "type": "string" }),
        // Larger numbers than this are not exact in JavaScript.
        Kind::Integer { least, most } if most > 1 << 53 => json!({ "type": "integer", "minimum": least }),
        Kind::Integer { least, most } => json!({ "type": "integer", "minimum": least, "maximum": most }),
        Kind::Number { least, most } => {
            json!({ "type": "number", "minimum": number(least), "maximum": number(most) })
        }
        Kind::Word { .. } => {
            let words: Vec<&str> = kind.words().iter().map(|word| word.word).collect();
            json!({ "type": "string", "enum": words })
        }
        Kind::Switch => json!({ "type": "boolean" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TOOLS;

    #[test]
    fn settings_have_the_bounds_words_and_help_of_their_table() {
        let generate = TOOLS.iter().find(|tool| tool.name == "generate").unwrap();
        let schema = Value::Object(schema(&generate.inputs));
        let properties = &schema["properties"];
        assert_eq!(properties["white_elo"]["minimum"], 1);
        assert_eq!(properties["white_elo"]["maximum"], 4000);
        assert_eq!(properties["temperature"]["minimum"], 0.01);
        assert_eq!(properties["realism"]["enum"], json!(["auto", "natural", "fast"]));
        assert_eq!(properties["strict"]["type"], "boolean");
        assert!(properties["elo"]["description"].as_str().unwrap().contains("[default: unknown]"));
        assert_eq!(schema["required"], json!(["constraint"]));
        assert_eq!(schema["additionalProperties"], false);
    }

    #[test]
    fn no_tool_takes_a_file_or_a_program() {
        for tool in TOOLS {
            assert!(tool.inputs.rows().all(|row| row.kind != Kind::Text), "{}", tool.name);
            let schema = Value::Object(schema(&tool.inputs));
            for name in ["judge", "network", "human_network"] {
                assert!(schema["properties"].get(name).is_none(), "{}: {name}", tool.name);
            }
            assert!(schema["properties"]["seconds"].is_object(), "{}", tool.name);
        }
    }
}
