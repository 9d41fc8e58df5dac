//! One game's text to a replayed game, or to the fault that makes it useless.

use std::{borrow::Cow, ops::ControlFlow};

use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{Chess, Move, Outcome, Position, san::San, san::SanError};

use super::{
    chunk::{self, is_tag},
    fault::{Fault, quote},
    game::{Evaluation, GameResult, RatingScale},
    movetext, rank,
    time_control::{self, TimeClass, TimeControl},
};

/// A sound game: all its moves are legal. The filters have not looked at it.
#[derive(Clone, Debug)]
pub struct ParsedGame {
    pub ratings: (Option<u16>, Option<u16>),
    pub scale: RatingScale,
    /// `None` for games without a result (`*`).
    pub result: Option<GameResult>,
    pub time_class: TimeClass,
    pub time_control: Option<TimeControl>,
    pub eco: Option<String>,
    pub opening: Option<String>,
    pub moves: Vec<Move>,
    /// Each move's rank among the legal moves.
    pub ranks: Vec<u8>,
    /// As in [`super::StoredGame::evaluations`].
    pub evaluations: Vec<Option<Evaluation>>,
    /// `[%eval]` comments that could not be read.
    pub unreadable_evaluations: u64,
}

/// Parses one game. `scale` overrides what the Site tag tells.
///
/// # Errors
///
/// The first fault of the game, in the order of [`super::fault::Reason`].
pub fn parse(text: &[u8], scale: Option<RatingScale>) -> Result<ParsedGame, Fault> {
    if text.len() > chunk::GAME_BYTES {
        return Err(Fault::TooLong { limit: chunk::GAME_BYTES });
    }
    let movetext = &text[tag_section(text)?..];
    let mut game = RawGame::default();
    let mut reader = Reader::build(text).set_supported_comment_length(1 << 12).finish();
    let mut syntax = Ok(());
    loop {
        // pgn-reader ends a game at a blank line; ours may have some within, so what follows is added.
        match reader.read_game(&mut game) {
            Ok(Some(())) => {}
            Ok(None) => break,
            Err(error) => {
                syntax = Err(error);
                break;
            }
        }
    }

    let tags = game.tags.read(scale)?;
    let checked = movetext::check(movetext);
    if !checked.terminated {
        return Err(Fault::CutOff { ply: checked.plies });
    }
    if let Some((ply, problem)) = checked.problem {
        return Err(Fault::Movetext { ply, problem });
    }
    if let Err(error) = syntax {
        return Err(Fault::Movetext { ply: game.sans.len(), problem: error.to_string() });
    }
    if checked.plies != game.sans.len() {
        let problem = format!("{} moves counted, {} read", checked.plies, game.sans.len());
        return Err(Fault::Movetext { ply: checked.plies.min(game.sans.len()), problem });
    }
    let outcome = game.outcome.unwrap_or(Outcome::Unknown);
    let result = GameResult::from_outcome(outcome);
    if let Some(value) = tags.result
        && result.is_none_or(|result| result.to_string() != value)
    {
        let value = quote(value.as_bytes());
        return Err(Fault::Tag { tag: "Result".into(), value, expected: "the result at the game's end" });
    }
    let (moves, ranks) = replay(&game.sans)?;
    let evaluations = if game.evaluations.is_empty() {
        Vec::new()
    } else {
        let mut evaluations = vec![None; moves.len()];
        game.evaluations.iter().for_each(|&(ply, evaluation)| evaluations[ply - 1] = Some(evaluation));
        evaluations
    };
    Ok(ParsedGame {
        ratings: tags.ratings,
        scale: tags.scale,
        result,
        time_class: tags.time_class,
        time_control: tags.time_control,
        eco: tags.eco,
        opening: tags.opening,
        moves,
        ranks,
        evaluations,
        unreadable_evaluations: game.unreadable_evaluations,
    })
}

