/// Lists of a column, end to end: `V` holds what is in them.
#[derive(Default)]
pub struct Lists<V> {
    /// What is in the lists, one after the other.
    pub values: V,
    lengths: Vec<u32>,
}

impl<V> Lists<V> {
    /// Ends a list of which so many values were added.
    pub fn close(&mut self, length: usize) {
        self.lengths.push(length as u32);
    }

    /// What is in the lists, with Parquet's two levels: for each value, and for each empty list, whether there is
    /// a value, and whether it goes on with the list before.
    pub fn into_parts(self) -> (V, Vec<i16>, Vec<i16>) {
        let (present, continued) = levels(self.lengths.iter().map(|&length| length as usize));
        (self.values, present, continued)
    }
}

/// For each value of lists of these lengths, and for each empty list, whether there is a value, and whether it goes on
/// with the list before: Parquet's definition and repetition levels.
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
    fn levels_tell_empty_lists_and_where_lists_begin() {
        let mut lists = Lists::<Vec<i32>>::default();
        for list in [&[1, 2, 3][..], &[], &[4]] {
            lists.values.extend(list);
            lists.close(list.len());
        }
        assert_eq!(lists.into_parts(), (vec![1, 2, 3, 4], vec![1, 1, 1, 0, 1], vec![0, 1, 1, 0, 0]));
    }
}
