use entente::judge::UciEngine;
use entente_search::{Game, Score};

use super::Valuer;

impl Valuer for UciEngine {
    fn name(&self) -> &str {
        UciEngine::name(self)
    }

    fn begin(&mut self) -> anyhow::Result<()> {
        Ok(UciEngine::begin(self)?)
    }

    fn score(&mut self, game: &Game) -> anyhow::Result<Score> {
        Ok(UciEngine::score(self, game)?)
    }
}
