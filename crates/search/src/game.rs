use std::{iter, sync::Arc};

use entente_constraint::{Constraint, Diary, Past, Situation, child_of, plies_before};
use shakmaty::{Chess, Color, EnPassantMode, Move, Position, zobrist::Zobrist64};

/// A game in progress from a root position, with the history that the draw rules need.
#[derive(Clone, Debug)]
pub struct Game {
    root: Chess,
    /// Plies before the root, for conditions on the length of the game.
    first_ply: u32,
    /// The moves before the root with the position in which they began, for conditions on the game.
    before: Option<Arc<Game>>,
    /// What has happened in the game, if conditions ask for it.
    diary: Option<Diary>,
    position: Chess,
    moves: Vec<Move>,
    /// The keys of all positions from the root to the current one.
    seen: Vec<Zobrist64>,
}

impl Game {
    /// A game that begins at `root`.
    pub fn new(root: Chess) -> Game {
        Game::starting_at(0, root)
    }

    /// A game that begins at `root`. Conditions on the length of the game also count `first_ply` plies before it.
    pub fn starting_at(first_ply: u32, root: Chess) -> Game {
        let (seen, position) = (vec![key(&root)], root.clone());
        Game { seen, position, root, first_ply, before: None, diary: None, moves: Vec::new() }
    }

    /// A game that begins where another one has got to. Conditions on the game also apply to the other one.
    pub fn continuing(before: Arc<Game>) -> Game {
        let situation = before.situation();
        Game {
            before: Some(Arc::clone(&before)),
            ..Game::starting_at(situation.ply, situation.position.clone())
        }
    }

    /// The same game with notes on what `constraint` asks of it, so that testing its positions needs no replay.
    pub fn noting(mut self, constraint: &Constraint) -> Game {
        self.diary = None;
        self.diary = Diary::of(constraint, self.situation());
        self
    }

    /// The position at which the game began.
    pub fn root(&self) -> &Chess {
        &self.root
    }

