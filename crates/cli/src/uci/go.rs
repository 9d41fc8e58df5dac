//! The arguments of `go` and of `go generate`.

use std::time::Duration;

use entente_search::{Clock, NegamaxSettings, TimeBudget};
use shakmaty::{Chess, Position};
use vampirc_uci::{UciMessage, UciTimeControl};

use super::words::{CommandError, found, split_word};

/// The arguments of a plain `go`. Times are as the GUI gives them, without a deduction for overhead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Search on the opponent's time; no `bestmove` before `ponderhit` or `stop`.
    pub ponder: bool,
    /// No `bestmove` before `stop`.
    pub infinite: bool,
    /// White's clock.
    pub white_time: Option<Duration>,
    /// Black's clock.
    pub black_time: Option<Duration>,
    /// White's increment per move.
    pub white_increment: Option<Duration>,
    /// Black's increment per move.
    pub black_increment: Option<Duration>,
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// Search depth in plies.
    pub depth: Option<u32>,
    /// Nodes to search.
    pub nodes: Option<u64>,
    /// Search for a mate in this number of moves.
    pub mate: Option<u32>,
    /// The only moves to consider, as written; empty for all.
    pub search_moves: Vec<String>,
    /// Unknown words, and limits without a valid number.
    pub skipped: Vec<String>,
}

/// The arguments of `go generate`. The limits apply to each position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generate {
    /// The number of positions; at least 1.
    pub count: u32,
    /// Depth of the cooperative search for each move, in plies; `None`: option `SearchDepth`.
    pub depth: Option<u32>,
    /// Nodes per position; `None`: unlimited.
    pub nodes: Option<u64>,
    /// Time per position; `None`: unlimited.
    pub move_time: Option<Duration>,
}

const KEYWORDS: [&str; 12] = [
    "ponder",
    "infinite",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "movetime",
    "depth",
    "nodes",
    "mate",
    "searchmoves",
];

impl Go {
    /// The time for a move in `position`. Without any limit it is a second, so that the search ends; `None` if another
    /// limit ends the search. If both sides cooperate, the move follows a plan.
    pub(super) fn allotment(
        &self,
        position: &Chess,
        overhead: Duration,
        cooperates: bool,
    ) -> Option<TimeBudget> {
        let turn = position.turn();
        let (left, increment) =
            turn.fold_wb((self.white_time, self.white_increment), (self.black_time, self.black_increment));
        let clock = Clock {
            left,
            increment: increment.unwrap_or_default(),
            moves_to_go: self.moves_to_go,
            move_time: self.move_time,
            overhead,
        };
        let is_limited = self.depth.is_some() || self.nodes.is_some() || self.mate.is_some();
        let second = TimeBudget { soft: Duration::from_secs(1), hard: Duration::from_secs(1) };
        let budget = if cooperates { clock.plan_budget() } else { clock.time_budget() };
        budget.or((!is_limited).then_some(second))
    }

    /// Parses the arguments of `go`. Unknown words, and limits without a valid number, are put into `skipped`.
    ///
    /// Each limit is passed to vampirc-uci separately. In a whole line the crate loses `ponder` if there is a clock,
    /// and rejects the line for one unknown word.
    pub fn parse(words: &str) -> Go {
        let mut go = Go::default();
        let mut words = words.split_whitespace().peekable();
        while let Some(word) = words.next() {
            let keyword = word.to_ascii_lowercase();
            match keyword.as_str() {
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "searchmoves" => {
                    while let Some(m) = words.next_if(|word| !is_keyword(word)) {
                        go.search_moves.push(m.to_owned());
                    }
                }
                _ if is_keyword(&keyword) => match words.next_if(|word| !is_keyword(word)) {
                    Some(number) if is_limit(&keyword, number) => go.limit(&keyword, number),
                    Some(other) => go.skipped.push(format!("{word} {other}")),
                    None => go.skipped.push(word.to_owned()),
                },
                _ => go.skipped.push(word.to_owned()),
            }
        }
        go
    }

