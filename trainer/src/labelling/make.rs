use std::sync::atomic::{AtomicBool, Ordering};

use entente::parallel::map_in_order;
use entente_network::{
    PolicySession, Question,
    encoding::goal_policy::{Aim, Context},
};
use shakmaty::{Chess, MoveList, Position};

use super::{Teachers, teachers::expected};
use crate::{
    games::{GameStore, MAX_GAMES, StoredGame, TimeClass},
    labels::{Description, GameLabels, Label, LabelFile},
    progress::ProgressObserver,
    samples::goal::{Archive, GameInfo, Trace},
};

/// Labels the blocks that have no labels yet, on `threads` threads, until `stop` is set. The description of the file
/// says which splits are labelled, and one in how many plies. The same store and teachers give the same file, no matter
/// how often the work was stopped.
///
/// # Errors
///
/// If the store cannot be read, the labels cannot be written, or a teacher cannot be run.
pub fn label_store(
    store: &GameStore,
    teachers: &Teachers,
    file: &mut LabelFile,
    threads: usize,
    stop: &AtomicBool,
    observer: &dyn ProgressObserver,
) -> anyhow::Result<()> {
    let first = file.blocks();
    let description = file.description().clone();
    observer.begin("labelling", store.block_count() as u64, "blocks");
    observer.done(first as u64);
    let mut sessions: Vec<_> = (0..threads.max(1)).map(|_| teachers.sessions()).collect();
    for block in first..store.block_count() {
        let games = store.read_block(block)?;
        let numbered = (block * MAX_GAMES..).zip(&games).take_while(|_| !stop.load(Ordering::Relaxed));
        let labels = map_in_order(numbered, &mut sessions, |sessions, (number, game)| {
            labels(game, number, &description, teachers, sessions)
        })?;
        if stop.load(Ordering::Relaxed) {
            break;
        }
        file.push(&labels)?;
        observer.done(1);
    }
    observer.end();
    Ok(())
}

/// Whether a ply is labelled, if one in `every` plies is. The choice is pseudo-random, by SplitMix64 (Steele et al.
/// 2014).
fn is_chosen(game: usize, ply: usize, every: u32) -> bool {
    let mut number = ((game as u64) << 16 | ply as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (number ^ (number >> 31)).is_multiple_of(u64::from(every.max(1)))
}

/// The labels of a game; none if it belongs to another split, is a bullet game, or no teacher predicts its players.
fn labels(
    game: &StoredGame,
    number: usize,
    description: &Description,
    teachers: &Teachers,
    sessions: &mut [PolicySession],
) -> anyhow::Result<GameLabels> {
    let mut labels = GameLabels::new();
    let info = GameInfo::new(game);
    let shares = info.ratings.map(|rating| teachers.shares(rating, info.scale));
    let is_known = shares.iter().any(Option::is_some);
    let is_slow = !matches!(info.time_class, TimeClass::UltraBullet | TimeClass::Bullet);
    if !is_known || !is_slow || !description.splits.contains(&game.split()) {
        return Ok(labels);
    }
    let mut archive = Archive::default();
    archive.add(&info, &game.moves);
    let trace = Trace::new(&archive, 0);
    let plies: Vec<(usize, MoveList, Context)> = (0..trace.plies())
        .filter(|ply| shares[ply % 2].is_some() && is_chosen(number, *ply, description.every))
        .map(|ply| {
            let context = Context { repeated: trace.repeated(ply), ..Context::default() };
            (ply, trace.positions[ply].legal_moves(), context)
        })
        .collect();
    let position = |ply: usize| -> &Chess { &trace.positions[ply] };
    let questions: Vec<Question<'_>> = plies
        .iter()
        .map(|(ply, moves, context)| Question {
            position: position(*ply),
            moves,
            played: &trace.moves[..*ply],
            context: *context,
            aim: &Aim::NONE,
        })
        .collect();
    let of_plies: Vec<_> =
        plies.iter().map(|(ply, ..)| shares[ply % 2].clone().unwrap_or_default()).collect();
    let mut found = plies.iter().zip(expected(sessions, &questions, &of_plies)?).peekable();
    for ply in 0..trace.plies() {
        let label = found.next_if(|((labelled, ..), _)| *labelled == ply);
        let label = label.map(|((_, moves, _), chances)| Label::new(moves, &chances, position(ply).turn()));
        labels.push(label.as_ref());
    }
    Ok(labels)
}
