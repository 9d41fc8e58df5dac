use entente_network::Backend;

use super::{
    choices::{Choice as _, Method},
    kind::{AUTO, Kind, Value, Word},
};

/// One setting of `S`, which holds the values of all: its names, what may be set, who heeds it, and what it does.
#[derive(Debug)]
pub struct SettingOf<S> {
    /// The flag of the command line, without its dashes, and the key in a plan: words joined by '-'.
    pub name: &'static str,
    /// What may be set.
    pub kind: Kind,
    /// Where it can be set beside UCI.
    pub spelling: Spelling,
    /// The option of UCI, if there is one.
    pub uci: Option<UciForm>,
    /// Who heeds it.
    pub scope: Scope,
    /// What it belongs to.
    pub group: Group,
    /// What it is called in the flag's help, such as `N`.
    pub placeholder: &'static str,
    /// What it is if it is not set, in words, where its value alone does not say.
    pub usual: &'static str,
    /// What it does, in a sentence or some.
    pub help: &'static str,
    pub(super) get: fn(&S) -> Option<Value>,
    pub(super) set: fn(&mut S, Option<Value>) -> Result<(), String>,
}

/// Where a setting can be set beside UCI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// On the command line of `entente generate`, and for an entrant of a tournament.
    FlagAndKey,
    /// On the command line; a plan has it for all entrants.
    Flag,
    /// Nowhere: UCI alone.
    None,
}

/// An option of UCI.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UciForm {
    /// Its name; case does not matter. No name may contain the word "value", which ends names.
    pub name: &'static str,
    /// Numbers are so many times as large there, where they are whole: 100 makes a percentage.
    pub factor: f32,
    /// The number there that leaves the setting to the program.
    pub unset: Option<i64>,
}

/// Who heeds a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Generation by these methods.
    Methods(&'static [Method]),
    /// Generation, whatever the method.
    Generation,
    /// Play.
    Play,
    /// Play and generation.
    Both,
}

/// What a setting belongs to; in the order of help and documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// What is asked for, and how much of it.
    Run,
    /// Who plays.
    Players,
    /// How moves are chosen.
    Method,
    /// Fine tuning of games as people play them.
    Tuning,
    /// Cooperative negamax, and the thesis's algorithm.
    Negamax,
    /// Random playouts.
    Rollout,
    /// Strength and manners in play.
    Play,
}

impl Group {
    /// All groups in their order.
    pub const ALL: [Group; 7] = [
        Group::Run,
        Group::Players,
        Group::Method,
        Group::Tuning,
        Group::Negamax,
        Group::Rollout,
        Group::Play,
    ];

    /// Its heading.
    pub fn heading(self) -> &'static str {
        match self {
            Group::Run => "What to generate",
            Group::Players => "Who plays",
            Group::Method => "How moves are chosen",
            Group::Tuning => "Tuning games as people play them (methods goal-policy and puct)",
            Group::Negamax => "Cooperative negamax (method negamax)",
            Group::Rollout => "Random playouts (method rollout)",
            Group::Play => "Play",
        }
    }
}

impl<S: Default> SettingOf<S> {
    /// A setting of that name and kind, for all of generation.
    pub(super) const fn new(name: &'static str, kind: Kind) -> SettingOf<S> {
        SettingOf {
            name,
            kind,
            spelling: Spelling::FlagAndKey,
            uci: None,
            scope: Scope::Generation,
            group: Group::Run,
            placeholder: "N",
            usual: "",
            help: "",
            get: |_| None,
            set: |_, _| Ok(()),
        }
    }

    pub(super) const fn text(name: &'static str) -> SettingOf<S> {
        SettingOf::new(name, Kind::Text).placeholder("TEXT")
    }

    pub(super) const fn integer(name: &'static str, least: u64, most: u64) -> SettingOf<S> {
        SettingOf::new(name, Kind::Integer { least, most })
    }

    pub(super) const fn number(name: &'static str, least: f32, most: f32) -> SettingOf<S> {
        SettingOf::new(name, Kind::Number { least, most })
    }

    pub(super) const fn word(name: &'static str, words: &'static [Word]) -> SettingOf<S> {
        SettingOf::new(name, Kind::Word { words, or_auto: false }).placeholder("WORD")
    }

