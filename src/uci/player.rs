use crate::search::AlphaBeta;

/// The competitive search, made when it is first needed, or when `Hash` has changed.
#[derive(Default)]
pub(super) struct Player {
    search: Option<(u32, AlphaBeta)>,
    /// True if it remembers games that it should forget.
    is_stale: bool,
}

impl Player {
    /// Forgets earlier games before the next search: emptying a large table takes its time.
    pub fn forget(&mut self) {
        self.is_stale = self.search.is_some();
    }

    /// True if a search can begin at once.
    pub fn is_ready_for(&self, mebibytes: u32) -> bool {
        !self.is_stale && self.search.as_ref().is_some_and(|(size, _)| *size == mebibytes)
    }

    /// The search with a table of so many mebibytes: the one there is, or a new one.
    pub fn prepare(&mut self, mebibytes: u32) -> &mut AlphaBeta {
        // Gone before there is another: together they might be too large.
        self.search.take_if(|(size, _)| *size != mebibytes);
        if let (true, Some((_, search))) = (self.is_stale, &mut self.search) {
            search.forget();
        }
        self.is_stale = false;
        let new = || (mebibytes, AlphaBeta::new(mebibytes as usize));
        &mut self.search.get_or_insert_with(new).1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_ready_until_the_size_changes_or_a_game_begins() {
        let mut player = Player::default();
        player.forget();
        assert!(!player.is_ready_for(1));
        player.prepare(1);
        assert!(player.is_ready_for(1) && !player.is_ready_for(2));
        player.forget();
        assert!(!player.is_ready_for(1));
        player.prepare(1);
        assert!(player.is_ready_for(1));
    }
}
