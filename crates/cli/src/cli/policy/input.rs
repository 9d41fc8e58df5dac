//! The positions whose moves are asked for: one on the command line, or many from a file or a pipe.
//!
//! A file has a FEN or an EPD a line, an object of JSON a line, or games in PGN; its beginning tells which.

use std::{
    io::{self, BufRead, BufReader, Cursor, Read as _},
    path::Path,
};

use anyhow::{Context as _, bail, ensure};
use entente::settings::choices;
use entente_search::{Game, fen_of_epd, position_from_fen};
use indicatif::ProgressBar;
use serde::Deserialize;
use shakmaty::{Chess, EnPassantMode, Move, fen::Fen, uci::UciMove};

use crate::{
    cli::{game_reader::GameReader, input_file},
    pgn::{RATINGS, ReadGame},
};

/// White's and Black's rating, as far as they are known.
pub(super) type Ratings = [Option<u16>; 2];

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The maximum length of a line, in bytes. A game of 6,000 plies has a twentieth of it.
const MAX_LINE: u64 = 1 << 20;

choices! {
    /// Which positions of a game are asked about.
    Positions {
        /// Every position in which a move was played
        Every = "every",
        /// The last position alone
        Last = "last",
    }
}

/// A position whose moves are asked for.
#[derive(Debug)]
pub(super) struct Entry {
    /// The number of its line or game in the file, from 1.
    pub number: u64,
    /// What the file calls it.
    pub id: Option<String>,
    /// The game that led to it.
    pub game: Game,
    /// The ratings of its players.
    pub ratings: Ratings,
    /// The move that was played in it.
    pub played: Option<Move>,
}

/// What was asked for on the command line.
pub(super) enum Input {
    /// A position.
    One(Chess),
    /// The positions of a file.
    Many(Entries),
}

/// The positions of a file, which is read as they are taken, a line or a game at a time.
pub(super) struct Entries {
    name: String,
    form: Form,
    /// Which positions of a game are asked about; `None`: every one of PGN, the last one of a line.
    positions: Option<Positions>,
    /// Ratings from the command line.
    given: Ratings,
    /// Lines or games so far.
    number: u64,
    progress: ProgressBar,
}

type Source = Box<dyn BufRead + Send>;

enum Form {
    Fens(Source),
    Objects(Source),
    Games(Box<GameReader<Source>>),
}

/// A line of JSON. Other keys are left alone, so the output of `generate`, `dataset` and this command can be read.
#[derive(Deserialize)]
struct Object {
    /// The position.
    fen: Option<String>,
    /// The position in which the moves begin; the initial one if it is missing.
    root: Option<String>,
    /// The moves that led to the position, as UCI writes them.
    #[serde(default)]
    moves: Vec<String>,
    id: Option<serde_json::Value>,
    elo: Option<u16>,
    white_elo: Option<u16>,
    black_elo: Option<u16>,
}

