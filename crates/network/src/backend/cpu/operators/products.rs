//! Products of matrices.

use entente_search::vectors::{LANES, Vector, Work, for_vectors, store_some};

use super::{
    Inputs, Operator, count, one,
    places::{broadcast, broadcast_places, padded, strides},
};
use crate::{
    backend::cpu::tensor::Tensor,
    onnx::NodeProto,
    product::{Strided, product},
};

/// The operator of a node, if it belongs here.
pub(super) fn operator(node: &NodeProto) -> Option<Operator> {
    Some(match node.op_type.as_str() {
        "MatMul" => one(|inputs| multiplied(inputs.get(0)?, inputs.get(1)?)),
        "Gemm" => {
            let are_turned = ["transA", "transB"].map(|name| node.integer(name, 0) != 0);
            let (alpha, beta) = (node.float("alpha", 1.0), node.float("beta", 1.0));
            one(move |inputs| general(inputs, are_turned, alpha, beta))
        }
        "Einsum" => {
            let equation: String = node.word("equation").split_whitespace().collect();
            one(move |inputs| summed(inputs, &equation))
        }
        _ => return None,
    })
}

/// The product `[rows, columns]` of two matrices. `left` gives the first one by its strides; the rows of `right` are padded to
/// whole vectors.
pub(super) fn product_of(left: Strided<'_>, rows: usize, right: &[f32], columns: usize) -> Vec<f32> {
    let mut output = vec![0.0; rows * columns];
    for_vectors(Multiplying { left, rows, right, columns, output: &mut output });
    output
}

/// The arguments of the vectorised product.
struct Multiplying<'a> {
    left: Strided<'a>,
    rows: usize,
    right: &'a [f32],
    columns: usize,
    output: &'a mut [f32],
}

impl Work for Multiplying<'_> {
    #[inline(always)]
    fn work<V: Vector, const GROUPS: usize>(self) {
        let Multiplying { left, rows, right, columns, output } = self;
        let wide = columns.next_multiple_of(LANES);
        product::<V, GROUPS>(left, rows, right, wide, |row, first, sum| {
            store_some(sum, &mut output[row * columns..][first..columns]);
        });
    }
}

/// A matrix `[inner, columns]` with rows that fill vectors; element (k, n) lies at `k · rows + n · columns` of
/// `numbers`.
fn widened(from: Strided<'_>, inner: usize, columns: usize) -> Vec<f32> {
    let wide = columns.next_multiple_of(LANES);
    let mut right = vec![0.0; inner * wide];
    for (k, row) in right.chunks_exact_mut(wide.max(1)).enumerate().take(inner) {
        for (n, number) in row.iter_mut().enumerate().take(columns) {
            *number = from.numbers[k * from.rows + n * from.columns];
        }
    }
    right
}

/// MatMul: a product of the last two axes, for each element of the others.
fn multiplied(left: &Tensor, right: &Tensor) -> Result<Tensor, String> {
    // A list is a matrix of one row on the left, and of one column on the right.
    let left_shape = if left.shape.len() == 1 { padded(&left.shape, 2) } else { left.shape.clone() };
    let right_shape = if right.shape.len() == 1 { vec![right.shape[0], 1] } else { right.shape.clone() };
    let ([left_outer @ .., rows, inner], [right_outer @ .., depth, columns]) =
        (&left_shape[..], &right_shape[..])
    else {
        return Err("expected matrices".to_owned());
    };
    let (rows, inner, columns) = (*rows, *inner, *columns);
    if inner != *depth {
        return Err(format!("a matrix with {inner} columns cannot be multiplied by one with {depth} rows"));
    }
    let outer = broadcast(left_outer, right_outer)?;
    let lefts = broadcast_places(left_outer, &outer);
    let rights = broadcast_places(right_outer, &outer);
    let (a, b) = (left.as_floats()?, right.as_floats()?);
    let mut numbers = Vec::with_capacity(lefts.len() * rows * columns);
    let mut last: Option<(usize, Vec<f32>)> = None;
    for (left, right) in lefts.into_iter().zip(rights) {
        let wide = match last.take() {
            Some((place, wide)) if place == right => wide,
            _ => {
                let from = &b[right * inner * columns..][..inner * columns];
                widened(Strided { numbers: from, rows: columns, columns: 1 }, inner, columns)
            }
        };
        let from = Strided { numbers: &a[left * rows * inner..][..rows * inner], rows: inner, columns: 1 };
        numbers.extend(product_of(from, rows, &wide, columns));
        last = Some((right, wide));
    }
    let mut shape = outer;
    shape.extend((left.shape.len() > 1).then_some(rows));
    shape.extend((right.shape.len() > 1).then_some(columns));
    Ok(Tensor::floats(shape, numbers))
}