    fn limit(&mut self, keyword: &str, number: &str) {
        // The crate stores these in eight bits: it reads depth 1000 as 100 and panics at 300.
        let small = match keyword {
            "depth" => Some(&mut self.depth),
            "mate" => Some(&mut self.mate),
            "movestogo" => Some(&mut self.moves_to_go),
            _ => None,
        };
        if let Some(limit) = small {
            *limit = natural(number).map(|number| u32::try_from(number).unwrap_or(u32::MAX)).or(*limit);
            return;
        }
        // The crate drops all digits after the twelfth.
        let digits = number.trim_start_matches(['+', '-']).len();
        let number = match number.starts_with('-') {
            _ if digits <= 12 => number,
            true => "-999999999999",
            false => "999999999999",
        };
        let UciMessage::Go { time_control, search_control } =
            vampirc_uci::parse_one(&format!("go {keyword} {number}"))
        else {
            return;
        };
        if let Some(nodes) = search_control.and_then(|control| control.nodes) {
            self.nodes = Some(nodes);
        }
        // A clock that has run out may be negative.
        let standard = |time: vampirc_uci::Duration| {
            Duration::from_millis(u64::try_from(time.num_milliseconds()).unwrap_or(0))
        };
        match time_control {
            Some(UciTimeControl::MoveTime(time)) => self.move_time = Some(standard(time)),
            Some(UciTimeControl::TimeLeft {
                white_time,
                black_time,
                white_increment,
                black_increment,
                ..
            }) => {
                self.white_time = white_time.map(standard).or(self.white_time);
                self.black_time = black_time.map(standard).or(self.black_time);
                self.white_increment = white_increment.map(standard).or(self.white_increment);
                self.black_increment = black_increment.map(standard).or(self.black_increment);
            }
            _ => {}
        }
    }
}

impl Generate {
    /// Parses the arguments of `go generate`.
    ///
    /// # Errors
    /// [`CommandError::Generate`] for an unknown word, a limit without a number, and a limit of 0.
    pub(super) fn parse(mut words: &str) -> Result<Generate, CommandError> {
        let mut generate = Generate { count: 1, depth: None, nodes: None, move_time: None };
        while !words.is_empty() {
            let (keyword, after) = split_word(words);
            let (number, after) = split_word(after);
            words = after;
            let keyword = keyword.to_ascii_lowercase();
            let limit = |most: u64| {
                natural(number).filter(|limit| (1..=most).contains(limit)).ok_or_else(|| {
                    CommandError::Generate {
                        expected: format!("a number from 1 to {most} after '{keyword}'"),
                        found: found(number),
                    }
                })
            };
            match keyword.as_str() {
                "count" => generate.count = limit(u64::from(u32::MAX))? as u32,
                "depth" => generate.depth = Some(limit(u64::from(NegamaxSettings::MAX_DEPTH))? as u32),
                "nodes" => generate.nodes = Some(limit(u64::MAX)?),
                "movetime" => generate.move_time = Some(Duration::from_millis(limit(u64::from(u32::MAX))?)),
                word => {
                    return Err(CommandError::Generate {
                        expected: "'count', 'depth', 'nodes' or 'movetime'".to_owned(),
                        found: found(word),
                    });
                }
            }
        }
        Ok(generate)
    }
}

/// True if `word` is a whole number that the limit can have. Only clocks and increments may be negative.
fn is_limit(keyword: &str, word: &str) -> bool {
    let is_clock = ["wtime", "btime", "winc", "binc"].contains(&keyword);
    let digits = word.strip_prefix('-').filter(|_| is_clock).unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_keyword(word: &str) -> bool {
    KEYWORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(word))
}

