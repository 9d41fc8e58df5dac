//! The search for shortest games: one length after another, from the least possible upwards, with several threads.

use std::{
    num::NonZero,
    sync::{
        Mutex,
        atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
        mpsc::{self, RecvTimeoutError, Sender},
    },
    thread,
    time::Duration,
};

use shakmaty::{Color, Move, Position};

use super::{
    descent::Descent,
    expansion::{Cut, Expansion, Node},
    failures::Failures,
    goal::ProofGoal,
    victims::NEVER,
};
use crate::Limits;

/// The settings of a search for shortest games.
#[derive(Clone, Copy, Debug)]
pub struct ProofOptions {
    /// The most games to find at the shortest length.
    pub games: NonZero<u32>,
    /// The least length to search, in plies.
    pub min_plies: u32,
    /// The greatest length to search, in plies.
    pub max_plies: u32,
    /// The number of threads. The games found do not depend on it.
    pub threads: usize,
    /// The size of the table of failed positions in MiB.
    pub hash: usize,
}

/// The progress of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofProgress {
    /// The length that is being searched, in plies. There is no shorter game.
    pub plies: u32,
    /// The number of positions searched.
    pub nodes: u64,
    /// How full the table is, in thousandths.
    pub hashfull: u32,
}

/// The result of a search for shortest games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortest {
    /// The proved lower bound on the length, in plies; `None` if there is no game at all.
    pub at_least: Option<u32>,
    /// Games of exactly this length, in the order of the search.
    pub games: Vec<Vec<Move>>,
    /// True if these are all games of this length.
    pub is_all: bool,
    /// The number of positions searched.
    pub nodes: u64,
}

/// The shortest games to the goal's diagram. If a limit ends the search, the result has the lower bound proved so far. `progress` is called when the search of a length begins, and then every second.
pub fn shortest(
    goal: &ProofGoal,
    options: ProofOptions,
    limits: Limits<'_>,
    mut progress: impl FnMut(ProofProgress),
) -> Shortest {
    let failures = Failures::new(options.hash);
    let nodes = AtomicU64::new(0);
    let root = goal.start();
    let search = Search { goal, failures: &failures, root: Node::root(root), options, limits, nodes: &nodes };
    let needed = search.expansion().moves_needed(&search.root);
    let mut found = Shortest { at_least: None, games: Vec::new(), is_all: false, nodes: 0 };
    if needed.contains(&NEVER) {
        return found;
    }
    for plies in options.min_plies..=options.max_plies {
        let side = |color: Color| if root.turn() == color { plies.div_ceil(2) } else { plies / 2 };
        let last = if plies % 2 == 0 { root.turn() } else { root.turn().other() };
        let is_too_short =
            Color::ALL.into_iter().zip(needed).any(|(color, moves)| side(color) < u32::from(moves));
        if is_too_short || goal.turn().is_some_and(|turn| turn != last) {
            continue;
        }
        found.at_least = Some(plies);
        // The search of a length may be over before it looks at the limits.
        if limits.forbid(nodes.load(Relaxed), 1) {
            return found;
        }
        let mut report =
            || progress(ProofProgress { plies, nodes: nodes.load(Relaxed), hashfull: failures.fullness() });
        report();
        let (games, is_whole) = search.all_of(plies, report);
        found.nodes = nodes.load(Relaxed);
        if !games.is_empty() || !is_whole {
            found.is_all = is_whole && games.len() < options.games.get() as usize;
            found.games = games;
            return found;
        }
    }
    found.at_least = Some(options.max_plies.saturating_add(1));
    found
}

/// The parameters that all lengths share.
struct Search<'a> {
    goal: &'a ProofGoal,
    failures: &'a Failures,
    root: Node,
    options: ProofOptions,
    limits: Limits<'a>,
    nodes: &'a AtomicU64,
}

/// The number of beginnings of games for each thread. There are many, because some take much longer than others.
const BEGINNINGS: usize = 64;

/// The time between two progress reports.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

/// The first moves of games, and the node to which they lead.
type Beginning = (Vec<Move>, Node);

impl Search<'_> {
    fn expansion(&self) -> Expansion<'_> {
        Expansion::new(self.goal, self.limits, self.nodes)
    }

    /// The first games of exactly `plies` plies, as many as requested, and true if the search was not interrupted.
    /// `report` is called every second.
    fn all_of(&self, plies: u32, mut report: impl FnMut()) -> (Vec<Vec<Move>>, bool) {
        let Ok(beginnings) = self.beginnings(plies) else { return (Vec::new(), false) };
        let left = plies - beginnings.first().map_or(0, |(line, _)| line.len() as u32);
        let wanted = u64::from(self.options.games.get());
        // The number of games found for each beginning so far.
        let found: Vec<AtomicU64> = beginnings.iter().map(|_| AtomicU64::new(0)).collect();
        let before = |index: usize| found[..index].iter().map(|found| found.load(Relaxed)).sum::<u64>();
        let next = AtomicUsize::new(0);
        let games = Mutex::new(Vec::new());
        let work = |_held_open: Sender<()>| -> Result<(), Cut> {
            let mut descent = Descent::new(self.goal, self.failures, self.expansion());
            loop {
                let index = next.fetch_add(1, Relaxed);
                // Games of later beginnings are not needed if earlier ones have enough.
                if index >= beginnings.len() || before(index) >= wanted {
                    return Ok(());
                }
                let (line, node) = &beginnings[index];
                let enough = |games: &[Vec<Move>]| before(index) + games.len() as u64 >= wanted;
                let searched = descent.search_from(line, node, left, &enough);
                let found_here = std::mem::take(&mut descent.games);
                found[index].store(found_here.len() as u64, Relaxed);
                games.lock().expect("no thread panics with the lock held").push((index, found_here));
                searched?;
            }
        };
        let is_whole = thread::scope(|scope| {
            // Nothing is sent. The channel is closed when the last thread ends.
            let (open, closed) = mpsc::channel();
            let work = &work;
            let threads: Vec<_> = (0..self.options.threads.max(1))
                .map(|_| {
                    let open = open.clone();
                    scope.spawn(move || work(open))
                })
                .collect();
            drop(open);
            while closed.recv_timeout(PROGRESS_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                report();
            }
            let ended: Vec<bool> = threads
                .into_iter()
                .map(|thread| thread.join().expect("a search does not panic").is_ok())
                .collect();
            ended.into_iter().all(|ended| ended)
        });
        let mut games = games.into_inner().expect("no thread panics with the lock held");
        games.sort_by_key(|(index, _)| *index);
        let games = games.into_iter().flat_map(|(_, games)| games).take(wanted as usize).collect();
        (games, is_whole)
    }

    /// Beginnings of games of exactly `plies` plies. All have the same length, and there are enough to distribute among
    /// the threads.
    fn beginnings(&self, plies: u32) -> Result<Vec<Beginning>, Cut> {
        let mut expansion = self.expansion();
        let mut beginnings = vec![(Vec::new(), self.root.clone())];
        let wanted = BEGINNINGS * self.options.threads.max(1);
        for played in 0..plies / 2 {
            if beginnings.is_empty() || beginnings.len() >= wanted {
                break;
            }
            let mut longer = Vec::new();
            for (line, node) in beginnings {
                let mut children = Vec::new();
                expansion.expand(&node, plies - played, &mut children)?;
                children.sort_by_key(|(_, child)| child.needed);
                for (m, child) in children {
                    let mut line: Vec<Move> = line.clone();
                    line.push(m);
                    longer.push((line, child));
                }
            }
            beginnings = longer;
        }
        Ok(beginnings)
    }
}
