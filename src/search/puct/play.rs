//! A search for a move against an opponent: when it has looked enough, and what it tells.

use std::time::{Duration, Instant};

use super::{Candidate, Found, Judge, Known, Progress, Puct};
use crate::{
    evaluator::NetworkError,
    search::{Game, Limits, News, Reporter, Score, SearchReport, SearchRequest, Timer, Variation},
};

/// The longest time between two reports.
const SILENCE: Duration = Duration::from_secs(1);
/// Visits before it is judged how many more the time allows.
const LEAST_VISITS: u64 = 32;
/// What relates values to scores, see [`Found::score`].
const SCALE: f64 = 90.0;
const STEEPNESS: f64 = 1.563_754_189_7;

impl Puct {
    /// Searches the position of `game`, with a thread for each of the judges, tells `report` how far it has come, and
    /// returns the best variations, as many as the request wants.
    ///
    /// Of one line it is enough that a win is proved, or something of every move. With a clock it ends as soon as the time
    /// left cannot make another move the most visited one; [`SearchRequest::depth`] is that of the longest line followed. Even if
    /// `limits` forbid any visit, there is a variation of one move.
    ///
    /// # Errors
    /// [`NetworkError`] if a judge's network cannot be run.
    pub fn play<J: Judge>(
        &mut self,
        game: &Game,
        request: &SearchRequest,
        judges: &mut [J],
        limits: Limits<'_>,
        report: &mut Reporter<'_>,
    ) -> Result<Vec<Variation>, NetworkError> {
        let wanted = request.lines.clamp(1, request.moves.len());
        let start = Instant::now();
        let is_timed = limits.timer.is_some_and(Timer::is_set);
        let (mut next, mut told_at) = (1, start);
        let mut told = (0, Vec::new());
        let (candidates, progress) =
            self.search(game, &request.moves, judges, limits, |progress, candidates| {
                if progress.visits >= next || told_at.elapsed() >= SILENCE {
                    (next, told_at) = (progress.visits.saturating_mul(2), Instant::now());
                    told = (progress.visits, variations(&candidates(), wanted));
                    report(&told_of(progress, News::Variations(&told.1)));
                }
                let is_decided = request.moves.len() == 1 || is_decided(progress, start, limits);
                let is_enough = wanted == 1 && progress.known.is_some()
                    || progress.selective_depth >= request.depth
                    || is_timed && !request.patient && is_decided;
                !is_enough
            })?;
        let last = (progress.visits, variations(&candidates, wanted));
        // More visits may have ended since.
        if told != last {
            report(&told_of(&progress, News::Variations(&last.1)));
        }
        Ok(last.1)
    }
}

fn told_of<'a>(progress: &Progress, news: News<'a>) -> SearchReport<'a> {
    let Progress { visits, depth, selective_depth, full, .. } = *progress;
    SearchReport { depth, selective_depth, news, nodes: visits, hashfull: full }
}

fn variations(candidates: &[Candidate], wanted: usize) -> Vec<Variation> {
    let variation = |candidate: &Candidate| Variation {
        score: candidate.score(),
        chances: candidate.found.chances(),
        moves: candidate.moves.clone(),
    };
    candidates.iter().take(wanted).map(variation).collect()
}

/// True if no other move can come to be the most visited one in the time that is left.
fn is_decided(progress: &Progress, start: Instant, limits: Limits<'_>) -> bool {
    let Some(left) = limits.timer.and_then(Timer::soft_left) else { return false };
    if left.is_zero() {
        return true;
    }
    if progress.visits < LEAST_VISITS {
        return false;
    }
    let rate = progress.visits as f64 / start.elapsed().as_secs_f64().max(1e-6);
    let to_come = rate * left.as_secs_f64();
    let [first, second] = progress.most_visited;
    f64::from(first) - f64::from(second) > to_come
}