impl Input {
    /// Reads `given`: a FEN, "startpos", the name of a file, or "-" for standard input. `ratings` are those of the
    /// command line. They replace those of PGN, which say who played; those of a line of JSON, which say what is asked,
    /// replace them.
    ///
    /// # Errors
    /// If `given` is none of these, or the file cannot be read.
    pub(super) fn read(given: &str, positions: Option<Positions>, ratings: Ratings) -> anyhow::Result<Input> {
        if given == "startpos" {
            return Ok(Input::One(Chess::default()));
        }
        let error = match position_from_fen(given) {
            Ok(position) => return Ok(Input::One(position)),
            Err(error) => error,
        };
        let path = Path::new(given);
        if given != "-" && !path.exists() {
            // A name without white space is hardly a FEN.
            ensure!(
                given.contains(char::is_whitespace),
                "{given:?}: expected a FEN, \"startpos\", a file or \"-\""
            );
            return Err(error)
                .with_context(|| format!("position {given:?}: expected the FEN of a legal position"));
        }
        ensure!(!path.is_dir(), "{given}: expected a file, found a directory");
        let name = if given == "-" { "standard input" } else { given }.to_owned();
        let (input, progress) = input_file::open(path).with_context(|| name.clone())?;
        let mut source = BufReader::new(input);
        let head = head(&mut source).with_context(|| name.clone())?;
        let start = head.trim_ascii_start();
        let is_fen = start
            .split(u8::is_ascii_whitespace)
            .next()
            .is_some_and(|word| word.iter().filter(|byte| **byte == b'/').count() == 7);
        let is_games = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
        ensure!(!start.is_empty(), "{name}: expected positions or games, found nothing");
        let is_object = start.starts_with(b"{");
        let source: Source = Box::new(Cursor::new(head).chain(source));
        let form = if is_object && !is_games {
            Form::Objects(source)
        } else if is_fen && !is_games {
            Form::Fens(source)
        } else {
            Form::Games(Box::new(GameReader::new(name.clone(), source, progress.clone())))
        };
        let entries = Entries { positions, ..Entries::new(name, form, ratings, progress) };
        Ok(Input::Many(entries))
    }
}

/// Everything up to the end of the first line that has a text, without a byte order mark, which some editors write.
fn head(source: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    loop {
        let length = source.take(MAX_LINE).read_until(b'\n', &mut head)?;
        let line = &head[head.len() - length..];
        let is_blank = line.trim_ascii().is_empty() || line.starts_with(b"#");
        if length == 0 || !is_blank {
            let begins = if head.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
            return Ok(head.split_off(begins));
        }
    }
}

impl Entries {
    /// One position.
    pub(super) fn one(position: &Chess, ratings: Ratings) -> Entries {
        let line = Cursor::new(Fen::from_position(position, EnPassantMode::Legal).to_string().into_bytes());
        Entries::new("position".to_owned(), Form::Fens(Box::new(line)), ratings, ProgressBar::hidden())
    }

    fn new(name: String, form: Form, given: Ratings, progress: ProgressBar) -> Entries {
        Entries { name, form, positions: None, given, number: 0, progress }
    }

    /// The positions of the next line or game; `None` at the end of the file.
    ///
    /// # Errors
    /// If the file cannot be read, or a line is neither a position nor a game.
    fn read_next(&mut self) -> anyhow::Result<Option<Vec<Entry>>> {
        let line = match &mut self.form {
            Form::Games(games) => match games.next_game()? {
                None => {
                    ensure!(games.games > 0, "{}: expected positions or games, found none", self.name);
                    return Ok(None);
                }
                Some(read) => {
                    self.number = games.games;
                    return Ok(Some(self.of_game(*read)));
                }
            },
            Form::Fens(source) | Form::Objects(source) => source,
        };
        let mut text = String::new();
        self.number += 1;
        let place = || format!("{}, line {}", self.name, self.number);
        let length = line.take(MAX_LINE).read_line(&mut text).with_context(place)?;
        ensure!((length as u64) < MAX_LINE, "{}: expected at most {MAX_LINE} bytes", place());
        let text = text.trim();
        if length == 0 {
            return Ok(None);
        }
        if text.is_empty() || text.starts_with('#') {
            return Ok(Some(Vec::new()));
        }
        let entry = match self.form {
            Form::Objects(_) => self.of_object(text),
            _ => self.of_fen(text),
        };
        let entry = entry.with_context(place)?;
        Ok(Some(match self.positions {
            None | Some(Positions::Last) => vec![entry],
            Some(_) => {
                let mut entries = Self::of_each_move(&entry);
                entries.push(entry);
                entries
            }
        }))
    }

    fn of_game(&self, read: ReadGame) -> Vec<Entry> {
        let ratings = [0, 1].map(|side| self.given[side].or(read.ratings[side]));
        let entry = Entry { number: self.number, id: None, game: read.game, ratings, played: None };
        match self.positions {
            Some(Positions::Last) => vec![entry],
            _ => Self::of_each_move(&entry),
        }
    }

