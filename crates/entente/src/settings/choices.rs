//! Settings that take one of several words.

use entente_network::{Backend, encoding::goal_policy::RatingScale};
use entente_search::rollout::Allotment;

use super::kind::Word;

/// A setting that takes one of several words.
pub trait Choice: Copy + PartialEq + Sized + 'static {
    /// The words and their meanings.
    const WORDS: &'static [Word];
    /// The choices, in the order of their words.
    const ALL: &'static [Self];

    /// The word for this choice.
    fn word(self) -> &'static str {
        let place = Self::ALL.iter().position(|choice| *choice == self);
        place.map_or("", |place| Self::WORDS[place].word)
    }

    /// The choice with this word.
    fn named(word: &str) -> Option<Self> {
        let place = Self::WORDS.iter().position(|known| known.word == word)?;
        Self::ALL.get(place).copied()
    }
}

/// Declares choices: for each its variants, their meanings and their words. `or` gives a former word that is still
/// understood.
#[macro_export]
macro_rules! choices {
    ($( $(#[doc = $about:expr])* $name:ident { $( $(#[doc = $help:expr])* $variant:ident = $word:literal $(or $former:literal)?, )* } )*) => {
        $(
            $(#[doc = $about])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
            #[non_exhaustive]
            pub enum $name {
                $(
                    $(#[doc = $help])*
                    #[serde(rename = $word)]
                    $variant,
                )*
            }

            impl $crate::settings::Choice for $name {
                const WORDS: &'static [$crate::settings::Word] = &[
                    $( $crate::settings::Word { word: $word, former: &[$($former)?], help: concat!($($help),*) }, )*
                ];
                const ALL: &'static [$name] = &[$($name::$variant),*];
            }
        )*
    };
}

choices! {
    /// What a plain `go` does.
    Mode {
        /// Play to win
        Play = "play",
        /// Play toward the constraint, together with the other side
        Generate = "generate",
    }

    /// How the moves of proof games are chosen.
    Method {
        /// Moves drawn from a network trained to play as humans do on their way to the constraint
        GoalPolicy = "goal-policy",
        /// Tree search (PUCT) with the same network, in which both sides want the constraint
        Puct = "puct",
        /// Cooperative negamax, for constraints on numbers of men
        Negamax = "negamax",
        /// Random playouts after each move, toward numbers of men; in play, to win
        Rollout = "rollout",
        /// Best-first search, for conditions of every kind
        BestFirst = "best-first",
    }

    /// What evaluates positions.
    Evaluator {
        /// The best choice for the task
        Auto = "auto",
        /// A trained network
        Network = "network",
        /// A count of men missing or in excess; in play, the hand-written evaluation (with `rollout`, a count of men)
        Men = "men" or "material",
        /// The hand-written evaluation of play; in generation, a count of men
        HandWritten = "hand-written",
        /// With `rollout` in play, the small network of docs/evaluation.md; otherwise the same as `men`
        Article = "article",
    }

    /// How closely games follow human play; following it more closely takes more time.
    Realism {
        /// `natural` if at least one human game in 10,000 reaches the constraint, otherwise `fast`
        Auto = "auto",
        /// Plays a population of games at once and draws one; each is about as likely as in human play
        Natural = "natural",
        /// Plays one game at a time, without moves that put the constraint out of reach
        Fast = "fast",
    }

    /// Which moves a tree search visits first.
    Priors {
        /// First the moves that humans choose on their way to the goal
        Network = "network",
        /// All moves equally
        Uniform = "uniform",
    }
}

impl Choice for Backend {
    const WORDS: &'static [Word] = &[
        Word { word: "cpu", former: &["tract"], help: "The engine's own code, on the CPU" },
        Word {
            word: "torch",
            former: &[],
            help: "libtorch, on a GPU if there is one; in builds with `--features torch`",
        },
        Word { word: "torch-cpu", former: &[], help: "libtorch, on the CPU; in the same builds" },
    ];
    const ALL: &'static [Backend] = &[Backend::Cpu, Backend::Torch, Backend::TorchCpu];
}

impl Choice for Allotment {
    const WORDS: &'static [Word] = &[
        Word { word: "ucb", former: &[], help: "The move with the highest upper confidence bound" },
        Word { word: "uniform", former: &[], help: "All moves in turn" },
    ];
    const ALL: &'static [Allotment] = &[Allotment::Ucb, Allotment::Uniform];
}

impl Choice for RatingScale {
    const WORDS: &'static [Word] = &[
        Word { word: "online", former: &[], help: "Lichess ratings" },
        Word { word: "fide", former: &[], help: "Ratings of FIDE or a national federation" },
        Word {
            word: "chess.com",
            former: &[],
            help: "Chess.com ratings; at 1000, about 300 lower than on Lichess",
        },
    ];
    const ALL: &'static [RatingScale] = &[RatingScale::Online, RatingScale::Fide, RatingScale::ChessCom];
}

impl Method {
    /// True if it uses a policy network.
    pub fn has_policy(self) -> bool {
        matches!(self, Method::GoalPolicy | Method::Puct)
    }

    /// True if it uses the satisfaction values of positions. Only goals, which are numbers of men, have these.
    pub fn uses_satisfaction_values(self) -> bool {
        matches!(self, Method::Negamax | Method::Rollout)
    }
}

impl Evaluator {
    /// True if it excludes the use of a network.
    pub fn excludes_networks(self) -> bool {
        matches!(self, Evaluator::Men | Evaluator::HandWritten | Evaluator::Article)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_is_parsed_from_its_word() {
        fn check<C: Choice + std::fmt::Debug>() {
            assert_eq!(C::WORDS.len(), C::ALL.len());
            for choice in C::ALL {
                assert_eq!(C::named(choice.word()), Some(*choice));
            }
        }
        check::<Mode>();
        check::<Method>();
        check::<Evaluator>();
        check::<Backend>();
        check::<Realism>();
        check::<Priors>();
        check::<Allotment>();
        check::<RatingScale>();
    }
}
