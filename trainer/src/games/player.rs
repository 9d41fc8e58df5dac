use std::num::NonZeroU64;

use sha2::{Digest, Sha256};

/// A player, identified among the players of the same file without storing the name. The number is the first eight
/// bytes, little-endian, of the SHA-256 of the game's source, a zero byte and the player's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Player(NonZeroU64);

impl Player {
    /// The player with this name in the file `source`.
    pub fn named(source: &str, name: &str) -> Player {
        let digest = Sha256::new().chain_update(source).chain_update([0]).chain_update(name).finalize();
        let number = u64::from_le_bytes(std::array::from_fn(|index| digest[index]));
        Player(NonZeroU64::new(number).unwrap_or(NonZeroU64::MIN))
    }

    /// The bytes in a store.
    pub(super) fn to_bytes(self) -> [u8; 8] {
        self.0.get().to_le_bytes()
    }

    /// The inverse of [`Player::to_bytes`]; `None` if all bytes are zero.
    pub(super) fn from_bytes(bytes: [u8; 8]) -> Option<Player> {
        NonZeroU64::new(u64::from_le_bytes(bytes)).map(Player)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_different_player_in_another_file() {
        let one = Player::named("club", "player 1");
        assert_eq!(one, Player::named("club", "player 1"));
        assert_ne!(one, Player::named("club", "player 2"));
        assert_ne!(one, Player::named("online", "player 1"));
        assert_eq!(Player::from_bytes(one.to_bytes()), Some(one));
    }
}
