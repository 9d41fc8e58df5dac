//! The macro that makes the ids, structs and rows of the table.

/// Declares the ids of all settings, the structs that hold their values, and [`TABLE`]. Each setting has an id, a field
/// with its type and default, and a row; its comment is its help. `derived` settings have no field of their own: they
/// read and write the fields of others.
macro_rules! settings {
    (
        derived { $( $(#[doc = $derived_help:expr])* $derived_id:ident ($get:expr, $set:expr) => $derived:expr; )* }
        $(
            $(#[doc = $about:expr])*
            $part:ident: $Part:ident $name:ident {
                $( $(#[doc = $help:expr])* $id:ident $field:ident: $type:ty = $usual:expr => $row:expr; )*
            }
        )*
    ) => {
        /// The ids of all settings.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Setting {
            $( $(#[doc = $derived_help])* $derived_id, )*
            $($( $(#[doc = $help])* $id, )*)*
        }

        impl Setting {
            /// Every setting, in the order of the table.
            pub const ALL: &[Setting] = &[$( Setting::$derived_id, )* $($( Setting::$id, )*)*];
        }

        $(
            $(#[doc = $about])*
            #[derive(Clone, Debug, PartialEq)]
            #[non_exhaustive]
            pub struct $name {
                $( $(#[doc = $help])* pub $field: $type, )*
            }

            impl Default for $name {
                fn default() -> $name {
                    $name { $( $field: $usual, )* }
                }
            }

            impl $name {
                /// The default settings, changed by `change`.
                pub fn with(change: impl FnOnce(&mut $name)) -> $name {
                    $name::default().changed(change)
                }

                /// These settings, changed by `change`.
                pub fn changed(mut self, change: impl FnOnce(&mut $name)) -> $name {
                    change(&mut self);
                    self
                }
            }
        )*

        /// The values of all settings, which the rows of the table read and write.
        #[derive(Clone, Debug, Default, PartialEq)]
        #[non_exhaustive]
        pub struct Settings {
            $( $(#[doc = $about])* pub $part: $name, )*
        }

        /// Every setting, in the order of help, documentation and UCI. Rows and ids have the same order.
        pub static TABLE: &[Row] = &[
            $( $derived.with(Part::Generation, concat!($($derived_help),*), $get, $set), )*
            $($(
                $row.with(
                    Part::$Part,
                    concat!($($help),*),
                    |settings| settings.$part.$field.value(),
                    |settings, value| {
                        settings.$part.$field = match value {
                            Some(value) => Field::of(value)?,
                            None => $usual,
                        };
                        Ok(())
                    },
                ),
            )*)*
        ];
    };
}

pub(super) use settings;
