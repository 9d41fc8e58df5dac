//! What a skill network reads of each move: how it looks at a glance and after a while, and who is to play it.
//!
//! People of some rating see some of what a short search sees. So the scores of the search at several depths are the
//! input, beside what the policy says, and a small network learns how much they count for whom (compare Regan and
//! Biswas 2013, "Psychometric modeling of decision making via game play").

use entente_constraint::child_of;
use entente_search::{MOST_DEPTHS, MoveScores};
use shakmaty::{Chess, Move, Position, Role};

use super::goal_policy::{Context, RatingScale, worth};

/// Numbers of each move.
///
/// Of each of the [`MOST_DEPTHS`] depths: how much of the winning chance is lost against the best move, times 4; what it
/// loses in pawns, 2·√(pawns/5) up to 5 pawns; whether it is the best; and but for the first, how much better or worse
/// it looks against the best than a depth earlier, divided by 2.5 pawns (23). The score of the best move, tanh(pawns/3),
/// and the root of what the second best loses, in 2.5 pawns (2). At how many depths it was looked at, in sixths (1).
/// Whether it captures, what is captured, in rooks, whether it captures what moved last, gives check, promotes, moves
/// what moved last on this side (6). Pawn, knight, bishop, rook, queen, king (6). ln of its probability by the policy,
/// and that less the likeliest move's, both divided by 4 and no less than −2 (2). Ratings online, FIDE, chess.com (3); own rating,
/// (rating − 1800)/600, at the place of its scale (3), and whether it is known (1); the opponent's less one's own,
/// divided by 400 (1). Men, in sixteens less 1; plies played, in fifties up to 2, less 1; in check; legal moves, in
/// thirties less 1; the policy's entropy in nats, halved, less 1 (5). Seconds on the clock: known, ln(1 + seconds)/8,
/// e^(−seconds/10) (3). Whether a goal is to be reached, and if so e^(−plies left/8) (2).
pub const FEATURES: usize = 58;

/// The winning chance is half way between even and certain at this many centipawns, nearly.
const CHANCE_SCALE: f32 = 250.0;
/// A probability that counts as none.
const LEAST_LOGARITHM: f32 = -8.0;

/// Writes the [`FEATURES`] of each of the legal `moves` of `position`, a move after another, to `rows`, which is
/// cleared first. `logarithms` are those of the moves' probabilities by the policy.
pub fn encode(
    position: &Chess,
    moves: &[Move],
    context: &Context,
    has_goal: bool,
    logarithms: &[f32],
    scores: &[MoveScores],
    rows: &mut Vec<f32>,
) {
    rows.clear();
    rows.reserve(moves.len() * FEATURES);
    let of_position = of_position(position, moves, context, has_goal, logarithms);
    let best = best_scores(scores);
    let loss = |scores: &MoveScores, depth: usize| loss(scores, depth, &best);
    let deepest = best[MOST_DEPTHS - 1];
    let second = {
        let mut losses = [MOST_LOSS; 2];
        for scores in scores {
            let loss = loss(scores, MOST_DEPTHS - 1);
            if loss < losses[0] {
                losses = [loss, losses[0]];
            } else if loss < losses[1] {
                losses[1] = loss;
            }
        }
        losses[1]
    };
    let likeliest = logarithms.iter().copied().fold(LEAST_LOGARITHM, f32::max);
    for ((m, scores), logarithm) in moves.iter().zip(scores).zip(logarithms) {
        let begin = rows.len();
        let mut push = |number: f32| rows.push(number);
        for (depth, best) in best.into_iter().enumerate() {
            let lost = loss(scores, depth);
            let chance = |score: i32| 1.0 / (1.0 + (-(score as f32) / CHANCE_SCALE).exp());
            push(4.0 * (chance(best) - chance(best - lost)));
            push(2.0 * (lost as f32 / MOST_LOSS as f32).sqrt());
            push(flag(lost == 0));
            if depth > 0 {
                push((loss(scores, depth - 1) - lost) as f32 / 250.0);
            }
        }
        push((deepest as f32 / 300.0).tanh());
        push((second as f32 / 250.0).sqrt());
        push(scores.looks() as f32 / MOST_DEPTHS as f32);
        let last = context.last_moves[0].map(|last| last.to());
        let own_last = context.last_moves[1].map(|last| last.to());
        push(flag(m.is_capture()));
        push(m.capture().map_or(0.0, |role| worth(role) as f32 / worth(Role::Rook) as f32));
        push(flag(m.is_capture() && last == Some(m.to())));
        push(flag(child_of(position, *m).is_check()));
        push(flag(m.is_promotion()));
        push(flag(own_last.is_some() && own_last == m.from()));
        Role::ALL.into_iter().for_each(|role| push(flag(m.role() == role)));
        let logarithm = logarithm.max(LEAST_LOGARITHM);
        push(logarithm / 4.0);
        push((logarithm - likeliest).max(LEAST_LOGARITHM) / 4.0);
        rows.extend(of_position);
        debug_assert_eq!(rows.len() - begin, FEATURES);
    }
}

