/// A column of lists. Their values are stored one after another in a `V`.
#[derive(Default)]
pub struct Lists<V> {
    /// The values of all lists.
    pub values: V,
    lengths: Vec<u32>,
}

impl<V> Lists<V> {
    /// Ends a list after `length` values were added.
    pub fn close(&mut self, length: usize) {
        self.lengths.push(length as u32);
    }

    /// The values, with Parquet's definition and repetition levels for each value and each empty list: whether there is
    /// a value, and whether it continues the previous list.
    pub fn into_parts(self) -> (V, Vec<i16>, Vec<i16>) {
        let (present, continued) = levels(self.lengths.iter().map(|&length| length as usize));
        (self.values, present, continued)
    }
}

/// Parquet's definition and repetition levels for lists of these lengths. For each value and each empty list, they are
/// 1 if there is a value, and 1 if it continues the previous list.
fn levels(lengths: impl Iterator<Item = usize>) -> (Vec<i16>, Vec<i16>) {
    let (mut present, mut continued) = (Vec::new(), Vec::new());
    for length in lengths {
        present.push(i16::from(length > 0));
        continued.push(0);
        for _ in 1..length {
            present.push(1);
            continued.push(1);
        }
    }
    (present, continued)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_mark_empty_lists_and_the_beginnings_of_lists() {
        let mut lists = Lists::<Vec<i32>>::default();
        for list in [&[1, 2, 3][..], &[], &[4]] {
            lists.values.extend(list);
            lists.close(list.len());
        }
        assert_eq!(lists.into_parts(), (vec![1, 2, 3, 4], vec![1, 1, 1, 0, 1], vec![0, 1, 1, 0, 0]));
    }
}
