//! *Pair*: two pages that a rule holds together, each pair found once, a batch at a time.
//!
//! Pages are brought together by what they share (`buckets`), compared, and judged by what else the
//! rule asks: the C-similarity of B-similar pages, or whether they are on one site. Hot buckets give
//! a sample (`hot_buckets`).

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::buckets::{end_of, key_of, row_of};
use super::finder::{Data, Finder, Outcome, Wanted};
use super::hamming::{Block, Rows, differing_bits, equal_words};
use super::hot_buckets::{self, HotBucket};
use crate::interrupts::heed;

/// The comparisons of a batch, and so the most pairs it can have.
const BATCH: usize = 1 << 19;
/// Up to so many rows are compared one by one.
const FEW: usize = 8;
/// The rows of larger buckets are shared out among threads, so many comparisons to each at a time.
const LARGE: usize = 512;
const SHARE: usize = 1 << 16;
/// A pair by the numbers of its rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    pub left: u32,
    pub right: u32,
    pub b_similarity: Option<u32>,
    pub c_similarity: Option<u32>,
    pub same_site: bool,
    pub weight: f64,
}

impl<'a> Finder<'a> {
    /// A pair with its measures, which stands for so many.
    pub fn pair(&self, left: u32, right: u32, weight: f64) -> Pair {
        let both = |rows: Rows<'a>| (rows.row(left), rows.row(right));
        Pair {
            left,
            right,
            b_similarity: self.data.supershingles.map(both).map(|(l, r)| equal_words(l, r)),
            c_similarity: self.data.projections.map(|rows| {
                let (l, r) = both(rows);
                64 * rows.width as u32 - differing_bits(l, r)
            }),
            same_site: self.data.same_site(left, right),
            weight,
        }
    }

    /// The rows of a bucket side by side.
    fn block(&self, bucket: &[u64]) -> Block {
        Block::of(self.buckets.rows, bucket.iter().map(|&each| row_of(each)))
    }

    /// The pairs of some rows of a bucket with those after them, and how many were missed.
    fn compare(&self, position: usize, sorted: &[u64], task: &Task) -> (Vec<Pair>, u64) {
        let (bucket, some) = (&sorted[task.bucket.clone()], task.rows.clone());
        let (mut pairs, mut missed) = (Vec::new(), 0);
        let mut take = |left: u32, right: u32, cool: u64| {
            if self.buckets.owns(position, left, right, cool) {
                match self.judge(left, right) {
                    Outcome::Together => pairs.push(self.pair(left, right, 1.0)),
                    Outcome::Missed => missed += 1,
                    Outcome::Separate => {}
                }
            }
        };
        let rows = self.buckets.rows;
        let near = self.buckets.near;
        if bucket.len() <= FEW {
            for place in some {
                let left = row_of(bucket[place]);
                for &other in &bucket[place + 1..] {
                    let right = row_of(other);
                    if near.holds(rows.row(left), rows.row(right)) {
                        take(left, right, self.buckets.cool(left));
                    }
                }
            }
            return (pairs, missed);
        }
        let block = task.block.clone().unwrap_or_else(|| Arc::new(self.block(bucket)));
        let mut found = Vec::new();
        for place in some {
            heed();
            let left = row_of(bucket[place]);
            block.near_after(place, rows.row(left), near, &mut found);
            if !found.is_empty() {
                let cool = self.buckets.cool(left);
                found.iter().for_each(|&at| take(left, row_of(bucket[at as usize]), cool));
            }
        }
        (pairs, missed)
    }
}

/// What has been counted so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    /// The pairs there are, whether given or not; an estimate if a hot bucket's is one.
    pub pairs: f64,
    pub missed: f64,
    pub comparisons: u64,
    pub given: u64,
}

/// How far the search has come.
#[derive(Debug)]
pub struct Pairing {
    pub wanted: Wanted,
    pub counts: Counts,
    pub hot_buckets: Vec<HotBucket>,
    /// For each row in how many pairs it is.
    pub degrees: Vec<u32>,
    hot: Option<Vec<Vec<u32>>>,
    position: usize,
    sorted: Option<Vec<u64>>,
    /// Where the next bucket begins, and how many of its rows have been compared.
    at: usize,
    within: usize,
    /// Of a large bucket that is not done its rows side by side.
    block: Option<Arc<Block>>,
}

/// Some rows of a bucket, to be compared with those after them in it; tasks of a large bucket share
/// its rows side by side.
struct Task {
    bucket: Range<usize>,
    rows: Range<usize>,
    block: Option<Arc<Block>>,
}

