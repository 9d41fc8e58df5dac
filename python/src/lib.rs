//! `entente._entente`: the engine as an extension module of Python. `python/entente/` wraps it in what Python programs
//! import; `_entente.pyi` describes every item here.
//!
//! Arguments are read by `settings.rs` (keyword arguments, by the table of settings) and `given.rs` (positions and games
//! as Python programs have them). `work.rs` runs long calls on threads of their own, without the interpreter's lock, and
//! watches for Ctrl-C. `errors.rs` raises the exceptions of `entente/_errors.py`. Each other file has one class or
//! function with what belongs to it.
//!
//! The documentation of what Python sees is in `_entente.pyi`, where editors find it; `build.rs` takes it from there for
//! `help()`.
//!
//! To add a function, write it in a file of its own, list it below and in `_entente.pyi`, and export it in
//! `entente/__init__.py`.

include!(concat!(env!("OUT_DIR"), "/documentation.rs"));

mod arrays;
mod arrow;
mod book;
mod constraint;
mod dataset;
mod endings;
mod engine;
mod errors;
mod generate;
mod given;
mod matches;
mod networks;
mod number;
mod policy;
mod position;
mod program;
mod proof;
mod run;
mod settings;
mod work;

use pyo3::prelude::*;

#[pymodule]
mod _entente {
    #[pymodule_export]
    use super::{
        arrow::Table,
        book::book,
        constraint::{Constraint, Explanation},
        dataset::{Dataset, dataset},
        engine::{Engine, evaluate},
        generate::generate,
        matches::Matches,
        networks::after_fork,
        policy::{Predictions, policy},
        position::Position,
        program::main,
        proof::{Proof, prove},
        run::Run,
    };

    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "Python's name for it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
