use std::error::Error;

use plotters::prelude::*;

/// Plots the losses of training and validation, as SVG. `axes` are the labels of the two axes. A point has its position
/// on the first axis, the training loss and the validation loss.
///
/// # Errors
///
/// If plotters cannot draw them.
pub fn loss_plot(title: &str, axes: [&str; 2], points: &[[f64; 3]]) -> Result<String, Box<dyn Error>> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (800, 480)).into_drawing_area();
        area.fill(&WHITE)?;
        let last = points.last().map_or(1.0, |point| point[0]).max(1e-3);
        let losses = || points.iter().flat_map(|point| [point[1], point[2]]);
        // The first losses are so high that they would flatten the rest of the curves.
        let settled = points.iter().skip(1).map(|point| point[1].max(point[2]));
        let high = settled.fold(f64::NAN, f64::max);
        let high = if high.is_finite() { high } else { losses().fold(0.1, f64::max) };
        let low = losses().fold(high, f64::min);
        let margin = ((high - low) * 0.1).max(1e-4);
        let mut chart = ChartBuilder::on(&area)
            .caption(title, ("sans-serif", 20))
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(60)
            .build_cartesian_2d(0.0..last, low - margin..high + margin)?;
        chart.configure_mesh().x_desc(axes[0]).y_desc(axes[1]).label_style(("sans-serif", 14)).draw()?;
        let lines = [("training", RGBColor(31, 119, 180)), ("validation", RGBColor(214, 39, 40))];
        for (line, (name, color)) in lines.into_iter().enumerate() {
            let points = points.iter().map(|point| (point[0], point[1 + line].min(high + margin)));
            chart
                .draw_series(LineSeries::new(points, color.stroke_width(2)))?
                .label(name)
                .legend(move |(x, y)| PathElement::new(vec![(x, y), (x + 20, y)], color.stroke_width(2)));
        }
        chart
            .configure_series_labels()
            .label_font(("sans-serif", 14))
            .background_style(WHITE)
            .border_style(BLACK.mix(0.3))
            .draw()?;
        area.present()?;
    }
    Ok(svg)
}