    pub(super) const fn word_or_auto(name: &'static str, words: &'static [Word]) -> SettingOf<S> {
        SettingOf::new(name, Kind::Word { words, or_auto: true }).placeholder("WORD")
    }

    pub(super) const fn switch(name: &'static str) -> SettingOf<S> {
        SettingOf::new(name, Kind::Switch).placeholder("BOOL")
    }

    /// With this option of UCI.
    pub(super) const fn uci(mut self, name: &'static str) -> SettingOf<S> {
        self.uci = Some(UciForm { name, factor: 1.0, unset: None });
        self
    }

    /// Whose numbers UCI has in percent.
    pub(super) const fn percent(mut self) -> SettingOf<S> {
        self.uci = match self.uci {
            Some(form) => Some(UciForm { factor: 100.0, ..form }),
            None => None,
        };
        self
    }

    /// Which this number of UCI leaves to the program.
    pub(super) const fn unset(mut self, number: i64) -> SettingOf<S> {
        self.uci = match self.uci {
            Some(form) => Some(UciForm { unset: Some(number), ..form }),
            None => None,
        };
        self
    }

    pub(super) const fn only(mut self, spelling: Spelling) -> SettingOf<S> {
        self.spelling = spelling;
        self
    }

    /// Of play alone, and of UCI.
    pub(super) const fn play(self) -> SettingOf<S> {
        self.only(Spelling::None).heeded_by(Scope::Play).group(Group::Play)
    }

    pub(super) const fn heeded_by(mut self, scope: Scope) -> SettingOf<S> {
        self.scope = scope;
        self
    }

    pub(super) const fn group(mut self, group: Group) -> SettingOf<S> {
        self.group = group;
        self
    }

    pub(super) const fn placeholder(mut self, placeholder: &'static str) -> SettingOf<S> {
        self.placeholder = placeholder;
        self
    }

    pub(super) const fn usually(mut self, usual: &'static str) -> SettingOf<S> {
        self.usual = usual;
        self
    }

    pub(super) const fn with(
        mut self,
        help: &'static str,
        get: fn(&S) -> Option<Value>,
        set: fn(&mut S, Option<Value>) -> Result<(), String>,
    ) -> SettingOf<S> {
        (self.help, self.get, self.set) = (help, get, set);
        self
    }

    /// What `settings` has it at; `None` if it is left to the program.
    pub fn get(&self, settings: &S) -> Option<Value> {
        (self.get)(settings)
    }

    /// Sets it to a value of its kind; `None` leaves it to the program.
    ///
    /// # Errors
    /// Why it cannot be set; then it stays as it was.
    pub fn set(&self, settings: &mut S, value: Option<Value>) -> Result<(), String> {
        (self.set)(settings, value)
    }

    /// Whether this build can do what `value` asks for. Settings may hold it all the same: results of other builds do.
    ///
    /// # Errors
    /// Why not.
    pub fn check_build(&self, value: Option<&Value>) -> Result<(), String> {
        match value {
            Some(Value::Word(word)) if self.name == "backend" => {
                Backend::named(word).map_or(Ok(()), Backend::check)
            }
            _ => Ok(()),
        }
    }

    /// Sets it to what `text` says.
    ///
    /// # Errors
    /// What was expected and what was found; then it stays as it was.
    pub fn parse(&self, settings: &mut S, text: &str) -> Result<(), String> {
        self.set(settings, self.kind.parse(text)?)
    }

    /// True if a setting differs from what it usually is.
    pub fn differs(&self, settings: &S) -> bool {
        self.get(settings) != self.get(&S::default())
    }

    /// Its usual value in words.
    pub fn usual(&self) -> String {
        match self.get(&S::default()) {
            _ if !self.usual.is_empty() => self.usual.to_owned(),
            Some(value) => value.to_string(),
            None if matches!(self.kind, Kind::Word { or_auto: true, .. }) => AUTO.to_owned(),
            None => "none".to_owned(),
        }
    }

    /// True if generation by that method heeds it.
    pub fn is_heeded_by(&self, method: Method) -> bool {
        match self.scope {
            Scope::Methods(methods) => methods.contains(&method),
            Scope::Generation | Scope::Both | Scope::Play => true,
        }
    }
}
