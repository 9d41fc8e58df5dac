use serde::{Deserialize, Serialize};

/// Counts how often numbers occur. It has the distinct numbers in ascending order with their counts, and is meant for
/// few distinct numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Counter(Vec<(u32, u32)>);

impl Counter {
    /// Counts an occurrence of a number.
    pub fn add(&mut self, number: u32) {
        self.add_times(number, 1);
    }

    fn add_times(&mut self, number: u32, times: u32) {
        match self.0.binary_search_by_key(&number, |(number, _)| *number) {
            Ok(place) => self.0[place].1 += times,
            Err(place) => self.0.insert(place, (number, times)),
        }
    }

    /// Adds the counts of another counter. `renamed` maps its numbers to the numbers of this one.
    pub fn merge(&mut self, other: &Counter, renamed: impl Fn(u32) -> u32) {
        other.0.iter().for_each(|(number, times)| self.add_times(renamed(*number), *times));
    }

    /// The numbers and their counts, in ascending order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (u32, u64)> + '_ {
        self.0.iter().map(|(number, times)| (*number, u64::from(*times)))
    }

    /// The sum of all counts.
    pub fn total(&self) -> u64 {
        self.iter().map(|(_, times)| times).sum()
    }

    /// True if the numbers are in ascending order and the counts add up to `total`.
    pub fn is_sound(&self, total: u64) -> bool {
        self.0.is_sorted_by(|(one, _), (other, _)| one < other) && self.total() == total
    }

    /// The mean of all occurrences; `None` if there are none.
    pub fn mean(&self) -> Option<f64> {
        let total = self.total();
        let sum: u64 = self.iter().map(|(number, times)| u64::from(number) * times).sum();
        (total > 0).then(|| sum as f64 / total as f64)
    }

    /// The median of all occurrences, or the mean of the two in the middle; `None` if there are none.
    pub fn median(&self) -> Option<f64> {
        let last = self.total().checked_sub(1)?;
        let at = |rank: u64| {
            let mut before = 0;
            let found = self.iter().find(|(_, times)| {
                before += times;
                before > rank
            });
            found.map(|(number, _)| f64::from(number))
        };
        Some((at(last / 2)? + at(last.div_ceil(2))?) / 2.0)
    }

    /// The number with the greatest count. `is_before` decides between numbers with equal counts.
    pub fn most_common(&self, is_before: impl Fn(u32, u32) -> bool) -> Option<u32> {
        let mut best: Option<(u32, u64)> = None;
        for (number, times) in self.iter() {
            let is_better =
                |(other, most): (u32, u64)| times > most || times == most && is_before(number, other);
            if best.is_none_or(is_better) {
                best = Some((number, times));
            }
        }
        best.map(|(number, _)| number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_median_count_every_occurrence() {
        let mut counter = Counter::default();
        assert_eq!((counter.mean(), counter.median()), (None, None));
        [9, 3, 9, 4].into_iter().for_each(|number| counter.add(number));
        assert_eq!((counter.mean(), counter.median(), counter.total()), (Some(6.25), Some(6.5), 4));
        counter.add(9);
        assert_eq!(counter.median(), Some(9.0));
        assert_eq!(counter.most_common(|a, b| a < b), Some(9));
        let mut other = Counter::default();
        other.merge(&counter, |number| number + 1);
        other.add(5);
        assert_eq!(other.iter().collect::<Vec<_>>(), [(4, 1), (5, 2), (10, 3)]);
    }
}
