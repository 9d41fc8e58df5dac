//! Settings as keyword arguments: the names, types and bounds are those of the table of settings.

use entente::{
    generation::Quota,
    settings::{GenerationSettings, Group, Kind, Part, Row, Setting, Settings, Spelling, Value},
};
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyBool, PyDict, PyFloat, PyInt, PyString},
};

use crate::errors::{self, keyword};

/// The settings of generation with these keyword arguments of `function`. Without `threads`, all cores work.
///
/// # Errors
/// `TypeError` for an unknown name and a value of a wrong type, `SettingError` for a value out of bounds.
pub(crate) fn generation(function: &str, given: Option<&Bound<'_, PyDict>>) -> PyResult<GenerationSettings> {
    some(function, given, |row| row.spelling != Spelling::None)
}

/// The same for a function that uses only settings that proof games use.
///
/// # Errors
/// As [`generation`].
pub(crate) fn of_proofs(function: &str, given: Option<&Bound<'_, PyDict>>) -> PyResult<GenerationSettings> {
    some(function, given, Row::is_of_proofs)
}

/// The same for a function that uses only the players, their network, and threads.
///
/// # Errors
/// As [`generation`].
pub(crate) fn of_players(function: &str, given: Option<&Bound<'_, PyDict>>) -> PyResult<GenerationSettings> {
    const OTHERS: [&str; 3] = ["threads", "network", "backend"];
    some(function, given, |row| row.group == Group::Players || OTHERS.contains(&row.name))
}

fn some(
    function: &str,
    given: Option<&Bound<'_, PyDict>>,
    belongs: impl Fn(&Row) -> bool,
) -> PyResult<GenerationSettings> {
    let mut settings = Settings::default();
    settings.generation.threads = (Quota::cores() as u32).min(Quota::MAX_THREADS);
    read(function, given, belongs, &mut settings)?;
    Ok(settings.generation)
}

/// Changes settings, those of play among them, by keyword arguments.
///
/// # Errors
/// As [`generation`].
pub(crate) fn change_all(
    function: &str,
    given: Option<&Bound<'_, PyDict>>,
    settings: &mut Settings,
) -> PyResult<()> {
    read(function, given, |row| row.part != Part::Session, settings)
}

fn read(
    function: &str,
    given: Option<&Bound<'_, PyDict>>,
    belongs: impl Fn(&Row) -> bool,
    settings: &mut Settings,
) -> PyResult<()> {
    let Some(given) = given else { return Ok(()) };
    let names = || Setting::ALL.iter().copied().filter(|setting| belongs(setting.row())).map(keyword);
    let mut seen: Vec<Setting> = Vec::new();
    for (name, value) in given {
        let name: String = name.extract()?;
        let setting = Setting::ALL.iter().copied().find(|&setting| keyword(setting) == name);
        let Some(setting) = setting.filter(|setting| belongs(setting.row())) else {
            return Err(unknown(function, &name, names()));
        };
        let row = setting.row();
        if value.is_none() {
            continue;
        }
        if let Some(other) =
            seen.iter().find(|other| row.covers.contains(other) || other.row().covers.contains(&setting))
        {
            let message = format!("{name} and {} set the same thing: give one of them", keyword(*other));
            return Err(errors::exception(given.py(), "SettingError", (message, Some(name))));
        }
        seen.push(setting);
        let value = read_value(setting, &value)?;
        row.check_build(value.as_ref())
            .and_then(|()| row.set(settings, value))
            .map_err(|error| errors::setting(given.py(), setting, &error))?;
    }
    Ok(())
}

/// The value of a setting; `None` for one that is left to the program.
fn read_value(setting: Setting, given: &Bound<'_, PyAny>) -> PyResult<Option<Value>> {
    let kind = setting.row().kind;
    let wrong = || {
        let found = errors::type_name(given);
        PyTypeError::new_err(format!("{}: expected {}, found {found}", keyword(setting), expected(kind)))
    };
    let value = match kind {
        Kind::Switch => Value::Switch(given.cast::<PyBool>().map_err(|_| wrong())?.is_true()),
        _ if given.is_instance_of::<PyBool>() => return Err(wrong()),
        Kind::Integer { .. } => {
            let number = given.call_method0("__index__").map_err(|_| wrong())?;
            let number = number.cast::<PyInt>().map_err(|_| wrong())?;
            match number.extract() {
                Ok(number) => Value::Integer(number),
                // Negative, or too large: the error names the bounds.
                Err(_) => return parsed(setting, &number.to_string(), given.py()),
            }
        }
        Kind::Number { .. } if given.is_instance_of::<PyFloat>() || given.is_instance_of::<PyInt>() => {
            Value::Number(given.extract()?)
        }
        Kind::Number { .. } => return Err(wrong()),
        Kind::Word { .. } => {
            let text = given.cast::<PyString>().map_err(|_| wrong())?;
            return parsed(setting, &text.to_cow()?, given.py());
        }
        // Paths of files are texts, too.
        Kind::Text => Value::Text(path(given).map_err(|_| wrong())?),
    };
    Ok(Some(value))
}

fn parsed(setting: Setting, text: &str, py: Python<'_>) -> PyResult<Option<Value>> {
    setting.row().kind.parse(text).map_err(|error| errors::setting(py, setting, &error))
}

/// A text, or the path of an object that has one (`os.PathLike`).
pub(crate) fn path(given: &Bound<'_, PyAny>) -> PyResult<String> {
    given.py().import("os")?.call_method1("fspath", (given,))?.extract()
}

/// A kind in the words of Python.
fn expected(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => "a str",
        Kind::Integer { .. } => "an int",
        Kind::Number { .. } => "a float",
        Kind::Word { .. } => "a str",
        Kind::Switch => "a bool",
    }
}

/// The error for a keyword argument that `function` does not have.
fn unknown(function: &str, name: &str, known: impl Iterator<Item = String>) -> PyErr {
    let nearest =
        known.max_by(|a, b| strsim::jaro_winkler(name, a).total_cmp(&strsim::jaro_winkler(name, b)));
    let hint = nearest
        .filter(|nearest| strsim::jaro_winkler(name, nearest) > 0.8)
        .map_or(String::new(), |nearest| format!("; did you mean '{nearest}'?"));
    PyTypeError::new_err(format!("{function}() got an unexpected keyword argument '{name}'{hint}"))
}