impl Pairing {
    pub fn new(wanted: Wanted, rows: usize) -> Pairing {
        Pairing {
            wanted,
            counts: Counts::default(),
            hot_buckets: Vec::new(),
            degrees: vec![0; rows],
            hot: None,
            position: 0,
            sorted: None,
            at: 0,
            within: 0,
            block: None,
        }
    }

    /// The next pairs, in no order; none when there are no more. The data are the same each time.
    pub fn next(&mut self, data: Data<'_>) -> Option<Vec<Pair>> {
        let wanted = self.wanted.clone();
        if self.hot.is_none() {
            let finder = Finder::new(data, &wanted, &[])?;
            self.hot = Some(wanted.hot.map_or_else(Vec::new, |most| finder.buckets.hot_keys(most)));
        }
        let hot = self.hot.take()?;
        let finder = Finder::new(data, &wanted, &hot)?;
        let batch = self.batch(&finder);
        self.hot = Some(hot);
        batch
    }

    fn batch(&mut self, finder: &Finder<'_>) -> Option<Vec<Pair>> {
        while self.position < finder.buckets.positions.count() {
            let sorted = match self.sorted.take() {
                Some(sorted) => sorted,
                None => finder.buckets.sorted(self.position),
            };
            let tasks = self.tasks(&sorted, finder);
            let mut pairs = self.compare(&sorted, &tasks, finder);
            if tasks.is_empty() {
                if self.at < sorted.len() {
                    pairs = self.draw(&sorted, finder);
                } else {
                    (self.position, self.at) = (self.position + 1, 0);
                    continue;
                }
            }
            self.sorted = Some(sorted);
            self.counts.given += pairs.len() as u64;
            if !pairs.is_empty() {
                return Some(pairs);
            }
        }
        None
    }

    /// The next buckets that are worth a batch, up to one that is hot.
    fn tasks(&mut self, sorted: &[u64], finder: &Finder<'_>) -> Vec<Task> {
        let (mut tasks, mut room) = (Vec::new(), BATCH);
        while self.at < sorted.len() && room > 0 {
            let bucket = self.at..end_of(sorted, self.at);
            if bucket.len() > 1 {
                if finder.buckets.is_hot(self.position, key_of(sorted[self.at])) {
                    break;
                }
                let rows = (room / bucket.len()).max(1).min(bucket.len() - self.within);
                let end = self.within + rows;
                let is_large = bucket.len() > LARGE;
                let made = || Arc::new(finder.block(&sorted[bucket.clone()]));
                let block = is_large.then(|| self.block.take().unwrap_or_else(made));
                let share = if is_large { (SHARE / bucket.len()).max(1) } else { rows };
                for start in (self.within..end).step_by(share) {
                    let rows = start..(start + share).min(end);
                    tasks.push(Task { bucket: bucket.clone(), rows, block: block.clone() });
                }
                room = room.saturating_sub(rows * bucket.len());
                self.within = end;
                if self.within < bucket.len() {
                    self.block = block;
                    break;
                }
            }
            (self.at, self.within) = (bucket.end, 0);
        }
        tasks
    }

    fn compare(&mut self, sorted: &[u64], tasks: &[Task], finder: &Finder<'_>) -> Vec<Pair> {
        let position = self.position;
        let found: Vec<(Vec<Pair>, u64)> =
            tasks.par_iter().map(|task| finder.compare(position, sorted, task)).collect();
        let mut pairs = Vec::with_capacity(found.iter().map(|(pairs, _)| pairs.len()).sum());
        for (some, missed) in found {
            pairs.extend(some);
            self.counts.missed += missed as f64;
        }
        for Task { bucket, rows, .. } in tasks {
            let after = |row: usize| (bucket.len() - 1 - row) as u64;
            self.counts.comparisons += rows.clone().map(after).sum::<u64>();
        }
        for pair in &pairs {
            self.degrees[pair.left as usize] += 1;
            self.degrees[pair.right as usize] += 1;
        }
        self.counts.pairs += pairs.len() as f64;
        pairs
    }

    /// The sample of the hot bucket that comes next.
    fn draw(&mut self, sorted: &[u64], finder: &Finder<'_>) -> Vec<Pair> {
        let bucket = self.at..end_of(sorted, self.at);
        self.at = bucket.end;
        let drawn = hot_buckets::draw(finder, self.position, &sorted[bucket], self.wanted.limits);
        for (row, count) in drawn.degrees {
            self.degrees[row as usize] += count;
        }
        self.counts.pairs += drawn.bucket.pairs;
        self.counts.missed += drawn.bucket.missed;
        self.counts.comparisons += drawn.bucket.comparisons;
        let weight = drawn.bucket.weight();
        self.hot_buckets.push(drawn.bucket);
        drawn.pairs.par_iter().map(|&(left, right)| finder.pair(left, right, weight)).collect()
    }
}

#[cfg(test)]
mod tests;
