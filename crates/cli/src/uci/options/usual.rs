//! Options that are no settings.

use std::fmt::{self, Display, Formatter};

use super::is_same_name;

/// An option that GUIs and bots know from other engines, and that is not a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Usual {
    /// A button that forgets earlier searches.
    ClearHash,
    /// Whether the GUI analyses. The engine does the same in games.
    AnalyseMode,
    /// The opponent's title, rating, kind and name.
    Opponent,
    /// Whether games are of Chess960, also in positions that do not show it.
    Chess960,
    /// Where tablebases are. The stock configuration of lichess-bot sets it, and refuses engines that do not declare
    /// it.
    SyzygyPath,
}

impl Usual {
    /// All of them, in the order in which they are declared.
    pub(in super::super) const ALL: [Usual; 5] =
        [Usual::ClearHash, Usual::AnalyseMode, Usual::Opponent, Usual::Chess960, Usual::SyzygyPath];

    /// The option with this name.
    pub(in super::super) fn named(name: &str) -> Option<Usual> {
        Usual::ALL.into_iter().find(|option| is_same_name(option.name(), name))
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Usual::ClearHash => "Clear Hash",
            Usual::AnalyseMode => "UCI_AnalyseMode",
            Usual::Opponent => "UCI_Opponent",
            Usual::Chess960 => "UCI_Chess960",
            Usual::SyzygyPath => "SyzygyPath",
        }
    }
}

impl Display for Usual {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let form = match self {
            Usual::ClearHash => "button",
            Usual::AnalyseMode | Usual::Chess960 => "check default false",
            Usual::Opponent | Usual::SyzygyPath => "string default <empty>",
        };
        write!(f, "option name {} type {form}", self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_options_are_declared_and_found() {
        let lines = Usual::ALL.map(|option| option.to_string());
        assert_eq!(
            lines,
            [
                "option name Clear Hash type button",
                "option name UCI_AnalyseMode type check default false",
                "option name UCI_Opponent type string default <empty>",
                "option name UCI_Chess960 type check default false",
                "option name SyzygyPath type string default <empty>",
            ]
        );
        assert_eq!(Usual::named("clear hash"), Some(Usual::ClearHash));
        assert_eq!(Usual::named("Hash"), None);
    }
}
