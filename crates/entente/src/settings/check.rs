//! Checks the bounds of values that a program stored in a field directly, not through a row.

use std::fmt::{self, Display, Formatter};

use thiserror::Error;

use super::{GenerationSettings, Part, PlayerSettings, Setting, Settings, Value, ValueError};

/// A setting whose value is out of bounds.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub struct SettingError {
    /// The setting.
    pub setting: Setting,
    /// Its value.
    pub value: Value,
    /// Why it cannot have this value.
    #[source]
    pub error: ValueError,
}

impl Display for SettingError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let SettingError { setting, value, error } = self;
        write!(f, "{} {value}: {error}", setting.row().name)
    }
}

impl Setting {
    /// Checks that the setting may have this value.
    ///
    /// # Errors
    /// [`SettingError`] if the value is of another type or out of bounds.
    pub fn check(self, value: &Value) -> Result<(), SettingError> {
        let checked = self.row().kind.check(value);
        checked.map_err(|error| SettingError { setting: self, value: value.clone(), error })
    }
}

impl Settings {
    /// Checks that the settings in these parts are within bounds.
    fn check(&self, parts: &[Part]) -> Result<(), SettingError> {
        // A setting that covers others has no value of its own.
        let has_value = |setting: &&Setting| {
            let row = setting.row();
            row.covers.is_empty() && parts.contains(&row.part)
        };
        Setting::ALL.iter().filter(has_value).try_for_each(|setting| {
            let value = setting.row().get(self);
            value.map_or(Ok(()), |value| setting.check(&value))
        })
    }
}

impl GenerationSettings {
    /// Checks that all values are within the bounds of their flags and options. A program can store anything in a
    /// field.
    ///
    /// # Errors
    /// [`SettingError`] for the first value that is out of bounds.
    pub fn check(&self) -> Result<(), SettingError> {
        Settings::from(self.clone()).check(&[Part::Generation])
    }
}

impl PlayerSettings<'_> {
    /// Checks that all values are within the bounds of their options.
    ///
    /// # Errors
    /// [`SettingError`] for the first value that is out of bounds.
    pub fn check(self) -> Result<(), SettingError> {
        let (generation, play) = (self.generation.clone(), self.play.clone());
        let settings = Settings { play, ..Settings::from(generation) };
        settings.check(&[Part::Generation, Part::Play])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Kind, PlaySettings, TABLE};

    #[test]
    fn a_field_is_checked_like_its_flag() {
        let settings = GenerationSettings { population: 0, ..GenerationSettings::default() };
        let error = settings.check().unwrap_err();
        assert_eq!(error.to_string(), "population 0: expected 1 to 1024, found \"0\"");
        let by_flag = Setting::Population.row().parse(&mut Settings::default(), "0").unwrap_err();
        assert_eq!((error.setting, error.error), (Setting::Population, by_flag));
        let nan = GenerationSettings { guidance: f32::NAN, ..GenerationSettings::default() };
        assert_eq!(nan.check().unwrap_err().setting, Setting::Guidance);
        let elo = GenerationSettings { black_elo: Some(5000), ..GenerationSettings::default() };
        assert_eq!(elo.check().unwrap_err().setting, Setting::BlackElo);
        assert_eq!(GenerationSettings::default().check(), Ok(()));
        let (generation, play) =
            (GenerationSettings::default(), PlaySettings { hash: 0, ..PlaySettings::default() });
        let error = PlayerSettings { generation: &generation, play: &play }.check().unwrap_err();
        assert_eq!(error.setting, Setting::Hash);
    }

    #[test]
    fn bounds_fit_the_field_and_values_out_of_bounds_are_not_set() {
        for row in TABLE {
            let (inside, outside) = match row.kind {
                Kind::Text => (vec![Value::Text("Q=0".to_owned())], vec![Value::Integer(1)]),
                Kind::Switch => (vec![Value::Switch(true), Value::Switch(false)], vec![Value::Word("on")]),
                Kind::Integer { least, most } => {
                    let outside = [least.checked_sub(1), most.checked_add(1)];
                    let outside = outside.into_iter().flatten().map(Value::Integer);
                    ([least, most].map(Value::Integer).into(), outside.chain([Value::Number(1.0)]).collect())
                }
                Kind::Number { least, most } => {
                    let outside = [least - 1.0, most + 1.0, f32::NAN, f32::INFINITY].map(Value::Number);
                    ([least, most].map(Value::Number).into(), outside.into())
                }
                Kind::Word { words, .. } => {
                    let inside = words.iter().map(|word| Value::Word(word.word)).collect();
                    (inside, vec![Value::Word("none of these"), Value::Text(words[0].word.to_owned())])
                }
            };
            let mut settings = Settings::default();
            for value in inside {
                assert_eq!(row.set(&mut settings, Some(value.clone())), Ok(()), "{}: {value}", row.name);
                assert_eq!(row.get(&settings), Some(value));
            }
            let before = settings.clone();
            for value in outside {
                assert!(row.set(&mut settings, Some(value.clone())).is_err(), "{}: {value}", row.name);
            }
            assert_eq!(settings, before);
            row.set(&mut settings, None).unwrap();
            assert_eq!(settings, Settings::default(), "{}", row.name);
        }
    }

    #[test]
    fn rows_match_their_ids_and_names_are_unique() {
        assert_eq!(TABLE.len(), Setting::ALL.len());
        for setting in Setting::ALL {
            assert_eq!(Setting::named(setting.row().name), Some(*setting));
        }
        assert_eq!(Setting::Population.row().name, "population");
        // Results record all settings that decide an entrant's games.
        assert!(Setting::of_entrants().all(|setting| setting.row().part == Part::Generation));
    }
}
