//! A game's tags: which matter, what they mean, and what is wrong with them.

use std::borrow::Cow;

use pgn_reader::RawTag;

use super::{
    chunk::is_tag,
    fault::{Fault, quote},
    game::RatingScale,
    time_control::{self, TimeClass, TimeControl},
};

/// Length of the tag section, and its first malformed line: pgn-reader would skip it, and a filter would then
/// not see what it says.
pub(super) fn section(text: &[u8]) -> (usize, Option<Fault>) {
    let mut fault = None;
    let mut at = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    for line in text[at..].split_inclusive(|&byte| byte == b'\n') {
        let content = line.trim_ascii();
        if line.starts_with(b"[") {
            if fault.is_none() && (!is_tag(line) || !content.ends_with(b"\"]")) {
                let name = content[1..].split(|byte| !byte.is_ascii_alphanumeric()).next();
                let (tag, value) = (quote(name.unwrap_or_default()), quote(content));
                fault = Some(Fault::Tag { tag, value, expected: "[Name \"value\"]" });
            }
        } else if !content.is_empty() && !line.starts_with(b"%") {
            break;
        }
        at += line.len();
    }
    (at, fault)
}

/// Texts of the tags that matter; the first of a name is kept, another of a different value is a fault.
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

/// The tags' meaning.
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
    /// Takes in a tag as pgn-reader gives it.
    pub(super) fn add(&mut self, name: &[u8], value: &[u8]) {
        let Some(&name) = NAMES.iter().find(|known| known.as_bytes() == name.trim_ascii()) else { return };
        let value = decode(value);
        match self.values.iter().find(|(known, _)| *known == name) {
            None => self.values.push((name, value.trim().to_owned())),
            // Nothing but how often games are drawn depends on a name.
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

    /// The value of a tag; `None` for an absent one, `?`, `-` and the empty string.
    fn get(&self, name: &str) -> Option<&str> {
        let value = self.values.iter().find(|(known, _)| *known == name)?.1.as_str();
        (!matches!(value, "" | "?" | "-")).then_some(value)
    }

    /// Reads the tags' values; `scale` overrides what the Site tag tells.
    ///
    /// # Errors
    ///
    /// A value that cannot be read, two values for one tag, or another start position.
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
                .ok_or_else(|| fault("TimeControl", value, "like 600+5, 40/7200:3600, ? or -"))?,
        };
        if time_class == TimeClass::Unknown {
            time_class = self.get("Event").map_or(TimeClass::Unknown, TimeClass::of_event);
        }
        self.check_start()?;
        let site = self.get("Site").unwrap_or_default().to_ascii_lowercase();
        let scale = scale.unwrap_or(match site {
            site if site.contains("lichess") => RatingScale::Online,
            // FICS rates players about as chess.com does.
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

    /// Games of variants and games from set-up positions are not ours.
    fn check_start(&self) -> Result<(), Fault> {
        const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        if let Some(variant) = self.get("Variant")
            && !variant.eq_ignore_ascii_case("standard")
            && !variant.eq_ignore_ascii_case("chess")
            && !variant.eq_ignore_ascii_case("from position")
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

/// Tag values are UTF-8 nowadays; older files are Latin-1, in which every byte is a character.
fn decode(bytes: &[u8]) -> String {
    match RawTag(bytes).decode() {
        Cow::Borrowed(bytes) => decode_bytes(bytes),
        Cow::Owned(bytes) => decode_bytes(&bytes),
    }
}

fn decode_bytes(bytes: &[u8]) -> String {
    std::str::from_utf8(bytes).map_or_else(|_| bytes.iter().copied().map(char::from).collect(), str::to_owned)
}
