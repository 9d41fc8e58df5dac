use std::{
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use entente::{
    engine::{Engine, Event},
    records::san,
    settings::{GenerationSettings, PlaySettings, PlayerSettings},
};
use entente_endings::Endings;
use entente_search::{Game, Limits, Score, SearchRequest, TimeBudget, Timer, Variation};
use shakmaty::{Color, Move, Position};

/// A board with the engine on the other side.
pub(super) struct Table {
    engine: Engine,
    /// What the engine plays with.
    generation: GenerationSettings,
    play: PlaySettings,
    time: Duration,
    game: Game,
    yours: Color,
    bottom: Color,
    /// The winner, if any, and the reason, once the game has ended or the user has resigned.
    ended: Option<(Option<Color>, &'static str)>,
}

impl Table {
    /// A game in which the user plays the side `yours`, and the engine has `time` for each move and these tables of
    /// endings.
    pub(super) fn new(
        game: Game,
        yours: Color,
        settings: (GenerationSettings, PlaySettings),
        time: Duration,
        endings: Endings,
    ) -> Table {
        let (mut generation, play) = settings;
        generation.seed.get_or_insert_with(rand::random);
        let (mut engine, bottom) = (Engine::default(), yours);
        engine.set_endings(endings);
        let mut table = Table { engine, generation, play, time, game, yours, bottom, ended: None };
        table.ended = table.game.end();
        table
    }

    /// The game.
    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    /// The side at the bottom of the board.
    pub(super) fn bottom(&self) -> Color {
        self.bottom
    }

    /// Turns the board around.
    pub(super) fn flip(&mut self) {
        self.bottom = self.bottom.other();
    }

    /// True if it is the user's turn.
    pub(super) fn is_your_turn(&self) -> bool {
        self.game.position().turn() == self.yours
    }

    /// The number of the next move, as in PGN.
    pub(super) fn prompt(&self) -> String {
        let position = self.game.position();
        format!("{}{}", position.fullmoves(), position.turn().fold_wb(".", "..."))
    }

    /// The result and its reason; `None` during the game.
    pub(super) fn result(&self) -> Option<(&'static str, &'static str)> {
        self.ended.map(|(_, reason)| (self.token(), reason))
    }

    /// The result as in PGN.
    pub(super) fn token(&self) -> &'static str {
        match self.ended {
            None => "*",
            Some((None, _)) => "1/2-1/2",
            Some((Some(winner), _)) => winner.fold_wb("1-0", "0-1"),
        }
    }

    /// Plays a legal move.
    pub(super) fn play(&mut self, m: Move) {
        let may_be_claimed = self.game.may_be_claimed_after(m);
        self.game.play(m);
        self.ended = self.game.end();
        if self.ended.is_none() && may_be_claimed {
            let is_repeated = self.game.position().halfmoves() < 100;
            let reason = if is_repeated {
                "threefold repetition"
            } else {
                "fifty moves without a capture or a pawn move"
            };
            self.ended = Some((None, reason));
        }
    }

    /// Resigns for the user.
    pub(super) fn resign(&mut self) {
        self.ended = Some((Some(self.yours.other()), "you resigned"));
    }

    /// Takes back the user's last move, and the reply if there is one.
    ///
    /// # Errors
    /// If the user has not moved yet.
    pub(super) fn undo(&mut self) -> Result<(), &'static str> {
        let plies = if self.is_your_turn() { 2 } else { 1 };
        let left = self.game.moves().len().checked_sub(plies).ok_or("you have no move to take back")?;
        let mut game = Game::new(self.game.root().clone());
        self.game.moves()[..left].iter().for_each(|m| game.play(*m));
        (self.game, self.ended) = (game, None);
        Ok(())
    }

    /// Lets the engine move, and returns the move in words.
    ///
    /// # Errors
    /// If the engine finds no move, which is a bug.
    pub(super) fn answer(&mut self) -> anyhow::Result<String> {
        let (generation, play) = (self.generation.clone(), self.play.clone());
        let line = self.best(PlayerSettings { generation: &generation, play: &play })?;
        let text = format!("{} {}", self.prompt(), self.names(&line).first().cloned().unwrap_or_default());
        self.play(line.moves[0]);
        Ok(text)
    }

    /// What the engine, at full strength, would play in the user's place.
    ///
    /// # Errors
    /// If the engine finds no move, which is a bug.
    pub(super) fn hint(&mut self) -> anyhow::Result<String> {
        let generation = GenerationSettings::with(|settings| settings.threads = self.generation.threads);
        let play = PlaySettings::default();
        let line = self.best(PlayerSettings { generation: &generation, play: &play })?;
        let score = match line.score {
            Score::Mate(moves) if moves > 0 => format!("mate in {moves}"),
            Score::Mate(moves) => format!("mated in {}", -moves),
            Score::Centipawns(centipawns) if centipawns >= Score::KNOWN_WIN => "you win".to_owned(),
            Score::Centipawns(centipawns) if centipawns <= -Score::KNOWN_WIN => "you lose".to_owned(),
            Score::Centipawns(centipawns) => format!("{:+.2} for you", f64::from(centipawns) / 100.0),
        };
        let names = self.names(&line);
        let rest = names.get(1..names.len().min(6)).filter(|rest| !rest.is_empty());
        let rest = rest.map_or(String::new(), |rest| format!(", then {}", rest.join(" ")));
        Ok(format!("{}{rest} ({score})", names[0]))
    }

    fn best(&mut self, settings: PlayerSettings<'_>) -> anyhow::Result<Variation> {
        let (stop, timer) = (AtomicBool::new(false), Timer::unlimited());
        timer.set(Instant::now(), TimeBudget { soft: self.time, hard: self.time });
        let request = SearchRequest::best_of(self.game.position().legal_moves().to_vec());
        let limits = Limits { timer: Some(&timer), ..Limits::until(&stop) };
        let mut tell = |event: Event| match event {
            Event::Note(text) | Event::Error(text) => eprintln!("{text}"),
        };
        let mut lines =
            self.engine.best_lines(&self.game, &request, settings, limits, &mut tell, &mut |_| ());
        anyhow::ensure!(!lines.is_empty(), "the engine has no move");
        Ok(lines.swap_remove(0))
    }

    fn names(&self, line: &Variation) -> Vec<String> {
        san(self.game.position(), &line.moves)
    }
}

