use std::sync::atomic::{AtomicBool, Ordering};

use entente::parallel::map_in_order;
use entente_search::Game;
use shakmaty::{Chess, Move};

use super::{Value, value::value};
use crate::valuer::{Judgement, Valuer};

/// Evaluates the positions of games from the initial position, for the side to move: for each game, the position before
/// each move, and the last one. `done` is called with the number of further positions that are done.
///
/// Each thread has its own engine, which forgets each game before the next and sees the positions of a game in order.
/// So the values do not depend on the number of threads, and the values of the beginning of a game do not depend on its
/// later moves.
///
/// # Errors
///
/// If an engine cannot be started or gives an invalid answer.
pub fn measure(
    games: &[&[Move]],
    judgement: &Judgement,
    threads: usize,
    done: impl Fn(u64) + Sync,
) -> anyhow::Result<Vec<Vec<Value>>> {
    let engines = (0..threads.clamp(1, games.len().max(1))).map(|_| judgement.open());
    let mut engines = engines.collect::<anyhow::Result<Vec<_>>>()?;
    // An error also ends the games under way.
    let failed = AtomicBool::new(false);
    map_in_order(games, &mut engines, |engine, moves| {
        let values = values(&mut **engine, moves, &failed, &done);
        values.inspect_err(|_| failed.store(true, Ordering::Relaxed))
    })
}

/// The values of one game; incomplete if another thread has failed.
fn values(
    valuer: &mut dyn Valuer,
    moves: &[Move],
    failed: &AtomicBool,
    done: impl Fn(u64),
) -> anyhow::Result<Vec<Value>> {
    valuer.begin()?;
    let mut game = Game::new(Chess::default());
    let mut values = vec![value(valuer, &game)?];
    done(1);
    for &m in moves {
        if failed.load(Ordering::Relaxed) {
            break;
        }
        game.play(m);
        values.push(value(valuer, &game)?);
        done(1);
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;
    use crate::realism::{
        compare::tests::moves,
        loss::{MAX, PlyLoss, losses},
    };

    fn own() -> Judgement {
        Judgement::new(None, 3000)
    }

    #[test]
    fn ententes_search_sees_a_blunder_and_the_mate_that_punishes_it() {
        // Fool's mate: 2. g4 allows Black to mate.
        let game = moves("f2f3 e7e5 g2g4 d8h4");
        let count = AtomicU64::new(0);
        let values = measure(&[&game], &own(), 1, |more| {
            count.fetch_add(more, Ordering::Relaxed);
        });
        let values = &values.unwrap()[0];
        assert_eq!((values.len(), count.into_inner()), (5, 5));
        assert_eq!(values[3].centipawns(), MAX, "Black mates");
        assert_eq!(values[4].centipawns(), -MAX, "White is mated, and no engine is asked");
        let lost: Vec<i32> = losses(values).into_iter().map(PlyLoss::centipawns).collect();
        assert!(lost[1] < 60 && lost[2] > 700 && lost[3] == 0, "{lost:?}");
    }

    #[test]
    fn a_finished_game_is_drawn_or_lost() {
        // The shortest known stalemate.
        let stalemate = moves(
            "e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 b8c8 f7g6 c8e6",
        );
        let values = measure(&[&stalemate], &own(), 1, |_| ()).unwrap();
        assert_eq!(values[0].last().unwrap().centipawns(), 0);
        // The position occurs for the fifth time.
        let shuffled = moves(&"g1f3 g8f6 f3g1 f6g8 ".repeat(4));
        let values = measure(&[&shuffled], &own(), 1, |_| ()).unwrap();
        assert_eq!(values[0].last().unwrap().centipawns(), 0);
    }

    #[test]
    fn values_do_not_depend_on_threads_other_games_or_later_moves() {
        let long = moves("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6");
        let other = moves("d2d4 d7d5 c2c4 d5c4");
        let alone = measure(&[&long], &own(), 1, |_| ()).unwrap();
        for threads in [1, 3] {
            let all = measure(&[&other, &long, &long[..4]], &own(), threads, |_| ()).unwrap();
            assert_eq!(all[1], alone[0]);
            assert_eq!(all[2], alone[0][..5]);
        }
        assert!(measure(&[], &own(), 2, |_| ()).unwrap().is_empty());
    }

    #[test]
    fn an_engine_that_cannot_be_started_ends_the_work() {
        let nothing = Judgement::new(Some("there/is/no/such/engine".into()), 1);
        let game = moves("e2e4");
        let error = measure(&[&game, &game, &game], &nothing, 2, |_| ()).unwrap_err();
        assert!(format!("{error:#}").contains("--engine there/is/no/such/engine: cannot be started"));
    }
}
