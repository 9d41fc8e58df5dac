use clap::{ArgAction, Args};

use crate::{
    encoding::goal_policy::RatingScale,
    generation::goal_policy::{PolicyRequest, Priors, Realism},
};

/// What only the methods goal-policy and puct heed.
#[derive(Args)]
#[command(next_help_heading = "Games as people play them (methods goal-policy and puct)")]
pub struct PolicyArguments {
    /// How much a game may cost to look like people's
    #[arg(long, value_enum, default_value_t = Realism::Auto)]
    realism: Realism,
    /// Both players' rating [default: unknown]
    #[arg(long, value_name = "R", conflicts_with_all = ["white_elo", "black_elo"])]
    elo: Option<u16>,
    /// White's rating
    #[arg(long, value_name = "R")]
    white_elo: Option<u16>,
    /// Black's rating
    #[arg(long, value_name = "R")]
    black_elo: Option<u16>,
    /// Whose ratings these are
    #[arg(long, value_enum, default_value_t = RatingScale::Online)]
    rating_scale: RatingScale,
    /// How many times what the constraint adds to a move's logit is added once more, -1 (it counts for nothing) to 10;
    /// for --realism fast
    #[arg(long, value_name = "G", allow_negative_numbers = true, default_value_t = PolicyRequest::default().guidance)]
    guidance: f32,
    /// How evenly moves of the opening are drawn, 0 to 10: 1 as the network or the visits say, less for likelier
    /// ones [default: fitted to people's games: 0.95 if natural, else 0.85]
    #[arg(long, value_name = "T")]
    temperature: Option<f32>,
    /// The same from ply 30 on, and by degrees from ply 10 [default: 0.9 if natural, else 0.55]
    #[arg(long, value_name = "T")]
    late_temperature: Option<f32>,
    /// Games of a population, of which one is drawn; for --realism natural
    #[arg(long, value_name = "N", default_value_t = PolicyRequest::default().population)]
    population: u32,
    /// Plies that are looked ahead for moves that lead out of the constraint's reach, 0 (they are not left out) to 2; for
    /// --realism fast
    #[arg(long, value_name = "PLIES", default_value_t = PolicyRequest::default().mask)]
    mask: u32,
    /// How strongly moves toward the constraint are preferred as the plies run out, 0 to 10; for --realism fast
    #[arg(long, value_name = "W", default_value_t = PolicyRequest::default().tilt)]
    tilt: f32,
    /// Whether search finishes a game when the plies have nearly run out; for --realism fast
    #[arg(long, value_name = "BOOL", action = ArgAction::Set, default_value_t = PolicyRequest::default().finish)]
    finish: bool,
    /// Visits of the tree search, a move; for --method puct
    #[arg(long, value_name = "N", default_value_t = PolicyRequest::default().visits)]
    visits: u32,
    /// Which moves the tree search looks at first; for --method puct
    #[arg(long, value_enum, default_value_t = Priors::Network)]
    priors: Priors,
}

impl PolicyArguments {
    /// How moves are to be drawn.
    pub fn request(&self) -> PolicyRequest {
        PolicyRequest {
            realism: self.realism,
            guidance: self.guidance,
            temperature: self.temperature,
            late_temperature: self.late_temperature,
            white_elo: self.elo.or(self.white_elo),
            black_elo: self.elo.or(self.black_elo),
            rating_scale: self.rating_scale,
            population: self.population,
            mask: self.mask,
            tilt: self.tilt,
            finish: self.finish,
            visits: self.visits,
            priors: self.priors,
        }
    }
}