/// Losses above this, in centipawns, count alike.
const MOST_LOSS: i32 = 500;

/// What each move loses against the best in the end, in pawns, up to 5: so much if nobody looked at it.
pub fn losses(scores: &[MoveScores]) -> impl Iterator<Item = f32> {
    let best = best_scores(scores);
    scores.iter().map(move |scores| loss(scores, MOST_DEPTHS - 1, &best) as f32 / 100.0)
}

/// The best score at each depth; beyond the last depth, the one before.
fn best_scores(scores: &[MoveScores]) -> [i32; MOST_DEPTHS] {
    let mut best = [0; MOST_DEPTHS];
    for depth in 0..MOST_DEPTHS {
        let before = if depth > 0 { best[depth - 1] } else { 0 };
        best[depth] = scores.iter().filter_map(|scores| scores.at(depth)).max().unwrap_or(before);
    }
    best
}

/// What a move loses at a depth against the best there, in centipawns; by its last score if it was not looked at there.
fn loss(scores: &MoveScores, depth: usize, best: &[i32; MOST_DEPTHS]) -> i32 {
    let score = scores.at(depth).or(scores.last());
    score.map_or(MOST_LOSS, |score| (best[depth] - score).clamp(0, MOST_LOSS))
}

/// What all moves of a position share.
fn of_position(
    position: &Chess,
    moves: &[Move],
    context: &Context,
    has_goal: bool,
    logarithms: &[f32],
) -> [f32; 18] {
    let [own, other] = position.turn().fold_wb([0, 1], [1, 0]).map(|side| context.ratings[side]);
    let scales = [RatingScale::Online, RatingScale::Fide, RatingScale::ChessCom];
    let is_scale = scales.map(|scale| flag(context.scale == Some(scale)));
    let rating = own.map_or(0.0, |own| (f32::from(own) - 1800.0) / 600.0);
    let difference = own.zip(other).map_or(0.0, |(own, other)| (f32::from(other) - f32::from(own)) / 400.0);
    let entropy: f32 =
        logarithms.iter().filter(|logarithm| logarithm.is_finite()).map(|log| -log * log.exp()).sum();
    let seconds = context.seconds_left.map(|seconds| seconds as f32);
    let left = context.plies_left.filter(|_| has_goal);
    [
        is_scale[0],
        is_scale[1],
        is_scale[2],
        rating * is_scale[0],
        rating * is_scale[1],
        rating * is_scale[2],
        flag(own.is_some()),
        difference,
        position.board().occupied().count() as f32 / 16.0 - 1.0,
        (context.ply as f32 / 50.0).min(2.0) - 1.0,
        flag(position.is_check()),
        moves.len() as f32 / 30.0 - 1.0,
        entropy / 2.0 - 1.0,
        flag(seconds.is_some()),
        seconds.map_or(0.0, |seconds| (1.0 + seconds).ln() / 8.0),
        seconds.map_or(0.0, |seconds| (-seconds / 10.0).exp()),
        flag(has_goal),
        left.map_or(0.0, |plies| (-(plies as f32) / 8.0).exp()),
    ]
}

