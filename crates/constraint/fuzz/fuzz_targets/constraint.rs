//! Constraints: any text is read, or refused with an error; what is read prints as what reads the same.
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
