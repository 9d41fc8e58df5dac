//! The values of a recipe's keys for samples.

use std::{
    fmt::{self, Display, Formatter},
    sync::Arc,
};

use clap::ValueEnum;
use entente_constraint::thesis::{Counts, SEVENTEEN, seven};
use serde::{Deserialize, Serialize};

use crate::{
    games::StoredGame,
    samples::{Sampler, SatisfactionSet},
};

/// The games of a store that are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum GameSelection {
    /// All games.
    #[default]
    #[value(help = "All games")]
    All,
    /// Games played online, as in the thesis. In tournament games, players lose a queen five times less often, and a
    /// network trained on such games barely learns what a hanging queen means.
    #[value(help = "Games played online")]
    Online,
    /// Online games with a mean rating under [`GameSelection::CLUB`], as most in the thesis. Masters do not hang a
    /// queen online, either.
    #[value(help = "Games played online with a mean rating under 2000")]
    Club,
}

impl GameSelection {
    /// Club games have a mean rating below this.
    pub const CLUB: u16 = 2000;

    /// True if the game is used.
    pub fn contains(self, game: &StoredGame) -> bool {
        match self {
            GameSelection::All => true,
            GameSelection::Online => game.scale.is_online(),
            GameSelection::Club => {
                let sum = u32::from(game.white_rating) + u32::from(game.black_rating);
                game.scale.is_online() && sum < 2 * u32::from(Self::CLUB)
            }
        }
    }
}

impl Display for GameSelection {
    /// Writes a description for cards and messages.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            GameSelection::All => f.write_str("all games of the store"),
            GameSelection::Online => f.write_str(
                "games played online (Lichess or chess.com in the Site tag, or import --scale online)",
            ),
            GameSelection::Club => {
                write!(f, "{} with a mean rating under {}", GameSelection::Online, GameSelection::CLUB)
            }
        }
    }
}

/// How samples are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Sampling {
    /// See [`crate::samples::Sampler::uniform`].
    #[default]
    #[value(help = "Uniform over all pairs")]
    Uniform,
    /// See [`crate::samples::Sampler::stratified`].
    #[value(
        help = "Fixed shares of positions that satisfy the constraint, can lead to it, or are past it, as in the \
                recipes"
    )]
    Stratified,
}

impl Sampling {
    /// Creates a sampler of this kind.
    pub fn of(self, set: &Arc<SatisfactionSet>, seed: u64) -> Sampler {
        match self {
            Sampling::Uniform => Sampler::uniform(set, seed),
            Sampling::Stratified => Sampler::stratified(set, seed),
        }
    }

    /// How samples of the test split were drawn, for cards.
    pub(super) fn words(self) -> &'static str {
        match self {
            Sampling::Uniform => "uniform",
            Sampling::Stratified => "as in training",
        }
    }
}

/// A named set of constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ValueEnum)]
pub enum ConstraintSet {
    /// The seven constraints of the first experiment of the thesis.
    #[serde(rename = "thesis-7")]
    #[value(name = "thesis-7")]
    Thesis7,
    /// The seventeen constraints of its second experiment.
    #[serde(rename = "thesis-17")]
    #[value(name = "thesis-17")]
    Thesis17,
}

impl ConstraintSet {
    /// The constraints, in the order of labels and tables.
    pub fn constraints(self) -> &'static [Counts] {
        match self {
            ConstraintSet::Thesis7 => seven(),
            ConstraintSet::Thesis17 => &SEVENTEEN,
        }
    }
}

/// The name of a value in recipes and options.
pub(super) fn name(value: impl ValueEnum) -> String {
    value.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{GameResult, RatingScale, TimeClass};

    #[test]
    fn options_and_recipes_have_the_same_names() {
        fn check<T: ValueEnum + Serialize>() {
            for value in T::value_variants() {
                let quoted = serde_json::to_string(value).unwrap();
                assert_eq!(quoted, format!("\"{}\"", name(value.clone())));
            }
        }
        check::<GameSelection>();
        check::<Sampling>();
        check::<ConstraintSet>();
    }

    #[test]
    fn club_games_are_online_games_with_a_mean_rating_under_the_bound() {
        let game = |white_rating, black_rating, scale| StoredGame {
            white_rating,
            black_rating,
            players: [None; 2],
            scale,
            result: GameResult::Draw,
            time_class: TimeClass::Rapid,
            time_control: None,
            eco: None,
            opening: None,
            source: "test".into(),
            moves: Vec::new(),
            evaluations: Vec::new(),
            clocks: Vec::new(),
        };
        let selected = |game: &StoredGame| {
            [GameSelection::All, GameSelection::Online, GameSelection::Club].map(|games| games.contains(game))
        };
        assert_eq!(selected(&game(2100, 1899, RatingScale::Online)), [true, true, true]);
        assert_eq!(selected(&game(2100, 1900, RatingScale::Online)), [true, true, false]);
        assert_eq!(selected(&game(1500, 1500, RatingScale::ChessCom)), [true, true, true]);
        assert_eq!(selected(&game(1500, 1500, RatingScale::Fide)), [true, false, false]);
        assert_eq!(selected(&game(u16::MAX, u16::MAX, RatingScale::Online)), [true, true, false]);
    }
}
