//! `go prove`: a proof game of the position on the board.

use std::time::Duration;

use entente::{
    engine::{Engine, EngineError, GamesWanted, Proof, ProofWanted, Verdict},
    generation::Quota,
    settings::Settings,
};
use entente_constraint::legality::Problem;
use shakmaty::Chess;

use super::{
    go::natural,
    options,
    play::to_uci,
    reply::{Info, Reply},
    stop::Stop,
    words::{CommandError, found, split_word},
    writer::{Writer, tell},
};

/// The arguments of `go prove`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prove {
    /// The games to find.
    games: GamesWanted,
    /// The total time; `None`: unlimited.
    time: Option<Duration>,
}

impl Prove {
    /// Parses the arguments of `go prove`.
    ///
    /// # Errors
    /// [`CommandError::Prove`] for an unknown word, a word without its number, and words that contradict each other.
    pub(super) fn parse(mut words: &str) -> Result<Prove, CommandError> {
        let (mut is_first, mut is_shortest, mut is_infinite) = (false, false, false);
        let (mut solutions, mut plies, mut time) = (None, None, None);
        while !words.is_empty() {
            let (keyword, after) = split_word(words);
            // GUIs may send `infinite` for any search that runs until `stop`.
            let words_alone =
                [("first", &mut is_first), ("shortest", &mut is_shortest), ("infinite", &mut is_infinite)];
            let word = words_alone.into_iter().find(|(word, _)| keyword.eq_ignore_ascii_case(word));
            if let Some((_, flag)) = word {
                (*flag, words) = (true, after);
                continue;
            }
            let (number, after) = split_word(after);
            words = after;
            let keyword = keyword.to_ascii_lowercase();
            let limit = |least: u64, most: u64| {
                natural(number).filter(|limit| (least..=most).contains(limit)).ok_or_else(|| {
                    CommandError::Prove {
                        expected: format!("a number from {least} to {most} after '{keyword}'"),
                        found: found(number),
                    }
                })
            };
            match keyword.as_str() {
                "solutions" => solutions = Some(limit(1, u64::from(GamesWanted::MAX_GAMES))? as u32),
                "plies" => plies = Some(limit(0, u64::from(GamesWanted::MAX_PLIES))? as u32),
                "movetime" => time = Some(Duration::from_millis(limit(1, u64::from(u32::MAX))?)),
                word => {
                    return Err(CommandError::Prove {
                        expected: "'first', 'shortest', 'solutions', 'plies' or 'movetime'".to_owned(),
                        found: found(word),
                    });
                }
            }
        }
        let contradicts = |one: &str, other: &str| CommandError::Prove {
            expected: format!("'{one}' without '{other}'"),
            found: "both".to_owned(),
        };
        if is_first && (is_shortest || solutions.is_some() || plies.is_some()) {
            return Err(contradicts("first", "shortest, solutions or plies"));
        }
        if is_shortest && plies.is_some() {
            return Err(contradicts("plies", "shortest"));
        }
        if is_infinite && time.is_some() {
            return Err(contradicts("movetime", "infinite"));
        }
        let games = GamesWanted::of(is_first, is_shortest, solutions, plies);
        Ok(Prove { games, time })
    }

    /// Searches, reports progress and the result, and returns `bestmove (none)`.
    pub(super) fn run(
        self,
        position: &Chess,
        settings: &Settings,
        engine: &mut Engine,
        stop: &Stop,
        writer: &Writer,
    ) -> Reply {
        let hash = settings.play.hash as usize;
        let settings = engine.settled(&settings.generation, &mut |event| tell(event, writer));
        let threads = (settings.threads as usize).min(Quota::cores());
        let settings = settings.changed(|settings| {
            settings.movetime = self.time.map(|time| time.as_millis() as u64);
        });
        let mut wanted = ProofWanted::new(Problem::of_position(position), self.games, settings);
        (wanted.threads, wanted.hash, wanted.time) = (threads, hash, self.time);
        let start = std::time::Instant::now();
        let proof = engine.prove(&wanted, stop.flag(), &|step, plies| {
            if let Some(plies) = plies {
                writer.send(&Reply::Note(format!("prove found plies {plies}")));
            }
            if let Some(step) = step {
                let (nodes, hashfull) = (step.nodes, Some(step.hashfull));
                writer.send(&Reply::Info(Info {
                    depth: step.plies,
                    nodes,
                    hashfull,
                    time: start.elapsed(),
                    ..Info::nothing()
                }));
            }
        });
        match proof {
            Ok(proof) => {
                result(self.games, &proof).into_iter().for_each(|note| writer.send(&Reply::Note(note)))
            }
            Err(EngineError::Request(error)) => {
                writer.send(&Reply::Error(format!("option {}", error.with_names(options::name_of))));
            }
            Err(error) => writer.send(&Reply::Error(error.to_string())),
        }
        Reply::no_move()
    }
}

/// The result, in lines for programs.
fn result(games: GamesWanted, proof: &Proof) -> Vec<String> {
    let least = match games {
        GamesWanted::Shortest(_) if !proof.verdict.is_illegal() => format!(" at-least {}", proof.at_least),
        _ => String::new(),
    };
    match &proof.verdict {
        Verdict::Illegal { rule, reason } => vec![format!("prove illegal {rule}: {reason}")],
        Verdict::NoSuchLength => vec!["prove none".to_owned()],
        Verdict::Undetermined => vec![format!("prove undetermined{least}")],
        Verdict::Found => {
            let plies = proof.games.first().map_or(0, Vec::len);
            let all = if proof.is_all { " all" } else { "" };
            let count = match games {
                games if !games.are_counted() => String::new(),
                _ => format!(" solutions {}{all}", proof.games.len()),
            };
            let moves = proof.games.iter().map(|game| {
                let moves: Vec<String> =
                    game.iter().map(|&m| to_uci(&Chess::default(), m).to_string()).collect();
                format!("prove moves {}", moves.join(" "))
            });
            std::iter::once(format!("prove found plies {plies}{least}{count}")).chain(moves).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZero;

    use super::*;

    #[test]
    fn arguments_are_parsed_in_any_order() {
        let one = NonZero::<u32>::MIN;
        let two = NonZero::new(2).unwrap();
        assert_eq!(Prove::parse("").unwrap(), Prove { games: GamesWanted::Short, time: None });
        assert_eq!(Prove::parse("First infinite").unwrap().games, GamesWanted::Any);
        let time = Some(Duration::from_millis(500));
        assert_eq!(
            Prove::parse("movetime 500 Shortest").unwrap(),
            Prove { games: GamesWanted::Shortest(one), time }
        );
        assert_eq!(Prove::parse("solutions 2").unwrap().games, GamesWanted::Shortest(two));
        assert_eq!(
            Prove::parse("plies 8 solutions 2").unwrap().games,
            GamesWanted::Exact { plies: 8, games: two }
        );
        for (words, expected) in [
            ("plies", "go prove: expected a number from 0 to 200 after 'plies', found the end of the line"),
            ("solutions 0", "go prove: expected a number from 1 to 10000 after 'solutions', found '0'"),
            ("plies 8 shortest", "go prove: expected 'plies' without 'shortest', found both"),
            (
                "first plies 8",
                "go prove: expected 'first' without 'shortest, solutions or plies', found both",
            ),
            (
                "fast",
                "go prove: expected 'first', 'shortest', 'solutions', 'plies' or 'movetime', found 'fast'",
            ),
        ] {
            assert_eq!(Prove::parse(words).unwrap_err().to_string(), expected);
        }
    }
}