#[cfg(test)]
mod tests {
    use entente_search::position_from_fen;

    use super::*;

    fn table(fen: &str, yours: Color) -> Table {
        let generation = GenerationSettings::with(|settings| settings.seed = Some(1));
        let settings = (generation, PlaySettings::default());
        let endings = Endings::new(&[], None).unwrap();
        Table::new(
            Game::new(position_from_fen(fen).unwrap()),
            yours,
            settings,
            Duration::from_millis(20),
            endings,
        )
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn undo_takes_back_a_move_and_the_reply() {
        let mut table = table(START, Color::White);
        assert!(table.is_your_turn() && table.undo().is_err());
        table.play(table.game().position().legal_moves()[0]);
        assert!(!table.is_your_turn());
        assert!(table.answer().unwrap().starts_with("1... "));
        assert_eq!((table.game().moves().len(), table.prompt().as_str()), (2, "2."));
        table.undo().unwrap();
        assert_eq!(*table.game().position(), shakmaty::Chess::default());
    }

    #[test]
    fn mate_resignation_and_insufficient_material_end_games_and_a_mate_may_be_taken_back() {
        let mut table = table("7k/8/6K1/8/8/8/8/R7 w - - 0 1", Color::White);
        assert!(table.hint().unwrap().contains("Ra8#"));
        let mate = table.game().position().legal_moves().into_iter().find(|m| m.to() == shakmaty::Square::A8);
        table.play(mate.unwrap());
        assert_eq!(table.result(), Some(("1-0", "checkmate")));
        table.undo().unwrap();
        assert_eq!((table.result(), table.token()), (None, "*"));
        table.resign();
        assert_eq!(table.token(), "0-1");
        assert_eq!(self::table("8/8/8/8/8/2k5/1B6/7K b - - 0 1", Color::White).token(), "1/2-1/2");
    }

    #[test]
    fn tables_tell_a_hint_who_wins() {
        // The pawn runs. KPvK is part of the program.
        for (yours, said) in [(Color::White, "(you win)"), (Color::Black, "(you lose)")] {
            let turn = yours.fold_wb("w", "b");
            let hint = table(&format!("7k/8/8/8/P7/8/8/7K {turn} - - 0 1"), yours).hint().unwrap();
            assert!(hint.contains(said), "{hint}");
        }
    }

    #[test]
    fn threefold_repetition_is_a_draw() {
        let mut table = table(START, Color::White);
        for text in "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8".split(' ') {
            assert_eq!(table.result(), None);
            let m = text.parse::<shakmaty::uci::UciMove>().unwrap().to_move(table.game().position()).unwrap();
            table.play(m);
        }
        assert_eq!(table.result(), Some(("1/2-1/2", "threefold repetition")));
    }
}
