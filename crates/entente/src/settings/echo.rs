//! Settings written out: as command-line flags, as words in a record, and as the fields of an entrant.

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, MapAccess, Visitor},
    ser::SerializeMap,
};

use super::{GenerationSettings, Row, Setting, Settings, Value};

impl GenerationSettings {
    /// The settings that differ from their defaults, of those that the command line and plans can set. If one setting,
    /// such as `elo`, covers them, only that one is listed.
    pub fn changes(&self) -> Vec<(Setting, Value)> {
        let settings = Settings::from(self.clone());
        let is_covered = |setting: Setting| {
            Setting::of_entrants()
                .map(Setting::row)
                .any(|row| row.covers.contains(&setting) && row.get(&settings).is_some())
        };
        Setting::of_entrants()
            .filter(|setting| setting.row().differs(&settings) && !is_covered(*setting))
            .filter_map(|setting| Some((setting, setting.row().get(&settings)?)))
            .collect()
    }

    /// The settings that differ from their defaults, as flags of `entente generate`.
    pub fn flags(&self) -> Vec<String> {
        let flag = |(setting, value): (Setting, Value)| {
            let row = setting.row();
            match value {
                Value::Switch(true) if row.is_switch() => format!("--{}", row.name),
                Value::Text(text) => format!("--{} {}", row.name, quoted(&text)),
                value => format!("--{} {value}", row.name),
            }
        };
        self.changes().into_iter().map(flag).collect()
    }
}

/// With the default settings of play and session, for the rows of the table.
impl From<GenerationSettings> for Settings {
    fn from(generation: GenerationSettings) -> Settings {
        Settings { generation, ..Settings::default() }
    }
}

impl Row {
    /// True if this number leaves the setting to the program.
    fn is_unset_by(&self, number: Option<f64>) -> bool {
        let unset = self.uci.and_then(|form| form.unset);
        unset.is_some() && unset.map(|unset| unset as f64) == number
    }
}

/// A word quoted for a shell.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        // Single quotes, because an interactive shell expands '!' in double quotes.
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// All settings of an entrant, so that they alone determine every game.
impl Serialize for GenerationSettings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let settings = Settings::from(self.clone());
        for setting in Setting::of_entrants().map(Setting::row) {
            match setting.get(&settings) {
                None => map.serialize_entry(setting.name, &None::<()>)?,
                Some(Value::Text(text)) => map.serialize_entry(setting.name, &text)?,
                Some(Value::Word(word)) => map.serialize_entry(setting.name, word)?,
                Some(Value::Integer(number)) => map.serialize_entry(setting.name, &number)?,
                Some(Value::Number(number)) => map.serialize_entry(setting.name, &number)?,
                Some(Value::Switch(switch)) => map.serialize_entry(setting.name, &switch)?,
            }
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for GenerationSettings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<GenerationSettings, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = GenerationSettings;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("settings")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<GenerationSettings, A::Error> {
                let mut settings = Settings::default();
                while let Some(key) = map.next_key::<String>()? {
                    // Names of settings were once joined by '_'.
                    let name = key.replace('_', "-");
                    let mut rows = Setting::of_entrants().map(Setting::row);
                    let Some(setting) = rows.find(|row| row.name == name) else {
                        return Err(de::Error::unknown_field(&key, &[]));
                    };
                    let value = map.next_value::<serde_json::Value>()?;
                    let text = match value {
                        // The settings that it covers are listed, too.
                        serde_json::Value::Null if !setting.covers.is_empty() => continue,
                        serde_json::Value::Null => None,
                        serde_json::Value::String(text) => Some(text),
                        // This number once left a setting to the program, as it still does over UCI.
                        serde_json::Value::Number(number) if setting.is_unset_by(number.as_f64()) => None,
                        other => Some(other.to_string()),
                    };
                    let set = match text {
                        None => setting.set(&mut settings, None),
                        Some(text) => setting.parse(&mut settings, &text),
                    };
                    set.map_err(|reason| de::Error::custom(format!("{key}: {reason}")))?;
                }
                Ok(settings.generation)
            }
        }
        deserializer.deserialize_map(Fields)
    }
}

#[cfg(test)]
mod tests {
    use entente_network::encoding::goal_policy::RatingScale;

    use super::*;
    use crate::settings::{Evaluator, Method, Realism};

    #[test]
    fn differences_are_written_as_flags() {
        let settings = GenerationSettings {
            realism: Realism::Fast,
            white_elo: Some(1500),
            black_elo: Some(1500),
            rating_scale: RatingScale::Fide,
            faithful: true,
            finish: false,
            network: Some("my network.onnx".to_owned()),
            ..GenerationSettings::default()
        };
        assert_eq!(
            settings.flags().join(" "),
            "--elo 1500 --rating-scale fide --realism fast --network 'my network.onnx' --finish false --faithful"
        );
        assert_eq!(
            GenerationSettings { black_elo: Some(900), ..GenerationSettings::default() }.flags().join(" "),
            "--black-elo 900"
        );
        assert!(GenerationSettings::default().flags().is_empty());
        assert!(
            GenerationSettings { seed: Some(7), threads: 4, ..GenerationSettings::default() }
                .flags()
                .is_empty()
        );
    }

    #[test]
    fn settings_survive_a_round_trip_through_json() {
        let settings = GenerationSettings {
            method: Some(Method::Negamax),
            evaluator: Evaluator::Men,
            white_elo: Some(1200),
            temperature: Some(0.7),
            depth: Some(3),
            nodes: Some(u64::MAX),
            ..GenerationSettings::default()
        };
        let text = serde_json::to_string(&settings).unwrap();
        assert_eq!(serde_json::from_str::<GenerationSettings>(&text).unwrap(), settings);
        let former =
            r#"{"evaluator": "material", "white_elo": 1500, "depth": null, "late_temperature": 0.0}"#;
        let read: GenerationSettings = serde_json::from_str(former).unwrap();
        let expected = GenerationSettings {
            evaluator: Evaluator::Men,
            white_elo: Some(1500),
            ..GenerationSettings::default()
        };
        assert_eq!(read, expected);
        let other_build = serde_json::from_str::<GenerationSettings>(r#"{"backend": "torch"}"#);
        assert!(other_build.is_ok(), "{other_build:?}");
        assert!(serde_json::from_str::<GenerationSettings>(r#"{"colour": 1}"#).is_err());
        assert!(serde_json::from_str::<GenerationSettings>(r#"{"depth": 9}"#).is_err());
    }
}
