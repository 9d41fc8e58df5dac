//! Plots as SVG for a page, without a background and in the colour of the surrounding text.

use plotters::{
    chart::MeshStyle,
    coord::{Shift, ranged1d::Ranged},
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};
use thiserror::Error;

/// A plot that cannot be drawn.
#[derive(Debug, Error)]
#[error("a plot cannot be drawn: {0}")]
pub struct PlotError(String);

impl<E: std::error::Error + Send + Sync> From<DrawingAreaErrorKind<E>> for PlotError {
    fn from(error: DrawingAreaErrorKind<E>) -> PlotError {
        PlotError(error.to_string())
    }
}

/// A data series.
#[derive(Clone, Debug)]
pub struct Series<T> {
    /// The name, for the legend.
    pub name: String,
    /// The values; in a chart of categories, one for each category.
    pub values: Vec<T>,
}

/// An estimated share, and the lower and upper end of its interval, all in [0, 1].
pub type Interval = (f64, f64, f64);

/// Colours that colour-blind readers can distinguish, on light and dark backgrounds (M. Okabe, K. Ito).
pub const COLORS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(140, 140, 140),
];

/// A placeholder for the colour of the text, which SVG can name, but plotters cannot.
const INK: RGBColor = RGBColor(1, 2, 3);
const INK_TEXT: &str = "#010203";

/// The width of a plot in its own pixels; a page scales it.
pub(super) const WIDTH: u32 = 860;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

fn color(series: usize) -> RGBColor {
    COLORS[series % COLORS.len()]
}

/// Draws a plot of the series with a legend, and returns it as an SVG element for a page. The arguments of `draw` are
/// the whole area and the area under the legend, which is `height` pixels high.
fn drawn<T>(
    series: &[Series<T>],
    height: u32,
    draw: impl FnOnce(&Area<'_>, &Area<'_>) -> Result<(), PlotError>,
) -> Result<String, PlotError> {
    let legend = Legend::new(series.iter().map(|series| series.name.as_str()));
    let height = legend.height + height;
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        legend.draw(&area)?;
        draw(&area, &area.margin(legend.height, 0, 0, 0))?;
        area.present()?;
    }
    // Without a size, so that the page scales it, and without an XML declaration.
    let begin = svg.find("<svg").unwrap_or(0);
    let sizes = format!("<svg width=\"{WIDTH}\" height=\"{height}\"");
    Ok(svg[begin..].replacen(&sizes, "<svg class=\"plot\"", 1).replace(INK_TEXT, "currentColor"))
}

fn font(size: u32) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&INK)
}

/// The names of the series, in lines at the top.
struct Legend<'a> {
    /// The names, each with the position of its coloured square.
    names: Vec<(&'a str, (i32, i32))>,
    /// The height of all lines, in pixels.
    height: u32,
}

impl<'a> Legend<'a> {
    /// The distance between lines, in pixels.
    const LINE: i32 = 22;

    fn new(names: impl Iterator<Item = &'a str>) -> Legend<'a> {
        let (mut x, mut y) = (60, 8);
        let mut placed = Vec::new();
        for name in names {
            // Calculated with wide letters, so that names never overlap.
            let width = 40 + 8 * name.chars().count() as i32;
            if x > 60 && x + width > WIDTH as i32 {
                (x, y) = (60, y + Legend::LINE);
            }
            placed.push((name, (x, y)));
            x += width;
        }
        Legend { names: placed, height: (y + Legend::LINE) as u32 }
    }

    fn draw(&self, area: &Area<'_>) -> Result<(), PlotError> {
        for (index, &(name, (x, y))) in self.names.iter().enumerate() {
            area.draw(&Rectangle::new([(x, y), (x + 12, y + 12)], color(index).filled()))?;
            area.draw(&Text::new(name.to_owned(), (x + 18, y - 1), font(14)))?;
        }
        Ok(())
    }
}

/// Sets the styles of a mesh: faint lines, and axes and labels in the colour of the text.
fn inked<'m, 'a, 'b, X: Ranged, Y: Ranged, B: DrawingBackend>(
    mesh: &'m mut MeshStyle<'a, 'b, X, Y, B>,
) -> &'m mut MeshStyle<'a, 'b, X, Y, B> {
    mesh.light_line_style(TRANSPARENT)
        .bold_line_style(INK.mix(0.15))
        .axis_style(INK.mix(0.5))
        .label_style(font(13))
}

/// Draws a text whose anchor is at a pixel.
fn label(area: &Area<'_>, text: &str, at: (i32, i32), anchor: Pos) -> Result<(), PlotError> {
    Ok(area.draw(&Text::new(text.to_owned(), at, font(13).pos(anchor)))?)
}