    /// The current position.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// The current position with the number of plies for conditions on the length of the game.
    pub fn situation(&self) -> Situation<'_> {
        let ply = self.first_ply + self.moves.len() as u32;
        let past = self.before_root().then(&self.moves);
        let past = self.diary.iter().fold(past, |past, diary| past.with_notes(diary.notes()));
        Situation { position: &self.position, ply, past }
    }

    /// The game before its root.
    fn before_root(&self) -> Past<'_> {
        match &self.before {
            Some(before) => before.before_root().then(&before.moves),
            None => Past::root(&self.root),
        }
    }

    /// The number of plies that were played before the current position according to its move number, assuming that the
    /// game began with White's move 1. Networks see this as the length of the game, whatever its root.
    pub fn age(&self) -> u32 {
        plies_before(&self.position)
    }

    /// The positions of the game, from the root to the current one.
    pub fn positions(&self) -> impl Iterator<Item = Chess> {
        let mut position = self.root.clone();
        let later = self.moves.iter().map(move |&m| {
            position.play_unchecked(m);
            position.clone()
        });
        iter::once(self.root.clone()).chain(later)
    }

    /// The moves from the root.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The game after its first `plies` moves.
    ///
    /// # Panics
    /// If the game has fewer moves.
    pub fn after(&self, plies: usize) -> Game {
        let before = self.before.clone();
        let mut game = Game { before, ..Game::starting_at(self.first_ply, self.root.clone()) };
        self.moves[..plies].iter().for_each(|m| game.play(*m));
        game
    }

    /// The Zobrist key of the current position.
    pub fn key(&self) -> Zobrist64 {
        *self.seen.last().expect("the root is there")
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: Move) {
        self.position.play_unchecked(m);
        self.moves.push(m);
        self.seen.push(key(&self.position));
        if let Some(mut diary) = self.diary.take() {
            diary.note(self.situation());
            self.diary = Some(diary);
        }
    }

    /// True if the game is over: checkmate, stalemate, insufficient material, fivefold repetition, or 75 moves without
    /// capture or pawn move.
    pub fn is_over(&self) -> bool {
        is_over(&self.position, || self.times(&self.position))
    }

    /// The winner, if there is one, and the reason, if the rules end the game here.
    pub fn end(&self) -> Option<(Option<Color>, &'static str)> {
        if self.position.is_checkmate() {
            Some((Some(self.position.turn().other()), "checkmate"))
        } else if self.position.is_stalemate() {
            Some((None, "stalemate"))
        } else if self.position.is_insufficient_material() {
            Some((None, "neither side can mate"))
        } else if self.is_over() {
            Some((None, "seventy-five-move rule or fivefold repetition"))
        } else {
            None
        }
    }

    /// True if the game is over after `m`, a legal move.
    pub fn ends_with(&self, m: Move) -> bool {
        let child = child_of(&self.position, m);
        is_over(&child, || self.times(&child) + 1)
    }

    /// True if either side may claim a draw after `m`, a legal move: by threefold repetition or the fifty-move rule.
    /// GUIs and match runners then end the game.
    pub fn may_be_claimed_after(&self, m: Move) -> bool {
        let child = child_of(&self.position, m);
        let mated = child.is_check() && child.legal_moves().is_empty();
        !mated && (child.halfmoves() >= 100 || self.times(&child) >= 2)
    }

    /// True if the current position already occurred within the last `plies` plies, or at least twice before in the
    /// game.
    pub fn is_repeated(&self, plies: u32) -> bool {
        let reversible = self.position.halfmoves() as usize;
        let (last, past) = self.seen.split_last().expect("the root is there");
        let before = past.iter().rev().take(reversible);
        before.clone().take(plies as usize).any(|seen| seen == last)
            || before.filter(|seen| *seen == last).count() >= 2
    }

    /// A bit for each of the last eight positions, as networks need them: bit k is 1 if the position k plies ago had
    /// occurred before.
    pub fn repetitions(&self) -> u8 {
        let occurred = |place: usize| self.seen[..place].contains(&self.seen[place]);
        let places = (0..self.seen.len()).rev().take(8);
        places.enumerate().fold(0, |bits, (plies, place)| bits | u8::from(occurred(place)) << plies)
    }

    /// The moves that this game adds to `earlier`; `None` if it does not continue `earlier`.
    pub fn since(&self, earlier: &Game) -> Option<&[Move]> {
        let begins_alike = self.seen[0] == earlier.seen[0] && self.root == earlier.root;
        self.moves.strip_prefix(earlier.moves()).filter(|_| begins_alike)
    }

    /// The keys of the positions before the current one, the root first.
    pub fn past(&self) -> impl Iterator<Item = Zobrist64> {
        let (_, past) = self.seen.split_last().expect("the root is there");
        past.iter().copied()
    }

    /// How often `position` has occurred. Only positions since the last capture or pawn move can be equal to it.
    fn times(&self, position: &Chess) -> usize {
        let (key, reversible) = (key(position), position.halfmoves() as usize + 1);
        self.seen.iter().rev().take(reversible).filter(|seen| **seen == key).count()
    }

    /// The moves and the current position.
    pub fn into_parts(self) -> (Vec<Move>, Chess) {
        (self.moves, self.position)
    }
}

/// True if a game ends with `position`, which has occurred `times` times.
fn is_over(position: &Chess, times: impl Fn() -> usize) -> bool {
    is_drawn(position) || position.legal_moves().is_empty() || times() >= 5
}

/// True if a game ends with `position` although there are legal moves: by insufficient material or the 75-move rule.
pub(super) fn is_drawn(position: &Chess) -> bool {
    position.halfmoves() >= 150 || position.is_insufficient_material()
}

