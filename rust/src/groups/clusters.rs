//! *Cluster*: the pages that a chain of pairs holds together (Fetterly 2004: union-find over pages
//! that share a megashingle). A cluster is named by its lowest page.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

/// A page and 128 bits that stand for its content. In two halves, for then it takes 24 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Keyed {
    pub key: [u64; 2],
    pub page: u32,
}

/// A union-find forest over the pages 0 … n − 1. The root of a tree is its lowest page, so that the
/// result depends on the pairs alone, not on their order, nor on which threads unite them: several
/// may at once. A parent is always lower than its child, whatever other threads do meanwhile, so that
/// every way up ends.
#[derive(Debug)]
pub struct Forest {
    parents: Vec<AtomicU32>,
}

impl Forest {
    pub fn new(pages: u32) -> Forest {
        Forest { parents: (0..pages).map(AtomicU32::new).collect() }
    }

    pub fn len(&self) -> usize {
        self.parents.len()
    }

    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    fn parent(&self, page: u32) -> u32 {
        self.parents[page as usize].load(Ordering::Relaxed)
    }

    /// The lowest page of the cluster, halving the way to it.
    pub fn root(&self, mut page: u32) -> u32 {
        loop {
            let parent = self.parent(page);
            let above = self.parent(parent);
            if parent == above {
                return parent;
            }
            // Another thread may have set it lower, or set it back to this: either is above the page.
            self.parents[page as usize].store(above, Ordering::Relaxed);
            page = above;
        }
    }

    pub fn unite(&self, left: u32, right: u32) {
        let (mut left, mut right) = (left, right);
        loop {
            (left, right) = (self.root(left), self.root(right));
            if left == right {
                return;
            }
            let (low, high) = (left.min(right), left.max(right));
            let root = &self.parents[high as usize];
            // Fails if another thread has put it below a page meanwhile.
            if root.compare_exchange(high, low, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
                return;
            }
        }
    }

    /// For every page whether it is the lowest of its cluster.
    pub fn lowest(&self) -> impl Iterator<Item = bool> + '_ {
        (0..self.parents.len() as u32).map(|page| self.parent(page) == page)
    }

    /// The cluster of every page and its size.
    pub fn clusters(&self) -> (Vec<u32>, Vec<u32>) {
        let clusters: Vec<u32> = (0..self.parents.len() as u32).map(|p| self.root(p)).collect();
        let mut sizes = vec![0u32; clusters.len()];
        for &cluster in &clusters {
            sizes[cluster as usize] += 1;
        }
        // A page comes after the lowest of its cluster, where the count stands.
        for page in 0..clusters.len() {
            sizes[page] = sizes[clusters[page] as usize];
        }
        (clusters, sizes)
    }

    /// For every page the one of its cluster that comes first by these ranks.
    pub fn firsts(&self, ranks: &[u32]) -> Vec<u32> {
        let mut first: Vec<u32> = (0..self.parents.len() as u32).collect();
        for page in 0..self.parents.len() as u32 {
            let root = self.root(page) as usize;
            if ranks[page as usize] < ranks[first[root] as usize] {
                first[root] = page;
            }
        }
        (0..self.parents.len() as u32).map(|page| first[self.root(page) as usize]).collect()
    }

    /// Unites pages with the same key.
    pub fn unite_equal(&self, mut keyed: Vec<Keyed>) {
        keyed.par_sort_unstable();
        for group in keyed.chunk_by(|a, b| a.key == b.key) {
            for member in &group[1..] {
                self.unite(group[0].page, member.page);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprints::mixing::mix;

    #[test]
    fn a_cluster_is_named_by_its_lowest_page() {
        let forest = Forest::new(7);
        for (left, right) in [(6, 3), (3, 1), (4, 5)] {
            forest.unite(left, right);
        }
        let (clusters, sizes) = forest.clusters();
        assert_eq!(clusters, [0, 1, 2, 1, 4, 4, 1]);
        assert_eq!(sizes, [1, 3, 1, 3, 2, 2, 3]);
    }

    #[test]
    fn threads_that_unite_at_once_find_the_same() {
        let pages = 50_000u32;
        let pairs: Vec<(u32, u32)> = (0..45_000u64)
            .map(|i| (mix(2 * i) as u32 % pages, mix(2 * i + 1) as u32 % pages))
            .chain((0..1000).map(|i| (i, i + 1)))
            .collect();
        let alone = Forest::new(pages);
        pairs.iter().for_each(|&(left, right)| alone.unite(left, right));
        for _ in 0..20 {
            let together = Forest::new(pages);
            std::thread::scope(|scope| {
                for thread in 0..4 {
                    let (forest, pairs) = (&together, &pairs);
                    let own = pairs.iter().skip(thread).step_by(4);
                    scope.spawn(move || own.for_each(|&(left, right)| forest.unite(left, right)));
                }
            });
            assert_eq!(together.clusters(), alone.clusters());
        }
    }
}
