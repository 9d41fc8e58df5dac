//! The search tree, in a fixed amount of memory.

use shakmaty::Move;

use super::{
    backup::{Backup, Known},
    edge::Edge,
    found::Found,
};

/// An evaluated position.
#[derive(Clone, Debug)]
pub(super) struct TreeNode {
    /// The moves of the position.
    pub edges: Box<[Edge]>,
    /// The number of evaluations of the position and of positions below it.
    pub visits: u32,
    /// The sum of the evaluated values.
    sum: f64,
    /// The sum of the evaluated probabilities of a draw.
    drawn: f64,
    /// The value for the mover according to [`Backup`].
    value: f32,
    /// The proved result, if there is one.
    pub known: Option<Known>,
    /// The time of the last visit.
    stamp: u64,
    /// The number of visits in progress through the node.
    waiting: u32,
}

impl TreeNode {
    /// The value for the mover.
    pub(super) fn value(&self) -> f32 {
        self.value
    }

    /// The mean probability of a draw.
    pub(super) fn drawn(&self) -> f32 {
        (self.drawn / f64::from(self.visits.max(1))) as f32
    }

    /// The memory of the node in bytes.
    fn bytes(&self) -> usize {
        size_of::<Option<TreeNode>>() + size_of_val::<[Edge]>(&self.edges)
    }
}

/// The index of a node in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeIndex(u32);

/// A step of a visit: a node and one of its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// The node.
    pub node: NodeIndex,
    /// The index of the move among its edges.
    pub edge: usize,
}

/// The nodes, in a fixed amount of memory. When it is full, the least recently visited subtrees are evicted. Their
/// parents keep the statistics of the moves to them.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Option<TreeNode>>,
    free: Vec<u32>,
    root: Option<NodeIndex>,
    bytes: usize,
    max_bytes: usize,
    clock: u64,
}

impl Tree {
    /// A tree of at most `mebibytes` MiB, at least 1.
    pub(super) fn new(mebibytes: usize) -> Tree {
        let max_bytes = mebibytes.max(1) << 20;
        Tree { nodes: Vec::new(), free: Vec::new(), root: None, bytes: 0, max_bytes, clock: 0 }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.free.clear();
        (self.root, self.bytes) = (None, 0);
    }

    /// The share of the memory that is used, in thousandths.
    pub(super) fn full(&self) -> u32 {
        (self.bytes as u64 * 1000 / self.max_bytes as u64).min(1000) as u32
    }

    /// The place of the root, once it has been evaluated.
    pub(super) fn root(&self) -> Option<NodeIndex> {
        self.root
    }

    /// The node at `place`.
    pub(super) fn node(&self, place: NodeIndex) -> &TreeNode {
        self.nodes[place.0 as usize].as_ref().expect("the place has a node")
    }

    fn node_mut(&mut self, place: NodeIndex) -> &mut TreeNode {
        self.nodes[place.0 as usize].as_mut().expect("the place has a node")
    }

    /// The node to which a step leads, if it has been evaluated and is still in memory.
    pub(super) fn child(&self, step: Step) -> Option<NodeIndex> {
        self.node(step.node).edges[step.edge].child.map(NodeIndex)
    }

    /// Begins another visit.
    pub(super) fn begin_visit(&mut self) {
        self.clock += 1;
    }

    /// Marks that a visit takes this step.
    pub(super) fn begin(&mut self, step: Step) {
        let node = self.node_mut(step.node);
        node.waiting += 1;
        node.edges[step.edge].waiting += 1;
    }

    /// Removes the mark of [`Tree::begin`], and updates the time of the last visit.
    pub(super) fn end(&mut self, step: Step) {
        let stamp = self.clock;
        let node = self.node_mut(step.node);
        node.stamp = stamp;
        node.waiting -= 1;
        node.edges[step.edge].waiting -= 1;
    }