/// Parses a number of decimal digits. Larger numbers become [`u64::MAX`].
pub(super) fn natural(word: &str) -> Option<u64> {
    let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| word.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use shakmaty::Color;

    use super::*;

    #[test]
    fn limits_are_read_in_any_order() {
        let go = Go::parse("wtime 300000 btime 299000 winc 2000 binc 1000 movestogo 40");
        assert_eq!(go.white_time, Some(Duration::from_secs(300)));
        assert_eq!(go.black_time, Some(Duration::from_secs(299)));
        assert_eq!(go.white_increment, Some(Duration::from_secs(2)));
        assert_eq!(go.black_increment, Some(Duration::from_secs(1)));
        assert_eq!(go.moves_to_go, Some(40));
        let go = Go::parse("nodes 5000 infinite");
        assert_eq!((go.nodes, go.infinite), (Some(5000), true));
        assert_eq!(Go::parse("movetime 100").move_time, Some(Duration::from_millis(100)));
        assert_eq!(Go::parse("mate 5").mate, Some(5));
        assert_eq!(Go::parse(""), Go::default());
    }

    #[test]
    fn numbers_beyond_eight_bits_and_twelve_digits_are_kept() {
        // The crate reads 1000 as 100, panics at 300 and truncates the longer numbers.
        assert_eq!(Go::parse("depth 1000").depth, Some(1000));
        assert_eq!(Go::parse("depth 300 mate 256 movestogo 999").depth, Some(300));
        assert_eq!(Go::parse("nodes 12345678901234567").nodes, Some(999_999_999_999));
        assert_eq!(Go::parse("depth 99999999999999999999999").depth, Some(u32::MAX));
        assert_eq!(Go::parse("wtime -9999999999999").white_time, Some(Duration::ZERO));
    }

    #[test]
    fn the_time_depends_on_the_clock_of_the_side_to_move() {
        let time = |words, turn| {
            let mut position = Chess::default();
            if turn == Color::Black {
                position.play_unchecked(position.legal_moves()[0]);
            }
            Go::parse(words).allotment(&position, Duration::from_millis(10), false)
        };
        let clock = "wtime 1000 btime 60000";
        assert!(time(clock, Color::White).unwrap().hard < time(clock, Color::Black).unwrap().soft);
        assert_eq!(time("movetime 100", Color::White).unwrap().hard, Duration::from_millis(90));
        assert_eq!(time("", Color::White).unwrap().hard, Duration::from_secs(1));
        assert_eq!(time("depth 3", Color::White), None);
        assert!(time("btime 1000", Color::White).is_some(), "only the other side's clock");
    }

    #[test]
    fn ponder_is_kept_together_with_a_clock() {
        let go = Go::parse("ponder wtime 1000 btime 2000");
        assert!(go.ponder);
        assert_eq!(go.black_time, Some(Duration::from_secs(2)));
    }

    #[test]
    fn unknown_words_and_missing_numbers_are_skipped() {
        let go = Go::parse("quickly depth 3 please nodes winc -7 wtime x");
        assert_eq!((go.depth, go.nodes), (Some(3), None));
        assert_eq!((go.white_increment, go.white_time), (Some(Duration::ZERO), None));
        assert_eq!(go.skipped, ["quickly", "please", "nodes", "wtime x"]);
        let go = Go::parse("depth -3 mate +5 nodes -5 movetime abc");
        assert_eq!((go.depth, go.mate, go.nodes, go.move_time), (None, None, None, None));
        assert_eq!(go.skipped, ["depth -3", "mate +5", "nodes -5", "movetime abc"]);
    }

    #[test]
    fn searchmoves_end_at_the_next_limit() {
        let go = Go::parse("searchmoves e2e4 d2d4 depth 2");
        assert_eq!((go.search_moves.len(), go.depth), (2, Some(2)));
    }

    #[test]
    fn generate_parses_its_limits_and_refuses_the_rest() {
        let generate = Generate::parse("count 3 depth 1 nodes 1000 movetime 250").unwrap();
        assert_eq!((generate.count, generate.depth, generate.nodes), (3, Some(1), Some(1000)));
        assert_eq!(generate.move_time, Some(Duration::from_millis(250)));
        assert_eq!(Generate::parse("").unwrap().count, 1);
        let error = |words| Generate::parse(words).unwrap_err().to_string();
        assert_eq!(
            error("count many"),
            "go generate: expected a number from 1 to 4294967295 after 'count', found 'many'"
        );
        assert!(error("depth").ends_with("found the end of the line"));
        assert!(error("count 0").ends_with("found '0'"));
        assert!(error("depth 9").contains("from 1 to 8"));
        assert!(error("plies 3").contains("'count', 'depth', 'nodes' or 'movetime'"));
    }
}
