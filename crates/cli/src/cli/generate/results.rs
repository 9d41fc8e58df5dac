use entente::{
    generation::Generation,
    records::{Format, Provenance},
};

use super::{page::Positions, practice::Practice};

/// The output for the positions of a run.
pub(super) enum Results<'a> {
    /// A text for each position, written as soon as the position is generated.
    Texts(&'a Provenance, Format),
    /// A page with all positions.
    Page(Box<Positions<'a>>),
    /// Exercises with solutions.
    Practice(Box<Practice<'a>>),
}

impl Results<'_> {
    /// Adds a position, and returns the text to write at once, which may be empty. `None` if the format leaves the
    /// position out. `number` counts the positions that are not left out, from 1.
    pub(super) fn add(&mut self, number: u64, generation: &Generation) -> Option<String> {
        match self {
            Results::Texts(context, format) => {
                Some(context.render(number, generation, *format)).filter(|text| !text.is_empty())
            }
            Results::Page(page) => {
                page.add(generation);
                Some(String::new())
            }
            Results::Practice(practice) => practice.add(number, generation),
        }
    }

    /// The text to write after the last position.
    ///
    /// # Errors
    /// If a position of a worksheet could not be rated.
    pub(super) fn finish(self) -> anyhow::Result<Vec<u8>> {
        match self {
            Results::Texts(..) => Ok(Vec::new()),
            Results::Page(page) => Ok(page.html().into_bytes()),
            Results::Practice(practice) => practice.finish(),
        }
    }
}
