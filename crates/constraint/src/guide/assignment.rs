//! A minimum-cost assignment of men to squares.

use super::paths::NO_PATH;

/// The most men that a side can have.
pub const MEN: usize = 16;

/// The costs of assigning columns (men) to rows (places); [`NO_PATH`] if a man cannot get there.
pub type Costs = [[u16; MEN]; MEN];

/// A minimum-cost assignment of a different column to each of the first `rows` rows: the column of each row; `None` if
/// there is no assignment. Only the first `columns` columns are used.
///
/// This is the Hungarian method with shortest augmenting paths (Kuhn 1955, Jonker and Volgenant 1987) in
/// O(rows² · columns).
pub fn cheapest(costs: &Costs, rows: usize, columns: usize) -> Option<[u8; MEN]> {
    if rows > columns {
        return None;
    }
    const FAR: i32 = i32::MAX / 2;
    // Row and column 0 mean "none"; the real ones count from 1.
    let (mut row_price, mut column_price) = ([0_i32; MEN + 1], [0_i32; MEN + 1]);
    let mut row_of = [0_usize; MEN + 1];
    let mut came_from = [0_usize; MEN + 1];
    for row in 1..=rows {
        row_of[0] = row;
        let mut column = 0;
        let mut slack = [FAR; MEN + 1];
        let mut done = [false; MEN + 1];
        while row_of[column] != 0 {
            done[column] = true;
            let here = row_of[column];
            let (mut least, mut next) = (FAR, 0);
            for other in 1..=columns {
                if done[other] {
                    continue;
                }
                let reduced = i32::from(costs[here - 1][other - 1]) - row_price[here] - column_price[other];
                if reduced < slack[other] {
                    slack[other] = reduced;
                    came_from[other] = column;
                }
                if slack[other] < least {
                    (least, next) = (slack[other], other);
                }
            }
            for other in 0..=columns {
                if done[other] {
                    row_price[row_of[other]] += least;
                    column_price[other] -= least;
                } else {
                    slack[other] -= least;
                }
            }
            column = next;
        }
        while column != 0 {
            let before = came_from[column];
            row_of[column] = row_of[before];
            column = before;
        }
    }
    let mut column_of = [0; MEN];
    for column in 1..=columns {
        if row_of[column] != 0 {
            if costs[row_of[column] - 1][column - 1] >= NO_PATH {
                return None;
            }
            column_of[row_of[column] - 1] = (column - 1) as u8;
        }
    }
    Some(column_of)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

    use super::*;

    /// The lowest cost, found by trying all assignments.
    fn least(costs: &Costs, row: usize, rows: usize, columns: usize, taken: u32) -> u32 {
        if row == rows {
            return 0;
        }
        (0..columns)
            .filter(|column| taken & (1 << column) == 0)
            .map(|column| {
                u32::from(costs[row][column]) + least(costs, row + 1, rows, columns, taken | (1 << column))
            })
            .min()
            .unwrap()
    }

    #[test]
    fn the_cost_equals_the_minimum_over_all_assignments() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut impossible = 0;
        for _ in 0..2000 {
            let columns = rng.random_range(1..=6);
            let rows = rng.random_range(0..=columns);
            let mut costs = [[0; MEN]; MEN];
            for cost in costs.iter_mut().flatten() {
                *cost = if rng.random_bool(0.3) { NO_PATH } else { rng.random_range(0..100) };
            }
            let best = least(&costs, 0, rows, columns, 0);
            match cheapest(&costs, rows, columns) {
                Some(column_of) => {
                    let total: u32 =
                        (0..rows).map(|row| u32::from(costs[row][usize::from(column_of[row])])).sum();
                    assert_eq!(total, best);
                }
                None => {
                    impossible += 1;
                    assert!(best >= u32::from(NO_PATH));
                }
            }
        }
        assert!(impossible > 100);
    }

    #[test]
    fn more_places_than_men_cannot_be_filled() {
        assert_eq!(cheapest(&[[0; MEN]; MEN], 3, 2), None);
    }
}
