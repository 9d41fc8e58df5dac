//! Where elements lie in memory.

/// The strides of a value of this shape: how far apart neighbours on each axis are.
pub(super) fn strides(shape: &[usize]) -> Vec<usize> {
    let mut strides = vec![1; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * shape[axis];
    }
    strides
}

/// The places of all elements of a view of this shape, in row-major order: the first element is at `first`, and
/// neighbours on an axis are as far apart as its stride says.
pub(in crate::backend::cpu) fn places(shape: &[usize], strides: &[isize], first: isize) -> Vec<usize> {
    let count = shape.iter().product();
    let mut places = Vec::with_capacity(count);
    let mut index = vec![0; shape.len()];
    let mut place = first;
    while places.len() < count {
        places.push(place as usize);
        for axis in (0..shape.len()).rev() {
            index[axis] += 1;
            place += strides[axis];
            if index[axis] < shape[axis] {
                break;
            }
            place -= strides[axis] * shape[axis] as isize;
            index[axis] = 0;
        }
    }
    places
}

/// A shape with as many axes as `rank`: axes of size 1 are added in front.
pub(in crate::backend::cpu) fn padded(shape: &[usize], rank: usize) -> Vec<usize> {
    let missing = rank.saturating_sub(shape.len());
    std::iter::repeat_n(1, missing).chain(shape.iter().copied()).collect()
}

/// The shape of values that are combined element by element.
///
/// # Errors
/// If they do not fit each other.
pub(super) fn broadcast(left: &[usize], right: &[usize]) -> Result<Vec<usize>, String> {
    let rank = left.len().max(right.len());
    padded(left, rank)
        .into_iter()
        .zip(padded(right, rank))
        .map(|sizes| match sizes {
            (1, size) | (size, 1) => Ok(size),
            (left, right) if left == right => Ok(left),
            (left, right) => Err(format!("sizes {left} and {right} do not fit each other")),
        })
        .collect()
}

/// The place, in a value of this shape, of each element of a value of the shape `wanted`, to which it is broadcast.
pub(super) fn broadcast_places(shape: &[usize], wanted: &[usize]) -> Vec<usize> {
    let shape = padded(shape, wanted.len());
    let own = strides(&shape).into_iter().zip(&shape);
    let strides: Vec<isize> =
        own.map(|(stride, size)| if *size == 1 { 0 } else { stride as isize }).collect();
    places(wanted, &strides, 0)
}
