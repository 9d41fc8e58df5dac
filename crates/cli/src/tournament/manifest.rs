use entente_network::embedded_digest;
use serde::{Deserialize, Serialize};

use super::{Plan, Schedule, Shard};

/// The description of a folder of games: everything needed to resume it, to merge it with others, and to make its
/// tables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the program, on which games depend.
    pub version: String,
    /// The SHA-256 of the networks built into the program, [`embedded_digest`]; `None` in folders from older versions,
    /// which did not write it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub networks_sha256: Option<String>,
    /// The tables of endings by which conditions are judged, in words; `None` if none are judged, and in folders from older
    /// versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endings: Option<Vec<String>>,
    /// The shard played there.
    pub shard: Shard,
    /// The whole plan.
    pub plan: Plan,
}

impl Manifest {
    /// The manifest for a shard of `plan`, played by this version of the program.
    pub fn new(plan: Plan, shard: Shard) -> Manifest {
        let networks_sha256 = Some(embedded_digest().to_owned());
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Manifest { version, networks_sha256, endings: None, shard, plan }
    }

    /// The same manifest of games that these tables of endings judge.
    #[must_use]
    pub fn judged_by(self, endings: Option<Vec<String>>) -> Manifest {
        Manifest { endings, ..self }
    }

    /// The schedule of its games.
    pub fn schedule(&self) -> Schedule {
        Schedule::new(&self.plan, self.shard)
    }

    /// The first difference to `other`, apart from the shards, in words.
    pub(crate) fn difference(&self, other: &Manifest) -> Option<String> {
        if self.version != other.version {
            return Some(format!("version of the program: {} and {}", self.version, other.version));
        }
        if let (Some(ours), Some(theirs)) = (&self.networks_sha256, &other.networks_sha256)
            && ours != theirs
        {
            return Some(format!("SHA-256 of the networks in the program: {ours} and {theirs}"));
        }
        if let (Some(ours), Some(theirs)) = (&self.endings, &other.endings)
            && ours != theirs
        {
            let listed =
                |tables: &[String]| if tables.is_empty() { "none".to_owned() } else { tables.join(", ") };
            return Some(format!("tables of endings: {} and {}", listed(ours), listed(theirs)));
        }
        self.plan.difference(&other.plan)
    }

    /// Checks a manifest that was read from a file, which another program may have written.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn check(&self) -> Result<(), String> {
        let Shard { number, of } = self.shard;
        if !(1..=of).contains(&number) || of > Shard::MAX {
            return Err(format!("shard {}", self.shard));
        }
        let is_version = |c: char| c.is_ascii_alphanumeric() || ".-+".contains(c);
        if self.version.len() > 40 || !self.version.chars().all(is_version) {
            return Err("the version".to_owned());
        }
        let is_digest = |text: &String| text.len() == 64 && text.chars().all(|c| c.is_ascii_hexdigit());
        if !self.networks_sha256.iter().all(is_digest) {
            return Err("the SHA-256 of the networks".to_owned());
        }
        let is_table =
            |text: &String| text.len() <= 40 && text.chars().all(|c| c.is_ascii_graphic() || c == ' ');
        if !self.endings.iter().flatten().all(is_table) {
            return Err("the tables of endings".to_owned());
        }
        self.plan.check()
    }
}
