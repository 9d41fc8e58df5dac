/// The most depths at which a move is searched.
pub const MAX_DEPTHS: usize = 6;

/// The scores of a move in centipawns at increasing depths, for the side that plays it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveScores {
    scores: [i32; MAX_DEPTHS],
    looks: usize,
}

impl MoveScores {
    /// The number of depths at which the move has a score.
    pub fn looks(&self) -> usize {
        self.looks
    }

    /// The score at a depth, if there is one.
    pub fn at(&self, depth: usize) -> Option<i32> {
        (depth < self.looks).then(|| self.scores[depth])
    }

    /// The score at the greatest depth.
    pub fn last(&self) -> Option<i32> {
        self.at(self.looks.checked_sub(1)?)
    }

    /// Adds the score of the next depth.
    ///
    /// # Panics
    /// If there are already [`MAX_DEPTHS`] scores.
    pub fn push(&mut self, score: i32) {
        self.scores[self.looks] = score;
        self.looks += 1;
    }

    /// Adds the score of `depth`. Depths without a score before it get the last score.
    ///
    /// # Panics
    /// If there is already a score at `depth`, or `depth` is not less than [`MAX_DEPTHS`].
    pub fn push_at(&mut self, depth: usize, score: i32) {
        while let Some(last) = self.last().filter(|_| self.looks < depth) {
            self.push(last);
        }
        self.push(score);
    }
}
