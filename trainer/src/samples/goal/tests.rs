use entente_network::encoding::goal_policy::RatingScale;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use shakmaty::{Chess, Move, Position};

use super::*;
use crate::games::GameResult;

/// Random games in which captures are frequent. Every fourth is an online game.
pub(crate) fn archive(games: usize) -> Archive {
    let mut rng = StdRng::seed_from_u64(5);
    let moves: Vec<Vec<Move>> = (0..games)
        .map(|_| {
            let (mut position, mut moves) = (Chess::default(), Vec::new());
            for _ in 0..rng.random_range(40..120) {
                let legal = position.legal_moves();
                let captures: Vec<Move> = legal.iter().copied().filter(|m| m.is_capture()).collect();
                let choice = if captures.is_empty() || rng.random_bool(0.6) { &legal[..] } else { &captures };
                if choice.is_empty() {
                    break;
                }
                let m = choice[rng.random_range(0..choice.len())];
                position.play_unchecked(m);
                moves.push(m);
            }
            moves
        })
        .collect();
    let info = |game: usize| GameInfo {
        scale: if game.is_multiple_of(4) { RatingScale::Online } else { RatingScale::Fide },
        result: GameResult::WhiteWins,
        ..GameInfo::generated([1500 + 10 * game as u16, 1600], RatingScale::Fide)
    };
    Archive::of(moves.iter().enumerate().map(|(game, moves)| (info(game), moves.as_slice())))
}

#[test]
fn samples_describe_what_the_game_did() {
    let archive = archive(30);
    let mut rng = StdRng::seed_from_u64(9);
    let sampler = Sampler::default();
    let mut seen = [0; 4];
    let mut reached = [0; 2];
    for game in 0..archive.len() {
        let (replayed, other) =
            (ReplayedGame::new(&archive, game), ReplayedGame::new(&archive, (game + 1) % archive.len()));
        for _ in 0..200 {
            let ply = sampler.draw_ply(replayed.plies(), [1.0; 2], &mut rng);
            let sample = sampler.draw(archive.info(game), &replayed, ply, &other, &mut rng);
            seen[sample.kind as usize] += 1;
            assert_eq!((sample.played, &sample.position), (replayed.moves[ply], &replayed.positions[ply]));
            assert_eq!(sample.kind == GoalKind::Plain, sample.aim.is_none());
            if sample.kind == GoalKind::Plain {
                assert!(sample.teaches_policy && sample.reached.is_none());
                continue;
            }
            assert!(!sample.aim.holds(&sample.position), "{:?}: it already holds", sample.aim);
            let left = sample.context.plies_left.map_or(usize::MAX, |plies| plies as usize);
            let last = replayed.plies().min(ply.saturating_add(left));
            let met = (ply + 1..=last).find(|later| sample.aim.holds(&replayed.positions[*later]));
            assert_eq!(sample.distance, met.map(|met| (met - ply) as u32));
            assert_eq!(sample.teaches_policy, met.is_some());
            match sample.kind {
                GoalKind::Hindsight => assert!(met.is_some() && sample.reached.is_none()),
                _ => {
                    assert_eq!(sample.reached, Some(met.is_some()));
                    reached[usize::from(met.is_some())] += 1;
                }
            }
        }
    }
    assert!(
        seen.iter().all(|count| *count > 100) && reached.iter().all(|count| *count > 50),
        "{seen:?} {reached:?}"
    );
}