fn flag(set: bool) -> f32 {
    f32::from(u8::from(set))
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    /// Where a row says at how many depths the move was looked at.
    const LOOKS: usize = 4 * MOST_DEPTHS + 1;

    fn scores(of: &[&[i32]]) -> Vec<MoveScores> {
        of.iter()
            .map(|scores| {
                let mut all = MoveScores::default();
                scores.iter().for_each(|score| all.push(*score));
                all
            })
            .collect()
    }

    /// The features of the first moves of the initial position, as many as there are scores.
    fn rows(context: &Context, has_goal: bool, scores: &[MoveScores]) -> Vec<Vec<f32>> {
        let position = Chess::default();
        let moves = position.legal_moves();
        let logarithms = vec![(scores.len() as f32).recip().ln(); scores.len()];
        let mut rows = Vec::new();
        encode(&position, &moves[..scores.len()], context, has_goal, &logarithms, scores, &mut rows);
        rows.chunks_exact(FEATURES).map(<[f32]>::to_vec).collect()
    }

    #[test]
    fn losses_are_against_the_best_of_those_that_were_looked_at_as_deeply() {
        // The second move looks best at first, and is not looked at again.
        let rows = rows(&Context::default(), false, &scores(&[&[0, 50, 40], &[100], &[-50, -150, 20]]));
        let best: Vec<[f32; 4]> = rows.iter().map(|row| [row[2], row[5], row[9], row[13]]).collect();
        assert_eq!(best, [[0.0, 1.0, 1.0, 1.0], [1.0; 4], [0.0; 4]]);
        // 100 centipawns: 2·√(1/5).
        assert!((rows[0][1] - 2.0 * 0.2f32.sqrt()).abs() < 1e-6);
        // From −150 against 100 to −200 against 50.
        assert!((rows[2][6] + 0.2).abs() < 1e-6, "{}", rows[2][6]);
        assert_eq!([rows[0][LOOKS], rows[1][LOOKS], rows[2][LOOKS]], [0.5, 1.0 / 6.0, 0.5]);
    }

    #[test]
    fn what_is_lost_in_the_end_is_in_pawns() {
        let scores = scores(&[&[0, 50, 40], &[100], &[-50, -150, 20], &[], &[0, -900]]);
        // The best at the third depth has 40; the second move had 100 when it was last looked at.
        assert_eq!(losses(&scores).collect::<Vec<f32>>(), [0.0, 0.0, 0.2, 5.0, 5.0]);
    }

    #[test]
    fn a_move_that_nobody_looked_at_counts_as_losing_much() {
        let rows = rows(&Context::default(), false, &scores(&[&[0, 0, 0, 0], &[]]));
        assert_eq!((rows[1][1], rows[1][2], rows[1][LOOKS]), (2.0, 0.0, 0.0));
        assert!(rows[1][0] > 1.0);
    }

    #[test]
    fn ratings_stand_at_the_place_of_their_scale_and_are_the_movers() {
        let of =
            |scale| Context { ratings: [Some(2400), Some(2000)], scale: Some(scale), ..Context::default() };
        let begin = FEATURES - 18;
        for (place, scale) in
            [RatingScale::Online, RatingScale::Fide, RatingScale::ChessCom].into_iter().enumerate()
        {
            let row = &rows(&of(scale), false, &scores(&[&[0]]))[0];
            let mut expected = [0.0; 6];
            (expected[place], expected[3 + place]) = (1.0, 1.0);
            assert_eq!(row[begin..begin + 6], expected);
            assert_eq!(row[begin + 6..begin + 8], [1.0, -1.0]);
        }
        assert_eq!(rows(&Context::default(), true, &scores(&[&[0]]))[0][FEATURES - 2], 1.0);
    }

    #[test]
    fn captures_checks_and_promotions_are_seen() {
        let position = "3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1".parse::<Fen>().unwrap();
        let position: Chess = position.into_position(CastlingMode::Standard).unwrap();
        let moves = position.legal_moves();
        let (scores, logs) = (vec![MoveScores::default(); moves.len()], vec![-1.0; moves.len()]);
        let mut rows = Vec::new();
        encode(&position, &moves, &Context::default(), false, &logs, &scores, &mut rows);
        let row = moves.iter().position(|m| m.to_string() == "e7xd8=Q").unwrap();
        assert_eq!(rows[row * FEATURES + LOOKS..][1..7], [1.0, 1.0, 0.0, 1.0, 1.0, 0.0]);
        assert_eq!(rows[row * FEATURES + LOOKS..][7..13], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    }
}
