//! Positions from games in PGN.

use std::{
    io::Read,
    ops::{ControlFlow, RangeInclusive},
};

use entente::records::pgn::is_standard;
use entente_search::{Game, position_from_fen};
use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::Move;

/// White's and Black's rating, as far as they are known.
pub(super) type Ratings = [Option<u16>; 2];

/// Ratings that a file may name.
pub(super) const RATINGS: RangeInclusive<u16> = 1..=4000;

/// A game, as far as its moves are legal.
pub(super) struct ReadGame {
    /// Its initial position and moves.
    pub game: Game,
    /// The ratings in its tags.
    pub ratings: Ratings,
    /// The first illegal move and its ply, from 1.
    pub fault: Option<(String, usize)>,
}

/// What a text between two games turned out to be.
pub(super) enum Found {
    /// A game of standard chess.
    Game(Box<ReadGame>),
    /// A game of another variant, or one with an illegal initial position.
    Skipped,
    /// No game: the reader takes any text for one, even without a tag or a move.
    Nothing,
}

/// Reads games one by one.
pub(super) struct GameReader<R>(Reader<R>);

impl<R: Read> GameReader<R> {
    /// A reader of the PGN in `input`.
    pub(super) fn new(input: R) -> GameReader<R> {
        GameReader(Reader::new(input))
    }

    /// The next game; `None` at the end of the input.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub(super) fn next(&mut self) -> std::io::Result<Option<Found>> {
        self.0.read_game(&mut GameVisitor)
    }
}

struct GameVisitor;

#[derive(Default)]
struct Tags {
    is_game: bool,
    root: Option<shakmaty::Chess>,
    ratings: Ratings,
}

struct Movetext {
    is_game: bool,
    read: ReadGame,
}

impl Visitor for GameVisitor {
    type Tags = Tags;
    type Movetext = Movetext;
    type Output = Found;

    fn begin_tags(&mut self) -> ControlFlow<Found, Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Found> {
        tags.is_game = true;
        let value = value.decode_utf8_lossy();
        let is_ours = match name {
            b"FEN" => {
                tags.root = position_from_fen(&value).ok();
                tags.root.is_some()
            }
            b"Variant" => is_standard(&value),
            b"WhiteElo" => {
                tags.ratings[0] = rating(&value);
                true
            }
            b"BlackElo" => {
                tags.ratings[1] = rating(&value);
                true
            }
            _ => true,
        };
        if is_ours { ControlFlow::Continue(()) } else { ControlFlow::Break(Found::Skipped) }
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Found, Movetext> {
        let Tags { is_game, root, ratings } = tags;
        let game = Game::new(root.unwrap_or_default());
        ControlFlow::Continue(Movetext { is_game, read: ReadGame { game, ratings, fault: None } })
    }

    fn begin_variation(&mut self, _: &mut Movetext) -> ControlFlow<Found, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(&mut self, movetext: &mut Movetext, san: SanPlus) -> ControlFlow<Found> {
        movetext.is_game = true;
        let read = &mut movetext.read;
        if read.fault.is_none() {
            match san.san.to_move(read.game.position()) {
                Ok(m) => read.game.play(m),
                Err(_) => read.fault = Some((san.to_string(), read.game.moves().len() + 1)),
            }
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, movetext: Movetext) -> Found {
        if movetext.is_game { Found::Game(Box::new(movetext.read)) } else { Found::Nothing }
    }
}

/// The rating in a tag; `None` where it says `?`, `-` or 0, as for players without one.
fn rating(value: &str) -> Option<u16> {
    value.parse().ok().filter(|elo| RATINGS.contains(elo))
}

/// The game before each of its moves, with that move.
pub(super) fn before_each_move(game: &Game) -> impl Iterator<Item = (Game, Move)> {
    let mut before = game.after(0);
    game.moves().iter().map(move |&m| {
        let asked = before.clone();
        before.play(m);
        (asked, m)
    })
}
