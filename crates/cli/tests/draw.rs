//! `entente draw` as a user runs it.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use entente_render::{Drawing, png};
use resvg::tiny_skia::{Pixmap, PremultipliedColorU8};
use shakmaty::fen::Fen;

fn draw(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_entente"))
        .arg("draw")
        .args(arguments)
        .output()
        .expect("the program starts")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A position with two white kings.
const TOO_MANY_KINGS: &str = "8/8/8/8/8/8/8/KK1k4 w - - 0 1";

/// The pixels of the square that is `across` squares to the right of the top left one and `down` squares below it.
fn square(picture: &Pixmap, across: u32, down: u32) -> Vec<PremultipliedColorU8> {
    let side = picture.width() / 8;
    let rows = (down * side..(down + 1) * side)
        .flat_map(|y| (across * side..(across + 1) * side).map(move |x| (x, y)));
    rows.map(|(x, y)| picture.pixel(x, y).expect("within the image")).collect()
}

/// The share of pixels that differ visibly.
fn difference(one: &[PremultipliedColorU8], other: &[PremultipliedColorU8]) -> f64 {
    let distance = |a: &PremultipliedColorU8, b: &PremultipliedColorU8| {
        [(a.red(), b.red()), (a.green(), b.green()), (a.blue(), b.blue())]
            .into_iter()
            .map(|(a, b)| u32::from(a.abs_diff(b)))
            .sum::<u32>()
    };
    let differing = one.iter().zip(other).filter(|(a, b)| distance(a, b) > 60).count();
    differing as f64 / one.len() as f64
}

#[test]
fn men_fill_small_squares_and_differ_on_light_and_dark_squares() {
    // Each man on a light and on a dark square, one below the other.
    let fen: Fen = "PNBRQK2/PNBRQK2/pnbrqk2/pnbrqk2/8/8/8/8".parse().unwrap();
    // Squares of 26 pixels, as on a page of boards.
    let side = 26;
    let drawing =
        Drawing { size: 8 * side, coordinates: false, ..Drawing::new(&fen.as_setup().board, String::new()) };
    let picture = Pixmap::decode_png(&png(&drawing.svg()).unwrap()).unwrap();
    assert_eq!((picture.width(), picture.height()), (8 * side, 8 * side));
    let empty = [square(&picture, 6, 0), square(&picture, 6, 1)];
    assert!(difference(&empty[0], &empty[1]) > 0.99);
    for shade in [0, 1] {
        let mut seen: Vec<(char, Vec<PremultipliedColorU8>)> = Vec::new();
        for (man, across, down) in "PNBRQK"
            .chars()
            .zip(0..)
            .map(|(man, x)| (man, x, shade))
            .chain("pnbrqk".chars().zip(0..).map(|(man, x)| (man, x, 2 + shade)))
        {
            let pixels = square(&picture, across, down);
            let drawn = difference(&pixels, &empty[shade as usize]);
            assert!(drawn > 0.3, "{man} covers {drawn} of a square of shade {shade}");
            let rows = pixels.chunks(side as usize).zip(empty[shade as usize].chunks(side as usize));
            let height =
                rows.filter(|(row, empty)| difference(row, empty) > 0.0).count() as f64 / f64::from(side);
            assert!(
                height > if "Pp".contains(man) { 0.7 } else { 0.85 },
                "{man} is {height} of a square high"
            );
            for (other, others) in &seen {
                let apart = difference(&pixels, others);
                assert!(apart > 0.15, "{man} and {other} differ in {apart} of a square of shade {shade}");
            }
            seen.push((man, pixels));
        }
    }
}

#[test]
fn options_change_the_drawing() {
    let mate = "6rk/5Npp/8/8/8/8/8/6K1 b - - 0 1";
    let folder = tempfile::tempdir().unwrap();
    let svg = |name: &str, more: &[&str]| {
        let file = folder.path().join(name);
        let output = draw(&[&[mate, "--output", file.to_str().unwrap()], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        fs::read_to_string(file).unwrap()
    };
    let plain = svg("plain.svg", &[]);
    let paths = |text: &str| text.matches("<path").count();
    let frames = |text: &str| text.matches("rx=\"3\"").count() - plain.matches("rx=\"3\"").count();
    assert!(plain.contains(&format!("<title>{mate}</title>")) && plain.contains("width=\"512\""), "{plain}");
    assert_eq!(
        paths(&plain) - paths(&svg("bare.svg", &["--no-coordinates"])),
        16,
        "eight letters and eight digits"
    );
    let framed = svg("framed.svg", &["--constraint", "checkmate N@f7 p=2"]);
    assert_eq!(frames(&framed), 2, "the knight on the named square and the mated king, not the pawns");
    assert_eq!(frames(&svg("not.svg", &["--constraint", "stalemate"])), 0);
    let moved = svg("moved.svg", &["--last-move", "d8f7"]);
    let tinted = |text: &str| text.matches("fill=\"#f0c42d\"").count();
    assert_eq!((tinted(&plain), tinted(&moved)), (0, 2), "the squares of the last move");
    assert_eq!(paths(&moved), paths(&plain), "nothing covers the men");
    assert_ne!(svg("turned.svg", &["--bottom", "black"]), plain);
    let output = draw(&[mate]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("8  . . . . . . r k"), "{output:?}");
    let output = draw(&[mate, "--bottom", "black"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--output"), "{output:?}");
}

#[test]
fn errors_name_the_wrong_input_and_leave_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (png, gif, none) = (path("a.png"), path("a.gif"), path("a"));
    let nowhere = path("nowhere/a.svg");
    for (arguments, message) in [
        (&["8/8", "--output", &png][..], "the position \"8/8\": expected the FEN of a legal position"),
        (&[TOO_MANY_KINGS, "--output", &png], "expected the FEN of a legal position"),
        (
            &["k7/8/8/8/8/8/8/K7 w - -", "--output", &gif],
            "a.gif: expected a file name that ends in .svg or .png",
        ),
        (&["k7/8/8/8/8/8/8/K7 w - -", "--output", &none], "expected a file name that ends in .svg or .png"),
        (&["k7/8/8/8/8/8/8/K7 w - -", "--output", &nowhere], "nowhere/a.svg"),
        (
            &["k7/8/8/8/8/8/8/K7 w - -", "--output", &png, "--size", "9000"],
            "expected a whole number from 16 to 8192",
        ),
        (
            &["k7/8/8/8/8/8/8/K7 w - -", "--output", &png, "--last-move", "0000"],
            "--last-move 0000: expected two squares",
        ),
        (
            &["k7/8/8/8/8/8/8/K7 w - -", "--output", &png, "--constraint", "Q@"],
            "--constraint: constraint, column 3",
        ),
    ] {
        let output = draw(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
        assert_eq!(fs::read_dir(Path::new(folder.path())).unwrap().count(), 0);
    }
}
