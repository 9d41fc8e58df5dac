//! Constraints: any text is read, or refused with an error; what is read prints as what reads the same.
#![no_main]

use entente::constraint::{Constraint, Goal};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(constraint) = text.parse::<Constraint>() {
        let _ = Goal::new(&constraint);
        let printed = constraint.to_string();
        assert_eq!(printed.parse::<Constraint>().as_ref(), Ok(&constraint), "{printed}");
    }
});
