use super::{Estimate, JudgedFigures, NOTHING};

/// A number with its ratio to the human number, if there is one, and ± half of the ratio's 95% interval.
pub(super) fn with_ratio(
    own: Option<Estimate>,
    human: Option<Estimate>,
    text: impl Fn(f64) -> String,
) -> String {
    let Some(own) = own else { return NOTHING.to_owned() };
    let number = text(own.mean);
    match human.and_then(|theirs| own.over(theirs)).map(|ratio| (ratio.mean, ratio.reach())) {
        Some((mean, Some(reach))) => format!("{number} ({mean:.2} ± {reach:.2})"),
        Some((mean, None)) => format!("{number} ({mean:.2})"),
        None => number,
    }
}

/// The surprise over all plies and in each range, and the share of rare moves, with the ratios to the human numbers.
pub(super) fn judged_cells(own: &JudgedFigures, human: Option<&JudgedFigures>) -> Vec<String> {
    type Pick<'a> = &'a dyn Fn(&JudgedFigures) -> Option<Estimate>;
    let cell =
        |pick: Pick<'_>, text: &dyn Fn(f64) -> String| with_ratio(pick(own), human.and_then(pick), text);
    let surprise = |mean: f64| format!("{mean:.2}");
    let mut cells = vec![cell(&|figures| figures.surprise, &surprise)];
    cells.extend((0..own.by_range.len()).map(|range| cell(&|figures| figures.by_range[range], &surprise)));
    cells.push(cell(&|figures| figures.rare, &|mean| format!("{:.1}%", 100.0 * mean)));
    cells
}

/// An AUC with its 95% interval, if that is known.
pub(super) fn auc_cell(value: f64, interval: Option<(f64, f64)>) -> String {
    match interval {
        Some((low, high)) => format!("{value:.2} ({low:.2}–{:.2})", high.min(1.0)),
        None => format!("{value:.2}"),
    }
}
