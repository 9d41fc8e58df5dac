//! `info` lines of UCI engines.

use entente_search::Score;

/// The contents of an `info` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Info<'a> {
    /// Its number among the best lines, from 1.
    pub line: usize,
    /// Its score for the side to move. A bound counts as a score.
    pub score: Score,
    /// Its first move, if it has any.
    pub first: Option<&'a str>,
}

impl Info<'_> {
    /// Reads a line such as `info depth 12 score cp 31 nodes 20014 pv e2e4`; `None` if it has no score.
    pub(super) fn read(line: &str) -> Option<Info<'_>> {
        let mut words = line.split_ascii_whitespace();
        if words.next() != Some("info") {
            return None;
        }
        let (mut score, mut number, mut first) = (None, 1, None);
        while let Some(word) = words.next() {
            match word {
                // Free text up to the end of the line.
                "string" => break,
                "multipv" => number = words.next()?.parse().ok()?,
                "score" => {
                    let kind = words.next()?;
                    let count: i32 = words.next()?.parse().ok()?;
                    score = match kind {
                        "cp" => Some(Score::Centipawns(count)),
                        "mate" => Some(Score::Mate(count)),
                        _ => return None,
                    };
                }
                // Moves up to the end of the line.
                "pv" => {
                    first = words.next();
                    break;
                }
                _ => {}
            }
        }
        Some(Info { line: number, score: score?, first })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_wherever_they_stand_in_the_line() {
        let cases = [
            (
                "info depth 12 seldepth 17 multipv 1 score cp 31 nodes 20014 pv e2e4",
                Some(Score::Centipawns(31)),
            ),
            ("info score mate -2 upperbound depth 3", Some(Score::Mate(-2))),
            ("info\tscore  cp -7 lowerbound", Some(Score::Centipawns(-7))),
            ("info score mate 0", Some(Score::Mate(0))),
            ("info string score cp 5", None),
            ("info depth 3", None),
            ("info score cp", None),
            ("info score cp much", None),
            ("info score cp 99999999999", None),
            ("info score wdl 300", None),
            ("bestmove e2e4 score cp 5", None),
            ("", None),
        ];
        for (line, expected) in cases {
            assert_eq!(Info::read(line).map(|info| info.score), expected, "{line}");
        }
    }

    #[test]
    fn lines_have_their_number_and_their_first_move() {
        let read =
            |line: &str| Info::read(line).map(|Info { line, first, .. }| (line, first.map(str::to_owned)));
        for (line, expected) in [
            ("info multipv 2 score cp 5 pv e2e4 e7e5", Some((2, Some("e2e4".to_owned())))),
            ("info score cp 5 multipv 3", Some((3, None))),
            ("info score cp 5 pv", Some((1, None))),
            ("info score cp 5 multipv many", None),
        ] {
            assert_eq!(read(line), expected, "{line}");
        }
    }
}
