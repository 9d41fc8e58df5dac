//! The exceptions that callers see. Their classes are Python's, in `entente/_errors.py`.

use entente::{
    engine::EngineError,
    generation::{GenerationError, RequestError},
    settings::{Setting, ValueError},
};
use entente_constraint::{ParseError, guide::GuideError};
use pyo3::{call::PyCallArgs, exceptions::PyRuntimeError, prelude::*};

/// An exception of the class `name`.
pub(crate) fn exception<'py>(py: Python<'py>, name: &str, arguments: impl PyCallArgs<'py>) -> PyErr {
    let class = py.import("entente._errors").and_then(|module| module.getattr(name));
    class.and_then(|class| class.call1(arguments)).map_or_else(|error| error, PyErr::from_value)
}

/// A text that is not a constraint. `column` counts characters from 1.
pub(crate) fn parse(py: Python<'_>, error: &ParseError) -> PyErr {
    exception(py, "ConstraintError", (error.to_string(), Some(error.column)))
}

/// A constraint that is valid but too complex.
pub(crate) fn complex(py: Python<'_>, message: String) -> PyErr {
    exception(py, "ConstraintError", (message, None::<usize>))
}

/// What is not a position.
pub(crate) fn position(py: Python<'_>, message: String) -> PyErr {
    exception(py, "PositionError", (message,))
}

/// A setting that cannot have a value.
pub(crate) fn setting(py: Python<'_>, setting: Setting, error: &ValueError) -> PyErr {
    let name = keyword(setting);
    exception(py, "SettingError", (format!("{name}: {error}"), Some(name)))
}

/// Settings that contradict each other, or a network that cannot be used.
pub(crate) fn request(py: Python<'_>, error: &RequestError) -> PyErr {
    exception(py, "SettingError", (error.with_names(keyword), error.setting().map(keyword)))
}

/// Something that cannot be done.
pub(crate) fn engine(py: Python<'_>, error: &EngineError) -> PyErr {
    match error {
        EngineError::Impossible(reason) => exception(py, "Impossible", (reason.to_string(),)),
        EngineError::TooLong { fewest, max_plies } => {
            let message = format!("max_plies {max_plies}: the constraint needs at least {fewest} plies");
            exception(py, "SettingError", (message, Some("max_plies")))
        }
        EngineError::TooComplex => complex(py, error.to_string()),
        EngineError::Request(error) => request(py, error),
        EngineError::Generation(error) => generation(py, error),
        EngineError::Root(_) | EngineError::StandardChessOnly => position(py, error.to_string()),
        _ => other(py, error),
    }
}

/// A failure in the middle of the work.
pub(crate) fn generation(py: Python<'_>, error: &GenerationError) -> PyErr {
    match error {
        // A search has proved it.
        GenerationError::Guide(GuideError::Impossible(reason)) => {
            exception(py, "Impossible", (reason.to_string(),))
        }
        GenerationError::NotCounted(_) => exception(py, "SettingError", (error.to_string(), Some("method"))),
        _ => other(py, error),
    }
}

/// An error without a class of its own.
pub(crate) fn other(py: Python<'_>, error: &dyn std::fmt::Display) -> PyErr {
    exception(py, "EntenteError", (error.to_string(),))
}

/// A file that cannot be read or written, or a plan that is not one: the causes, outermost first. Of each pair of
/// `words`, the second replaces the first.
pub(crate) fn chain(py: Python<'_>, error: &dyn std::error::Error, words: &[(&str, &str)]) -> PyErr {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let text = inner.to_string();
        // Some errors repeat their cause.
        if !message.ends_with(&text) {
            message += &format!(": {text}");
        }
        cause = inner.source();
    }
    let message = words.iter().fold(message, |message, (from, to)| message.replace(from, to));
    exception(py, "EntenteError", (message,))
}

/// A fault of ours: work that ended without a result.
pub(crate) fn fault() -> PyErr {
    PyRuntimeError::new_err("a thread of the engine failed; please report this with the messages above")
}

/// The keyword argument of a setting.
pub(crate) fn keyword(setting: Setting) -> String {
    setting.row().name.replace('-', "_")
}

/// The name of an argument's type, for messages.
pub(crate) fn type_name(given: &Bound<'_, PyAny>) -> String {
    given.get_type().name().map_or_else(|_| String::new(), |name| name.to_string())
}
