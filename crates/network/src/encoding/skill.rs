//! The input of a skill network for each move: its scores at several depths, its probability, and the player.
//!
//! Human players see part of what a short search sees, depending on their rating. So the input has the scores of a
//! search at several depths, in addition to the policy's probability. A small network learns how much each depth counts
//! for which players (compare Regan and Biswas 2013, "Psychometric modeling of decision making via game play").

use entente_constraint::child_of;
use entente_search::{MAX_DEPTHS, MoveScores, PortableMath as _};
use shakmaty::{Chess, Move, Position, Role};

use super::goal_policy::{Context, RatingScale, worth};

/// The number of features of each move.
///
/// A loss is what the move scores less than the best move at the same depth, up to 5 pawns. The features are, in this
/// order:
///
/// - for each of the [`MAX_DEPTHS`] depths: the loss of winning chance, times 4; the loss, 2·√(pawns/5); whether the
///   move is the best; and, except at the first depth, by how much the loss is smaller than at the previous depth, in
///   pawns divided by 2.5 (23);
/// - the score of the best move at the last depth, tanh(pawns/3), and the loss of the second-best move, √(pawns/2.5)
///   (2);
/// - the number of depths at which the move was searched, divided by [`MAX_DEPTHS`] (1);
/// - whether it captures; the value of the captured man, in rooks; whether it captures the man that moved last, gives
///   check, promotes, moves the man that moved last on this side (6);
/// - the man that moves: pawn, knight, bishop, rook, queen, king (6);
/// - ln of the policy's probability of the move, at least −8, and this minus the same of the likeliest move, also at
///   least −8, both divided by 4 (2);
/// - scale of the ratings: online, FIDE, chess.com (3);
/// - own rating, (rating − 1800)/600, at the place of its scale (3), and whether it is known (1);
/// - the opponent's rating minus one's own, divided by 400 (1);
/// - men/16 − 1; plies/50 up to 2, minus 1; whether the mover is in check; legal moves/30 − 1; the policy's entropy in
///   nats/2 − 1 (5);
/// - seconds on the clock: known, ln(1 + seconds)/8, e^(−seconds/10) (3);
/// - whether there is a goal, and if so e^(−plies left/8) (2).
pub const FEATURES: usize = 58;

/// The scale, in centipawns, of the logistic function that turns scores into winning chances. At this score the chance
/// is 73%.
const CHANCE_SCALE: f32 = 250.0;
/// Logarithms of probabilities are clipped to at least this.
const MIN_LOGARITHM: f32 = -8.0;

/// Writes the [`FEATURES`] of each of the legal `moves` of `position`, one move after another, to `rows`, which is
/// cleared first. `logarithms` are the natural logarithms of the policy's probabilities of the moves.
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
    let deepest = best[MAX_DEPTHS - 1];
    let second = {
        let mut losses = [MAX_LOSS; 2];
        for scores in scores {
            let loss = loss(scores, MAX_DEPTHS - 1);
            if loss < losses[0] {
                losses = [loss, losses[0]];
            } else if loss < losses[1] {
                losses[1] = loss;
            }
        }
        losses[1]
    };
    let likeliest = logarithms.iter().copied().fold(MIN_LOGARITHM, f32::max);
    for ((m, scores), logarithm) in moves.iter().zip(scores).zip(logarithms) {
        let begin = rows.len();
        let mut push = |number: f32| rows.push(number);
        for (depth, best) in best.into_iter().enumerate() {
            let lost = loss(scores, depth);
            let chance = |score: i32| 1.0 / (1.0 + (-(score as f32) / CHANCE_SCALE).portable_exp());
            push(4.0 * (chance(best) - chance(best - lost)));
            push(2.0 * (lost as f32 / MAX_LOSS as f32).sqrt());
            push(flag(lost == 0));
            if depth > 0 {
                push((loss(scores, depth - 1) - lost) as f32 / 250.0);
            }
        }
        push((deepest as f32 / 300.0).portable_tanh());
        push((second as f32 / 250.0).sqrt());
        push(scores.looks() as f32 / MAX_DEPTHS as f32);
        let last = context.last_moves[0].map(|last| last.to());
        let own_last = context.last_moves[1].map(|last| last.to());
        push(flag(m.is_capture()));
        push(m.capture().map_or(0.0, |role| worth(role) as f32 / worth(Role::Rook) as f32));
        push(flag(m.is_capture() && last == Some(m.to())));
        push(flag(child_of(position, *m).is_check()));
        push(flag(m.is_promotion()));
        push(flag(own_last.is_some() && own_last == m.from()));
        Role::ALL.into_iter().for_each(|role| push(flag(m.role() == role)));
        let logarithm = logarithm.max(MIN_LOGARITHM);
        push(logarithm / 4.0);
        push((logarithm - likeliest).max(MIN_LOGARITHM) / 4.0);
        rows.extend(of_position);
        debug_assert_eq!(rows.len() - begin, FEATURES);
    }
}

