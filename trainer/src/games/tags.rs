//! Reads a game's tags and checks them.

use entente::records::pgn::is_standard;
use entente_cli::pgn::{decode, quote};

use super::{
    fault::Fault,
    game::RatingScale,
    time_control::{self, TimeClass, TimeControl},
};

/// The values of the tags in [`NAMES`]. If a tag occurs twice, the first value is kept, and a different second value is
/// a fault.
#[derive(Debug, Default)]
pub(super) struct RawTags {
    values: Vec<(&'static str, String)>,
    conflict: Option<Fault>,
}

const NAMES: [&str; 14] = [
    "Event",
    "Site",
    "White",
    "Black",
    "Result",
    "WhiteElo",
    "BlackElo",
    "TimeControl",
    "ECO",
    "Opening",
    "Variation",
    "FEN",
    "SetUp",
    "Variant",
];

/// The parsed values of the tags.
#[derive(Debug)]
pub(super) struct Tags {
    /// The names of White and Black.
    pub players: [Option<String>; 2],
    pub ratings: (Option<u16>, Option<u16>),
    pub scale: RatingScale,
    pub result: Option<String>,
    pub time_class: TimeClass,
    pub time_control: Option<TimeControl>,
    pub eco: Option<String>,
    pub opening: Option<String>,
}

impl RawTags {
    /// Adds a tag, with without backslashes in its value.
    pub(super) fn add(&mut self, name: &[u8], value: &[u8]) {
        let Some(&name) = NAMES.iter().find(|known| known.as_bytes() == name.trim_ascii()) else { return };
        let value = decode(value);
        match self.values.iter().find(|(known, _)| *known == name) {
            None => self.values.push((name, value.trim().to_owned())),
            // Two names of a player are harmless: names only affect how often games are drawn.
            Some((_, first)) if *first != value.trim() && !matches!(name, "White" | "Black") => {
                self.conflict.get_or_insert_with(|| Fault::Tag {
                    tag: name.to_owned(),
                    value: quote(value.as_bytes()),
                    expected: "one value, not two",
                });
            }
            Some(_) => {}
        }
    }

    /// The value of a tag; `None` if the tag is missing, `?`, `-` or empty.
    fn get(&self, name: &str) -> Option<&str> {
        let value = self.values.iter().find(|(known, _)| *known == name)?.1.as_str();
        (!matches!(value, "" | "?" | "-")).then_some(value)
    }

    /// Parses the values of the tags. `scale` overrides the scale from the Site tag.
    ///
    /// # Errors
    ///
    /// If a value is invalid, a tag has two values, or the game does not begin at the initial position.
    pub(super) fn read(&self, scale: Option<RatingScale>) -> Result<Tags, Fault> {
        if let Some(fault) = &self.conflict {
            return Err(fault.clone());
        }
        let fault = |tag: &str, value: &str, expected| Fault::Tag {
            tag: tag.to_owned(),
            value: quote(value.as_bytes()),
            expected,
        };
        let rating = |tag| match self.get(tag) {
            None | Some("0" | "*") => Ok(None),
            Some(value) => match time_control::number(value) {
                Some(rating @ 1..=4000) => Ok(Some(rating as u16)),
                _ => Err(fault(tag, value, "a rating from 1 to 4000, ? or -")),
            },
        };
        let ratings = (rating("WhiteElo")?, rating("BlackElo")?);
        let result = match self.get("Result") {
            Some(value @ ("1-0" | "0-1" | "1/2-1/2")) => Some(value.to_owned()),
            None | Some("*") => None,
            Some(value) => return Err(fault("Result", value, "1-0, 0-1, 1/2-1/2 or *")),
        };
        let (time_control, mut time_class) = match self.get("TimeControl") {
            None => (None, TimeClass::Unknown),
            Some(value) => time_control::parse(value)
                .ok_or_else(|| fault("TimeControl", value, "a value such as 600+5, 40/7200:3600, ? or -"))?,
        };
        if time_class == TimeClass::Unknown {
            time_class = self.get("Event").map_or(TimeClass::Unknown, TimeClass::of_event);
        }
        self.check_start()?;
        let site = self.get("Site").unwrap_or_default().to_ascii_lowercase();
        let scale = scale.unwrap_or(match site {
            site if site.contains("lichess") => RatingScale::Online,
            // FICS ratings are close to those of chess.com.
            site if site.contains("chess.com") || site.contains("freechess.org") => RatingScale::ChessCom,
            _ => RatingScale::Fide,
        });
        let opening = match (self.get("Opening"), self.get("Variation")) {
            (Some(opening), Some(variation)) => Some(format!("{opening}: {variation}")),
            (opening, variation) => opening.or(variation).map(str::to_owned),
        };
        Ok(Tags {
            players: ["White", "Black"].map(|tag| self.get(tag).map(str::to_owned)),
            ratings,
            scale,
            result,
            time_class,
            time_control,
            eco: self.get("ECO").map(str::to_owned),
            opening,
        })
    }

    /// Refuses games of variants and games from set-up positions.
    fn check_start(&self) -> Result<(), Fault> {
        const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        if let Some(variant) = self.get("Variant")
            && !is_standard(variant)
        {
            return Err(Fault::StartPosition(format!("variant {}", quote(variant.as_bytes()))));
        }
        match (self.get("FEN"), self.get("SetUp")) {
            (Some(INITIAL), _) | (None, None | Some("0")) => Ok(()),
            (Some(fen), _) => Err(Fault::StartPosition(quote(fen.as_bytes()))),
            (None, Some(_)) => Err(Fault::StartPosition("tag SetUp without FEN".to_owned())),
        }
    }
}
