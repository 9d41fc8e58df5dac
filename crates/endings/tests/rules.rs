//! What holds for all positions of an ending.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like tests")]

use std::{num::NonZero, sync::atomic::AtomicBool};

use entente_endings::{
    Endings, Material,
    shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Position, Setup},
};
use rand::{SeedableRng, rngs::StdRng};
use support::{by_moves, random_position};

mod support;

const NAMES: [&str; 10] =
    ["KPvK", "KQvKR", "KBvKN", "KRRvK", "KNNvK", "KRvKP", "KNvKP", "KPPvK", "KPvKP", "KBPvK"];

fn prepared(names: &[&str]) -> (Endings, Vec<Material>) {
    let endings = Endings::new(&[], None).unwrap();
    let materials: Vec<Material> = names.iter().map(|name| name.parse().unwrap()).collect();
    for material in &materials {
        endings.prepare(*material, NonZero::new(2).unwrap(), &|_| (), &AtomicBool::new(false)).unwrap();
    }
    (endings, materials)
}

#[test]
fn the_result_is_the_best_over_the_moves() {
    let (endings, materials) = prepared(&NAMES);
    let mut random = StdRng::seed_from_u64(3);
    for material in materials {
        for _ in 0..2000 {
            let position = random_position(material, &mut random);
            let result = endings.probe(&position);
            assert!(result.is_some(), "{material}");
            assert_eq!(result, by_moves(&endings, &position), "{position:?}");
        }
    }
}

#[test]
fn mirror_images_have_the_same_result() {
    let (endings, materials) = prepared(&NAMES);
    let mut random = StdRng::seed_from_u64(4);
    for material in materials {
        for _ in 0..500 {
            let position = random_position(material, &mut random);
            let result = endings.probe(&position);
            let setup = position.to_setup(EnPassantMode::Legal);
            let mut files = setup.clone();
            files.board.flip_horizontal();
            files.ep_square = files.ep_square.map(|square| square.flip_horizontal());
            let mut colors = setup;
            colors.mirror();
            let mut images = vec![files, colors];
            if material.pawns() == 0 {
                let mut diagonal: Setup = images[0].clone();
                diagonal.board.flip_diagonal();
                images.push(diagonal);
            }
            for image in images {
                let image = Chess::from_setup(image, CastlingMode::Standard).unwrap();
                assert_eq!(endings.probe(&image), result, "{position:?}");
            }
        }
    }
}
