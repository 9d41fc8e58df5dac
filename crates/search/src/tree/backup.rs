/// How values are backed up from a position to its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Backup {
    /// The opponent's gain is the mover's loss. Values are in [−1, 1], and a node's value is the mean of its visits.
    Competitive,
    /// Both sides have the same aim. Values are in [0, 1]. A node's value is a mixture of the value of its best child,
    /// which both sides will choose, and the mean of its visits, because a single value may be wrong.
    Cooperative {
        /// The weight of the best child's value in the mixture.
        best_share: f32,
    },
}

/// A proved result: the exact value of a position, and the distance to the end of the game that proves it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// The value for the mover.
    pub value: f32,
    /// The number of plies to the end that proves it.
    pub plies: u32,
}

impl Known {
    /// The proved result for the parent position.
    pub fn one_ply_earlier(self, backup: Backup) -> Known {
        Known { value: backup.seen_from_parent(self.value), plies: self.plies + 1 }
    }
}

impl Backup {
    /// The greatest value.
    pub const BEST: f32 = 1.0;

    /// The least value.
    pub fn worst(self) -> f32 {
        match self {
            Backup::Competitive => -1.0,
            Backup::Cooperative { .. } => 0.0,
        }
    }

    /// A value for the mover, converted to the mover of the parent position.
    pub fn seen_from_parent(self, value: f32) -> f32 {
        match self {
            Backup::Competitive => -value,
            Backup::Cooperative { .. } => value,
        }
    }

    /// A node's value from the mean of its visits and the values of its children.
    pub fn mix(self, mean: f32, children: impl Iterator<Item = f32>) -> f32 {
        match self {
            Backup::Competitive => mean,
            Backup::Cooperative { best_share } => {
                children.reduce(f32::max).map_or(mean, |best| mean + best_share * (best - mean))
            }
        }
    }

    /// The proved result of a node from those of its moves. One move with the best value proves it; the quickest
    /// counts. Otherwise all moves must be proved; then the best value counts, and among equal values the longest line.
    pub fn known(self, moves: impl Iterator<Item = Option<Known>>) -> Option<Known> {
        let mut best: Option<Known> = None;
        let mut all = true;
        for known in moves {
            let Some(known) = known else {
                all = false;
                continue;
            };
            let is_better = best.is_none_or(|best| {
                let wins = best.value >= Backup::BEST;
                known.value > best.value
                    || known.value == best.value
                        && if wins { known.plies < best.plies } else { known.plies > best.plies }
            });
            if is_better {
                best = Some(known);
            }
        }
        best.filter(|best| all || best.value >= Backup::BEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COOPERATIVE: Backup = Backup::Cooperative { best_share: 0.5 };

    fn known(value: f32, plies: u32) -> Option<Known> {
        Some(Known { value, plies })
    }

    #[test]
    fn one_win_is_enough_and_the_quickest_counts() {
        let moves = [None, known(1.0, 5), known(1.0, 3), known(-1.0, 2)];
        assert_eq!(Backup::Competitive.known(moves.into_iter()), known(1.0, 3));
        assert_eq!(COOPERATIVE.known([None, known(1.0, 4)].into_iter()), known(1.0, 4));
    }

    #[test]
    fn a_loss_must_be_proved_for_every_move_and_the_longest_counts() {
        let backup = Backup::Competitive;
        assert_eq!(backup.known([known(-1.0, 2), None].into_iter()), None);
        assert_eq!(backup.known([known(-1.0, 2), known(-1.0, 6)].into_iter()), known(-1.0, 6));
        // A draw is better than a loss, but proves nothing while another move may win.
        assert_eq!(backup.known([known(-1.0, 9), known(0.0, 4)].into_iter()), known(0.0, 4));
        assert_eq!(backup.known([known(0.0, 4), None].into_iter()), None);
        assert_eq!(backup.known([].into_iter()), None);
    }

    #[test]
    fn opponents_negate_values_and_partners_share_them() {
        assert_eq!(
            (Backup::Competitive.seen_from_parent(0.25), COOPERATIVE.seen_from_parent(0.25)),
            (-0.25, 0.25)
        );
        assert_eq!(
            Known { value: -1.0, plies: 2 }.one_ply_earlier(Backup::Competitive),
            Known { value: 1.0, plies: 3 }
        );
        assert_eq!(Backup::Competitive.mix(0.5, [1.0, -1.0].into_iter()), 0.5);
        assert_eq!(COOPERATIVE.mix(0.25, [0.5, 0.75].into_iter()), 0.5);
        assert_eq!(COOPERATIVE.mix(0.25, [].into_iter()), 0.25);
    }
}
