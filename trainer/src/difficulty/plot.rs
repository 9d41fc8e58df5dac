use std::error::Error;

use entente_render::COLORS;
use plotters::prelude::*;

use super::{Report, fit::mean};

/// The width of the groups of predictions whose mean is drawn.
const GROUP: f64 = 200.0;
/// The least number of puzzles of such a group.
const MIN: usize = 15;

/// Plots the predicted ratings against the real ones, and the mean real rating of each group of predictions, as SVG.
///
/// # Errors
/// If plotters cannot draw them.
pub fn plot(report: &Report) -> Result<String, Box<dyn Error>> {
    let own: Vec<f64> = report.predicted.iter().map(|predicted| f64::from(predicted.rating)).collect();
    let points: Vec<(f64, f64)> = own.iter().copied().zip(report.real.iter().copied()).collect();
    let low = report.real.iter().chain(&own).copied().fold(f64::INFINITY, f64::min);
    let high = report.real.iter().chain(&own).copied().fold(0.0, f64::max);
    let (low, high) = ((low / 200.0).floor() * 200.0, (high / 200.0).ceil() * 200.0);
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (640, 600)).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .caption("Puzzles that took no part in the fit", ("sans-serif", 20))
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(55)
            .build_cartesian_2d(low..high, low..high)?;
        chart
            .configure_mesh()
            .x_desc("predicted rating")
            .y_desc("rating on Lichess")
            .x_label_formatter(&|rating| format!("{rating:.0}"))
            .y_label_formatter(&|rating| format!("{rating:.0}"))
            .light_line_style(TRANSPARENT)
            .bold_line_style(BLACK.mix(0.15))
            .label_style(("sans-serif", 14))
            .draw()?;
        let dots = COLORS[0].mix(0.35).filled();
        chart
            .draw_series(points.iter().map(|point| Circle::new(*point, 2, dots)))?
            .label("a puzzle")
            .legend(move |(x, y)| Circle::new((x + 10, y), 3, dots));
        chart
            .draw_series(LineSeries::new([(low, low), (high, high)], BLACK.stroke_width(1)))?
            .label("perfect prediction")
            .legend(|(x, y)| PathElement::new(vec![(x, y), (x + 20, y)], BLACK.stroke_width(1)));
        let style = COLORS[1].stroke_width(3);
        chart
            .draw_series(LineSeries::new(means(&points, low, high), style))?
            .label("mean rating by prediction")
            .legend(move |(x, y)| PathElement::new(vec![(x, y), (x + 20, y)], style));
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .label_font(("sans-serif", 14))
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .draw()?;
        area.present()?;
    }
    Ok(svg)
}

/// The mean prediction and the mean rating of each group.
fn means(points: &[(f64, f64)], low: f64, high: f64) -> Vec<(f64, f64)> {
    let groups = ((high - low) / GROUP).ceil() as usize;
    let of = |group: usize| {
        let from = low + group as f64 * GROUP;
        let (own, real): (Vec<f64>, Vec<f64>) =
            points.iter().filter(|(own, _)| (from..from + GROUP).contains(own)).copied().unzip();
        (own.len() >= MIN).then(|| (mean(&own), mean(&real)))
    };
    (0..groups).filter_map(of).collect()
}
