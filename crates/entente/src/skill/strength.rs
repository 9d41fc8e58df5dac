use entente_network::encoding::goal_policy::{Context, RatingScale};
use shakmaty::Color;

/// What counts for a player of whom nothing is known.
const UNKNOWN: u16 = 1600;

/// How strong the player of that colour is, on the scale of Lichess: what decides how far is looked, and nothing else.
///
/// The scales are joined by what players who have both ratings have on average, roughly, and by the time they have: a
/// player over the board looks further than the same one on the internet.
pub fn strength(context: &Context, color: Color) -> u16 {
    strength_of(context.ratings[color.fold_wb(0, 1)], context.scale)
}

/// The same of a rating.
pub fn strength_of(rating: Option<u16>, scale: Option<RatingScale>) -> u16 {
    let Some(rating) = rating else { return UNKNOWN };
    rating.saturating_add(match scale {
        Some(RatingScale::Fide) => 400,
        Some(RatingScale::ChessCom) => 100,
        Some(RatingScale::Online) | None => 0,
    })
}