    /// Adds a node with its evaluation at the end of a step, or as the root.
    ///
    /// If the node was evicted before, it keeps the visits that its parent has recorded.
    pub(super) fn insert(
        &mut self,
        after: Option<Step>,
        edges: Vec<Edge>,
        found: Found,
        backup: Backup,
    ) -> NodeIndex {
        let before = after.map(|step| &self.node(step.node).edges[step.edge]).filter(|edge| edge.visits > 0);
        let (visits, value, drawn) = before
            .map_or((0, 0.0, 0.0), |edge| (edge.visits, backup.seen_from_parent(edge.value), edge.drawn));
        let count = f64::from(visits);
        let node = TreeNode {
            edges: edges.into_boxed_slice(),
            visits,
            sum: count * f64::from(value),
            drawn: count * f64::from(drawn),
            value: if visits > 0 { value } else { found.value },
            known: None,
            stamp: self.clock,
            waiting: 0,
        };
        self.make_room(node.bytes());
        self.bytes += node.bytes();
        let place = self.free.pop().unwrap_or_else(|| {
            self.nodes.push(None);
            (self.nodes.len() - 1) as u32
        });
        self.nodes[place as usize] = Some(node);
        match after {
            Some(step) => self.node_mut(step.node).edges[step.edge].child = Some(place),
            None => self.root = Some(NodeIndex(place)),
        }
        NodeIndex(place)
    }

    /// Adds an evaluation to a node.
    pub(super) fn add(&mut self, place: NodeIndex, found: Found, backup: Backup) {
        let node = self.node_mut(place);
        node.visits += 1;
        node.sum += f64::from(found.value);
        node.drawn += f64::from(found.drawn);
        let mean = (node.sum / f64::from(node.visits)) as f32;
        node.known = backup.known(node.edges.iter().map(|edge| edge.known));
        node.value = match node.known {
            Some(known) => known.value,
            None => backup.mix(mean, node.edges.iter().filter(|edge| edge.visits > 0).map(|edge| edge.value)),
        };
    }

    /// Adds a visit to a step, with the present evaluation of its end node for the mover there, and the proved result.
    pub(super) fn record(&mut self, step: Step, end: Found, known: Option<Known>, backup: Backup) {
        let edge = &mut self.node_mut(step.node).edges[step.edge];
        edge.visits += 1;
        edge.value = backup.seen_from_parent(end.value);
        edge.drawn = end.drawn;
        edge.known = known.map(|known| known.one_ply_earlier(backup));
    }

    /// Makes the node after `moves` the root and discards the rest of the tree; if there is no such node, the whole
    /// tree.
    pub(super) fn advance(&mut self, moves: &[Move]) {
        let mut place = self.root;
        for m in moves {
            place = place.and_then(|node| {
                let edge = self.node(node).edges.iter().position(|edge| edge.m == *m)?;
                self.child(Step { node, edge })
            });
        }
        match place {
            Some(place) => {
                let mut kept = vec![false; self.nodes.len()];
                self.mark(place, &mut kept);
                self.evict(|index, _| !kept[index]);
                self.root = Some(place);
            }
            None => self.clear(),
        }
    }

    fn mark(&self, place: NodeIndex, kept: &mut [bool]) {
        let mut open = vec![place];
        while let Some(place) = open.pop() {
            kept[place.0 as usize] = true;
            open.extend(self.node(place).edges.iter().filter_map(|edge| edge.child.map(NodeIndex)));
        }
    }

    /// Evicts subtrees until there is room for `more` bytes, as far as visits in progress allow. Half of the nodes are
    /// evicted at a time, so that this is rarely needed.
    fn make_room(&mut self, more: usize) {
        if self.bytes + more <= self.max_bytes {
            return;
        }
        let root = self.root.map(|place| place.0 as usize);
        let mut stamps: Vec<u64> = self.nodes.iter().flatten().map(|node| node.stamp).collect();
        let middle = stamps.len() / 2;
        let (_, median, _) = stamps.select_nth_unstable(middle);
        let median = *median;
        // A visit gives all nodes on its path the same stamp, so no node is older than the nodes below it. With each
        // node, all nodes below it are evicted, except those in use by a visit in progress.
        self.evict(|index, node| node.stamp <= median && node.waiting == 0 && Some(index) != root);
    }

    fn evict(&mut self, is_gone: impl Fn(usize, &TreeNode) -> bool) {
        let mut gone = vec![false; self.nodes.len()];
        for (index, slot) in self.nodes.iter_mut().enumerate() {
            if let Some(node) = slot.take_if(|node| is_gone(index, node)) {
                self.bytes -= node.bytes();
                self.free.push(index as u32);
                gone[index] = true;
            }
        }
        for node in self.nodes.iter_mut().flatten() {
            for edge in &mut node.edges {
                edge.child.take_if(|child| gone[*child as usize]);
            }
        }
    }
}
