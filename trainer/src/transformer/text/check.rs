use std::io::{self, BufRead};

use entente_network::encoding::transformer::vocabulary::Vocabulary;
use shakmaty::{Chess, Move, Position};

use super::Line;

/// The numbers of lines and games that were read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Number of lines.
    pub lines: u64,
    /// Number of games.
    pub games: u64,
}

/// A fault in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The number of the line, from 1.
    pub line: u64,
    /// A description of the fault.
    pub reason: String,
}

/// Reads a file of lines and replays its games. `game` is called with the moves of each valid game. `fault` is called
/// for each line that is unreadable, whose move cannot be played, or whose position does not follow from the previous
/// line. After a fault, reading continues with the next game.
///
/// # Errors
///
/// If the file cannot be read.
pub fn read_games(
    text: impl BufRead,
    vocabulary: &Vocabulary,
    mut game: impl FnMut(&[Move]),
    mut fault: impl FnMut(Fault),
) -> io::Result<Checked> {
    let mut checked = Checked::default();
    // The position of the next line; `None` after a fault.
    let mut expected: Option<Chess> = None;
    // The moves of the game so far.
    let mut moves: Vec<Move> = Vec::new();
    let mut was_faulty = false;
    for text in text.lines() {
        checked.lines += 1;
        let position = Line::parse(&text?).and_then(|line| {
            let position = if line.begins_game() {
                if !moves.is_empty() {
                    game(&moves);
                    moves.clear();
                }
                checked.games += 1;
                was_faulty = false;
                Chess::default()
            } else {
                expected
                    .take()
                    .filter(|position| line.is_of(position))
                    .ok_or_else(|| "the position does not follow from the previous line".to_owned())?
            };
            let uci = vocabulary.moves().get(usize::from(line.index)).ok_or_else(|| {
                format!("move {} is not in the vocabulary, which has {} moves", line.index, vocabulary.len())
            })?;
            let m = uci.to_move(&position).map_err(|_| format!("{uci} cannot be played in this position"))?;
            moves.push(m);
            Ok(position.play(m).expect("legal"))
        });
        match position {
            Ok(position) => expected = Some(position),
            Err(reason) => {
                expected = None;
                moves.clear();
                // Report only the first fault of a game.
                if !was_faulty {
                    fault(Fault { line: checked.lines, reason });
                }
                was_faulty = true;
            }
        }
    }
    if !moves.is_empty() {
        game(&moves);
    }
    Ok(checked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transformer::text::write::tests::lines_of;

    fn faults(text: &str) -> Vec<(u64, String)> {
        let mut faults = Vec::new();
        let vocabulary = Vocabulary::of_chess();
        let push = |fault: Fault| faults.push((fault.line, fault.reason));
        read_games(text.as_bytes(), &vocabulary, |_| (), push).unwrap();
        faults
    }

    #[test]
    fn playable_games_are_valid() {
        let text = [lines_of("e2e4 e7e5 g1f3"), lines_of("d2d4 d7d5")].concat();
        assert_eq!(faults(&text), []);
        let vocabulary = Vocabulary::of_chess();
        let mut plies = Vec::new();
        let game = |moves: &[Move]| plies.push(moves.len());
        let checked = read_games(text.as_bytes(), &vocabulary, game, |_| ()).unwrap();
        assert_eq!((checked, plies), (Checked { lines: 5, games: 2 }, vec![3, 2]));
    }

    #[test]
    fn each_kind_of_edit_is_reported_once_with_its_line() {
        let [first, second] = [lines_of("e2e4 e7e5 g1f3 b8c6"), lines_of("d2d4 d7d5")];
        let lines: Vec<&str> = first.lines().collect();
        let with = |number: usize, line: &str| {
            let mut lines = lines.clone();
            lines[number] = line;
            format!("{}\n{second}", lines.join("\n"))
        };
        let edited = |from: &str, to: &str| with(2, &lines[2].replacen(from, to, 1));
        let found = |text: String, line: u64, reason: &str| {
            let found = faults(&text);
            assert!(matches!(&found[..], [(at, why)] if *at == line && why.contains(reason)), "{found:?}");
        };
        // A moved man, a changed side to move, an illegal move, a number beyond the vocabulary, a missing square, an
        // empty line and a missing line.
        found(edited("4,2,3", "4,3,2"), 3, "the position does not follow from the previous line");
        found(edited("|111101", "|111100"), 3, "does not follow");
        let moved = format!("0{}", &lines[2][lines[2].find('|').unwrap()..]);
        found(with(2, &moved), 3, "a1a2 cannot be played in this position");
        let beyond = format!("1968{}", &lines[2][lines[2].find('|').unwrap()..]);
        found(with(2, &beyond), 3, "not in the vocabulary, which has 1968 moves");
        found(edited(",0", ""), 3, "expected 64 squares, found 63");
        found(with(2, ""), 3, "expected move_index|board|rights");
        found(with(2, lines[3]), 3, "does not follow");
    }
}
