use super::NetworkError;

/// The sizes of an input or output for one query, without the batch dimension: `[51, 8, 8]`.
pub(crate) type Shape = Vec<usize>;

/// The shapes of the inputs and outputs of a model, in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    /// The shapes of the inputs.
    pub inputs: Vec<Shape>,
    /// The shapes of the outputs.
    pub outputs: Vec<Shape>,
}

impl Signature {
    /// Checks that output number `place` has the right number of elements for a batch of `rows`.
    ///
    /// # Errors
    /// [`NetworkError::Shape`] if not: a model that works for one batch may still fail for another.
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

/// The number of elements of a shape.
pub(crate) fn length(shape: &[usize]) -> usize {
    shape.iter().product()
}

/// Formats sizes as `17×8×8`.
pub(crate) fn by<T: ToString>(sizes: impl IntoIterator<Item = T>) -> String {
    sizes.into_iter().map(|size| size.to_string()).collect::<Vec<_>>().join("×")
}

/// Formats shapes as `51×8×8 and 102`, or as `nothing` if there are none.
pub(crate) fn listed(shapes: &[Shape]) -> String {
    match shapes {
        [] => "nothing".to_owned(),
        shapes => shapes.iter().map(by).collect::<Vec<_>>().join(" and "),
    }
}

/// Formats a count: `one input`, `2 inputs`.
pub(crate) fn number(count: usize, thing: &str) -> String {
    match count {
        1 => format!("one {thing}"),
        count => format!("{count} {thing}s"),
    }
}
