//! *Graph* of a collection: its *nodes* are addresses, and an *edge* leads from one to another that a
//! page there links to.
//!
//! Edges are held once, in both directions as lists of node numbers one after the other, of 4 bytes
//! each; while they come in they take 8, and 12 for a moment at the end. Nothing here calls itself,
//! however long a chain is.

use rayon::prelude::*;

use crate::interrupts::heed;

/// Edges that come in, in any order and any number of times.
#[derive(Debug, Default)]
pub struct Edges {
    /// From and to, each in 32 bits.
    pairs: Vec<u64>,
}

impl Edges {
    /// Room for so many; what is not used is never touched.
    pub fn with_capacity(edges: usize) -> Edges {
        Edges { pairs: Vec::with_capacity(edges) }
    }

    /// Adds edges; those that lead where they begin say nothing and are left out.
    pub fn add(&mut self, edges: impl Iterator<Item = (u32, u32)>) {
        let pairs = edges.filter(|(from, to)| from != to);
        self.pairs.extend(pairs.map(|(from, to)| u64::from(from) << 32 | u64::from(to)));
    }

    /// The different edges among so many nodes, from their beginnings.
    pub fn close(mut self, nodes: usize) -> Graph {
        self.pairs.par_sort_unstable();
        self.pairs.dedup();
        let mut ends = vec![0u64; nodes];
        for pair in &self.pairs {
            ends[(pair >> 32) as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum;
        }
        Graph { ends, targets: self.pairs.par_iter().map(|&pair| pair as u32).collect() }
    }
}

/// For each node the nodes that edges lead to from it, ascending.
#[derive(Debug)]
pub struct Graph {
    /// Where the targets of each node end.
    ends: Vec<u64>,
    targets: Vec<u32>,
}

impl Graph {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub fn edges(&self) -> usize {
        self.targets.len()
    }

    fn start(&self, node: u32) -> u64 {
        if node == 0 { 0 } else { self.ends[node as usize - 1] }
    }

    /// Where edges lead to from a node.
    pub fn from(&self, node: u32) -> &[u32] {
        &self.targets[self.start(node) as usize..self.ends[node as usize] as usize]
    }

    /// The same edges from their ends.
    pub fn reversed(&self) -> Graph {
        let mut next = vec![0u64; self.len()];
        for &target in &self.targets {
            next[target as usize] += 1;
        }
        let mut sum = 0;
        for place in &mut next {
            (*place, sum) = (sum, sum + *place);
        }
        let mut targets = vec![0u32; self.targets.len()];
        for node in 0..self.len() as u32 {
            heed();
            for &target in self.from(node) {
                targets[next[target as usize] as usize] = node;
                next[target as usize] += 1;
            }
        }
        // Each place has moved to where the node's targets end.
        Graph { ends: next, targets }
    }

    /// Which nodes edges lead to from these, step by step; themselves too.
    pub fn reached(&self, starts: impl Iterator<Item = u32>) -> Vec<bool> {
        spread(&[self], self.len(), starts)
    }

    /// For each node the number of its strongly connected component: the nodes that can all be
    /// reached from each other (Tarjan 1972, with a stack of its own instead of calls).
    pub fn components(&self) -> Vec<u32> {
        const NONE: u32 = u32::MAX;
        let mut order = vec![NONE; self.len()];
        let mut lowest = vec![0u32; self.len()];
        let mut components = vec![NONE; self.len()];
        let (mut seen, mut count) = (0u32, 0u32);
        // Nodes that are in no component yet, and the way to the one that is looked at, with the
        // place of the next of each one's targets.
        let (mut open, mut way): (Vec<u32>, Vec<(u32, u64)>) = (Vec::new(), Vec::new());
        for root in 0..self.len() as u32 {
            if order[root as usize] != NONE {
                continue;
            }
            way.push((root, self.start(root)));
            heed();
            while let Some((node, place)) = way.last_mut() {
                let (node, here) = (*node, *node as usize);
                if order[here] == NONE {
                    (order[here], lowest[here]) = (seen, seen);
                    seen += 1;
                    open.push(node);
                }
                let mut deeper = None;
                while *place < self.ends[here] {
                    let target = self.targets[*place as usize];
                    let there = target as usize;
                    if order[there] == NONE {
                        deeper = Some(target);
                        break;
                    }
                    // A target that was gone to from here has its lowest by now.
                    if components[there] == NONE {
                        lowest[here] = lowest[here].min(lowest[there]);
                    }
                    *place += 1;
                }
                if let Some(target) = deeper {
                    way.push((target, self.start(target)));
                    continue;
                }
                way.pop();
                if lowest[here] == order[here] {
                    while let Some(member) = open.pop() {
                        components[member as usize] = count;
                        if member == node {
                            break;
                        }
                    }
                    count += 1;
                }
            }
        }
        components
    }
}

/// Which nodes edges of any of the graphs lead to from these, step by step.
pub fn spread(graphs: &[&Graph], nodes: usize, starts: impl Iterator<Item = u32>) -> Vec<bool> {
    let mut reached = vec![false; nodes];
    let mut waiting: Vec<u32> = Vec::new();
    for start in starts {
        if !std::mem::replace(&mut reached[start as usize], true) {
            waiting.push(start);
        }
    }
    while let Some(node) = waiting.pop() {
        heed();
        for graph in graphs {
            for &target in graph.from(node) {
                if !std::mem::replace(&mut reached[target as usize], true) {
                    waiting.push(target);
                }
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests;
