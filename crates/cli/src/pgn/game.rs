use super::{
    tags::TagSection,
    tokens::{Problem, Tokens},
};

/// The text of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameText<'a> {
    /// Its number in the file, from 1.
    pub number: u64,
    /// The line on which it begins, from 1.
    pub line: u64,
    /// All of it.
    pub text: &'a [u8],
}

impl<'a> GameText<'a> {
    /// The tags.
    pub fn tags(&self) -> TagSection<'a> {
        TagSection::read(self.text)
    }

    /// What follows the tags, token by token.
    pub fn tokens(&self, tags: &TagSection<'_>) -> Tokens<'a> {
        Tokens::new(&self.text[tags.length..])
    }

    /// The line of a problem, from 1.
    pub fn line_of(&self, tags: &TagSection<'_>, problem: &Problem) -> u64 {
        self.line_at(tags.length + problem.at)
    }

    /// The line of the byte at this place, from 1.
    pub fn line_at(&self, at: usize) -> u64 {
        let before = &self.text[..at.min(self.text.len())];
        self.line + before.iter().filter(|&&byte| byte == b'\n').count() as u64
    }
}
