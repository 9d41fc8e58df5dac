use entente_network::encoding::goal_policy::{Context, RatingScale};
use shakmaty::Color;

/// The strength of a player whose rating is unknown.
const UNKNOWN: u16 = 1600;

/// The strength of the player of this color on the Lichess scale. It only decides how far the player looks ahead.
///
/// The scales are converted roughly, according to players who have both ratings, and to the time that players have. A
/// player looks further ahead over the board than on the internet.
pub fn strength(context: &Context, color: Color) -> u16 {
    strength_of(context.ratings[color.fold_wb(0, 1)], context.scale)
}

/// The same for a rating.
pub fn strength_of(rating: Option<u16>, scale: Option<RatingScale>) -> u16 {
    let Some(rating) = rating else { return UNKNOWN };
    rating.saturating_add(match scale {
        Some(RatingScale::Fide) => 400,
        Some(RatingScale::ChessCom) => 100,
        Some(RatingScale::Online) | None => 0,
    })
}