/// Length of the tag section. A line that looks like a tag but is none is a fault, because pgn-reader would
/// skip it, and a filter would then not see what it says.
fn tag_section(text: &[u8]) -> Result<usize, Fault> {
    let mut at = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    for line in text[at..].split_inclusive(|&byte| byte == b'\n') {
        let content = line.trim_ascii();
        if line.starts_with(b"[") {
            if !is_tag(line) || !content.ends_with(b"\"]") {
                let name =
                    content[1..].split(|byte| !byte.is_ascii_alphanumeric()).next().unwrap_or_default();
                let value = quote(content);
                return Err(Fault::Tag { tag: quote(name), value, expected: "[Name \"value\"]" });
            }
        } else if !content.is_empty() && !line.starts_with(b"%") {
            break;
        }
        at += line.len();
    }
    Ok(at)
}

/// Replays from the initial position.
fn replay(sans: &[San]) -> Result<(Vec<Move>, Vec<u8>), Fault> {
    let mut position = Chess::default();
    let mut moves = Vec::with_capacity(sans.len());
    let mut ranks = Vec::with_capacity(sans.len());
    for (&san, ply) in sans.iter().zip(1..) {
        let legal = position.legal_moves();
        let m = *san.find_move(&legal).map_err(|error| match error {
            SanError::IllegalSan => Fault::IllegalMove { ply, san: san.to_string() },
            SanError::AmbiguousSan => Fault::AmbiguousMove { ply, san: san.to_string() },
        })?;
        ranks.push(rank::rank_of(m, &legal));
        moves.push(m);
        position.play_unchecked(m);
    }
    Ok((moves, ranks))
}

