/// The most depths at which a move is looked at.
pub const MOST_DEPTHS: usize = 6;

/// The scores of a move in centipawns, for whoever plays it, at growing depths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveScores {
    scores: [i32; MOST_DEPTHS],
    looks: usize,
}

impl MoveScores {
    /// The number of depths at which it was looked at.
    pub fn looks(&self) -> usize {
        self.looks
    }

    /// The score at a depth, if it was looked at there.
    pub fn at(&self, depth: usize) -> Option<i32> {
        (depth < self.looks).then(|| self.scores[depth])
    }

    /// The score at the last depth at which it was looked at.
    pub fn last(&self) -> Option<i32> {
        self.at(self.looks.checked_sub(1)?)
    }

    /// Adds the score of the next depth.
    ///
    /// # Panics
    /// If there are [`MOST_DEPTHS`] already.
    pub fn push(&mut self, score: i32) {
        self.scores[self.looks] = score;
        self.looks += 1;
    }

    /// Adds the score of a further depth; at those between it was not looked at, and has the last score before them.
    ///
    /// # Panics
    /// If it was looked at there, or there is no such depth.
    pub fn push_at(&mut self, depth: usize, score: i32) {
        while let Some(last) = self.last().filter(|_| self.looks < depth) {
            self.push(last);
        }
        self.push(score);
    }
}
