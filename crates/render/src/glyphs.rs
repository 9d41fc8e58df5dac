//! Letters and digits for the coordinates, as strokes, so that an image looks the same with any fonts.

/// The width of a glyph, in its own units.
pub(super) const WIDTH: f32 = 6.0;
/// The height of a glyph above the base line, in its own units.
pub(super) const HEIGHT: f32 = 10.0;

/// The strokes of a file's letter or a rank's digit, as data of an SVG path. The origin is the top left corner.
pub(super) fn strokes(glyph: char) -> &'static str {
    match glyph {
        '1' => "M1.5 2 3.5 0V10",
        '2' => "M.5 2.6C.5-.9 5.5-.9 5.5 2.6 5.5 5 2.5 6.5.5 10H5.7",
        '3' => "M.6 0H5.4L2.6 3.9C6.6 3.7 6.6 10 2.6 10 1.6 10 .8 9.5.4 8.6",
        '4' => "M4.4 10V0L.4 7H6",
        '5' => "M5.2 0H1.2L.8 4.4C1.6 3.8 2.2 3.6 3 3.6 6.7 3.6 6.5 10 2.8 10 1.7 10 .8 9.4.4 8.6",
        '6' => "M4.8 0C2.5 1.6.5 4.3.5 7 .5 11 5.6 11 5.6 6.9 5.6 3.2 1.4 3.2.6 6.2",
        '7' => "M.4 0H5.6L2.4 10",
        '8' => "M3 4.5C0 4.5 0 0 3 0S6 4.5 3 4.5-.6 10 3 10 6.6 4.5 3 4.5",
        'a' => "M5.2 4V10M5.2 7C5.2 3.2.6 3.2.6 7S5.2 10.8 5.2 7",
        'b' => "M.8 0V10M.8 7C.8 3.2 5.4 3.2 5.4 7S.8 10.8.8 7",
        'c' => "M5.2 5C3.6 3.3.6 3.8.6 7S3.6 10.7 5.2 9",
        'd' => "M5.2 0V10M5.2 7C5.2 3.2.6 3.2.6 7S5.2 10.8 5.2 7",
        'e' => "M.6 7H5.3C5.3 3.2.6 3 .6 7 .6 10.4 3.6 10.7 5.1 9.1",
        'f' => "M5 .4C3.4-.4 2.2.3 2.2 2V10M.6 4H4.4",
        'g' => "M5.2 4V10.5C5.2 13.5 2 13.4.9 12.2M5.2 7C5.2 3.2.6 3.2.6 7S5.2 10.8 5.2 7",
        'h' => "M.8 0V10M.8 6.6C1.4 3.2 5.2 3.2 5.2 6.4V10",
        _ => "",
    }
}
