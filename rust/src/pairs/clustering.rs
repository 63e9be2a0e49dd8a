//! Pages joined by all pairs that a rule holds together, without the pairs: two that are joined
//! already need not be compared. It is done in steps, so that whoever waits can be heard between.
//!
//! Within a bucket all pages are compared, whatever is hot. Once most of a bucket is one cluster,
//! its pages are compared with the others only, so that a bucket of one large cluster costs little
//! more than its first rows; one whose pages are mostly apart takes the square of their number.

use std::collections::HashMap;

use rayon::prelude::*;

use super::buckets::{end_of, row_of};
use super::finder::{Finder, Outcome};
use super::hamming::Block;
use crate::groups::clusters::Forest;

/// The comparisons of a step, less than a second of them.
const STEP: usize = 1 << 28;
/// More rows than this make a bucket large: its rows are shared out among threads.
const LARGE: usize = 512;
/// The first rows of a large bucket, after which it is looked what they have joined.
const FIRST: usize = 64;
/// One by one a comparison takes as long as so many side by side.
const ONE_BY_ONE: usize = 8;

/// How far clustering has come.
pub struct Clustering<'a> {
    finder: &'a Finder<'a>,
    forest: &'a Forest,
    position: usize,
    sorted: Option<Vec<u64>>,
    /// Where the next bucket begins; of a large one its rows side by side, and how many are done.
    at: usize,
    large: Option<(Block, usize)>,
}

