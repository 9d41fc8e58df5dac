use std::error::Error;

use plotters::prelude::*;

use super::Record;

/// The losses over the epochs, as SVG.
///
/// # Errors
///
/// If plotters cannot draw them.
pub fn loss_plot(title: &str, records: &[Record]) -> Result<String, Box<dyn Error>> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (800, 480)).into_drawing_area();
        area.fill(&WHITE)?;
        let last = records.last().map_or(1.0, |record| record.epoch).max(1e-3);
        let losses = || records.iter().flat_map(|record| [record.train_loss, record.validation_loss]);
        // The first stretch would flatten all that follows.
        let settled = records.iter().skip(1).map(|record| record.train_loss.max(record.validation_loss));
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
        chart
            .configure_mesh()
            .x_desc("epoch")
            .y_desc("binary cross-entropy (nats)")
            .label_style(("sans-serif", 14))
            .draw()?;
        type Loss = fn(&Record) -> f64;
        let lines: [(&str, RGBColor, Loss); 2] = [
            ("training", RGBColor(31, 119, 180), |record| record.train_loss),
            ("validation", RGBColor(214, 39, 40), |record| record.validation_loss),
        ];
        for (name, color, loss) in lines {
            let points = records.iter().map(|record| (record.epoch, loss(record).min(high + margin)));
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
