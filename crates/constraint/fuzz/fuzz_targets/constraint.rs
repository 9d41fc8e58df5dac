//! Any text is parsed as a constraint or refused with an error, and a parsed constraint prints as text that parses to
//! the same constraint.
#![no_main]

use entente_constraint::{Constraint, Target};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(constraint) = text.parse::<Constraint>() {
        let printed = constraint.to_string();
        assert_eq!(printed.parse::<Constraint>().as_ref(), Ok(&constraint), "{printed}");
        let _ = Target::new(constraint);
    }
});
