//! `genfens`: openings for distributed testing and for training data, in the form in which frameworks request them.

use std::{collections::HashSet, path::Path, sync::atomic::Ordering};

use entente::{
    engine::{Engine, EngineError},
    generation::{Generation, Outcome, Quota, Request},
    settings::Settings,
};
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};
use shakmaty::Position as _;

use super::{
    book::Book,
    reply::Reply,
    stop::Stop,
    words::{CommandError, found, split_word},
    writer::{Writer, tell},
};

/// The condition on openings if no constraint is set …
const OPENING: &str = "ply=12 eval=-100..100";
/// … and on continuations of the positions of a book.
const FROM_BOOK: &str = "ply=4..5 eval=-100..100";
/// The maximum number of book positions tried for each opening.
const TRIES: u32 = 50;

/// `genfens N seed S book None|FILE`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenFens {
    count: u32,
    seed: u64,
    book: Option<String>,
}

impl GenFens {
    /// Reads the words after `genfens`. Words after the book, which some frameworks add, are skipped.
    pub(super) fn parse(words: &str) -> Result<GenFens, CommandError> {
        let fault = |expected: &str, word: &str| CommandError::GenFens {
            expected: expected.to_owned(),
            found: found(word),
        };
        let (number, mut rest) = split_word(words);
        let count = number.parse().map_err(|_| fault("the number of openings", number))?;
        let (mut seed, mut book) = (0, None);
        loop {
            let (word, behind) = split_word(rest);
            let (value, after) = split_word(behind);
            match word {
                "" => break,
                "seed" => seed = value.parse().map_err(|_| fault("a number after 'seed'", value))?,
                "book" if value.is_empty() => return Err(fault("None or a file after 'book'", value)),
                "book" => book = (!value.eq_ignore_ascii_case("none")).then(|| value.to_owned()),
                _ => {
                    rest = behind;
                    continue;
                }
            }
            rest = after;
        }
        Ok(GenFens { count, seed, book })
    }

    /// Generates the openings, and reports each one immediately; returns an error if there is one.
    pub(super) fn run(
        &self,
        engine: &mut Engine,
        settings: &Settings,
        stop: &Stop,
        writer: &Writer,
    ) -> Option<Reply> {
        let generation = engine.settled(&settings.generation, &mut |event| tell(event, writer));
        let generation = generation.changed(|settings| settings.seed = Some(self.seed));
        let target = |usual: &str| {
            let set = settings.session.target.clone();
            set.unwrap_or_else(|| usual.parse().expect("a constraint of ours"))
        };
        let outcome = match &self.book {
            None => self.openings(engine, Request::new(target(OPENING), generation), stop, writer),
            Some(path) => {
                let request = Request::new(target(FROM_BOOK), generation);
                self.continue_book(Path::new(path), engine, &request, stop, writer)
            }
        };
        outcome.err().map(|why| Reply::Error(format!("genfens: {why}")))
    }

    fn openings(
        &self,
        engine: &mut Engine,
        request: Request,
        stop: &Stop,
        writer: &Writer,
    ) -> Result<(), String> {
        let threads = (request.settings.threads as usize).min(Quota::cores());
        let mut quota = Quota::new(self.count.into(), threads);
        quota.distinct = true;
        let job = engine.resolve(&request).map_err(|error| error.to_string())?;
        let each = |generation| tell_of(&generation, stop, writer);
        Engine::run_job(&job, quota, stop.flag(), |generation| _ = each(generation))
            .map_err(|error| error.to_string())
    }

    /// Continues positions drawn from a book.
    fn continue_book(
        &self,
        path: &Path,
        engine: &mut Engine,
        request: &Request,
        stop: &Stop,
        writer: &Writer,
    ) -> Result<(), String> {
        let mut book = Book::open(path)?;
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let mut seen = HashSet::new();
        for index in 0..u64::from(self.count) {
            let mut is_there = false;
            for _ in 0..TRIES {
                let root = book.position(rng.random_range(0..book.len()))?;
                let request = request.clone().from_root(root);
                let job = match engine.resolve(&request) {
                    Ok(job) => job,
                    // Some positions cannot reach the target.
                    Err(EngineError::Impossible(_) | EngineError::TooLong { .. }) => continue,
                    Err(error) => return Err(error.to_string()),
                };
                let generator = Engine::generator(&job);
                let generation = generator.and_then(|mut generator| generator.generate(index, stop.flag()));
                let generation = generation.map_err(|error| error.to_string())?;
                let is_new = seen.insert(generation.position.board().to_string());
                is_there = is_new && tell_of(&generation, stop, writer);
                if is_there || stop.flag().load(Ordering::Relaxed) {
                    break;
                }
            }
            if stop.flag().load(Ordering::Relaxed) {
                break;
            }
            if !is_there {
                return Err(format!("no opening from {TRIES} positions of {}", path.display()));
            }
        }
        Ok(())
    }
}

/// Reports an opening, if it was found.
fn tell_of(generation: &Generation, stop: &Stop, writer: &Writer) -> bool {
    let found = generation.outcome == Outcome::Found;
    if found {
        writer.send(&Reply::GenFens(generation.position.clone()));
    }
    if writer.is_closed() {
        stop.request();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_frameworks_are_understood() {
        let read =
            |words: &str| GenFens::parse(words).map(|GenFens { count, seed, book }| (count, seed, book));
        assert_eq!(read("4 seed 9 book None"), Ok((4, 9, None)));
        assert_eq!(
            read("4 seed 9 book Books/8moves.epd extra words"),
            Ok((4, 9, Some("Books/8moves.epd".to_owned())))
        );
        assert_eq!(read("4"), Ok((4, 0, None)));
        for words in ["", "x", "4 seed", "4 seed x", "4 book", "-1"] {
            assert!(matches!(read(words), Err(CommandError::GenFens { .. })), "{words}");
        }
    }
}
