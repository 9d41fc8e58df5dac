use entente_constraint::Target;
use entente_network::encoding::goal_policy::RatingScale;

use super::{
    choices::Choice,
    kind::{Value, ValueError},
};

/// The type of a settings field: how it is read and written as a [`Value`].
pub(super) trait Field: Sized {
    /// The value; `None` if it is left to the program.
    fn value(&self) -> Option<Value>;

    /// The field with this value.
    ///
    /// # Errors
    /// [`ValueError`] if the value is of another type, does not fit, or has no meaning.
    fn of(value: Value) -> Result<Self, ValueError>;
}

/// The error for a value of another type than its field, or too large for it. Bounds are checked earlier, and a test
/// shows that they fit the fields.
fn misfit(value: &Value) -> ValueError {
    ValueError::Refused(format!("{value} does not fit"))
}

macro_rules! fields {
    ($($type:ty: $variant:ident $into:expr, $from:expr;)*) => {
        $(
            impl Field for $type {
                fn value(&self) -> Option<Value> {
                    Some(Value::$variant($into(self.clone())))
                }

                fn of(value: Value) -> Result<Self, ValueError> {
                    let field = match &value {
                        Value::$variant(value) => $from(value.clone()),
                        _ => None,
                    };
                    field.ok_or_else(|| misfit(&value))
                }
            }

            impl Field for Option<$type> {
                fn value(&self) -> Option<Value> {
                    self.as_ref().and_then(Field::value)
                }

                fn of(value: Value) -> Result<Self, ValueError> {
                    <$type>::of(value).map(Some)
                }
            }
        )*
    };
}

fields! {
    bool: Switch |switch| switch, Some;
    u16: Integer u64::from, |number: u64| u16::try_from(number).ok();
    u32: Integer u64::from, |number: u64| u32::try_from(number).ok();
    u64: Integer |number| number, Some;
    f32: Number |number| number, Some;
    String: Text |text| text, Some;
    super::Method: Word Choice::word, Choice::named;
    super::Mode: Word Choice::word, Choice::named;
    super::Evaluator: Word Choice::word, Choice::named;
    super::Backend: Word Choice::word, Choice::named;
    super::Realism: Word Choice::word, Choice::named;
    super::Priors: Word Choice::word, Choice::named;
    entente_search::rollout::Allotment: Word Choice::word, Choice::named;
    RatingScale: Word Choice::word, Choice::named;
}

impl Field for Option<Target> {
    fn value(&self) -> Option<Value> {
        self.as_ref().map(|target| Value::Text(target.constraint.to_string()))
    }

    fn of(value: Value) -> Result<Self, ValueError> {
        let Value::Text(text) = &value else { return Err(misfit(&value)) };
        if text.trim().is_empty() {
            return Ok(None);
        }
        let constraint = text.parse().map_err(|error| ValueError::Refused(format!("{error}")))?;
        Target::new(constraint).map(Some).map_err(|error| ValueError::Refused(error.to_string()))
    }
}
