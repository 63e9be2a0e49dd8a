//! *Graph* of a collection: its *nodes* are addresses, and an edge leads from one to another that a
//! page there links to.
//!
//! Pages with the same address are one node, which has the links of all of them and is reached with
//! all of them: a crawler knows addresses, and what it finds there is any of these pages. A page
//! without an address is a node of its own that no link leads to.
//!
//! Edges are held once, in both directions as lists of node numbers one after the other, of 4 bytes
//! each; while they come in they take 8, and 12 for a moment at the end. Nothing here calls itself,
//! however long a chain is.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use rayon::prelude::*;

use crate::fingerprints::mixing::mix;

/// Keys are fingerprints: mixed once more they spread well enough.
#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = mix(self.0 ^ u64::from(byte)));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = mix(value);
    }
}

type Table<V> = HashMap<u64, V, BuildHasherDefault<Mixed>>;

/// Redirects that are followed one after the other, as browsers do.
const HOPS: usize = 20;

/// The nodes of a collection, and by which keys they are found.
#[derive(Debug)]
pub struct Nodes {
    of_page: Vec<u32>,
    /// How many pages each node has.
    pages: Vec<u32>,
    by_key: Table<u32>,
}

impl Nodes {
    /// The nodes of pages with these keys, in the order of their first pages.
    pub fn new(keys: impl ExactSizeIterator<Item = Option<u64>>) -> Nodes {
        let mut by_key: Table<u32> =
            HashMap::with_capacity_and_hasher(keys.len(), Default::default());
        let mut pages = Vec::with_capacity(keys.len());
        let of_page = keys.map(|key| {
            let next = pages.len() as u32;
            let node = key.map_or(next, |key| *by_key.entry(key).or_insert(next));
            if node == next {
                pages.push(0);
            }
            pages[node as usize] += 1;
            node
        });
        let of_page = of_page.collect();
        Nodes { of_page, pages, by_key }
    }

    /// Lets nodes be found by further keys: those of `folders`, each with a page that answers for it,
    /// and those that are redirected from, each with the key it is redirected to. A page that has an
    /// address itself comes before a redirect, and that before a folder.
    pub fn answer(
        &mut self,
        folders: impl Iterator<Item = (u64, u32)>,
        redirects: impl Iterator<Item = (u64, u64)>,
    ) {
        let mut leads: Table<u64> = HashMap::default();
        for (from, to) in redirects {
            // From http to https is from an address to itself: the next redirect leads on.
            if from != to && !self.by_key.contains_key(&from) {
                leads.entry(from).or_insert(to);
            }
        }
        for (key, page) in folders {
            if let Some(&node) = self.of_page.get(page as usize)
                && !leads.contains_key(&key)
            {
                self.by_key.entry(key).or_insert(node);
            }
        }
        let found: Vec<(u64, u32)> =
            leads.iter().filter_map(|(&from, &to)| Some((from, self.end(to, &leads)?))).collect();
        self.by_key.extend(found);
    }

    /// The node at the end of redirects.
    fn end(&self, mut key: u64, leads: &Table<u64>) -> Option<u32> {
        for _ in 0..HOPS {
            match self.by_key.get(&key) {
                Some(&node) => return Some(node),
                None => key = *leads.get(&key)?,
            }
        }
        None
    }

    pub fn find(&self, key: u64) -> Option<u32> {
        self.by_key.get(&key).copied()
    }

    pub fn len(&self) -> usize {
        self.pages.len()
    }

    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// The node of each page.
    pub fn of_page(&self) -> &[u32] {
        &self.of_page
    }

    /// How many pages each node has.
    pub fn pages(&self) -> &[u32] {
        &self.pages
    }
}

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
