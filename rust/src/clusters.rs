//! *Cluster*: the pages that a chain of pairs holds together (Fetterly 2004: union-find over pages
//! that share a megashingle). A cluster is named by its lowest page.

use rayon::prelude::*;

/// A page and 128 bits that stand for its content. In two halves, for then it takes 24 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Keyed {
    pub key: [u64; 2],
    pub page: u32,
}

/// A union-find forest over the pages 0 … n − 1. The root of a tree is its lowest page, so that the
/// result depends on the pairs alone, not on their order.
#[derive(Debug)]
pub struct Forest {
    parents: Vec<u32>,
}

impl Forest {
    pub fn new(pages: u32) -> Forest {
        Forest { parents: (0..pages).collect() }
    }

    pub fn len(&self) -> usize {
        self.parents.len()
    }

    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// The lowest page of the cluster, halving the way to it.
    pub fn root(&mut self, mut page: u32) -> u32 {
        loop {
            let parent = self.parents[page as usize];
            if parent == page {
                return page;
            }
            let above = self.parents[parent as usize];
            self.parents[page as usize] = above;
            page = above;
        }
    }

    pub fn unite(&mut self, left: u32, right: u32) {
        let (left, right) = (self.root(left), self.root(right));
        self.parents[left.max(right) as usize] = left.min(right);
    }

    /// The cluster of every page and its size.
    pub fn clusters(&mut self) -> (Vec<u32>, Vec<u32>) {
        let clusters: Vec<u32> = (0..self.parents.len() as u32).map(|p| self.root(p)).collect();
        let mut counts = vec![0u32; clusters.len()];
        for &cluster in &clusters {
            counts[cluster as usize] += 1;
        }
        let sizes = clusters.iter().map(|&cluster| counts[cluster as usize]).collect();
        (clusters, sizes)
    }

    /// For every page the one of its cluster that comes first by these ranks.
    pub fn firsts(&mut self, ranks: &[u32]) -> Vec<u32> {
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
    pub fn unite_equal(&mut self, mut keyed: Vec<Keyed>) {
        keyed.par_sort_unstable();
        for group in keyed.chunk_by(|a, b| a.key == b.key) {
            for member in &group[1..] {
                self.unite(group[0].page, member.page);
            }
        }
    }

    /// Unites pages that agree in supershingle `first` and in at least `least` − 1 of those after
    /// it, position by position; over all `first` up to `width` − `least` that is: in at least
    /// `least` of the `width`. Row r of `values` belongs to `pages[r]`.
    ///
    /// Fetterly 2004 keeps one table for each megashingle (i, j). Here pages are sorted by
    /// supershingle i, and only within a group of equals by supershingle j: the same comparisons
    /// with five sorts instead of fifteen, and of the values themselves, not of a hash of two.
    pub fn unite_agreeing(
        &mut self,
        pages: &[u32],
        values: &[i64],
        width: usize,
        least: usize,
        first: usize,
    ) {
        let mut keyed: Vec<(i64, u32)> = values
            .par_iter()
            .skip(first)
            .step_by(width)
            .zip(0..pages.len() as u32)
            .map(|(&value, row)| (value, row))
            .collect();
        keyed.par_sort_unstable();
        for group in keyed.chunk_by_mut(|a, b| a.0 == b.0) {
            if group.len() > 1 {
                self.unite_rest(group, pages, values, width, first + 1, least - 1);
            }
        }
    }

    /// Unites the rows of a group that agree in at least `least` more supershingles from `from` on.
    fn unite_rest(
        &mut self,
        group: &mut [(i64, u32)],
        pages: &[u32],
        values: &[i64],
        width: usize,
        from: usize,
        least: usize,
    ) {
        if least == 0 {
            for member in &group[1..] {
                self.unite(pages[group[0].1 as usize], pages[member.1 as usize]);
            }
            return;
        }
        for position in from..=width - least {
            for (value, row) in group.iter_mut() {
                *value = values[*row as usize * width + position];
            }
            group.sort_unstable();
            for equal in group.chunk_by_mut(|a, b| a.0 == b.0) {
                if equal.len() > 1 {
                    // The sub-group is sorted anew for each position below, so it may be reordered.
                    self.unite_rest(equal, pages, values, width, position + 1, least - 1);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mixing::mix;

    #[test]
    fn a_cluster_is_named_by_its_lowest_page() {
        let mut forest = Forest::new(7);
        for (left, right) in [(6, 3), (3, 1), (4, 5)] {
            forest.unite(left, right);
        }
        let (clusters, sizes) = forest.clusters();
        assert_eq!(clusters, [0, 1, 2, 1, 4, 4, 1]);
        assert_eq!(sizes, [1, 3, 1, 3, 2, 2, 3]);
    }

    #[test]
    fn agreeing_pages_are_those_that_brute_force_finds() {
        let (rows, width) = (120u32, 6);
        for least in 1..=width {
            // Few distinct values, so that pages agree by chance in every number of positions.
            let range = [0, 40, 6, 4, 3, 2, 2][least];
            let values: Vec<i64> =
                (0..rows as u64 * 6).map(|i| (mix(i) % range) as i64 - 1).collect();
            let pages: Vec<u32> = (0..rows).map(|row| row * 2 + 1).collect();
            let mut fast = Forest::new(2 * rows + 1);
            for first in 0..=width - least {
                fast.unite_agreeing(&pages, &values, width, least, first);
            }
            let mut slow = Forest::new(2 * rows + 1);
            for left in 0..rows as usize {
                for right in 0..left {
                    let (a, b) = (&values[left * width..], &values[right * width..]);
                    if (0..width).filter(|&i| a[i] == b[i]).count() >= least {
                        slow.unite(pages[left], pages[right]);
                    }
                }
            }
            assert_eq!(fast.clusters(), slow.clusters(), "at least {least}");
        }
    }
}
