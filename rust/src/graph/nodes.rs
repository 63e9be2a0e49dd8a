//! *Node* of the graph of a collection: an address.
//!
//! Pages with the same address are one node, which has the links of all of them and is reached with
//! all of them: a crawler knows addresses, and what it finds there is any of these pages. A page
//! without an address is a node of its own that no link leads to.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

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
            HashMap::with_capacity_and_hasher(keys.len(), BuildHasherDefault::default());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_with_one_address_are_one_node() {
        let nodes = Nodes::new([Some(7), None, Some(9), Some(7), None].into_iter());
        assert_eq!(nodes.of_page(), [0, 1, 2, 0, 3]);
        assert_eq!(nodes.pages(), [2, 1, 1, 1]);
        assert_eq!((nodes.find(7), nodes.find(9), nodes.find(8)), (Some(0), Some(2), None));
    }

    #[test]
    fn an_address_comes_before_a_redirect_and_that_before_a_folder() {
        // Pages 10, 20 and 30; 30 is the first page of folder 31, 20 of 21 and of 10.
        let mut nodes = Nodes::new([Some(10), Some(20), Some(30)].into_iter());
        let folders = [(31, 2), (21, 1), (10, 1)];
        // 40 → 41 → 31; 21 → 10; 20 has a page; 50 and 51 lead to each other, 60 out of the collection.
        let mut redirects =
            vec![(40, 41), (41, 31), (21, 10), (20, 30), (50, 51), (51, 50), (60, 99), (40, 10)];
        // http to https is one address: 70 → 70 → 71 → 20, and 31 → 31, whose folder has a page.
        redirects.extend([(70, 70), (70, 71), (71, 71), (71, 20), (31, 31)]);
        nodes.answer(folders.into_iter(), redirects.into_iter());
        let found = [10, 20, 30, 31, 21, 40, 41, 50, 51, 60, 70].map(|key| nodes.find(key));
        let expected = [
            Some(0),
            Some(1),
            Some(2),
            Some(2),
            Some(0),
            Some(2),
            Some(2),
            None,
            None,
            None,
            Some(1),
        ];
        assert_eq!(found, expected);
    }
}
