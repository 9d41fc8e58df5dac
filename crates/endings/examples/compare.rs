//! Compares random positions with Syzygy's tables in a folder:
//! `cargo run --release -p entente-endings --example compare -- FOLDER COUNT KPvKP KQvKR …`; without names all endings of
//! up to four men whose tables are in the folder. Exits with status 1 if a result differs.

use std::{env, num::NonZero, path::PathBuf, sync::atomic::AtomicBool};

use entente_endings::{
    Endings, Material, Wdl,
    shakmaty::{
        Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Piece, Position, Role, Setup,
        Square, fen::Fen,
    },
};
use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = env::args().skip(1);
    let folder: PathBuf = arguments.next().ok_or("expected a folder with Syzygy's tables")?.into();
    let count: usize = arguments.next().ok_or("expected a number of positions")?.parse()?;
    let mut names: Vec<Material> = arguments.map(|name| name.parse()).collect::<Result<_, _>>()?;
    if names.is_empty() {
        let all = [3, 4].into_iter().flat_map(Material::all);
        names = all.filter(|material| folder.join(format!("{material}.rtbw")).exists()).collect();
    }
    let syzygy = Endings::new(&[folder], None)?;
    let own = Endings::new(&[], None)?;
    let mut random = StdRng::seed_from_u64(1);
    let mut all_different = 0;
    for material in names {
        own.prepare(material, NonZero::<usize>::MIN, &|_| (), &AtomicBool::new(false))?;
        let mut results = [0_usize; 3];
        let (mut en_passant, mut different) = (0, 0);
        for _ in 0..count {
            let position = random_position(&material.to_string(), &mut random);
            let expected = syzygy.wdl_after_zeroing(&position).map(|wdl| match wdl.signum() {
                -1 => Wdl::Loss,
                0 => Wdl::Draw,
                _ => Wdl::Win,
            });
            let found = own.probe(&position);
            en_passant += usize::from(position.ep_square(EnPassantMode::Legal).is_some());
            if let Some(found) = found {
                results[found as usize] += 1;
            }
            if found.is_none() || found != expected {
                different += 1;
                println!(
                    "{}: {found:?}, Syzygy {expected:?}",
                    Fen::from_position(&position, EnPassantMode::Legal)
                );
            }
        }
        let [lost, drawn, won] = results;
        println!(
            "{material:8} {count} positions: {won} won, {drawn} drawn, {lost} lost, {en_passant} en passant; {different} different"
        );
        all_different += different;
    }
    if all_different > 0 {
        return Err(format!("{all_different} results differ").into());
    }
    Ok(())
}

/// A legal position with these men, in which each side is the stronger one as often as the other. If pawns allow a
/// capture en passant, half of the positions have it.
fn random_position(name: &str, random: &mut StdRng) -> Chess {
    loop {
        let mut board = Board::empty();
        let mut color = if random.random() { Color::White } else { Color::Black };
        let mut is_possible = true;
        for letter in name.chars() {
            if letter == 'v' {
                color = !color;
                continue;
            }
            let Some(role) = Role::from_char(letter) else { continue };
            let free =
                !board.occupied() & if role == Role::Pawn { !Bitboard::BACKRANKS } else { Bitboard::FULL };
            let squares: Vec<Square> = free.into_iter().collect();
            match squares.choose(random) {
                Some(&square) => board.set_piece_at(square, Piece { color, role }),
                None => is_possible = false,
            }
        }
        let turn = if random.random() { Color::White } else { Color::Black };
        let mut setup = Setup { board, turn, ..Setup::empty() };
        if random.random() {
            let passed: Vec<Square> = Square::ALL
                .into_iter()
                .filter(|square| square.rank() == turn.fold_wb(shakmaty_rank(6), shakmaty_rank(3)))
                .collect();
            let with_capture = passed.into_iter().find_map(|square| {
                let setup = Setup { ep_square: Some(square), ..setup.clone() };
                let position = Chess::from_setup(setup, CastlingMode::Standard).ok()?;
                position.ep_square(EnPassantMode::Legal).map(|_| position)
            });
            if let Some(position) = with_capture {
                return position;
            }
        }
        setup.ep_square = None;
        if let (true, Ok(position)) = (is_possible, Chess::from_setup(setup, CastlingMode::Standard)) {
            return position;
        }
    }
}

fn shakmaty_rank(number: u32) -> entente_endings::shakmaty::Rank {
    entente_endings::shakmaty::Rank::new(number - 1)
}
