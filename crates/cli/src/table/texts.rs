use parquet::data_type::ByteArray;

/// A column of texts, stored one after another in a single allocation.
#[derive(Default)]
pub struct Texts {
    bytes: Vec<u8>,
    lengths: Vec<usize>,
}

impl Texts {
    /// Adds a text.
    pub fn push(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.lengths.push(text.len());
    }

    /// The texts as values for Parquet.
    pub fn values(self) -> Vec<ByteArray> {
        let bytes = ByteArray::from(self.bytes);
        let mut start = 0;
        self.lengths
            .iter()
            .map(|&length| {
                let text = bytes.slice(start, length);
                start += length;
                text
            })
            .collect()
    }
}
