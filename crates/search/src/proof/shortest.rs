//! Lengths of games, from the least possible upwards, and the threads that search one.

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

use entente_constraint::legality::Problem;
use shakmaty::{Chess, Color, Move, Position};

use super::{
    descent::Descent,
    expansion::{Cut, Expansion, Node},
    failures::Failures,
    goal::Goal,
    victims::NEVER,
};
use crate::Limits;

/// How hard to search.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Games wanted at the shortest length, at most.
    pub games: NonZero<u32>,
    /// The shortest games looked for, in plies.
    pub least_plies: u32,
    /// The longest ones.
    pub most_plies: u32,
    /// How many threads search; what is found does not depend on it.
    pub threads: usize,
    /// Mebibytes for positions that failed.
    pub hash: usize,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// There is no game of fewer plies: games of so many are being looked for.
    pub plies: u32,
    /// Positions searched.
    pub nodes: u64,
    /// How full the memory is, in thousandths.
    pub hashfull: u32,
}

/// What a search for the shortest games came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortest {
    /// There is no game of fewer plies; `None` if there is none at all.
    pub at_least: Option<u32>,
    /// Games of so many plies, in the order of the search.
    pub games: Vec<Vec<Move>>,
    /// True if these are all games of so many plies.
    pub is_all: bool,
    /// Positions searched.
    pub nodes: u64,
}

/// The shortest games from the initial position to the problem's diagram. Where a limit ends the search, what was proved until then is
/// said. `progress` is called when a length begins, and every second.
pub fn shortest(
    problem: &Problem,
    effort: Effort,
    limits: Limits<'_>,
    mut progress: impl FnMut(Progress),
) -> Shortest {
    let goal = Goal::new(problem);
    let failures = Failures::new(effort.hash);
    let nodes = AtomicU64::new(0);
    let root = &Chess::default();
    let search =
        Search { goal: &goal, failures: &failures, root: Node::root(root), effort, limits, nodes: &nodes };
    let needed = search.expansion().moves_needed(&search.root);
    let mut found = Shortest { at_least: None, games: Vec::new(), is_all: false, nodes: 0 };
    if needed.contains(&NEVER) {
        return found;
    }
    for plies in effort.least_plies..=effort.most_plies {
        let side = |color: Color| if root.turn() == color { plies.div_ceil(2) } else { plies / 2 };
        let last = if plies % 2 == 0 { root.turn() } else { root.turn().other() };
        let is_too_short =
            Color::ALL.into_iter().zip(needed).any(|(color, moves)| side(color) < u32::from(moves));
        if is_too_short || goal.turn().is_some_and(|turn| turn != last) {
            continue;
        }
        found.at_least = Some(plies);
        let mut tell =
            || progress(Progress { plies, nodes: nodes.load(Relaxed), hashfull: failures.fullness() });
        tell();
        let (games, is_whole) = search.all_of(plies, tell);
        found.nodes = nodes.load(Relaxed);
        if !games.is_empty() || !is_whole {
            found.is_all = is_whole && games.len() < effort.games.get() as usize;
            found.games = games;
            return found;
        }
    }
    found.at_least = Some(effort.most_plies.saturating_add(1));
    found
}

/// What all lengths have in common.
struct Search<'a> {
    goal: &'a Goal,
    failures: &'a Failures,
    root: Node,
    effort: Effort,
    limits: Limits<'a>,
    nodes: &'a AtomicU64,
}

/// Beginnings of games for each thread: some take much longer than others.
const BEGINNINGS: usize = 64;

/// How often progress is told.
const EVERY: Duration = Duration::from_secs(1);

/// A beginning of games, and the position that it leads to.
type Beginning = (Vec<Move>, Node);

impl Search<'_> {
    fn expansion(&self) -> Expansion<'_> {
        Expansion::new(self.goal, self.limits, self.nodes)
    }

    /// The first games of so many plies, as many as are wanted, and true if the search has come to its end. `tell` is called
    /// every second.
    fn all_of(&self, plies: u32, mut tell: impl FnMut()) -> (Vec<Vec<Move>>, bool) {
        let Ok(beginnings) = self.beginnings(plies) else { return (Vec::new(), false) };
        let left = plies - beginnings.first().map_or(0, |(line, _)| line.len() as u32);
        let wanted = u64::from(self.effort.games.get());
        // How many games each beginning has, as far as it is known.
        let found: Vec<AtomicU64> = beginnings.iter().map(|_| AtomicU64::new(0)).collect();
        let before = |index: usize| found[..index].iter().map(|found| found.load(Relaxed)).sum::<u64>();
        let next = AtomicUsize::new(0);
        let games = Mutex::new(Vec::new());
        let work = |_held_open: Sender<()>| -> Result<(), Cut> {
            let mut descent = Descent::new(self.goal, self.failures, self.expansion());
            loop {
                let index = next.fetch_add(1, Relaxed);
                // Games of later beginnings would come behind those that are enough.
                if index >= beginnings.len() || before(index) >= wanted {
                    return Ok(());
                }
                let (line, node) = &beginnings[index];
                let enough = |games: &[Vec<Move>]| before(index) + games.len() as u64 >= wanted;
                let searched = descent.search_from(line, node, left, &enough);
                let those = std::mem::take(&mut descent.games);
                found[index].store(those.len() as u64, Relaxed);
                games.lock().expect("no thread panics with the lock held").push((index, those));
                searched?;
            }
        };
        let is_whole = thread::scope(|scope| {
            // Nothing is sent: the last thread that ends closes it.
            let (open, closed) = mpsc::channel();
            let work = &work;
            let threads: Vec<_> = (0..self.effort.threads.max(1))
                .map(|_| {
                    let open = open.clone();
                    scope.spawn(move || work(open))
                })
                .collect();
            drop(open);
            while closed.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                tell();
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

    /// Beginnings of games of so many plies, all of the same length: enough for the threads to share.
    fn beginnings(&self, plies: u32) -> Result<Vec<Beginning>, Cut> {
        let mut expansion = self.expansion();
        let mut beginnings = vec![(Vec::new(), self.root.clone())];
        let wanted = BEGINNINGS * self.effort.threads.max(1);
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
