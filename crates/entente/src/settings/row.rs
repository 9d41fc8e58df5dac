use super::{
    attributes::{Group, Part, Prominence, Scope, Spelling, UciForm},
    choices::Method,
    kind::{AUTO, Kind, Value, ValueError, Word},
};

/// A row of the table: the names of a setting, its values, what uses it, and what it does. `I` is the type of the ids,
/// and `S` holds the values of all settings.
#[derive(Debug)]
#[non_exhaustive]
pub struct RowOf<I: 'static, S> {
    /// The struct that holds its value.
    pub part: Part,
    /// The command-line flag without its dashes, which is also the key in a plan: words joined by '-'.
    pub name: &'static str,
    /// The values that it can have.
    pub kind: Kind,
    /// Where it can be set, apart from UCI.
    pub spelling: Spelling,
    /// The UCI option, if there is one.
    pub uci: Option<UciForm>,
    /// What uses it.
    pub scope: Scope,
    /// The group that it belongs to.
    pub group: Group,
    /// The name of its value in the flag's help, such as `N`.
    pub placeholder: &'static str,
    /// Its default in words, if the value alone does not say enough.
    pub usual: &'static str,
    /// What it does, in one or more sentences.
    pub help: &'static str,
    /// The settings that this one sets together; none if it has a field of its own.
    pub covers: &'static [I],
    /// Where its flag appears in the help of the command line.
    pub prominence: Prominence,
    /// True if the words for a method in results have its value in a fixed place, or leave it out.
    pub is_in_method_name: bool,
    pub(super) get: fn(&S) -> Option<Value>,
    pub(super) set: fn(&mut S, Option<Value>) -> Result<(), ValueError>,
    pub(super) is_built: fn(&Value) -> Result<(), String>,
}

impl<I, S: Default> RowOf<I, S> {
    /// A setting with this name and kind, for all of generation. [`RowOf::with`] adds its field.
    const fn new(name: &'static str, kind: Kind) -> RowOf<I, S> {
        RowOf {
            part: Part::Generation,
            name,
            kind,
            spelling: Spelling::FlagAndKey,
            uci: None,
            scope: Scope::Generation,
            group: Group::Run,
            placeholder: "N",
            usual: "",
            help: "",
            covers: &[],
            prominence: Prominence::Long,
            is_in_method_name: false,
            get: |_| None,
            set: |_, _| Ok(()),
            is_built: |_| Ok(()),
        }
    }

    pub(super) const fn text(name: &'static str) -> RowOf<I, S> {
        RowOf::new(name, Kind::Text).placeholder("TEXT")
    }

    pub(super) const fn integer(name: &'static str, least: u64, most: u64) -> RowOf<I, S> {
        RowOf::new(name, Kind::Integer { least, most })
    }

    pub(super) const fn number(name: &'static str, least: f32, most: f32) -> RowOf<I, S> {
        RowOf::new(name, Kind::Number { least, most })
    }

    pub(super) const fn word(name: &'static str, words: &'static [Word]) -> RowOf<I, S> {
        RowOf::new(name, Kind::Word { words, or_auto: false }).placeholder("WORD")
    }

    pub(super) const fn word_or_auto(name: &'static str, words: &'static [Word]) -> RowOf<I, S> {
        RowOf::new(name, Kind::Word { words, or_auto: true }).placeholder("WORD")
    }

    pub(super) const fn switch(name: &'static str) -> RowOf<I, S> {
        RowOf::new(name, Kind::Switch).placeholder("BOOL")
    }

    /// With this UCI option.
    pub(super) const fn uci(mut self, name: &'static str) -> RowOf<I, S> {
        self.uci = Some(UciForm { name, factor: 1.0, unset: None });
        self
    }

    /// With UCI values in percent.
    pub(super) const fn percent(mut self) -> RowOf<I, S> {
        self.uci = match self.uci {
            Some(form) => Some(UciForm { factor: 100.0, ..form }),
            None => None,
        };
        self
    }

    /// With this UCI value for "left to the program".
    pub(super) const fn unset(mut self, number: i64) -> RowOf<I, S> {
        self.uci = match self.uci {
            Some(form) => Some(UciForm { unset: Some(number), ..form }),
            None => None,
        };
        self
    }