/// The Zobrist key of a position, for repetitions and transpositions.
pub(super) fn key(position: &Chess) -> Zobrist64 {
    position.zobrist_hash(EnPassantMode::Legal)
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen, uci::UciMove};

    use super::*;

    fn game(fen: &str, moves: &str) -> Game {
        let root = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let mut game = Game::new(root);
        for text in moves.split_whitespace() {
            game.play(to_move(&game, text));
        }
        game
    }

    fn to_move(game: &Game, text: &str) -> Move {
        text.parse::<UciMove>().unwrap().to_move(game.position()).unwrap()
    }

    fn ends(fen: &str, moves: &str, last: &str) -> bool {
        let mut game = game(fen, moves);
        let m = to_move(&game, last);
        let ends = game.ends_with(m);
        game.play(m);
        assert_eq!(game.is_over(), ends);
        ends
    }

    #[test]
    fn a_game_ends_by_the_rules_of_chess() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert!(ends(start, "f2f3 e7e5 g2g4", "d8h4"), "checkmate");
        assert!(!ends(start, "f2f3 e7e5 g2g4", "d8g5"));
        assert!(ends("7k/8/8/6Q1/8/8/8/K7 w - - 0 1", "", "g5g6"), "stalemate");
        assert!(ends("7k/8/8/8/8/8/1q6/K7 w - - 0 1", "", "a1b2"), "insufficient material");
        assert!(ends("7k/8/8/8/8/8/R7/K7 w - - 149 200", "", "a1b1"), "75 moves");
        let shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(4);
        let shuffle = shuffle.trim_end().trim_end_matches("f6g8");
        assert!(ends(start, shuffle, "f6g8"), "fivefold repetition");
        assert!(!ends(start, &shuffle[20..], "f6g8"), "fourfold repetition");
    }

    #[test]
    fn a_draw_may_be_claimed_after_threefold_repetition_or_fifty_moves() {
        let claims = |fen: &str, moves: &str, last: &str| {
            let game = game(fen, moves);
            let m = to_move(&game, last);
            game.may_be_claimed_after(m)
        };
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert!(claims(start, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1", "f6g8"));
        assert!(!claims(start, "g1f3 g8f6 f3g1", "f6g8"));
        assert!(!claims(start, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1", "f6d5"));
        assert!(claims("7k/8/8/8/8/8/R7/K7 w - - 99 200", "", "a2b2"));
        assert!(!claims("7k/R7/8/8/8/8/8/KR6 w - - 99 200", "", "b1b8"), "mate takes precedence");
    }

    #[test]
    fn the_positions_of_a_game_begin_with_its_root() {
        let game = game("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8 e8e7");
        let seen: Vec<Chess> = game.positions().collect();
        assert_eq!(seen.len(), 3);
        assert_eq!((&seen[0], &seen[2]), (&game.root, game.position()));
        assert!(seen[1].is_check());
    }

    #[test]
    fn conditions_on_the_game_also_apply_to_the_moves_before_its_root() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let before = game(start, "e2e4 d7d5 e4d5 d8d5 g1f3 d5e5");
        let mut game = Game::continuing(Arc::new(before));
        for text in ["f1e2", "e5f5"] {
            let m = to_move(&game, text);
            game.play(m);
        }
        for (constraint, holds) in [
            ("captures=2 ply=8", true),
            ("eco=B01 begins='e4 d5'", true),
            ("earlier(q@d5) then earlier(q@e5)", true),
            ("q@e5 then q@d5", false),
            ("earlier(q@f5)", false),
            ("castled=none", true),
        ] {
            let constraint: Constraint = constraint.parse().unwrap();
            assert_eq!(constraint.holds(game.situation()), holds, "{constraint}");
            let noting = game.clone().noting(&constraint);
            assert_eq!(constraint.holds(noting.situation()), holds, "{constraint}");
            assert_eq!(
                constraint.holds(noting.after(1).situation()),
                constraint.holds(game.after(1).situation())
            );
        }
    }

    #[test]
    fn a_game_may_be_over_before_it_begins() {
        for (fen, over) in [
            ("8/8/8/8/8/2k5/1B6/7K b - - 0 1", true),
            ("4k3/8/8/8/8/8/3q4/4K2R w - - 150 140", true),
            ("4k3/8/8/8/8/8/3q4/4K2R w - - 149 140", false),
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", true),
        ] {
            assert_eq!(game(fen, "").is_over(), over, "{fen}");
        }
    }
}
