//! *Agreement*: how many supershingles two pages have in common, position by position. Fetterly 2004
//! calls pages very similar that agree in two of six, which is to share a *megashingle*, and keeps a
//! table for each of the 15 megashingles. Here pages are grouped by one supershingle, and within a
//! group by another: the same comparisons with five groupings instead of fifteen tables, and of the
//! values themselves, not of a hash of two.

use std::ops::Range;

use rayon::prelude::*;

use super::clusters::Forest;
use super::grouping::KeyBuckets;
use crate::fingerprints::mixing::sequence;

/// In groups up to this size every row is compared with every other; larger ones are sorted.
const FEW: usize = 8;

/// Pages with their supershingles, row after row.
#[derive(Debug)]
pub struct SupershingleRows {
    width: usize,
    pages: Vec<u32>,
    values: Vec<u64>,
}

impl SupershingleRows {
    pub fn new(width: usize) -> SupershingleRows {
        SupershingleRows { width, pages: Vec::new(), values: Vec::new() }
    }

    pub fn width(&self) -> usize {
        self.width
    }

    pub fn len(&self) -> usize {
        self.pages.len()
    }

    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    pub fn push(&mut self, page: u32, values: &[u64]) {
        self.pages.push(page);
        self.values.extend_from_slice(values);
    }

    pub fn pages(&self) -> &[u32] {
        &self.pages
    }

    fn row(&self, row: u32) -> &[u64] {
        &self.values[row as usize * self.width..][..self.width]
    }

    /// Unites the pages that agree in at least `least` supershingles, the first of which is one of a
    /// range; over the range up to `width` − `least` these are all that agree in `least` or more.
    pub fn unite(mut self, least: usize, firsts: Range<usize>, forest: &Forest) {
        for first in firsts.clone() {
            let key = |row: usize| self.values[row * self.width + first];
            let buckets = KeyBuckets::new(self.len(), key);
            let copies: Vec<Vec<u32>> = (0..buckets.len())
                .into_par_iter()
                .map(|bucket| {
                    let mut copies = Vec::new();
                    buckets.groups(bucket, key, |group| {
                        self.unite_group(group, least, first, forest, &mut copies);
                    });
                    copies
                })
                .collect();
            drop(buckets);
            if first + 1 < firsts.end {
                self.remove(copies.concat());
            }
        }
    }

    /// Unites what agrees among rows that agree in `first`, and tells which rows are *copies*: equal
    /// in all supershingles to a row that is not told.
    fn unite_group(
        &self,
        group: &mut [u32],
        least: usize,
        first: usize,
        forest: &Forest,
        copies: &mut Vec<u32>,
    ) {
        if group.len() > FEW {
            let mut distinct = self.unite_copies(group, forest, copies);
            return self.unite_rest(&mut distinct, first + 1, least - 1, forest);
        }
        for (place, &right) in group.iter().enumerate() {
            for &left in &group[..place] {
                let pairs = || self.row(left).iter().zip(self.row(right));
                let agreeing = pairs().filter(|(one, other)| one == other).count();
                // What agrees earlier is united there; to look that up again would take longer.
                let earlier = pairs().take(first).any(|(one, other)| one == other);
                if agreeing >= least && !earlier {
                    forest.unite(self.pages[left as usize], self.pages[right as usize]);
                }
                if agreeing == self.width {
                    copies.push(right);
                    break;
                }
            }
        }
    }

    /// Unites equal rows, and gives those of which no other is a copy.
    fn unite_copies(
        &self,
        group: &[u32],
        forest: &Forest,
        copies: &mut Vec<u32>,
    ) -> Vec<(u64, u32)> {
        let mut keyed: Vec<(u64, u32)> =
            group.iter().map(|&row| (sequence(self.row(row)), row)).collect();
        keyed.sort_unstable();
        let mut distinct = Vec::new();
        for alike in keyed.chunk_by(|a, b| a.0 == b.0) {
            distinct.push(alike[0]);
            for &(key, row) in &alike[1..] {
                if self.row(row) == self.row(alike[0].1) {
                    forest.unite(self.pages[alike[0].1 as usize], self.pages[row as usize]);
                    copies.push(row);
                } else {
                    // Of other values, and yet the same fingerprint.
                    distinct.push((key, row));
                }
            }
        }
        distinct
    }

    /// Unites the rows of a group that agree in at least `least` more supershingles from `from` on.
    fn unite_rest(&self, group: &mut [(u64, u32)], from: usize, least: usize, forest: &Forest) {
        if least == 0 {
            for member in &group[1..] {
                forest.unite(self.pages[group[0].1 as usize], self.pages[member.1 as usize]);
            }
            return;
        }
        for position in from..=self.width - least {
            for (value, row) in group.iter_mut() {
                *value = self.row(*row)[position];
            }
            group.sort_unstable();
            for equal in group.chunk_by_mut(|a, b| a.0 == b.0) {
                if equal.len() > 1 {
                    // The sub-group is sorted anew for each position below, so it may be reordered.
                    self.unite_rest(equal, position + 1, least - 1, forest);
                }
            }
        }
    }