    pub(super) const fn only(mut self, spelling: Spelling) -> RowOf<I, S> {
        self.spelling = spelling;
        self
    }

    /// Used in play only, and only over UCI.
    pub(super) const fn play(self) -> RowOf<I, S> {
        self.only(Spelling::None).used_by(Scope::Play).group(Group::Play)
    }

    pub(super) const fn used_by(mut self, scope: Scope) -> RowOf<I, S> {
        self.scope = scope;
        self
    }

    pub(super) const fn group(mut self, group: Group) -> RowOf<I, S> {
        self.group = group;
        self
    }

    pub(super) const fn placeholder(mut self, placeholder: &'static str) -> RowOf<I, S> {
        self.placeholder = placeholder;
        self
    }

    pub(super) const fn usually(mut self, usual: &'static str) -> RowOf<I, S> {
        self.usual = usual;
        self
    }

    /// Covers these settings: sets all of them.
    pub(super) const fn covering(mut self, covered: &'static [I]) -> RowOf<I, S> {
        self.covers = covered;
        self
    }

    /// In the short help, at this place in the first group.
    pub(super) const fn first(mut self, place: usize) -> RowOf<I, S> {
        self.prominence = Prominence::First(place);
        self
    }

    /// In the short help.
    pub(super) const fn short(mut self) -> RowOf<I, S> {
        self.prominence = Prominence::Short;
        self
    }

    /// Not listed among the changes in the name of a method in results.
    pub(super) const fn in_method_name(mut self) -> RowOf<I, S> {
        self.is_in_method_name = true;
        self
    }

    pub(super) const fn with(
        mut self,
        part: Part,
        help: &'static str,
        get: fn(&S) -> Option<Value>,
        set: fn(&mut S, Option<Value>) -> Result<(), ValueError>,
    ) -> RowOf<I, S> {
        (self.part, self.help, self.get, self.set) = (part, help, get, set);
        self
    }

    /// With values that some builds cannot use.
    pub(super) const fn built(mut self, is_built: fn(&Value) -> Result<(), String>) -> RowOf<I, S> {
        self.is_built = is_built;
        self
    }

    /// Its value in `settings`; `None` if it is left to the program.
    pub fn get(&self, settings: &S) -> Option<Value> {
        (self.get)(settings)
    }

    /// Sets it to `value`; `None` leaves it to the program or restores its default.
    ///
    /// # Errors
    /// [`ValueError`] if the value is of another type, out of bounds, or has no meaning. Then the setting is unchanged.
    pub fn set(&self, settings: &mut S, value: Option<Value>) -> Result<(), ValueError> {
        value.iter().try_for_each(|value| self.kind.check(value))?;
        (self.set)(settings, value)
    }

    /// Checks that this build supports `value`. Settings can hold values that it does not support, from results of
    /// other builds.
    ///
    /// # Errors
    /// [`ValueError::Refused`] if it does not.
    pub fn check_build(&self, value: Option<&Value>) -> Result<(), ValueError> {
        value.map_or(Ok(()), self.is_built).map_err(ValueError::Refused)
    }

    /// Sets it to the value of `text`.
    ///
    /// # Errors
    /// The same as [`RowOf::set`].
    pub fn parse(&self, settings: &mut S, text: &str) -> Result<(), ValueError> {
        self.set(settings, self.kind.parse(text)?)
    }

    /// True if its value is not its default.
    pub fn differs(&self, settings: &S) -> bool {
        self.get(settings) != self.get(&S::default())
    }

    /// Its default in words.
    pub fn usual(&self) -> String {
        match self.get(&S::default()) {
            _ if !self.usual.is_empty() => self.usual.to_owned(),
            Some(value) => value.to_string(),
            None if matches!(self.kind, Kind::Word { or_auto: true, .. }) => AUTO.to_owned(),
            None => "none".to_owned(),
        }
    }

    /// True for a switch that is off by default. Its flag takes no value.
    pub fn is_switch(&self) -> bool {
        self.kind == Kind::Switch && self.get(&S::default()) == Some(Value::Switch(false))
    }

    /// True if generation by this method uses it.
    pub fn is_used_by(&self, method: Method) -> bool {
        match self.scope {
            Scope::Methods(methods) => methods.contains(&method),
            Scope::Generation | Scope::Both | Scope::Play => true,
        }
    }
}
