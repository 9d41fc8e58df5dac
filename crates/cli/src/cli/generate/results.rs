use entente::generation::{Format, Generation, Provenance};

use super::{page::Positions, practice::Practice};

/// What becomes of the positions of a run.
pub(super) enum Results<'a> {
    /// Each is written when it is there.
    Texts(&'a Provenance, Format),
    /// All are put on a page.
    Page(Box<Positions<'a>>),
    /// Each is solved.
    Practice(Box<Practice<'a>>),
}

impl Results<'_> {
    /// Takes a position, and returns the text to be written at once; `None` if the format has nothing to say of it.
    /// `number` counts those of which it has, from 1.
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

    /// What is written when all positions are there.
    ///
    /// # Errors
    /// If a PDF cannot be made for want of fonts.
    pub(super) fn finish(self) -> anyhow::Result<Vec<u8>> {
        match self {
            Results::Texts(..) => Ok(Vec::new()),
            Results::Page(page) => Ok(page.html().into_bytes()),
            Results::Practice(practice) => practice.finish(),
        }
    }
}
