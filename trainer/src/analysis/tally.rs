use entente_network::encoding::goal_policy::RatingScale;
use entente_search::scorer::{NetworkScorer, Scorer};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color, Piece, Position, Role, Square};

use super::Counter;
use crate::games::GameResult;

/// Kinds of men in the order of the tables: White's king, queen, rook, bishop, knight and pawn, then Black's.
pub(super) const MEN: usize = 12;
/// Their roles.
pub(super) const ROLES: [Role; MEN / 2] =
    [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
/// A man of each kind on each square.
pub(super) const PLACES: usize = MEN * 64;
/// The width of a band of ratings.
pub(super) const BAND: u16 = 200;

/// The man of a kind.
pub(super) fn piece(man: usize) -> Piece {
    let color = if man < ROLES.len() { Color::White } else { Color::Black };
    Piece { color, role: ROLES[man % ROLES.len()] }
}

/// The place in [`PLACES`] of a man on a square.
pub(super) fn place(man: usize, square: Square) -> usize {
    man * 64 + square.to_usize()
}

/// Games by their players: the scale of the ratings, and their mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Band {
    /// Who measured the ratings.
    pub scale: RatingScale,
    /// The lowest mean of both ratings: a multiple of [`BAND`].
    pub from: u16,
}

impl Band {
    /// The one of players of these ratings.
    pub fn of(ratings: [u16; 2], scale: RatingScale) -> Band {
        let mean = (u32::from(ratings[0]) + u32::from(ratings[1])) / 2;
        Band { scale, from: mean as u16 / BAND * BAND }
    }
}

/// What is known of a game beside its moves.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Its players.
    pub band: Band,
    /// How it ended, if that is known.
    pub result: Option<GameResult>,
    /// The number of its opening's name, if it has one.
    pub opening: Option<u32>,
}

/// How games ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Results {
    /// White won.
    pub won: u64,
    /// Nobody did.
    pub drawn: u64,
    /// Black won.
    pub lost: u64,
}

impl Results {
    fn add(&mut self, result: Option<GameResult>) {
        match result {
            Some(GameResult::WhiteWins) => self.won += 1,
            Some(GameResult::Draw) => self.drawn += 1,
            Some(GameResult::BlackWins) => self.lost += 1,
            None => {}
        }
    }

    fn merge(&mut self, other: &Results) {
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
    }

    /// Games that one side won.
    pub fn decided(&self) -> u64 {
        self.won + self.lost
    }
}

/// The games of a band.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfBand {
    /// Whose.
    pub band: Band,
    /// How many.
    pub games: u64,
    /// How they ended.
    pub results: Results,
    /// Plies after which they met the constraint, or of the whole games.
    pub plies: Counter,
    /// Of how many a man stood on each square then: by [`place`]. None of the whole games.
    pub places: Vec<u32>,
}

impl OfBand {
    /// Without games; so many [`OfBand::places`] are counted.
    fn empty(band: Band, places: usize) -> OfBand {
        let (results, plies) = (Results::default(), Counter::default());
        OfBand { band, games: 0, results, plies, places: vec![0; places] }
    }
}

/// The games in which a man of a kind stood on a square when they met a constraint.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfPlace {
    /// How they ended.
    pub results: Results,
    /// Plies after which they met it.
    pub plies: Counter,
    /// Their openings, by number.
    pub openings: Counter,
}

/// The games that met a constraint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// By their players, in order.
    pub bands: Vec<OfBand>,
    /// By where the men stood: by [`place`].
    pub places: Vec<OfPlace>,
    /// White's expected points of all positions, in millionths, as the evaluation network says.
    pub expected: u64,
}

impl Default for Tally {
    fn default() -> Tally {
        Tally { bands: Vec::new(), places: vec![OfPlace::default(); PLACES], expected: 0 }
    }
}

impl Tally {
    /// Takes in a game that met the constraint in this position, after so many plies.
    pub fn add(&mut self, facts: &Facts, ply: u32, position: &Chess, expected: u64) {
        let of_band = band_of(&mut self.bands, facts.band, PLACES);
        of_band.games += 1;
        of_band.results.add(facts.result);
        of_band.plies.add(ply);
        self.expected += expected;
        for man in 0..MEN {
            for square in position.board().by_piece(piece(man)) {
                let place = place(man, square);
                of_band.places[place] += 1;
                let of_place = &mut self.places[place];
                of_place.results.add(facts.result);
                of_place.plies.add(ply);
                if let Some(opening) = facts.opening {
                    of_place.openings.add(opening);
                }
            }
        }
    }

    /// Adds the games of another one, whose openings `renamed` says in our numbers.
    pub fn merge(&mut self, other: &Tally, renamed: &dyn Fn(u32) -> u32) {
        merge_bands(&mut self.bands, &other.bands);
        self.expected += other.expected;
        for (ours, theirs) in self.places.iter_mut().zip(&other.places) {
            ours.results.merge(&theirs.results);
            ours.plies.merge(&theirs.plies, |ply| ply);
            ours.openings.merge(&theirs.openings, renamed);
        }
    }

    /// The games of all bands that are wanted: how many, how they ended, and after how many plies.
    pub fn of(&self, is_wanted: impl Fn(Band) -> bool) -> OfBand {
        sum(&self.bands, is_wanted)
    }

    /// All games.
    pub fn all(&self) -> OfBand {
        self.of(|_| true)
    }
}

/// The games of all bands that are wanted, as one.
pub(super) fn sum(bands: &[OfBand], is_wanted: impl Fn(Band) -> bool) -> OfBand {
    let places = bands.first().map_or(0, |band| band.places.len());
    let mut all = OfBand::empty(Band { scale: RatingScale::Online, from: 0 }, places);
    bands.iter().filter(|band| is_wanted(band.band)).for_each(|band| add_band(&mut all, band));
    all
}

fn add_band(ours: &mut OfBand, theirs: &OfBand) {
    ours.games += theirs.games;
    ours.results.merge(&theirs.results);
    ours.plies.merge(&theirs.plies, |ply| ply);
    ours.places.iter_mut().zip(&theirs.places).for_each(|(ours, theirs)| *ours += theirs);
}

/// The games of this band, which come to be if there are none yet.
pub(super) fn band_of(bands: &mut Vec<OfBand>, band: Band, places: usize) -> &mut OfBand {
    let found = bands.binary_search_by_key(&band, |of| of.band);
    let at = found.unwrap_or_else(|at| {
        bands.insert(at, OfBand::empty(band, places));
        at
    });
    &mut bands[at]
}

pub(super) fn merge_bands(ours: &mut Vec<OfBand>, theirs: &[OfBand]) {
    for band in theirs {
        add_band(band_of(ours, band.band, band.places.len()), band);
    }
}

/// Adds a whole game to those of its band.
pub(super) fn add_game(bands: &mut Vec<OfBand>, facts: &Facts, plies: u32) {
    let of = band_of(bands, facts.band, 0);
    of.games += 1;
    of.results.add(facts.result);
    of.plies.add(plies);
}

/// White's expected points in a position, in millionths, as the evaluation network says: 1/(1 + e^(−s/400)) of the score s in
/// centipawns, the function with which it was trained.
pub(super) fn expected(scorer: &NetworkScorer, position: &Chess) -> u64 {
    let score = f64::from(scorer.value(&scorer.root(position), position));
    let score = if position.turn().is_white() { score } else { -score };
    (1e6 / (1.0 + (-score / 400.0).exp())).round() as u64
}
