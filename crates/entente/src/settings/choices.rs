//! Settings that are one of several words.

use entente_network::{Backend, encoding::goal_policy::RatingScale};
use entente_search::rollout::Allotment;

use super::kind::Word;

/// A setting that is one of several words.
pub trait Choice: Copy + PartialEq + Sized + 'static {
    /// The words, with what each means.
    const WORDS: &'static [Word];
    /// The choices, in the order of their words.
    const ALL: &'static [Self];

    /// Its word.
    fn word(self) -> &'static str {
        let place = Self::ALL.iter().position(|choice| *choice == self);
        place.map_or("", |place| Self::WORDS[place].word)
    }

    /// The choice of that word.
    fn named(word: &str) -> Option<Self> {
        let place = Self::WORDS.iter().position(|known| known.word == word)?;
        Self::ALL.get(place).copied()
    }
}

/// Declares choices: each with its variants, what they mean, and the word for each, in which it may have `or` been called
/// otherwise once.
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
    /// What a plain `go` is for.
    Mode {
        /// Play to win
        Play = "play",
        /// Play toward the constraint, together with the other side
        Generate = "generate",
    }

    /// How the moves of proof games are chosen.
    Method {
        /// Moves drawn from a network trained to play as people do on their way to the constraint
        GoalPolicy = "goal-policy",
        /// Tree search (PUCT) with the same network, in which both sides want the constraint
        Puct = "puct",
        /// Cooperative negamax, for numbers of men
        Negamax = "negamax",
        /// Random playouts of each move, toward numbers of men; in play, to win
        Rollout = "rollout",
        /// Best-first search for a plan, for conditions of every kind
        BestFirst = "best-first",
    }

    /// What values positions.
    Evaluator {
        /// The best choice for the task
        Auto = "auto",
        /// A trained network
        Network = "network",
        /// A count of the men missing or in excess; in play, the hand-written evaluation, or by `rollout` a count of men
        Men = "men" or "material",
        /// The hand-written evaluation of play; in generation, a count of men
        HandWritten = "hand-written",
        /// By `rollout` in play, the network of the article on playouts; otherwise like `men`
        Article = "article",
    }

    /// How much a game may cost to look like people's.
    Realism {
        /// `natural` where people reach the constraint in at least 1% of games, else `fast`
        Auto = "auto",
        /// A population of games, of which one is drawn as likely as people would play it
        Natural = "natural",
        /// One game at a time, with moves that leave the constraint's reach removed
        Fast = "fast",
    }

    /// Which moves a tree search looks at first.
    Priors {
        /// The moves that people choose on their way to the goal first
        Network = "network",
        /// All moves alike
        Uniform = "uniform",
    }
}

impl Choice for Backend {
    const WORDS: &'static [Word] = &[
        Word { word: "tract", former: &[], help: "On the CPU" },
        Word {
            word: "torch",
            former: &[],
            help: "libtorch, on a GPU where there is one; for builds with `--features torch`",
        },
        Word { word: "torch-cpu", former: &[], help: "libtorch, on the CPU; for the same builds" },
    ];
    const ALL: &'static [Backend] = &[Backend::Tract, Backend::Torch, Backend::TorchCpu];
}

impl Choice for Allotment {
    const WORDS: &'static [Word] = &[
        Word { word: "ucb", former: &[], help: "The one that may be best, as far as its playouts tell" },
        Word { word: "uniform", former: &[], help: "Each in its turn" },
    ];
    const ALL: &'static [Allotment] = &[Allotment::Ucb, Allotment::Uniform];
}

impl Choice for RatingScale {
    const WORDS: &'static [Word] = &[
        Word { word: "online", former: &[], help: "Ratings of Lichess" },
        Word { word: "fide", former: &[], help: "Ratings of the world chess federation or a national one" },
        Word {
            word: "chess.com",
            former: &[],
            help: "Ratings of chess.com, at 1000 some 300 lower than those of Lichess",
        },
    ];
    const ALL: &'static [RatingScale] = &[RatingScale::Online, RatingScale::Fide, RatingScale::ChessCom];
}

impl Method {
    /// True if it draws on a policy network.
    pub fn has_policy(self) -> bool {
        matches!(self, Method::GoalPolicy | Method::Puct)
    }

    /// True if it is led by the satisfaction values of positions, of which numbers of men alone have any.
    pub fn uses_satisfaction_values(self) -> bool {
        matches!(self, Method::Negamax | Method::Rollout)
    }
}

impl Evaluator {
    /// True if no network is to be asked.
    pub fn excludes_networks(self) -> bool {
        matches!(self, Evaluator::Men | Evaluator::HandWritten | Evaluator::Article)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_comes_back_from_its_word() {
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
