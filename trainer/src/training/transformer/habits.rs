use std::convert::Infallible;

use entente::parallel::map_in_order;
use entente_network::encoding::sequence::vocabulary;
use shakmaty::{Color, Move, Position, Role};

use super::{Groups, measures::groups};
use crate::{
    progress::ProgressObserver,
    samples::{
        goal::Archive,
        sequence::{MoveSample, index},
    },
};

/// How often men of each kind and colour made each move: a baseline that every network should beat.
pub(super) struct Habits {
    /// The counts; [`place`] gives the index.
    counts: Vec<u32>,
}

/// The index of a move in the counts.
fn place(mover: Color, m: Move) -> usize {
    let man = mover.fold_wb(0, Role::ALL.len()) + m.role() as usize - 1;
    man * vocabulary().len() + index(m)
}

impl Habits {
    /// Counts the moves in all games of an archive.
    pub(super) fn of(archive: &Archive, threads: usize, observer: &dyn ProgressObserver) -> Habits {
        const TOGETHER: usize = 1000;
        let new = || vec![0u32; 2 * Role::ALL.len() * vocabulary().len()];
        observer.begin("counting moves", archive.len() as u64, "games");
        let mut workers: Vec<Vec<u32>> = (0..threads.max(1)).map(|_| new()).collect();
        let firsts = (0..archive.len()).step_by(TOGETHER);
        let Ok(_) = map_in_order(firsts, &mut workers, |counts, first| {
            let games = first..(first + TOGETHER).min(archive.len());
            observer.done(games.len() as u64);
            for game in games {
                archive.replay(game).for_each(|(position, m)| counts[place(position.turn(), m)] += 1);
            }
            Ok::<_, Infallible>(())
        });
        let mut counts = new();
        for some in workers {
            counts.iter_mut().zip(some).for_each(|(all, some)| *all += some);
        }
        observer.end();
        Habits { counts }
    }

    /// How well the counts predict moves. The probability of a legal move is proportional to its count plus 1.
    pub(super) fn measures(&self, samples: &[MoveSample]) -> Groups {
        let mut all = Groups::new();
        for sample in samples {
            let legal = sample.position.legal_moves();
            let mover = sample.position.turn();
            let logits: Vec<f32> =
                legal.iter().map(|m| (self.counts[place(mover, *m)] as f32 + 1.0).ln()).collect();
            let sum: f64 = logits.iter().map(|logit| f64::from(*logit).exp()).sum();
            for group in groups(sample) {
                all.entry(group).or_default().add(&logits, sum.ln(), sample.place_of_next(&legal));
            }
        }
        all.into_iter().map(|(group, measures)| (group, measures.means())).collect()
    }
}

#[cfg(test)]
mod tests {
    use entente_network::encoding::goal_policy::RatingScale;

    use super::*;
    use crate::samples::{goal::GameInfo, sequence::sample};

    fn game(ucis: &str) -> Vec<Move> {
        let mut position = shakmaty::Chess::default();
        let play = |uci: &str| {
            let m = uci.parse::<shakmaty::uci::UciMove>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(m);
            m
        };
        ucis.split(' ').map(play).collect()
    }

    #[test]
    fn frequent_moves_of_the_same_kind_of_man_are_likely() {
        // Pawns moved to e4 twice, and a knight moved to f3 once.
        let games = [game("e2e4 e7e5"), game("e2e4 c7c5"), game("g1f3 d7d5")];
        let info = GameInfo::generated([1500; 2], RatingScale::Fide);
        let archive = Archive::of(games.iter().map(|moves| (info, &moves[..])));
        let habits = Habits::of(&archive, 2, &());
        let of = |game: usize| {
            let replayed: Vec<_> = archive.replay(game).collect();
            habits.measures(&[sample(&replayed, 0, 0, info)])["all"]
        };
        // Twenty legal moves, each with its count plus 1.
        let close = |found: f64, seen: f64| assert!((found + (seen / 23.0).ln()).abs() < 1e-6, "{found}");
        close(of(0).cross_entropy, 3.0);
        close(of(2).cross_entropy, 2.0);
        assert_eq!((of(0).top_1, of(2).top_1), (1.0, 0.0));
        assert_eq!(of(2).top_3, 1.0);
        assert!(of(0).illegal < 1e-9);
    }
}
