/// What a folder of games holds, in the words of messages and the names of files.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// What it is called.
    pub noun: &'static str,
    /// The file that says what the folder is for.
    pub manifest: &'static str,
    /// The file with a line a game.
    pub results: &'static str,
    /// Where lines go that are no games.
    pub damaged: &'static str,
    /// The files that are made from the results.
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
