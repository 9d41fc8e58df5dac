//! Parses the text of one game and replays it.

use entente_cli::pgn::{GAME_BYTES, GameText, Problem, Token, Unplayable, Written, quote};
use shakmaty::{Chess, Move, Outcome, Position};

use super::{
    comments::Comments,
    fault::Fault,
    game::{Evaluation, GameResult, RatingScale},
    rank,
    tags::RawTags,
    time_control::{TimeClass, TimeControl},
};

/// An undamaged game, in which all moves are legal, before the filters.
#[derive(Clone, Debug)]
pub(super) struct ParsedGame {
    /// The names of White and Black.
    pub players: [Option<String>; 2],
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
    /// As in [`super::StoredGame::clocks`].
    pub clocks: Vec<Option<u32>>,
}

/// Parses one game. `scale` overrides the scale from the Site tag.
///
/// # Errors
///
/// The first fault of the game, in the order of [`super::fault::Reason`].
pub(super) fn parse(text: &GameText<'_>, scale: Option<RatingScale>) -> Result<ParsedGame, Fault> {
    if text.text.len() > GAME_BYTES {
        return Err(Fault::TooLong { limit: GAME_BYTES });
    }
    let section = text.tags();
    let mut raw = RawTags::default();
    section.tags.iter().for_each(|tag| raw.add(tag.name, &tag.value));
    let mut movetext = Movetext::default();
    let mut tokens = text.tokens(&section);
    for token in tokens.by_ref() {
        movetext.take(token);
    }
    if !tokens.is_terminated() {
        return Err(Fault::CutOff { ply: movetext.moves.len() });
    }
    if let Some((tag, value)) = section.malformed {
        return Err(Fault::Tag { tag, value, expected: "[Name \"value\"]" });
    }
    let tags = raw.read(scale)?;
    let result = movetext.outcome.and_then(GameResult::from_outcome);
    if let Some(value) = tags.result
        && movetext.problem.is_none()
        && result.is_none_or(|result| result.to_string() != value)
    {
        let value = quote(value.as_bytes());
        return Err(Fault::Tag {
            tag: "Result".into(),
            value,
            expected: "the result at the end of the game",
        });
    }
    if let Some((ply, problem)) = movetext.problem {
        return Err(Fault::Movetext { ply, problem });
    }
    let (moves, ranks) = replay(&movetext.moves)?;
    let comments = movetext.comments;
    Ok(ParsedGame {
        players: tags.players,
        ratings: tags.ratings,
        scale: tags.scale,
        result,
        time_class: tags.time_class,
        time_control: tags.time_control,
        eco: tags.eco,
        opening: tags.opening,
        evaluations: after_moves(&comments.evaluations, moves.len()),
        clocks: after_moves(&comments.clocks, moves.len()),
        moves,
        ranks,
        unreadable_evaluations: comments.unreadable_evaluations,
    })
}

/// What the movetext of a game says.
#[derive(Default)]
struct Movetext<'a> {
    moves: Vec<(Written, &'a [u8])>,
    comments: Comments,
    outcome: Option<Outcome>,
    /// The first problem, with the number of plies before it.
    problem: Option<(usize, String)>,
}

impl<'a> Movetext<'a> {
    fn take(&mut self, token: Result<Token<'a>, Problem>) {
        let ply = self.moves.len();
        match token {
            Ok(Token::Move(written, text)) => self.moves.push((written, text)),
            Ok(Token::Comment(comment)) => self.comments.read(ply, comment),
            Ok(Token::Result(outcome)) => self.outcome = Some(outcome),
            // A wrong move number means that moves are missing or that there are too many.
            Ok(Token::Number(number)) => {
                let expected = ply / 2 + 1;
                let found = std::str::from_utf8(number).ok().and_then(|text| text.parse().ok());
                if found != Some(expected) && self.problem.is_none() {
                    self.problem = Some((ply, format!("move number {}, expected {expected}", quote(number))));
                }
            }
            Err(Problem { what, .. }) => {
                self.problem.get_or_insert((ply, what));
            }
        }
    }
}

/// One entry per move, or an empty list if `values` is empty. `values` are pairs of a ply and the value after it.
fn after_moves<T: Copy>(values: &[(usize, T)], moves: usize) -> Vec<Option<T>> {
    let mut all = vec![None; if values.is_empty() { 0 } else { moves }];
    values.iter().for_each(|&(ply, value)| all[ply - 1] = Some(value));
    all
}

