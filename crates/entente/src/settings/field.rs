use entente_constraint::Target;
use entente_network::encoding::goal_policy::RatingScale;

use super::{choices::Choice, kind::Value};

/// The type of a field of [`Settings`](super::Settings): how it is read and written as a [`Value`].
pub(super) trait Field: Sized {
    /// Its value; `None` if it is left to the program.
    fn value(&self) -> Option<Value>;

    /// What `value`, which was checked, stands for; `None` leaves it to the program, or means its usual value.
    ///
    /// # Errors
    /// Why it cannot be set all the same.
    fn of(value: Option<Value>, usual: impl FnOnce() -> Self) -> Result<Self, String>;
}

/// A setting's kind says which values there are.
const KIND_MATCHES: &str = "a setting stores a value of its own kind";

macro_rules! fields {
    ($($type:ty: $variant:ident $into:expr, $from:expr;)*) => {
        $(
            impl Field for $type {
                fn value(&self) -> Option<Value> {
                    Some(Value::$variant($into(self.clone())))
                }

                fn of(value: Option<Value>, usual: impl FnOnce() -> Self) -> Result<Self, String> {
                    match value {
                        Some(Value::$variant(value)) => Ok($from(value)),
                        None => Ok(usual()),
                        Some(_) => panic!("{KIND_MATCHES}"),
                    }
                }
            }

            impl Field for Option<$type> {
                fn value(&self) -> Option<Value> {
                    self.as_ref().and_then(Field::value)
                }

                fn of(value: Option<Value>, _: impl FnOnce() -> Self) -> Result<Self, String> {
                    match value {
                        Some(Value::$variant(value)) => Ok(Some($from(value))),
                        None => Ok(None),
                        Some(_) => panic!("{KIND_MATCHES}"),
                    }
                }
            }
        )*
    };
}

// The bounds of a setting fit its field.
fields! {
    bool: Switch |switch| switch, |switch| switch;
    u16: Integer u64::from, |number| number as u16;
    u32: Integer u64::from, |number| number as u32;
    u64: Integer |number| number, |number| number;
    f32: Number |number| number, |number| number;
    String: Text |text| text, |text| text;
}

macro_rules! choice_fields {
    ($($type:ty;)*) => {
        $(
            impl Field for $type {
                fn value(&self) -> Option<Value> {
                    Some(Value::Word(self.word()))
                }

                fn of(value: Option<Value>, usual: impl FnOnce() -> Self) -> Result<Self, String> {
                    match value {
                        Some(Value::Word(word)) => Ok(<$type>::named(word).expect("words are checked")),
                        None => Ok(usual()),
                        Some(_) => panic!("{KIND_MATCHES}"),
                    }
                }
            }
        )*
    };
}

choice_fields! {
    super::Mode;
    super::Evaluator;
    super::Backend;
    super::Realism;
    super::Priors;
    entente_search::rollout::Allotment;
    RatingScale;
}

impl Field for Option<super::Method> {
    fn value(&self) -> Option<Value> {
        self.map(|method| Value::Word(method.word()))
    }

    fn of(value: Option<Value>, _: impl FnOnce() -> Self) -> Result<Self, String> {
        match value {
            Some(Value::Word(word)) => Ok(super::Method::named(word)),
            None => Ok(None),
            Some(_) => panic!("{KIND_MATCHES}"),
        }
    }
}

impl Field for Option<Target> {
    fn value(&self) -> Option<Value> {
        self.as_ref().map(|target| Value::Text(target.constraint.to_string()))
    }

    fn of(value: Option<Value>, _: impl FnOnce() -> Self) -> Result<Self, String> {
        match value {
            Some(Value::Text(text)) if !text.trim().is_empty() => {
                let constraint = text.parse().map_err(|error| format!("{error}"))?;
                Target::new(constraint).map(Some).map_err(|error| error.to_string())
            }
            Some(Value::Text(_)) | None => Ok(None),
            Some(_) => panic!("{KIND_MATCHES}"),
        }
    }
}
