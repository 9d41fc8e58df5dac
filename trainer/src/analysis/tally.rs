use entente_network::encoding::goal_policy::RatingScale;
use entente_search::scorer::{NetworkScorer, Scorer};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color, Piece, Position, Role, Square};

use super::Counter;
use crate::games::GameResult;

/// The number of kinds of men. Their order is White's king, queen, rook, bishop, knight and pawn, then Black's.
pub(super) const MEN: usize = 12;
/// The roles in this order.
pub(super) const ROLES: [Role; MEN / 2] =
    [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
/// The number of combinations of a kind of man and a square.
pub(super) const PLACES: usize = MEN * 64;
/// The width of a rating band.
pub(super) const BAND: u16 = 200;

/// The piece with this index.
pub(super) fn piece(man: usize) -> Piece {
    let color = if man < ROLES.len() { Color::White } else { Color::Black };
    Piece { color, role: ROLES[man % ROLES.len()] }
}

/// The index, below [`PLACES`], of a kind of man on a square.
pub(super) fn place(man: usize, square: Square) -> usize {
    man * 64 + square.to_usize()
}

/// A rating band: the scale of the ratings, and a range of their mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Band {
    /// The scale of the ratings.
    pub scale: RatingScale,
    /// The lowest mean of both ratings in the band, a multiple of [`BAND`].
    pub from: u16,
}

impl Band {
    /// The band of players with these ratings.
    pub fn of(ratings: [u16; 2], scale: RatingScale) -> Band {
        let mean = (u32::from(ratings[0]) + u32::from(ratings[1])) / 2;
        Band { scale, from: mean as u16 / BAND * BAND }
    }
}

/// Information about a game, apart from its moves.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// The rating band of the players.
    pub band: Band,
    /// The result, if known.
    pub result: Option<GameResult>,
    /// The number of the opening's name, if it has one.
    pub opening: Option<u32>,
}

/// Counts of results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Results {
    /// Wins by White.
    pub won: u64,
    /// Draws.
    pub drawn: u64,
    /// Wins by Black.
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

    /// The number of decided games.
    pub fn decided(&self) -> u64 {
        self.won + self.lost
    }
}

/// The games of a band.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BandTally {
    /// The band.
    pub band: Band,
    /// The number of games.
    pub games: u64,
    /// Their results.
    pub results: Results,
    /// The numbers of plies after which they met the constraint. For all games: their lengths.
    pub plies: Counter,
    /// The number of games with a man on each square at that point; [`place`] gives the index. Empty for all games.
    pub places: Vec<u32>,
}

impl BandTally {
    /// A band without games and with `places` entries in [`BandTally::places`].
    fn empty(band: Band, places: usize) -> BandTally {
        let (results, plies) = (Results::default(), Counter::default());
        BandTally { band, games: 0, results, plies, places: vec![0; places] }
    }
}

/// The games in which a kind of man stood on a square when they met a constraint.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SquareTally {
    /// Their results.
    pub results: Results,
    /// The numbers of plies after which they met it.
    pub plies: Counter,
    /// Their openings, by number.
    pub openings: Counter,
}

/// The games that met a constraint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// The counts by rating band, in ascending order.
    pub bands: Vec<BandTally>,
    /// The counts by man and square; [`place`] gives the index.
    pub places: Vec<SquareTally>,
    /// The sum of White's expected points over all positions, in millionths, according to the evaluation network.
    pub expected: u64,
}

impl Default for Tally {
    fn default() -> Tally {
        Tally { bands: Vec::new(), places: vec![SquareTally::default(); PLACES], expected: 0 }
    }
}

impl Tally {
    /// Adds a game that met the constraint in this position, after `ply` plies.
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

    /// Adds the games of another tally. `renamed` maps its numbers of openings to those of this one.
    pub fn merge(&mut self, other: &Tally, renamed: &dyn Fn(u32) -> u32) {
        merge_bands(&mut self.bands, &other.bands);
        self.expected += other.expected;
        for (ours, theirs) in self.places.iter_mut().zip(&other.places) {
            ours.results.merge(&theirs.results);
            ours.plies.merge(&theirs.plies, |ply| ply);
            ours.openings.merge(&theirs.openings, renamed);
        }
    }

    /// The sum over the bands for which `is_wanted` is true.
    pub fn of(&self, is_wanted: impl Fn(Band) -> bool) -> BandTally {
        sum(&self.bands, is_wanted)
    }

    /// The sum over all bands.
    pub fn all(&self) -> BandTally {
        self.of(|_| true)
    }
}

/// The sum over the bands for which `is_wanted` is true.
pub(super) fn sum(bands: &[BandTally], is_wanted: impl Fn(Band) -> bool) -> BandTally {
    let places = bands.first().map_or(0, |band| band.places.len());
    let mut all = BandTally::empty(Band { scale: RatingScale::Online, from: 0 }, places);
    bands.iter().filter(|band| is_wanted(band.band)).for_each(|band| add_band(&mut all, band));
    all
}

fn add_band(ours: &mut BandTally, theirs: &BandTally) {
    ours.games += theirs.games;
    ours.results.merge(&theirs.results);
    ours.plies.merge(&theirs.plies, |ply| ply);
    ours.places.iter_mut().zip(&theirs.places).for_each(|(ours, theirs)| *ours += theirs);
}

/// The entry of this band, which is inserted if it is missing.
pub(super) fn band_of(bands: &mut Vec<BandTally>, band: Band, places: usize) -> &mut BandTally {
    let found = bands.binary_search_by_key(&band, |of| of.band);
    let at = found.unwrap_or_else(|at| {
        bands.insert(at, BandTally::empty(band, places));
        at
    });
    &mut bands[at]
}

pub(super) fn merge_bands(ours: &mut Vec<BandTally>, theirs: &[BandTally]) {
    for band in theirs {
        add_band(band_of(ours, band.band, band.places.len()), band);
    }
}

/// Adds a whole game to its band.
pub(super) fn add_game(bands: &mut Vec<BandTally>, facts: &Facts, plies: u32) {
    let of = band_of(bands, facts.band, 0);
    of.games += 1;
    of.results.add(facts.result);
    of.plies.add(plies);
}

/// White's expected points in a position, in millionths, according to the evaluation network: 1/(1 + e^(−s/400)) for
/// the score s in centipawns, the function with which the network was trained.
pub(super) fn expected(scorer: &NetworkScorer, position: &Chess) -> u64 {
    let score = f64::from(scorer.value(&scorer.root(position), position));
    let score = if position.turn().is_white() { score } else { -score };
    (1e6 / (1.0 + (-score / 400.0).exp())).round() as u64
}