/// A plot of shares with their intervals: a group of lines for each category, the first at the top.
///
/// # Errors
/// [`PlotError`] if plotters cannot draw it.
pub fn intervals(categories: &[String], series: &[Series<Option<Interval>>]) -> Result<String, PlotError> {
    /// The distance between lines, and the additional distance between categories, in pixels.
    const LINE: u32 = 10;
    const GAP: u32 = 10;
    let group = LINE * series.len() as u32 + GAP;
    let longest = categories.iter().map(|category| category.chars().count()).max().unwrap_or(0) as u32;
    drawn(series, 42 + group * categories.len() as u32, |area, under| {
        let mut chart = ChartBuilder::on(under)
            .margin(6)
            .margin_right(24)
            .x_label_area_size(30)
            .y_label_area_size((16 + 8 * longest).clamp(40, 330))
            .build_cartesian_2d(0.0..100.0, categories.len() as f64..0.0)?;
        let mut mesh = chart.configure_mesh();
        mesh.disable_y_mesh().y_labels(0).x_label_formatter(&|share| format!("{share:.0}%"));
        inked(&mut mesh).draw()?;
        let plane = chart.plotting_area();
        for (row, category) in categories.iter().enumerate() {
            let (x, y) = plane.map_coordinate(&(0.0, row as f64 + 0.5));
            label(area, category, (x - 10, y), Pos::new(HPos::Right, VPos::Center))?;
            for (index, series) in series.iter().enumerate() {
                let Some((value, low, high)) = series.values.get(row).copied().flatten() else { continue };
                let pixels = f64::from(GAP / 2 + LINE / 2 + LINE * index as u32);
                let y = row as f64 + pixels / f64::from(group);
                // A share without an interval, such as an exact one, is only a point.
                if low < high {
                    let line = vec![(100.0 * low, y), (100.0 * high, y)];
                    plane.draw(&PathElement::new(line, color(index).stroke_width(2)))?;
                }
                plane.draw(&Circle::new((100.0 * value, y), 4, color(index).filled()))?;
            }
        }
        Ok(())
    })
}

/// A plot of shares as bars side by side, with a group for each category.
///
/// # Errors
/// [`PlotError`] if plotters cannot draw it.
pub fn bars(categories: &[String], series: &[Series<f64>]) -> Result<String, PlotError> {
    let most = series.iter().flat_map(|series| &series.values).fold(0.01_f64, |most, value| most.max(*value));
    drawn(series, 292, |area, under| {
        let mut chart = ChartBuilder::on(under)
            .margin(6)
            .x_label_area_size(30)
            .y_label_area_size(56)
            .build_cartesian_2d(0.0..categories.len() as f64, 0.0..105.0 * most)?;
        let mut mesh = chart.configure_mesh();
        mesh.disable_x_mesh().x_labels(0).y_label_formatter(&|share| format!("{share:.1}%"));
        inked(&mut mesh).draw()?;
        let plane = chart.plotting_area();
        let width = 0.8 / series.len().max(1) as f64;
        for (column, category) in categories.iter().enumerate() {
            let (x, y) = plane.map_coordinate(&(column as f64 + 0.5, 0.0));
            label(area, category, (x, y + 8), Pos::new(HPos::Center, VPos::Top))?;
            for (index, series) in series.iter().enumerate() {
                let Some(value) = series.values.get(column) else { continue };
                let left = column as f64 + 0.1 + width * index as f64;
                let corners = [(left, 0.0), (left + width, 100.0 * value)];
                plane.draw(&Rectangle::new(corners, color(index).filled()))?;
            }
        }
        Ok(())
    })
}

/// A plot of curves of shares over a number, which is called `name`. The axis begins at `from`.
///
/// # Errors
/// [`PlotError`] if plotters cannot draw it.
pub fn curves(name: &str, from: f64, series: &[Series<(f64, f64)>]) -> Result<String, PlotError> {
    let points = || series.iter().flat_map(|series| &series.values);
    let last = points().fold(from + 1.0, |last, (x, _)| last.max(*x));
    let most = points().fold(0.001_f64, |most, (_, y)| most.max(*y));
    drawn(series, 332, |_, under| {
        let mut chart = ChartBuilder::on(under)
            .margin(6)
            .margin_right(24)
            .x_label_area_size(46)
            .y_label_area_size(56)
            .build_cartesian_2d(from..last, 0.0..105.0 * most)?;
        let mut mesh = chart.configure_mesh();
        mesh.x_desc(name).axis_desc_style(font(14));
        mesh.y_label_formatter(&|share| format!("{share:.1}%"))
            .x_label_formatter(&|number| format!("{number:.0}"));
        inked(&mut mesh).draw()?;
        for (index, series) in series.iter().enumerate() {
            let points = series.values.iter().map(|(x, y)| (*x, 100.0 * y));
            chart.draw_series(LineSeries::new(points, color(index).stroke_width(2)))?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_legend_has_several_lines() {
        let names = ["x".repeat(60), "y".repeat(60), "z".to_owned()];
        let legend = Legend::new(names.iter().map(String::as_str));
        let places: Vec<(i32, i32)> = legend.names.iter().map(|(_, place)| *place).collect();
        assert_eq!(places, [(60, 8), (60, 30), (580, 30)]);
        assert_eq!(legend.height, 52);
    }

    #[test]
    fn plots_take_the_colour_of_the_text_and_the_width_of_the_page() {
        let names = ["(1,2,2,2,7)".to_owned(), "a<b & c".to_owned()];
        let series = |name: &str, values| Series { name: name.to_owned(), values };
        let shares =
            [series("x", vec![Some((0.5, 0.4, 0.6)), None]), series("y", vec![None, Some((1.0, 0.9, 1.0))])];
        let plots = [
            intervals(&names, &shares).unwrap(),
            bars(&names, &[Series { name: "x".to_owned(), values: vec![0.5, 0.25] }]).unwrap(),
            curves("plies", 0.0, &[Series { name: "x".to_owned(), values: vec![(1.0, 0.5), (9.0, 0.1)] }])
                .unwrap(),
            curves("rating", 600.0, &[]).unwrap(),
        ];
        for plot in &plots {
            assert!(plot.starts_with("<svg class=\"plot\" viewBox="), "{plot}");
            assert!(plot.contains("currentColor") && !plot.contains(INK_TEXT) && !plot.contains("a<b"));
        }
        assert_eq!(plots[0].matches("<circle").count(), 2, "{}", plots[0]);
    }
}
