use anyhow::Context as _;
use entente::{
    generation::{Generation, Outcome},
    records::{Format, Provenance},
};
use entente_endings::Endings;
use entente_exercises::{Annotator, anki, heading, problem};
use entente_network::NetworkError;
use entente_render::Sheet;

use super::arguments::Layout;

/// The positions of a run with their solutions, as exercises.
pub(super) struct Practice<'a> {
    context: &'a Provenance,
    format: Format,
    annotator: Annotator,
    /// Why the rating of a position failed.
    failure: Option<NetworkError>,
    layout: Layout,
    sheet: Sheet,
}

impl<'a> Practice<'a> {
    /// The most positions on a worksheet.
    pub(super) const MAX: u64 = 1200;

    /// Exercises without positions yet. `command` generates all of them again. Solutions are exact where `endings` know.
    ///
    /// # Errors
    /// If the network cannot be loaded that rates puzzles.
    pub(super) fn new(
        context: &'a Provenance,
        format: Format,
        layout: Layout,
        (command, endings): (String, Option<&Endings>),
    ) -> Result<Practice<'a>, NetworkError> {
        let (title, lead) = heading(layout.title.as_deref(), &context.constraint);
        let (per_page, paper) = (layout.per_page, layout.paper);
        let sheet = Sheet { title, lead, problems: Vec::new(), per_page, paper, command };
        Ok(Practice { context, format, annotator: Annotator::new(endings)?, failure: None, layout, sheet })
    }

    /// Adds a position, and returns the text to write at once, which may be empty. `None` if the position was not
    /// found.
    pub(super) fn add(&mut self, number: u64, generation: &Generation) -> Option<String> {
        if generation.outcome != Outcome::Found {
            return None;
        }
        let mut exercise = self.context.exercise(number, generation, None);
        let annotated =
            self.annotator.annotate(&generation.position, generation.moves.last().copied(), exercise.ratings);
        let annotated = match annotated {
            Ok(annotated) => annotated,
            Err(error) => {
                self.failure = Some(error);
                return None;
            }
        };
        if !self.layout.has_games {
            exercise.moves = &[];
        }
        let exercise = annotated.exercise(exercise);
        match self.format {
            Format::Study => Some(exercise.study(self.context)),
            Format::Anki => Some(anki(&exercise)),
            _ => {
                self.sheet.problems.push(problem(&exercise));
                Some(String::new())
            }
        }
    }

    /// The text to write after the last position.
    ///
    /// # Errors
    /// If a position could not be rated.
    pub(super) fn finish(self) -> anyhow::Result<Vec<u8>> {
        if let Some(failure) = self.failure {
            return Err(failure).context("puzzle ratings");
        }
        match self.format {
            Format::Worksheet if self.layout.is_pdf => self.sheet.pdf().context("--output"),
            Format::Worksheet => Ok(self.sheet.html().into_bytes()),
            _ => Ok(Vec::new()),
        }
    }
}
