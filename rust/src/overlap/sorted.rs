//! The sort-based way (Shivakumar 1998, section 2.1): all pairs that share a chunk, a pair as often as
//! it does, are sorted, and each is counted.
//!
//! The paper writes the pairs to a file and sorts that. Here they are made anew for some left pages at
//! a time, as many as find room, which takes no file and no more comparisons.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use rayon::prelude::*;

use super::lists::Lists;
use crate::fingerprints::mixing::mix;

/// Ranges of left pages whose pairs are counted before they are made.
const RANGES: u32 = 1 << 16;
/// Pairs that a thread collects before it hands them on.
const COLLECTED: usize = 1 << 10;

/// Two pages, and how many chunks they share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Overlap {
    pub left: u32,
    pub right: u32,
    pub shared: u32,
}

/// Left pages whose pairs are sorted together, in so many classes of pairs one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pass {
    lefts: Range<u32>,
    classes: u64,
    /// Pairs of all classes together.
    pairs: u64,
}

impl Pass {
    pub fn pairs(&self) -> u64 {
        self.pairs
    }
}

/// The passes in which all pairs that are to be kept find room, so many at a time.
pub fn passes(lists: &Lists, room: usize, keep: impl Fn(u32, u32) -> bool + Sync) -> Vec<Pass> {
    let width = lists.pages.div_ceil(RANGES).max(1);
    let weights = lists.weights(width, keep);
    let room = room.max(1) as u64;
    let mut found: Vec<Pass> = Vec::new();
    for (number, &pairs) in (0u32..).zip(&weights) {
        let lefts = number * width..(number + 1).saturating_mul(width).min(lists.pages);
        match found.last_mut() {
            Some(last) if last.pairs + pairs <= room => {
                (last.lefts.end, last.pairs) = (lefts.end, last.pairs + pairs);
            }
            // Classes are of nearly the same size; nearly must find room.
            _ => found.push(Pass { lefts, classes: (pairs + pairs / 8).div_ceil(room), pairs }),
        }
    }
    found.retain(|pass| pass.pairs > 0);
    found
}

/// The pairs of a pass that are to be kept and share at least so many chunks, in order.
pub fn count(
    lists: &Lists,
    pass: &Pass,
    shared: u32,
    keep: impl Fn(u32, u32) -> bool + Sync,
) -> Vec<Overlap> {
    if pass.classes <= 1 {
        return runs(made(lists, pass, pass.pairs as usize, keep), shared);
    }
    let class = |left: u32, right: u32| mix(pair(left, right)) % pass.classes;
    let mut found = Vec::new();
    for number in 0..pass.classes {
        let here = |left, right| class(left, right) == number && keep(left, right);
        let size = AtomicU64::new(0);
        lists.rows(&pass.lefts, |left, rights| {
            let kept = rights.iter().filter(|&&right| here(left, right)).count();
            size.fetch_add(kept as u64, Relaxed);
        });
        found.extend(runs(made(lists, pass, size.into_inner() as usize, here), shared));
    }
    found.par_sort_unstable();
    found
}

/// A pair as one number, in whose order pairs are sorted.
#[inline(always)]
pub fn pair(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

/// The pairs of a pass, so many, in no order.
fn made(
    lists: &Lists,
    pass: &Pass,
    size: usize,
    keep: impl Fn(u32, u32) -> bool + Sync,
) -> Vec<u64> {
    let all: Vec<AtomicU64> = (0..size).map(|_| AtomicU64::new(0)).collect();
    let end = AtomicUsize::new(0);
    let hand_on = |some: &[u64]| {
        let start = end.fetch_add(some.len(), Relaxed);
        let places = &all[start..start + some.len()];
        places.iter().zip(some).for_each(|(place, &value)| place.store(value, Relaxed));
    };
    lists.rows(&pass.lefts, |left, rights| {
        let mut some = [0; COLLECTED];
        for rights in rights.chunks(COLLECTED) {
            let mut count = 0;
            for &right in rights {
                some[count] = pair(left, right);
                count += usize::from(keep(left, right));
            }
            hand_on(&some[..count]);
        }
    });
    all.into_iter().map(AtomicU64::into_inner).collect()
}

/// Sorts pairs, and gives those that come often enough, with how often.
fn runs(mut pairs: Vec<u64>, shared: u32) -> Vec<Overlap> {
    pairs.par_sort_unstable();
    pairs
        .chunk_by(|a, b| a == b)
        .filter(|run| run.len() >= shared as usize)
        .map(|run| Overlap {
            left: (run[0] >> 32) as u32,
            right: run[0] as u32,
            shared: run.len() as u32,
        })
        .collect()
}