impl<'a> Clustering<'a> {
    pub fn new(finder: &'a Finder<'a>, forest: &'a Forest) -> Clustering<'a> {
        Clustering { finder, forest, position: 0, sorted: None, at: 0, large: None }
    }

    /// Goes on for a while; false when all is done.
    pub fn step(&mut self) -> bool {
        let Some(sorted) = self.sorted.take() else {
            if self.position == self.finder.buckets.positions.count() {
                return false;
            }
            self.sorted = Some(self.finder.buckets.sorted(self.position));
            return true;
        };
        let (mut buckets, mut room) = (Vec::new(), STEP);
        while self.at < sorted.len() && room > 0 {
            let bucket = self.at..end_of(&sorted, self.at);
            if bucket.len() > LARGE {
                break;
            }
            self.at = bucket.end;
            room = room.saturating_sub(bucket.len() * bucket.len());
            if bucket.len() > 1 {
                buckets.push(bucket);
            }
        }
        if !buckets.is_empty() {
            buckets.into_par_iter().for_each(|bucket| self.unite_small(&sorted[bucket]));
        } else if self.at < sorted.len() {
            let bucket = self.at..end_of(&sorted, self.at);
            if self.unite_some(&sorted[bucket.clone()]) {
                self.at = bucket.end;
            }
        } else {
            (self.position, self.at) = (self.position + 1, 0);
            return true;
        }
        self.sorted = Some(sorted);
        true
    }

    fn root(&self, each: u64) -> u32 {
        self.forest.root(self.finder.data.pages[row_of(each) as usize])
    }

    /// Whether all rows from the first on are joined already.
    fn are_joined(&self, rows: &[u64]) -> bool {
        let first = self.root(rows[0]);
        rows.iter().all(|&each| self.root(each) == first)
    }

    /// Joins two rows that are near, if the rule holds them together and nothing did yet.
    fn join(&self, left: u64, right: u64) {
        if self.root(left) != self.root(right)
            && self.finder.judge(row_of(left), row_of(right)) == Outcome::Together
        {
            let pages = self.finder.data.pages;
            self.forest.unite(pages[row_of(left) as usize], pages[row_of(right) as usize]);
        }
    }

    fn are_near(&self, left: u64, right: u64) -> bool {
        let rows = self.finder.buckets.rows;
        self.finder.buckets.near.holds(rows.row(row_of(left)), rows.row(row_of(right)))
    }

    fn unite_small(&self, bucket: &[u64]) {
        if self.are_joined(bucket) {
            return;
        }
        for (place, &left) in bucket.iter().enumerate() {
            for &right in &bucket[place + 1..] {
                if self.root(left) != self.root(right) && self.are_near(left, right) {
                    self.join(left, right);
                }
            }
        }
    }

    /// Compares the next rows of a large bucket with those after them; true when all are done.
    fn unite_some(&mut self, bucket: &[u64]) -> bool {
        let (block, done) = self.large.take().unwrap_or_else(|| {
            let rows = bucket.iter().map(|&each| row_of(each));
            (Block::of(self.finder.buckets.rows, rows), 0)
        });
        let roots: Vec<u32> = bucket[done..].par_iter().map(|&each| self.root(each)).collect();
        let most = commonest(&roots);
        let others: Vec<usize> =
            (done..bucket.len()).filter(|&place| Some(roots[place - done]) != most).collect();
        if others.is_empty() {
            return true;
        }
        // What has been joined is worth a look more often while little is.
        let rows = (STEP / bucket.len()).max(1).min(done.max(FIRST));
        let some = done..(done + rows).min(bucket.len());
        let few = others.len() * ONE_BY_ONE < bucket.len() - done;
        some.clone().into_par_iter().for_each(|place| {
            if few && Some(roots[place - done]) == most {
                let after = others.partition_point(|&other| other <= place);
                self.compare(bucket, place, others[after..].iter().copied());
            } else {
                let row = self.finder.buckets.rows.row(row_of(bucket[place]));
                let mut found = Vec::new();
                block.near_after(place, row, self.finder.buckets.near, &mut found);
                found.into_iter().for_each(|at| self.join(bucket[place], bucket[at as usize]));
            }
        });
        self.large = (some.end < bucket.len()).then_some((block, some.end));
        self.large.is_none()
    }

    fn compare(&self, bucket: &[u64], place: usize, others: impl Iterator<Item = usize>) {
        for other in others {
            if self.are_near(bucket[place], bucket[other]) {
                self.join(bucket[place], bucket[other]);
            }
        }
    }
}

/// The root that most rows have; the lowest of several.
fn commonest(roots: &[u32]) -> Option<u32> {
    let mut counts: HashMap<u32, usize> = HashMap::new();
    roots.iter().for_each(|&root| *counts.entry(root).or_default() += 1);
    counts.into_iter().max_by_key(|&(root, count)| (count, std::cmp::Reverse(root))).map(|(r, _)| r)
}

/// Joins all pages that the finder's pairs hold together.
#[cfg(test)]
pub fn unite_all(finder: &Finder<'_>, forest: &Forest) {
    let mut clustering = Clustering::new(finder, forest);
    while clustering.step() {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprints::mixing::mix;
    use crate::pairs::finder::{By, Data, Limits, NO_SITE, Sites, Wanted};
    use crate::pairs::hamming::{Near, Rows};

    /// Rows that share their first word; the rest is of one of so many families, or their own.
    fn rows(count: u64, families: u64, own: u64) -> Vec<u64> {
        (0..count)
            .flat_map(|row| {
                let family = if mix(row).is_multiple_of(own) { 1000 + row } else { row % families };
                [7, mix(family), mix(row + 5000)]
            })
            .collect()
    }

    #[test]
    fn large_buckets_are_joined_as_brute_force_joins_them() {
        for (count, families, own) in [(3000u64, 1, 50), (2000, 400, 3), (1500, 1, 2), (600, 1, 1)]
        {
            let words = rows(count, families, own);
            let pages: Vec<u32> = (0..count as u32).map(|row| 2 * row).collect();
            let sites = vec![NO_SITE; count as usize];
            let supershingles = Some(Rows { words: &words, width: 3 });
            let data = Data {
                pages: &pages,
                sites: &sites,
                partition: None,
                supershingles,
                projections: None,
            };
            let limits = Limits { sample: 1, comparisons: 1, seed: 0 };
            let by = By::Supershingles { least: 2 };
            let wanted = Wanted { by, sites: Sites::Any, most_bits: None, hot: None, limits };
            let finder = Finder::new(data, &wanted, &[]).unwrap();
            let forest = Forest::new(2 * count as u32);
            unite_all(&finder, &forest);
            let slow = Forest::new(2 * count as u32);
            let near = Near::Words { least: 2 };
            for left in 0..count as u32 {
                for right in left + 1..count as u32 {
                    let rows = finder.buckets.rows;
                    if near.holds(rows.row(left), rows.row(right)) {
                        slow.unite(pages[left as usize], pages[right as usize]);
                    }
                }
            }
            assert_eq!(forest.clusters(), slow.clusters());
        }
    }

    #[test]
    fn the_root_of_most() {
        assert_eq!(commonest(&[3, 1, 3, 1, 2]), Some(1));
        assert_eq!(commonest(&[]), None);
    }
}