/// Texts of the tags that matter; the first of a name is kept, another of a different value is a fault.
#[derive(Default)]
struct RawTags {
    values: Vec<(&'static str, String)>,
    conflict: Option<Fault>,
}

const NAMES: [&str; 12] = [
    "Event",
    "Site",
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
struct Tags {
    ratings: (Option<u16>, Option<u16>),
    scale: RatingScale,
    result: Option<String>,
    time_class: TimeClass,
    time_control: Option<TimeControl>,
    eco: Option<String>,
    opening: Option<String>,
}

impl RawTags {
    fn add(&mut self, name: &[u8], value: &[u8]) {
        let Some(&name) = NAMES.iter().find(|known| known.as_bytes() == name.trim_ascii()) else { return };
        let value = decode(value);
        match self.values.iter().find(|(known, _)| *known == name) {
            None => self.values.push((name, value.trim().to_owned())),
            Some((_, first)) if *first != value.trim() => {
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

    fn read(&self, scale: Option<RatingScale>) -> Result<Tags, Fault> {
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
            Some(value) => match value.parse::<u16>() {
                Ok(rating @ 1..=4000) => Ok(Some(rating)),
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
        let online = site.contains("lichess") || site.contains("chess.com");
        let opening = match (self.get("Opening"), self.get("Variation")) {
            (Some(opening), Some(variation)) => Some(format!("{opening}: {variation}")),
            (opening, variation) => opening.or(variation).map(str::to_owned),
        };
        Ok(Tags {
            ratings,
            scale: scale.unwrap_or(if online { RatingScale::Online } else { RatingScale::Fide }),
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

/// What pgn-reader finds in a game's text.
#[derive(Default)]
struct RawGame {
    tags: RawTags,
    sans: Vec<San>,
    /// With the ply after which they stand.
    evaluations: Vec<(usize, Evaluation)>,
    unreadable_evaluations: u64,
    outcome: Option<Outcome>,
    comment: Vec<u8>,
}

impl Visitor for RawGame {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, _: &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        self.tags.add(name, value.as_bytes());
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, _: &mut (), san: SanPlus) -> ControlFlow<()> {
        self.sans.push(san.san);
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut ()) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn partial_comment(&mut self, _: &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
        self.comment.extend_from_slice(comment.as_bytes());
        ControlFlow::Continue(())
    }

    fn comment(&mut self, _: &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
        let whole = if self.comment.is_empty() {
            Cow::Borrowed(comment.as_bytes())
        } else {
            self.comment.extend_from_slice(comment.as_bytes());
            Cow::Owned(std::mem::take(&mut self.comment))
        };
        // An evaluation before the first move is that of the initial position.
        if let Some(value) = evaluation_text(&whole)
            && !self.sans.is_empty()
        {
            match evaluation(value) {
                Some(evaluation) => self.evaluations.push((self.sans.len(), evaluation)),
                None => self.unreadable_evaluations += 1,
            }
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, _: &mut (), outcome: Outcome) -> ControlFlow<()> {
        self.outcome.get_or_insert(outcome);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}

/// What stands in `[%eval …]`; a line may break after the command's name.
fn evaluation_text(comment: &[u8]) -> Option<&[u8]> {
    const COMMAND: &[u8] = b"[%eval";
    let start = comment.windows(COMMAND.len()).position(|window| window == COMMAND)? + COMMAND.len();
    let rest = &comment[start..];
    rest.first().filter(|byte| byte.is_ascii_whitespace())?;
    Some(&rest[..rest.iter().position(|&byte| byte == b']').unwrap_or(rest.len())])
}

/// `0.17`, `-1.5`, `#3`, `#-2`, each perhaps with `,DEPTH`.
fn evaluation(text: &[u8]) -> Option<Evaluation> {
    let text = std::str::from_utf8(text).ok()?.trim();
    let text = text.split_once(',').map_or(text, |(value, _)| value);
    if let Some(mate) = text.strip_prefix('#') {
        return mate.parse().ok().map(Evaluation::Mate);
    }
    let pawns: f64 = text.parse().ok()?;
    let centipawns = (pawns * 100.0).round();
    (centipawns.abs() <= f64::from(i16::MAX)).then_some(Evaluation::Centipawns(centipawns as i16))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(tags: &str, movetext: &str) -> Result<ParsedGame, Fault> {
        parse(format!("{tags}\n{movetext}\n").as_bytes(), None)
    }

    fn tag_fault(line: &str) -> String {
        match game(&format!("{line}\n"), "1. e4 e5 1-0") {
            Err(fault @ Fault::Tag { .. }) => fault.to_string(),
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn a_tag_that_a_filter_needs_must_be_readable() {
        assert_eq!(
            tag_fault("[WhiteElo \"strong\"]"),
            "tag WhiteElo is \"strong\", expected a rating from 1 to 4000, ? or -"
        );
        for line in [
            "[BlackElo \"99999\"]",
            "[BlackElo \"-5\"]",
            "[Result \"won\"]",
            "[Result \"0-1\"]",
            "[TimeControl \"fast\"]",
            "[TimeControl 60+0]",
            "[WhiteElo \"1500]",
            "[WhiteElo \"1500\"]\n[WhiteElo \"1600\"]",
        ] {
            tag_fault(line);
        }
    }

    #[test]
    fn unknown_ratings_and_time_controls_are_no_fault() {
        for value in ["?", "-", "", "0"] {
            let tags = format!("[WhiteElo \"{value}\"]\n[BlackElo \"1800\"]\n");
            assert_eq!(game(&tags, "1. e4 e5 1-0").unwrap().ratings, (None, Some(1800)));
        }
        assert_eq!(game("[TimeControl \"-\"]\n", "1. e4 e5 1-0").unwrap().time_control, None);
    }

    #[test]
    fn only_games_from_the_initial_position_are_taken() {
        let initial = "[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n";
        assert!(game(initial, "1. e4 e5 1-0").is_ok());
        for tags in [
            "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n",
            "[FEN \"no position\"]\n",
            "[SetUp \"1\"]\n",
            "[Variant \"Crazyhouse\"]\n",
        ] {
            assert!(matches!(game(tags, "1. e4 e5 1-0"), Err(Fault::StartPosition(_))), "{tags}");
        }
    }

    #[test]
    fn moves_are_checked_by_the_rules_of_chess() {
        let fault = |movetext| game("", movetext).unwrap_err();
        assert_eq!(fault("1. e4 e5 2. Ke3 1-0"), Fault::IllegalMove { ply: 3, san: "Ke3".into() });
        assert_eq!(fault("1. e4 -- 2. d4 1-0"), Fault::IllegalMove { ply: 2, san: "--".into() });
        assert_eq!(
            fault("1. Nf3 a6 2. d4 b6 3. Nd2 1-0"),
            Fault::AmbiguousMove { ply: 5, san: "Nd2".into() }
        );
        assert_eq!(fault("1. f3 e5 2. g4 Qh4# 3. a3 0-1"), Fault::IllegalMove { ply: 5, san: "a3".into() });
    }

    /// pgn-reader drops both tokens without a word; what remains is a legal game.
    #[test]
    fn a_lost_move_does_not_go_unnoticed() {
        for movetext in
            ["1. e4 e5 2. Nf3x Nc6x 3. a3 a6 1-0", "1. e4 e5 2. \u{2658}f3 \u{265e}c6 3. a3 a6 1-0"]
        {
            assert!(matches!(game("", movetext), Err(Fault::Movetext { ply: 2, .. })), "{movetext}");
        }
    }

    #[test]
    fn a_game_may_hold_blank_lines_and_variations() {
        let parsed = game("", "1. e4 (1. d4 {x} d5 (1... c5))\n\n1... e5 ; said\n\n2. Nf3 $1 *").unwrap();
        assert_eq!((parsed.moves.len(), parsed.result), (3, None));
    }

    #[test]
    fn a_game_without_marker_is_cut_off() {
        assert_eq!(game("", "1. e4 e5 2. N").unwrap_err(), Fault::CutOff { ply: 2 });
        assert_eq!(game("[Event \"x\"]\n", "").unwrap_err(), Fault::CutOff { ply: 0 });
        assert_eq!(game("", "1. e4 { so").unwrap_err(), Fault::CutOff { ply: 1 });
    }

    #[test]
    fn tags_may_be_latin_1_and_hold_escaped_quotes() {
        let mut text = b"[Opening \"R\xe9ti \\\"King's\\\"\"]\n\n1. Nf3 1-0\n".to_vec();
        assert_eq!(parse(&text, None).unwrap().opening.as_deref(), Some("Réti \"King's\""));
        text.splice(0..0, *b"\xef\xbb\xbf");
        assert_eq!(parse(&text, None).unwrap().opening.as_deref(), Some("Réti \"King's\""));
    }

    #[test]
    fn evaluations_stand_after_their_moves() {
        let long = "x".repeat(20_000);
        let movetext = format!(
            "{{[%eval 0.1]}} 1. e4 {{ {long} [%eval 0.17] [%clk 0:01:00] }} e5 2. Nf3 {{[%eval\n#-3,22]}} Nc6 {{[%eval bad]}} 1-0"
        );
        let parsed = game("", &movetext).unwrap();
        let expected = [Some(Evaluation::Centipawns(17)), None, Some(Evaluation::Mate(-3)), None];
        assert_eq!((parsed.evaluations.as_slice(), parsed.unreadable_evaluations), (&expected[..], 1));
        assert_eq!(game("", "1. e4 e5 1-0").unwrap().evaluations, []);
    }

    #[test]
    fn the_site_tells_the_rating_scale() {
        let scale = |site: &str, given| {
            parse(format!("[Site \"{site}\"]\n\n1. e4 1-0\n").as_bytes(), given).unwrap().scale
        };
        assert_eq!(scale("https://lichess.org/abcdefgh", None), RatingScale::Online);
        assert_eq!(scale("Chess.com", None), RatingScale::Online);
        assert_eq!(scale("Brno CZE", None), RatingScale::Fide);
        assert_eq!(scale("Brno CZE", Some(RatingScale::Online)), RatingScale::Online);
    }
}
