//! The result of an import, as counts and as a table.

use std::fmt;

use super::fault::Reason;

/// Counts of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of games in the files.
    pub read: u64,
    /// Number of games left out, by their first reason, in the order of [`Reason::ALL`].
    pub dropped: [u64; Reason::ALL.len()],
    /// Number of unreadable `[%eval]` comments; their games are kept.
    pub unreadable_evaluations: u64,
}

impl Counts {
    /// Counts a game that is left out.
    pub fn leave_out(&mut self, reason: Reason) {
        self.dropped[reason as usize] += 1;
    }

    /// Number of games left out for this reason.
    pub fn dropped_for(&self, reason: Reason) -> u64 {
        self.dropped[reason as usize]
    }

    /// Number of games kept.
    pub fn left(&self) -> u64 {
        self.read - self.dropped.iter().sum::<u64>()
    }

    /// Adds the counts of other games.
    pub fn add(&mut self, other: &Counts) {
        self.read += other.read;
        self.dropped.iter_mut().zip(other.dropped).for_each(|(sum, count)| *sum += count);
        self.unreadable_evaluations += other.unreadable_evaluations;
    }
}

/// The result of an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Counts of the games.
    pub counts: Counts,
    /// Number of plies in the store.
    pub plies: u64,
    /// Size of the store in bytes.
    pub bytes: u64,
    /// Number of blocks in the store.
    pub blocks: usize,
    /// Number of files whose compressed stream ended early.
    pub damaged_files: usize,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut row = |label: &str, value: String| writeln!(f, "{label:<34}{value:>16}");
        row("Games read", grouped(self.counts.read))?;
        for reason in Reason::ALL {
            let count = self.counts.dropped_for(reason);
            // Always show the filters, but damage only if it occurred.
            if count > 0 || !reason.is_fault() {
                row(&format!("  {}", reason.label()), grouped(count))?;
            }
        }
        row("Games kept", grouped(self.counts.left()))?;
        row("Plies", grouped(self.plies))?;
        row("Bytes in the store", grouped(self.bytes))?;
        row("Bytes per ply", format!("{:.3}", self.bytes as f64 / self.plies.max(1) as f64))?;
        if self.counts.unreadable_evaluations > 0 {
            row("Unreadable evaluations, games kept", grouped(self.counts.unreadable_evaluations))?;
        }
        if self.damaged_files > 0 {
            row("Files that end early", grouped(self.damaged_files as u64))?;
        }
        Ok(())
    }
}

/// A number with a comma after every three digits from the right.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!(
            ["0", "999", "1,000", "12,345,678"],
            [0, 999, 1000, 12_345_678].map(grouped).each_ref().map(String::as_str)
        );
    }

    #[test]
    fn each_reason_has_its_own_count() {
        let mut counts = Counts { read: 12, ..Counts::default() };
        for (place, reason) in Reason::ALL.into_iter().enumerate() {
            counts.leave_out(reason);
            assert_eq!(counts.dropped[place], 1);
        }
        assert_eq!(counts.left(), 0);
    }
}
