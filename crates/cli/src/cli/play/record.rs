use std::{fs::OpenOptions, io::Write as _, path::Path};

use anyhow::Context as _;
use entente::records::{
    fen,
    pgn::{movetext, wrapped},
};
use entente_search::Game;
use shakmaty::Chess;

/// The players of a game, for its PGN.
pub(super) struct Record {
    /// White's name and Black's.
    pub names: [String; 2],
}

impl Record {
    /// Checks that games can be appended to a file. Creates the file if it does not exist.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn check(path: &Path) -> anyhow::Result<()> {
        open(path).map(drop)
    }

    /// Appends the game with its result to a file, as PGN.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn add_to(&self, path: &Path, game: &Game, result: &str) -> anyhow::Result<()> {
        let mut file = open(path)?;
        file.write_all(self.pgn(game, result).as_bytes()).with_context(|| path.display().to_string())
    }

    fn pgn(&self, game: &Game, result: &str) -> String {
        let [white, black] = &self.names;
        let mut pgn = format!(
            "[Event \"Entente\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"-\"]\n[White \"{white}\"]\n\
             [Black \"{black}\"]\n[Result \"{result}\"]\n"
        );
        if *game.root() != Chess::default() {
            pgn.push_str(&format!("[SetUp \"1\"]\n[FEN \"{}\"]\n", fen(game.root())));
        }
        let text = format!("{} {result}", movetext(game.root(), game.moves()));
        pgn.push_str(&format!("\n{}\n\n", wrapped(text.trim_start(), 80)));
        pgn
    }
}

/// The moves of a game, wrapped for the terminal.
pub(super) fn moves(game: &Game) -> String {
    if game.moves().is_empty() {
        return "no moves yet".to_owned();
    }
    wrapped(&movetext(game.root(), game.moves()), 80)
}

fn open(path: &Path) -> anyhow::Result<std::fs::File> {
    OpenOptions::new().create(true).append(true).open(path).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use entente_search::position_from_fen;
    use shakmaty::Position;

    use super::*;

    #[test]
    fn a_saved_game_names_the_players_and_the_initial_position() {
        let record = Record { names: ["You".into(), "Entente".into()] };
        let mut game = Game::new(position_from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").unwrap());
        game.play(game.position().legal_moves()[0]);
        let pgn = record.pgn(&game, "*");
        assert!(pgn.contains("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]"), "{pgn}");
        assert!(pgn.trim_end().ends_with('*') && pgn.contains("\n\n1. "), "{pgn}");
        assert!(!record.pgn(&Game::new(Chess::default()), "1-0").contains("FEN"));
    }
}
