use super::NetworkError;

/// The sizes of what a network reads or says of one question, without those of the batch: `[51, 8, 8]`.
pub(crate) type Shape = Vec<usize>;

/// Shapes of inputs or of outputs, in the model's order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    /// What the model reads.
    pub inputs: Vec<Shape>,
    /// What it says.
    pub outputs: Vec<Shape>,
}

impl Signature {
    /// Checks that output number `place` has as many numbers as it should for a batch of `rows`.
    ///
    /// # Errors
    /// [`NetworkError::Shape`] if it has not: what runs on one batch may still mix up another.
    pub(crate) fn check_output(
        &self,
        name: &str,
        place: usize,
        found: usize,
        rows: usize,
    ) -> Result<(), NetworkError> {
        let expected = rows * length(&self.outputs[place]);
        if found == expected {
            return Ok(());
        }
        let expected = format!("{expected} numbers in output {} for {rows} inputs", place + 1);
        Err(NetworkError::shape(name, expected, found.to_string()))
    }
}

/// Numbers in one row of that shape.
pub(crate) fn length(shape: &[usize]) -> usize {
    shape.iter().product()
}

/// Sizes as `17×8×8`.
pub(crate) fn by<T: ToString>(sizes: impl IntoIterator<Item = T>) -> String {
    sizes.into_iter().map(|size| size.to_string()).collect::<Vec<_>>().join("×")
}

/// Shapes as `51×8×8 and 102`; `nothing` if there is none.
pub(crate) fn listed(shapes: &[Shape]) -> String {
    match shapes {
        [] => "nothing".to_owned(),
        shapes => shapes.iter().map(by).collect::<Vec<_>>().join(" and "),
    }
}

/// `one input`, `2 inputs`.
pub(crate) fn number(count: usize, thing: &str) -> String {
    match count {
        1 => format!("one {thing}"),
        count => format!("{count} {thing}s"),
    }
}
