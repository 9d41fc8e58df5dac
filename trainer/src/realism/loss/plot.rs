use std::error::Error;

use entente_render::COLORS;
use plotters::{
    coord::Shift,
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

use super::{Contest, LossFigures};
use crate::realism::{Estimate, Grid, Window};

/// A line of the plot: its name, and its figures for each window, if there are any.
struct Line<'a> {
    name: &'a str,
    figures: Vec<Option<LossFigures>>,
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

const GREY: RGBColor = RGBColor(90, 90, 90);

/// Plots the mean loss and the share of moves that lose over 200 centipawns, by rating, for human games and each
/// method, as SVG.
///
/// # Errors
///
/// If plotters cannot draw them.
pub fn loss_plot(grid: &Grid, methods: &[String], contests: &[Contest]) -> Result<String, Box<dyn Error>> {
    let contest = |window: usize, method: Option<usize>| {
        // Each method is compared with its own human games. The plot shows those of the first method that has any.
        contests
            .iter()
            .find(|contest| contest.window == window && method.is_none_or(|method| contest.method == method))
    };
    let windows = 0..grid.windows.len();
    let human = windows.clone().map(|window| contest(window, None).map(|c| LossFigures::of(&c.human)));
    let mut lines = vec![Line { name: "people", figures: human.collect() }];
    for (method, name) in methods.iter().enumerate() {
        let of = |window| contest(window, Some(method)).map(|c| LossFigures::of(&c.generated));
        lines.push(Line { name, figures: windows.clone().map(of).collect() });
    }
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (960, 440)).into_drawing_area();
        area.fill(&WHITE)?;
        let (legend, charts) = area.split_vertically(40);
        draw_legend(&legend, &lines)?;
        let (left, right) = charts.split_horizontally(480);
        let mean = |figures: &LossFigures| figures.mean[0];
        chart(&left, "Mean loss per move (centipawns)", &grid.windows, &lines, mean, 1.0, "")?;
        let share = |figures: &LossFigures| figures.over_200[0];
        chart(&right, "Moves that lose over 200 centipawns", &grid.windows, &lines, share, 100.0, "%")?;
        area.present()?;
    }
    Ok(svg)
}

fn color(line: usize) -> RGBColor {
    if line == 0 { BLACK } else { COLORS[(line - 1) % COLORS.len()] }
}

fn draw_legend(area: &Area<'_>, lines: &[Line<'_>]) -> Result<(), Box<dyn Error>> {
    let mut x = 60;
    for (index, line) in lines.iter().enumerate() {
        let style = color(index).stroke_width(if index == 0 { 3 } else { 2 });
        area.draw(&PathElement::new(vec![(x, 22), (x + 24, 22)], style))?;
        area.draw(&Circle::new((x + 12, 22), 4, color(index).filled()))?;
        let font = ("sans-serif", 15).into_font().color(&BLACK).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new(line.name.to_owned(), (x + 32, 22), font))?;
        x += 64 + 8 * line.name.chars().count() as i32;
    }
    Ok(())
}

/// Plots one measure, multiplied by `factor`. There is a column for each window with a point and its interval for each
/// line. Points on the same rating scale are joined.
fn chart(
    area: &Area<'_>,
    caption: &str,
    windows: &[Window],
    lines: &[Line<'_>],
    pick: impl Fn(&LossFigures) -> Option<Estimate>,
    factor: f64,
    unit: &str,
) -> Result<(), Box<dyn Error>> {
    // The mean and the ends of the interval.
    let point = |line: &Line<'_>, window: usize| {
        let estimate = pick(line.figures[window].as_ref()?)?;
        let (low, high) = estimate.interval().unwrap_or((estimate.mean, estimate.mean));
        Some([estimate.mean, low, high].map(|value| factor * value))
    };
    let highs = lines.iter().flat_map(|line| (0..windows.len()).filter_map(|window| point(line, window)));
    let most = highs.map(|[_, _, high]| high).fold(factor / 100.0, f64::max);
    let mut chart = ChartBuilder::on(area)
        .caption(caption, ("sans-serif", 17))
        .margin(10)
        .x_label_area_size(34)
        .y_label_area_size(46)
        .build_cartesian_2d(0.0..windows.len() as f64, 0.0..1.08 * most)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(0)
        .y_label_formatter(&|value| format!("{value}{unit}"))
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.12))
        .axis_style(BLACK.mix(0.5))
        .label_style(("sans-serif", 13))
        .draw()?;
    let plane = chart.plotting_area();
    for (column, window) in windows.iter().enumerate() {
        let (x, y) = plane.map_coordinate(&(column as f64 + 0.5, 0.0));
        let font = ("sans-serif", 14).into_font().color(&BLACK).pos(Pos::new(HPos::Center, VPos::Top));
        area.draw(&Text::new(window.to_string(), relative(area, (x, y + 9)), font))?;
        if column > 0 && windows[column - 1].scale != window.scale {
            let ends = vec![(column as f64, 0.0), (column as f64, 1.08 * most)];
            plane.draw(&PathElement::new(ends, GREY.mix(0.35).stroke_width(1)))?;
        }
    }
    // Shift the points of a column sideways, so that no interval hides another.
    let place = |line: usize, window: usize| {
        let step = (0.6 / lines.len() as f64).min(0.14);
        window as f64 + 0.5 + step * (line as f64 - (lines.len() as f64 - 1.0) / 2.0)
    };
    for (index, line) in lines.iter().enumerate() {
        let color = color(index);
        let width = if index == 0 { 3 } else { 2 };
        for window in 0..windows.len() {
            let Some([mean, low, high]) = point(line, window) else { continue };
            let x = place(index, window);
            plane.draw(&PathElement::new(vec![(x, low), (x, high)], color.stroke_width(2)))?;
            plane.draw(&Circle::new((x, mean), 4, color.filled()))?;
            let next = window + 1;
            if windows.get(next).is_some_and(|after| after.scale == windows[window].scale)
                && let Some([to, ..]) = point(line, next)
            {
                let ends = vec![(x, mean), (place(index, next), to)];
                plane.draw(&PathElement::new(ends, color.mix(0.45).stroke_width(width)))?;
            }
        }
    }
    Ok(())
}

/// Converts coordinates in the whole picture to coordinates in `area`.
fn relative(area: &Area<'_>, (x, y): (i32, i32)) -> (i32, i32) {
    let (left, top) = area.get_base_pixel();
    (x - left, y - top)
}