impl Candidate {
    /// What the move is worth to the mover: what was found of it, or the mate that is proved.
    pub fn score(&self) -> Score {
        match self.known {
            Some(Known { value, plies }) if value != 0.0 => {
                Score::Mate(value.signum() as i32 * plies.div_ceil(2) as i32)
            }
            _ => self.found.score(),
        }
    }
}

impl Found {
    /// The value in centipawns: 90 tan(1.5637541897 v) of the value v in [−1, 1], the curve of Leela Chess Zero, so that
    /// ±1 is some ±12,800.
    pub fn score(self) -> Score {
        let value = f64::from(self.value).clamp(-1.0, 1.0);
        Score::Centipawns((SCALE * (STEEPNESS * value).tan()).round() as i32)
    }

    /// What a score of alpha-beta search stands for: the value whose [`Found::score`] it is, so that scores can be compared,
    /// ±1 for a mate; and draws by the rule of thumb of [`Score::chances`], as far as the value has room for them.
    pub fn of(score: Score) -> Found {
        let value = match score {
            Score::Mate(moves) if moves > 0 => 1.0,
            Score::Mate(_) => -1.0,
            Score::Centipawns(centipawns) => {
                ((f64::from(centipawns) / SCALE).atan() / STEEPNESS).clamp(-1.0, 1.0) as f32
            }
        };
        let [_, draws, _] = score.chances();
        Found { value, drawn: (draws as f32 / 1000.0).min(1.0 - value.abs()) }
    }

    /// The chances to win, draw and lose, in thousandths that add up to 1000.
    pub fn chances(self) -> [u32; 3] {
        let Found { value, drawn } = self;
        let drawn = drawn.clamp(0.0, 1.0 - value.abs().min(1.0));
        let win = (500.0 * (1.0 - drawn + value)).round().clamp(0.0, 1000.0) as u32;
        let draw = ((1000.0 * drawn).round() as u32).min(1000 - win);
        [win, draw, 1000 - win - draw]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(value: f32, drawn: f32, known: Option<Known>) -> Candidate {
        Candidate { moves: Vec::new(), visits: 1, found: Found { value, drawn }, known, prior: 0.0 }
    }

    #[test]
    fn scores_grow_with_the_value_and_mates_are_counted_in_moves() {
        let score = |value| candidate(value, 0.0, None).score();
        assert_eq!(
            (score(0.0), score(0.5), score(-0.5)),
            (Score::Centipawns(0), Score::Centipawns(89), Score::Centipawns(-89))
        );
        assert_eq!(score(1.0), Score::Centipawns(12_780));
        assert_eq!(Found::of(Score::Mate(-1)), Found { value: -1.0, drawn: 0.0 });
        for value in [-0.9, -0.25, 0.0, 0.6] {
            let found = Found::of(score(value));
            assert!((found.value - value).abs() < 0.01, "{found:?}");
            assert!((0.0..=1.0 - found.value.abs()).contains(&found.drawn), "{found:?}");
        }
        assert_eq!(Found::of(Score::Centipawns(i32::MAX)).value, 1.0);
        let mate = |value, plies| candidate(value, 0.0, Some(Known { value, plies })).score();
        assert_eq!([mate(1.0, 1), mate(1.0, 3)], [Score::Mate(1), Score::Mate(2)]);
        assert_eq!([mate(-1.0, 2), mate(-1.0, 4)], [Score::Mate(-1), Score::Mate(-2)]);
        assert_eq!(mate(0.0, 4), Score::Centipawns(0));
    }

    #[test]
    fn chances_add_up_whatever_is_found() {
        for value in [-1.0, -0.7, 0.0, 0.3, 1.0] {
            for drawn in [0.0, 0.2, 0.9, 1.0] {
                let [win, draw, loss] = Found { value, drawn }.chances();
                assert_eq!(win + draw + loss, 1000);
                assert!((win as f32 - loss as f32 - 1000.0 * value).abs() <= 2.0, "{value} {drawn}");
            }
        }
        assert_eq!(Found { value: 0.2, drawn: 0.4 }.chances(), [400, 400, 200]);
    }
}
