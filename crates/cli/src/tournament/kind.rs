/// A kind of run, with its noun for messages and the names of its files.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// The noun for messages.
    pub noun: &'static str,
    /// The file with the [`Manifest`](super::Manifest).
    pub manifest: &'static str,
    /// The file with one line per game.
    pub results: &'static str,
    /// The file for lines that are damaged.
    pub damaged: &'static str,
    /// The files made from the results.
    pub published: &'static [&'static str],
}

impl Kind {
    /// A tournament.
    pub const TOURNAMENT: Kind = Kind {
        noun: "tournament",
        manifest: "tournament.json",
        results: "results.jsonl",
        damaged: "results.damaged",
        published: &["games.pgn", "positions.epd", "report.html", "table.csv", "table.md", "times.md"],
    };
}
