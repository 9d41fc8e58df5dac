//! Which vectors an x86-64 processor has.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// The forms that code is compiled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// With AVX-512F.
    Avx512 = 1,
    /// With AVX2 and FMA.
    Avx2 = 2,
    /// With what every processor has.
    Portable = 3,
}

/// The environment variable that names a form that is no better than the processor's: `avx512`, `avx2` or `portable`.
/// All give the same results; this is how the tests know.
const VARIABLE: &str = "ENTENTE_VECTORS";

/// [`Form::of_processor`] once it is known, and otherwise 0.
static KNOWN: AtomicU8 = AtomicU8::new(0);

impl Form {
    const ALL: [Form; 3] = [Form::Avx512, Form::Avx2, Form::Portable];

    /// The best form for this processor that the environment allows.
    #[inline]
    pub(super) fn of_processor() -> Form {
        let known = KNOWN.load(Relaxed);
        match Form::ALL.into_iter().find(|form| *form as u8 == known) {
            Some(form) => form,
            None => Form::detected(),
        }
    }

    #[cold]
    fn detected() -> Form {
        let allowed = std::env::var(VARIABLE).unwrap_or_default();
        let has_avx512 =
            is_x86_feature_detected!("avx512f") && !matches!(allowed.as_str(), "avx2" | "portable");
        let has_avx2 =
            is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") && allowed != "portable";
        let form = match (has_avx512, has_avx2) {
            (true, _) => Form::Avx512,
            (false, true) => Form::Avx2,
            (false, false) => Form::Portable,
        };
        KNOWN.store(form as u8, Relaxed);
        form
    }
}