/// A value as a matrix whose elements are this far apart, by row and by column.
fn view(value: &Tensor, (rows, columns): (usize, usize)) -> Result<Strided<'_>, String> {
    Ok(Strided { numbers: value.as_floats()?, rows, columns })
}

/// Gemm: `alpha` times the product of two matrices, either of which may be turned, plus `beta` times the third input.
fn general(inputs: Inputs<'_>, are_turned: [bool; 2], alpha: f32, beta: f32) -> Result<Tensor, String> {
    let (left, right) = (inputs.get(0)?, inputs.get(1)?);
    let ([l0, l1], [r0, r1]) = (&left.shape[..], &right.shape[..]) else {
        return Err("expected two matrices".to_owned());
    };
    let (rows, inner) = if are_turned[0] { (*l1, *l0) } else { (*l0, *l1) };
    let (depth, columns) = if are_turned[1] { (*r1, *r0) } else { (*r0, *r1) };
    if inner != depth {
        return Err(format!("a matrix with {inner} columns cannot be multiplied by one with {depth} rows"));
    }
    // How far apart the elements of a matrix with this number of columns are, by row and by column.
    let strides = |columns: usize, is_turned: bool| if is_turned { (1, columns) } else { (columns, 1) };
    let wide = widened(view(right, strides(*r1, are_turned[1]))?, inner, columns);
    let mut numbers = product_of(view(left, strides(*l1, are_turned[0]))?, rows, &wide, columns);
    if alpha != 1.0 {
        numbers.iter_mut().for_each(|number| *number *= alpha);
    }
    let shape = vec![rows, columns];
    if let Some(more) = inputs.optional(2) {
        if broadcast(&shape, &more.shape)? != shape {
            return Err("its third input is larger than the product".to_owned());
        }
        let places = broadcast_places(&more.shape, &shape);
        let more = more.as_floats()?;
        numbers.iter_mut().zip(places).for_each(|(number, place)| *number += beta * more[place]);
    }
    Ok(Tensor::floats(shape, numbers))
}

/// Einsum: the sum of products over all letters that the output does not have.
fn summed(inputs: Inputs<'_>, equation: &str) -> Result<Tensor, String> {
    let refused = || format!("expected an equation such as bqd,bkd->bqk, found '{equation}'");
    let (terms, output) = equation.split_once("->").ok_or_else(refused)?;
    let all = inputs.all();
    let terms: Vec<Vec<char>> = terms.split(',').map(|term| term.chars().collect()).collect();
    let mut letters: Vec<char> = output.chars().collect();
    let kept = letters.len();
    letters.extend(terms.iter().flatten());
    let mut seen = Vec::new();
    letters.retain(|letter| {
        !seen.contains(letter) && {
            seen.push(*letter);
            true
        }
    });
    let mut sizes = vec![1; letters.len()];
    let fits = terms.len() == all.len()
        && terms.iter().zip(&all).all(|(term, input)| term.len() == input.shape.len());
    if !fits || kept > letters.len() {
        return Err(refused());
    }
    let place =
        |letter: &char| letters.iter().position(|other| other == letter).expect("each letter was added");
    for (term, input) in terms.iter().zip(&all) {
        for (letter, size) in term.iter().zip(&input.shape) {
            let known = &mut sizes[place(letter)];
            *known = (*known).max(*size);
        }
    }
    let mut steps = Vec::new();
    for (term, input) in terms.iter().zip(&all) {
        let mut own = vec![0; letters.len()];
        for ((letter, stride), size) in term.iter().zip(strides(&input.shape)).zip(&input.shape) {
            let place = place(letter);
            match *size {
                1 => {}
                size if size == sizes[place] => own[place] += stride as isize,
                size => return Err(format!("'{letter}' has the sizes {size} and {}", sizes[place])),
            }
        }
        steps.push(super::places(&sizes, &own, 0));
    }
    let lists = all.iter().map(|input| input.as_floats()).collect::<Result<Vec<_>, _>>()?;
    let each = count(&sizes[kept..]).max(1);
    let numbers = (0..count(&sizes[..kept])).map(|output| {
        (output * each..(output + 1) * each)
            .map(|term| lists.iter().zip(&steps).map(|(list, places)| list[places[term]]).product::<f32>())
            .sum()
    });
    Ok(Tensor::floats(sizes[..kept].to_vec(), numbers.collect()))
}