    /// The positions before each move of the game.
    fn of_each_move(entry: &Entry) -> Vec<Entry> {
        let Entry { number, ratings, .. } = *entry;
        before_each_move(&entry.game)
            .map(|(game, m)| Entry { number, id: entry.id.clone(), game, ratings, played: Some(m) })
            .collect()
    }

    /// A line with a FEN or an EPD, whose operation `id` names it, and whose operations `hmvc` and `fmvn` count.
    fn of_fen(&self, text: &str) -> anyhow::Result<Entry> {
        let fen = fen_of_epd(text);
        let root = position_from_fen(&fen).context("expected the FEN of a legal position")?;
        let id = text.split(';').find_map(|operation| {
            let (_, id) = operation.split_once("id \"")?;
            id.strip_suffix('"').map(str::to_owned)
        });
        Ok(Entry { number: self.number, id, game: Game::new(root), ratings: self.given, played: None })
    }

    fn of_object(&self, text: &str) -> anyhow::Result<Entry> {
        let object: Object = serde_json::from_str(text)
            .context("expected an object with the keys fen, moves, root, id, elo, white_elo, black_elo")?;
        let position = |key: &str, fen: &str| {
            position_from_fen(fen)
                .with_context(|| format!("{key} {fen:?}: expected the FEN of a legal position"))
        };
        let expected = object.fen.as_deref().map(|fen| position("fen", fen)).transpose()?;
        let root = match (&object.root, &expected) {
            (Some(root), _) => position("root", root)?,
            // A position without its history.
            (None, Some(fen)) if object.moves.is_empty() => fen.clone(),
            (None, _) => Chess::default(),
        };
        let mut game = Game::new(root);
        for (text, number) in object.moves.iter().zip(1..) {
            let m = text.parse::<UciMove>().ok().and_then(|m| m.to_move(game.position()).ok());
            let m = m.with_context(|| {
                format!("moves: expected a legal move in UCI notation, found {text:?}, move {number}")
            })?;
            game.play(m);
        }
        if let Some(expected) = expected.filter(|expected| expected != game.position()) {
            let fen = |position: &Chess| Fen::from_position(position, EnPassantMode::Legal);
            bail!("fen: the moves lead from root to {}, not to {}", fen(game.position()), fen(&expected));
        }
        let of_line = [object.white_elo, object.black_elo].map(|elo| elo.or(object.elo));
        if let Some(elo) = of_line.iter().flatten().find(|elo| !RATINGS.contains(elo)) {
            bail!("expected a rating from {} to {}, found {elo}", RATINGS.start(), RATINGS.end());
        }
        let ratings = [0, 1].map(|side| of_line[side].or(self.given[side]));
        let id = object.id.map(|id| match id {
            serde_json::Value::String(id) => id,
            other => other.to_string(),
        });
        Ok(Entry { number: self.number, id, game, ratings, played: None })
    }

    /// How many games were skipped or cut short, to be appended to a summary.
    pub(super) fn left_out(&self) -> String {
        match &self.form {
            Form::Games(games) => games.left_out(),
            Form::Fens(_) | Form::Objects(_) => String::new(),
        }
    }

    /// The name of the file.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Removes the progress bar.
    pub(super) fn finish_progress(&self) {
        self.progress.finish_and_clear();
    }
}

impl Iterator for Entries {
    type Item = anyhow::Result<Vec<Entry>>;

    fn next(&mut self) -> Option<anyhow::Result<Vec<Entry>>> {
        self.read_next().transpose()
    }
}

/// The game before each of its moves, with that move.
fn before_each_move(game: &Game) -> impl Iterator<Item = (Game, Move)> {
    let mut before = game.after(0);
    game.moves().iter().map(move |&m| {
        let asked = before.clone();
        before.play(m);
        (asked, m)
    })
}