/// Losses are clipped to this, in centipawns.
const MAX_LOSS: i32 = 500;

/// The loss of each move at the last depth, compared with the best move, in pawns and up to 5. It is 5 for moves that
/// were not searched.
pub fn losses(scores: &[MoveScores]) -> impl Iterator<Item = f32> {
    let best = best_scores(scores);
    scores.iter().map(move |scores| loss(scores, MAX_DEPTHS - 1, &best) as f32 / 100.0)
}

/// The best score at each depth. Depths that were not searched have that of the previous depth.
fn best_scores(scores: &[MoveScores]) -> [i32; MAX_DEPTHS] {
    let mut best = [0; MAX_DEPTHS];
    for depth in 0..MAX_DEPTHS {
        let before = if depth > 0 { best[depth - 1] } else { 0 };
        best[depth] = scores.iter().filter_map(|scores| scores.at(depth)).max().unwrap_or(before);
    }
    best
}

/// The loss of a move at a depth, compared with the best score there, in centipawns. A move that was not searched at
/// this depth counts with its last score.
fn loss(scores: &MoveScores, depth: usize, best: &[i32; MAX_DEPTHS]) -> i32 {
    let score = scores.at(depth).or(scores.last());
    score.map_or(MAX_LOSS, |score| (best[depth] - score).clamp(0, MAX_LOSS))
}

/// The features that all moves of a position share.
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
    let entropy: f32 = logarithms
        .iter()
        .filter(|logarithm| logarithm.is_finite())
        .map(|log| -log * log.portable_exp())
        .sum();
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
        seconds.map_or(0.0, |seconds| (1.0 + seconds).portable_ln() / 8.0),
        seconds.map_or(0.0, |seconds| (-seconds / 10.0).portable_exp()),
        flag(has_goal),
        left.map_or(0.0, |plies| (-(plies as f32) / 8.0).portable_exp()),
    ]
}

fn flag(set: bool) -> f32 {
    f32::from(u8::from(set))
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    /// The index of the number of depths at which the move was searched.
    const LOOKS: usize = 4 * MAX_DEPTHS + 1;

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
        let logarithms = vec![(scores.len() as f32).recip().portable_ln(); scores.len()];
        let mut rows = Vec::new();
        encode(&position, &moves[..scores.len()], context, has_goal, &logarithms, scores, &mut rows);
        rows.chunks_exact(FEATURES).map(<[f32]>::to_vec).collect()
    }

    #[test]
    fn losses_compare_with_the_best_move_at_the_same_depth() {
        // The second move is best at the first depth, and is not searched again.
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
    fn final_losses_are_in_pawns() {
        let scores = scores(&[&[0, 50, 40], &[100], &[-50, -150, 20], &[], &[0, -900]]);
        // The best score at the third depth is 40. The last score of the second move is 100.
        assert_eq!(losses(&scores).collect::<Vec<f32>>(), [0.0, 0.0, 0.2, 5.0, 5.0]);
    }

    #[test]
    fn a_move_that_was_not_searched_has_the_largest_loss() {
        let rows = rows(&Context::default(), false, &scores(&[&[0, 0, 0, 0], &[]]));
        assert_eq!((rows[1][1], rows[1][2], rows[1][LOOKS]), (2.0, 0.0, 0.0));
        assert!(rows[1][0] > 1.0);
    }

    #[test]
    fn the_movers_rating_is_at_the_place_of_its_scale() {
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
    fn captures_checks_and_promotions_are_encoded() {
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
