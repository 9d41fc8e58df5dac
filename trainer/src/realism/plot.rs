use std::error::Error;

use entente_render::COLORS;
use plotters::prelude::*;

use super::SatisfyingGame;

/// Number of plies that are averaged for a point.
const STEP: usize = 4;
/// Minimum number of games that must be long enough for a point.
const MIN: usize = 20;

/// Plots the mean surprise ply by ply according to the first judge, with a line for each kind of games, as SVG. Games
/// have weights.
///
/// # Errors
///
/// If plotters cannot draw them.
pub fn plot(
    kinds: &[(&str, Vec<(&SatisfyingGame, f64)>)],
    max_plies: usize,
) -> Result<String, Box<dyn Error>> {
    let lines: Vec<(&str, Vec<(f64, f64)>)> =
        kinds.iter().map(|(name, games)| (*name, points(games, max_plies))).collect();
    let all = || lines.iter().flat_map(|(_, points)| points);
    let high = all().map(|(_, surprise)| *surprise).fold(1.0, f64::max);
    let last = all().map(|(ply, _)| *ply).fold(STEP as f64, f64::max);
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (800, 480)).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .caption("How surprising moves are, ply by ply", ("sans-serif", 20))
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(50)
            .build_cartesian_2d(0.0..last, 0.0..high * 1.05)?;
        chart
            .configure_mesh()
            .x_desc("ply")
            .y_desc("surprise (nats)")
            .x_label_formatter(&|ply| format!("{ply:.0}"))
            .light_line_style(TRANSPARENT)
            .bold_line_style(BLACK.mix(0.15))
            .label_style(("sans-serif", 14))
            .draw()?;
        for (index, (name, points)) in lines.iter().enumerate() {
            let color = if index == 0 { BLACK } else { COLORS[(index - 1) % COLORS.len()] };
            let style = color.stroke_width(if index == 0 { 3 } else { 2 });
            chart
                .draw_series(LineSeries::new(points.iter().copied(), style))?
                .label(*name)
                .legend(move |(x, y)| PathElement::new(vec![(x, y), (x + 20, y)], style));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::LowerRight)
            .label_font(("sans-serif", 14))
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .draw()?;
        area.present()?;
    }
    Ok(svg)
}

fn points(games: &[(&SatisfyingGame, f64)], max_plies: usize) -> Vec<(f64, f64)> {
    (0..max_plies)
        .step_by(STEP)
        .filter_map(|first| {
            let reaching = || games.iter().filter(|(game, _)| game.moves.len() > first);
            let (mut sum, mut plies) = (0.0, 0.0);
            for (game, weight) in reaching() {
                let stretch = game.surprise[0][first..].iter().take(STEP);
                plies += weight * stretch.len() as f64;
                sum += weight * stretch.map(|surprise| f64::from(*surprise)).sum::<f64>();
            }
            (reaching().count() >= MIN).then(|| (first as f64 + STEP as f64 / 2.0, sum / plies))
        })
        .collect()
}
