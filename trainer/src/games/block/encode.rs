//! Encodes games as a block's content.

use std::{collections::HashMap, sync::Arc};

use super::{
    super::{Evaluation, GameResult, Player, RatingScale, StoredGame, TimeClass},
    number::{put, zigzag},
};

/// Collects games and encodes them as the content of one block.
#[derive(Default)]
pub struct BlockBuilder {
    games: usize,
    plies: u64,
    ply_counts: Vec<u8>,
    flags: Vec<u8>,
    comments: Vec<u8>,
    white_ratings: Vec<u8>,
    black_ratings: Vec<u8>,
    base_times: Vec<u8>,
    increments: Vec<u8>,
    dictionary: Dictionary,
    eco: Vec<u8>,
    openings: Vec<u8>,
    sources: Vec<u8>,
    players: Players,
    white_players: Vec<u8>,
    black_players: Vec<u8>,
    ranks: Vec<u8>,
    evaluation_kinds: Vec<u8>,
    evaluations: Vec<u8>,
    clocks: Vec<u8>,
}

#[derive(Default)]
struct Players {
    places: HashMap<Player, u64>,
    bytes: Vec<u8>,
}

impl Players {
    /// 0 for an unknown player, otherwise 1 + the player's index.
    fn number(&mut self, player: Option<Player>) -> u64 {
        let Some(player) = player else { return 0 };
        let next = self.places.len() as u64 + 1;
        *self.places.entry(player).or_insert_with(|| {
            self.bytes.extend(player.to_bytes());
            next
        })
    }
}

#[derive(Default)]
struct Dictionary {
    places: HashMap<Arc<str>, u64>,
    bytes: Vec<u8>,
}

impl Dictionary {
    fn place(&mut self, text: &Arc<str>) -> u64 {
        if let Some(&place) = self.places.get(text) {
            return place;
        }
        let place = self.places.len() as u64;
        put(&mut self.bytes, text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
        self.places.insert(Arc::clone(text), place);
        place
    }
}

impl BlockBuilder {
    /// Adds a game. `ranks` are the ranks of its moves ([`rank_of`](crate::games::rank::rank_of)), which the caller
    /// knows from replaying the game.
    ///
    /// # Panics
    ///
    /// If the number of ranks differs from the number of moves, or if there are evaluations or clocks but not one entry
    /// per move.
    pub fn push(&mut self, game: &StoredGame, ranks: &[u8]) {
        assert_eq!(game.moves.len(), ranks.len());
        assert!(game.evaluations.is_empty() || game.evaluations.len() == ranks.len());
        assert!(game.clocks.is_empty() || game.clocks.len() == ranks.len());
        self.games += 1;
        self.plies += ranks.len() as u64;
        put(&mut self.ply_counts, ranks.len() as u64);
        let result = match game.result {
            GameResult::WhiteWins => 0,
            GameResult::BlackWins => 1,
            GameResult::Draw => 2,
        };
        let class = TimeClass::ALL.iter().position(|&class| class == game.time_class).unwrap_or(0) as u8;
        let scale = match game.scale {
            RatingScale::Online => 0,
            RatingScale::Fide => 1,
            RatingScale::ChessCom => 2,
        };
        self.flags.push(result | scale << 2 | class << 4);
        self.comments.push(u8::from(!game.evaluations.is_empty()) | u8::from(!game.clocks.is_empty()) << 1);
        self.white_ratings.extend_from_slice(&game.white_rating.to_le_bytes());
        self.black_ratings.extend_from_slice(&game.black_rating.to_le_bytes());
        put(&mut self.base_times, game.time_control.map_or(0, |control| u64::from(control.base) + 1));
        if let Some(control) = game.time_control {
            put(&mut self.increments, u64::from(control.increment));
        }
        let mut optional =
            |text: &Option<Arc<str>>| text.as_ref().map_or(0, |text| self.dictionary.place(text) + 1);
        put(&mut self.eco, optional(&game.eco));
        put(&mut self.openings, optional(&game.opening));
        put(&mut self.sources, self.dictionary.place(&game.source));
        let [white, black] = game.players.map(|player| self.players.number(player));
        put(&mut self.white_players, white);
        put(&mut self.black_players, black);
        self.ranks.extend_from_slice(ranks);
        let (mut centipawns, mut mate) = (0, 0);
        for &evaluation in &game.evaluations {
            let (kind, last, value) = match evaluation {
                None => {
                    self.evaluation_kinds.push(0);
                    continue;
                }
                Some(Evaluation::Centipawns(value)) => (1, &mut centipawns, value),
                Some(Evaluation::Mate(value)) => (2, &mut mate, value),
            };
            let value = i64::from(value);
            self.evaluation_kinds.push(kind);
            put(&mut self.evaluations, zigzag(value - std::mem::replace(last, value)));
        }
        let mut last = [game.time_control.map_or(0, |control| i64::from(control.base)); 2];
        for (ply, seconds) in game.clocks.iter().enumerate() {
            let number = seconds.map_or(0, |seconds| {
                let seconds = i64::from(seconds);
                1 + zigzag(std::mem::replace(&mut last[ply % 2], seconds) - seconds)
            });
            put(&mut self.clocks, number);
        }
    }

    /// Number of games added so far.
    pub fn games(&self) -> usize {
        self.games
    }

    /// Number of plies added so far.
    pub fn plies(&self) -> u64 {
        self.plies
    }

    /// The uncompressed content.
    pub fn finish(self) -> Vec<u8> {
        let mut strings = Vec::new();
        put(&mut strings, self.dictionary.places.len() as u64);
        strings.extend_from_slice(&self.dictionary.bytes);
        let mut players = Vec::new();
        put(&mut players, self.players.places.len() as u64);
        players.extend_from_slice(&self.players.bytes);
        [
            self.ply_counts,
            self.flags,
            self.comments,
            self.white_ratings,
            self.black_ratings,
            self.base_times,
            self.increments,
            strings,
            self.eco,
            self.openings,
            self.sources,
            players,
            self.white_players,
            self.black_players,
            self.ranks,
            self.evaluation_kinds,
            self.evaluations,
            self.clocks,
        ]
        .concat()
    }
}