/// Replays a game from the initial position. Returns its moves and their ranks.
fn replay(written: &[(Written, &[u8])]) -> Result<(Vec<Move>, Vec<u8>), Fault> {
    let mut position = Chess::default();
    let mut moves = Vec::with_capacity(written.len());
    let mut ranks = Vec::with_capacity(written.len());
    for (&(written, text), ply) in written.iter().zip(1..) {
        let m = written.play(&position).map_err(|error| match error {
            Unplayable::Illegal | Unplayable::Null => Fault::IllegalMove { ply, san: quote(text) },
            Unplayable::Ambiguous => Fault::AmbiguousMove { ply, san: quote(text) },
        })?;
        ranks.push(rank::rank_of(m, &position));
        moves.push(m);
        position.play_unchecked(m);
    }
    Ok((moves, ranks))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8], scale: Option<RatingScale>) -> Result<ParsedGame, Fault> {
        parse(&GameText { number: 1, line: 1, text }, scale)
    }

    fn game(tags: &str, movetext: &str) -> Result<ParsedGame, Fault> {
        read(format!("{tags}\n{movetext}\n").as_bytes(), None)
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
            "[BlackElo \"+1500\"]",
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
    fn unknown_ratings_and_time_controls_are_not_faults() {
        for value in ["?", "-", "", "0"] {
            let tags = format!("[WhiteElo \"{value}\"]\n[BlackElo \"1800\"]\n");
            assert_eq!(game(&tags, "1. e4 e5 1-0").unwrap().ratings, (None, Some(1800)));
        }
        assert_eq!(game("[TimeControl \"-\"]\n", "1. e4 e5 1-0").unwrap().time_control, None);
    }

    #[test]
    fn only_games_from_the_initial_position_are_accepted() {
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

    /// The remaining moves would be legal.
    #[test]
    fn a_lost_move_is_detected() {
        for movetext in ["1. e4 e5 2. Nf3x Nc6x 3. a3 a6 1-0", "1. e4 e5 2. Sf3 Sc6 3. a3 a6 1-0"] {
            assert!(matches!(game("", movetext), Err(Fault::Movetext { ply: 2, .. })), "{movetext}");
        }
        let missing = game("", "1. e4 e5 3. d4 d5 1-0").unwrap_err();
        assert_eq!(missing.to_string(), "unreadable movetext after ply 2: move number 3, expected 2");
    }

    /// What the reader of games understands, `import` understands, too.
    #[test]
    fn moves_may_be_written_as_people_write_them() {
        let parsed = game("", "1. e2-e4 e7-e5 2. \u{2658}f3\u{b1} Nb8-c6 3.Bb5+= a6 4.0-0 1/2-1/2").unwrap();
        assert_eq!(parsed.moves.len(), 7);
    }

    #[test]
    fn a_tag_with_quotes_inside_is_not_movetext() {
        let parsed = game("[Event \"The \"Big\" Open\"]\n[Site \"lichess.org\"]\n", "1. e4 1-0").unwrap();
        assert_eq!((parsed.moves.len(), parsed.scale), (1, RatingScale::Online));
        for tag in ["[Event \"The \"new\" e4 trap\"]\n", "[Event \"A \"1-0 win\"]\n"] {
            assert_eq!(game(tag, "1. d4 1-0").unwrap().moves.len(), 1, "{tag}");
        }
    }

    #[test]
    fn a_game_may_have_blank_lines_and_variations() {
        let parsed = game("", "1. e4 (1. d4 {x} d5 (1... c5))\n\n1... e5 ; said\n\n2. Nf3 $1 *").unwrap();
        assert_eq!((parsed.moves.len(), parsed.result), (3, None));
    }

    #[test]
    fn a_game_without_marker_is_cut_off() {
        assert_eq!(game("", "1. e4 e5 2. N").unwrap_err(), Fault::CutOff { ply: 2 });
        assert_eq!(game("[Event \"x\"]\n", "").unwrap_err(), Fault::CutOff { ply: 0 });
        assert_eq!(game("[WhiteElo \"15", "").unwrap_err(), Fault::CutOff { ply: 0 });
        assert_eq!(game("", "1. e4 { so").unwrap_err(), Fault::CutOff { ply: 1 });
    }

    #[test]
    fn tags_may_be_latin_1_with_escaped_quotes() {
        let mut text = b"[Opening \"R\xe9ti \\\"King's\\\"\"]\n\n1. Nf3 1-0\n".to_vec();
        assert_eq!(read(&text, None).unwrap().opening.as_deref(), Some("Réti \"King's\""));
        text.splice(0..0, *b"\xef\xbb\xbf");
        assert_eq!(read(&text, None).unwrap().opening.as_deref(), Some("Réti \"King's\""));
    }

    #[test]
    fn evaluations_belong_to_the_moves_before_them() {
        let long = "x".repeat(20_000);
        let movetext = format!(
            "{{[%eval 0.1]}} 1. e4 {{ {long} [%eval 0.17] [%clk 0:01:00] }} e5 2. Nf3 {{[%eval\n#-3,22]}} Nc6 {{[%eval bad]}} 1-0"
        );
        let parsed = game("", &movetext).unwrap();
        let expected = [Some(Evaluation::Centipawns(17)), None, Some(Evaluation::Mate(-3)), None];
        assert_eq!((parsed.evaluations.as_slice(), parsed.unreadable_evaluations), (&expected[..], 1));
        assert_eq!(parsed.clocks, [Some(60), None, None, None]);
        assert_eq!(game("", "1. e4 e5 1-0").unwrap().evaluations, []);
    }

    #[test]
    fn two_names_of_a_player_are_not_a_fault() {
        let tags = "[White \"player 1\"]\n[White \"?\"]\n[Black \"?\"]\n";
        assert_eq!(game(tags, "1. e4 e5 1-0").unwrap().players, [Some("player 1".to_owned()), None]);
    }

    #[test]
    fn the_site_determines_the_rating_scale() {
        let scale = |site: &str, given| {
            read(format!("[Site \"{site}\"]\n\n1. e4 1-0\n").as_bytes(), given).unwrap().scale
        };
        assert_eq!(scale("https://lichess.org/abcdefgh", None), RatingScale::Online);
        assert_eq!(scale("Chess.com", None), RatingScale::ChessCom);
        assert_eq!(scale("FICS freechess.org", None), RatingScale::ChessCom);
        assert_eq!(scale("Brno CZE", None), RatingScale::Fide);
        assert_eq!(scale("Brno CZE", Some(RatingScale::Online)), RatingScale::Online);
    }
}
