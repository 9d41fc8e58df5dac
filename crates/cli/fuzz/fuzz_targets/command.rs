//! Lines of UCI: any bytes are parsed, or refused with an error, without a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &[u8]| {
    if let Err(error) = entente_cli::uci::parse(&String::from_utf8_lossy(line)) {
        assert!(!error.to_string().is_empty());
    }
});
