use std::{
    fmt::{self, Display, Formatter},
    time::Duration,
};

use entente::records::Statistics;
use entente_constraint::{counted, thesis};
use entente_search::rate;

use super::Bench;

/// The counts of a [`Bench`].
#[derive(Clone, Debug)]
pub struct BenchReport {
    pub(super) bench: Bench,
    pub(super) statistics: Statistics,
    /// A part for each kind of search.
    pub parts: Vec<Part>,
}

/// The counts of one kind of search.
#[derive(Clone, Debug)]
pub struct Part {
    /// The name of the search.
    pub name: &'static str,
    /// The items searched, in words.
    pub what: String,
    /// Nodes, as the search counts them.
    pub nodes: u64,
    /// The time taken.
    pub time: Duration,
}

impl Display for BenchReport {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Bench { games, threads, .. } = self.bench;
        let Statistics { generated, satisfied, satisfied_at_first_attempt, played, .. } = &self.statistics;
        let unique = self.statistics.unique();
        let unique_share = 100.0 * unique as f64 / (*played).max(1) as f64;
        writeln!(
            f,
            "constraints    {}, {} each, {}",
            thesis::all().len(),
            counted(games, "position", "positions"),
            counted(threads, "thread", "threads")
        )?;
        writeln!(f, "satisfied      {satisfied} of {generated}")?;
        writeln!(f, "first attempt  {satisfied_at_first_attempt} of {generated}")?;
        writeln!(f, "unique         {unique} of {played} with at least one ply ({unique_share:.1}%)")?;
        for Part { name, what, nodes, time } in &self.parts {
            let (seconds, nps) = (time.as_secs_f64(), rate(*nodes, *time));
            writeln!(f, "{name:<15}{nodes} nodes in {seconds:.2} s, {what}, {nps} nps")?;
        }
        let nodes = self.parts.iter().map(|part| part.nodes).sum();
        let time = self.parts.iter().map(|part| part.time).sum();
        write!(f, "Bench: {nodes} nodes {} nps", rate(nodes, time))
    }
}
