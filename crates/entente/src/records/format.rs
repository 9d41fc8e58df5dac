use std::path::Path;

use crate::settings::{Choice as _, choices};

choices! {
    /// A format of results.
    Format {
        /// Board, FEN and game
        Text = "text",
        /// Games with tags, read by every chess program
        Pgn = "pgn",
        /// One FEN per line
        Fen = "fen",
        /// One EPD per line, with the constraint, plies, move number, halfmove clock and evaluation as opcodes
        Epd = "epd",
        /// One JSON object per line, with the moves in UCI notation
        JsonLines = "jsonl",
        /// A page with all boards, on which the games can be played through
        Html = "html",
        /// Boards to print, with solutions on separate pages; HTML, or PDF with --output FILE.pdf
        Worksheet = "worksheet",
        /// PGN in which each game starts from its position and gives the solution, as chapters of a study
        Study = "study",
        /// Anki cards with the board on the front and the solution on the back
        Anki = "anki",
    }
}

impl Format {
    /// The file extensions of the format. An extension means the first format that has it.
    fn extensions(self) -> &'static [&'static str] {
        match self {
            Format::Text => &["txt"],
            Format::Pgn => &["pgn"],
            Format::Fen => &["fen"],
            Format::Epd => &["epd"],
            Format::JsonLines => &["jsonl"],
            Format::Html => &["html", "htm"],
            Format::Worksheet => &["pdf", "html", "htm"],
            Format::Study => &["pgn"],
            Format::Anki => &["tsv", "txt"],
        }
    }

    /// The extension that each format's files usually have, each once.
    pub fn usual_extensions() -> Vec<&'static str> {
        let mut extensions = Vec::new();
        for extension in Format::ALL.iter().map(|format| format.extensions()[0]) {
            if !extensions.contains(&extension) {
                extensions.push(extension);
            }
        }
        extensions
    }

    /// The format that the extension of a file means, if any.
    pub fn of_ending(path: &Path) -> Option<Format> {
        Format::ALL.iter().copied().find(|format| format.may_end(path))
    }

    /// True if a file in this format may have the extension of `path`.
    pub fn may_end(self, path: &Path) -> bool {
        let extension = path.extension().and_then(|extension| extension.to_str());
        extension.is_some_and(|extension| self.extensions().contains(&&*extension.to_ascii_lowercase()))
    }

    /// True if the format shows solutions.
    pub fn is_for_practice(self) -> bool {
        matches!(self, Format::Worksheet | Format::Study | Format::Anki)
    }
}