    /// Removes some rows.
    fn remove(&mut self, mut rows: Vec<u32>) {
        rows.par_sort_unstable();
        let mut gone = rows.into_iter().peekable();
        let mut kept = 0;
        for row in 0..self.len() {
            if gone.next_if_eq(&(row as u32)).is_none() {
                self.pages[kept] = self.pages[row];
                self.values
                    .copy_within(row * self.width..(row + 1) * self.width, kept * self.width);
                kept += 1;
            }
        }
        self.pages.truncate(kept);
        self.values.truncate(kept * self.width);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprints::mixing::mix;

    /// What comparing every row with every other finds.
    fn slow(pages: &[u32], values: &[u64], width: usize, least: usize) -> Forest {
        let forest = Forest::new(2 * pages.len() as u32 + 1);
        for left in 0..pages.len() {
            for right in 0..left {
                let (a, b) = (&values[left * width..], &values[right * width..]);
                if (0..width).filter(|&i| a[i] == b[i]).count() >= least {
                    forest.unite(pages[left], pages[right]);
                }
            }
        }
        forest
    }

    fn rows(pages: &[u32], values: &[u64], width: usize) -> SupershingleRows {
        let mut rows = SupershingleRows::new(width);
        for (&page, values) in pages.iter().zip(values.chunks(width)) {
            rows.push(page, values);
        }
        rows
    }

    #[test]
    fn agreeing_pages_are_those_that_brute_force_finds() {
        let width = 6;
        for least in 1..=width {
            // Few distinct values, so that pages agree by chance in every number of positions; some
            // pages are copies, and of some values there are large groups.
            for (count, range) in [(120, [0, 40, 6, 4, 3, 2, 2][least]), (500, 3), (500, 25)] {
                let values: Vec<u64> = (0..u64::from(count) * 6)
                    .map(|i| if i / 6 % 7 == 0 { i % 6 } else { mix(i) % range })
                    .collect();
                let pages: Vec<u32> = (0..count).map(|row| row * 2 + 1).collect();
                let together = Forest::new(2 * count + 1);
                rows(&pages, &values, width).unite(least, 0..width - least + 1, &together);
                let apart = Forest::new(2 * count + 1);
                for first in (0..=width - least).rev() {
                    rows(&pages, &values, width).unite(least, first..first + 1, &apart);
                }
                let slow = slow(&pages, &values, width, least).clusters();
                assert_eq!(together.clusters(), slow, "at least {least} of {range}");
                assert_eq!(apart.clusters(), slow, "at least {least} of {range}, one at a time");
            }
        }
    }

    #[test]
    fn a_value_that_a_million_pages_share_joins_none_of_them() {
        // Quadratic work would not end: all agree in the third supershingle, and the last two of
        // the pages in the fifth as well.
        let count = 1_000_000u32;
        let mut rows = SupershingleRows::new(6);
        for page in 0..count {
            let own = |place: u64| mix(u64::from(page) * 6 + place);
            rows.push(
                page,
                &[own(0), own(1), 7, own(3), mix(u64::from(page.min(count - 2))), own(5)],
            );
        }
        let forest = Forest::new(count);
        rows.unite(2, 0..5, &forest);
        let (clusters, sizes) = forest.clusters();
        assert!((0..count - 1).all(|page| clusters[page as usize] == page));
        assert_eq!(clusters[count as usize - 1], count - 2);
        assert_eq!(sizes.iter().filter(|&&size| size == 1).count(), count as usize - 2);
    }

    #[test]
    fn a_million_copies_are_one_cluster() {
        let mut rows = SupershingleRows::new(6);
        for page in 0..1_000_000 {
            rows.push(page, &[1, 2, 3, 4, 5, 6]);
        }
        let forest = Forest::new(1_000_000);
        rows.unite(2, 0..5, &forest);
        assert!(forest.clusters().1.iter().all(|&size| size == 1_000_000));
    }

    #[test]
    fn chains_hold_together_and_agreement_with_two_others_does_not() {
        // Pages 0, 1, 2 are a chain; page 3 agrees in one with page 0 and in one with page 4.
        let values = [
            [1, 2, 11, 12, 13, 14],
            [1, 2, 3, 4, 21, 22],
            [31, 32, 3, 4, 33, 34],
            [41, 42, 11, 43, 44, 45],
            [51, 52, 53, 54, 55, 45],
        ];
        let forest = Forest::new(5);
        rows(&[0, 1, 2, 3, 4], values.as_flattened(), 6).unite(2, 0..5, &forest);
        assert_eq!(forest.clusters().0, [0, 0, 0, 3, 4]);
    }
}
