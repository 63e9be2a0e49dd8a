//! The sort-based way (Shivakumar 1998, section 2.1): all pairs that share a chunk, a pair as often as
//! it does, are sorted, and each is counted.
//!
//! The paper writes the pairs to a file and sorts that. Here they are made anew for some left pages at
//! a time, as many as find room, which takes no file and no more comparisons.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use rayon::prelude::*;

use super::lists::Lists;

/// Ranges of pages whose pairs are counted before they are made.
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

/// Left and right pages whose pairs are sorted together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pass {
    lefts: Range<u32>,
    rights: Range<u32>,
    pairs: u64,
}

impl Pass {
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Of the pages that a left one makes pairs with, which ascend, those of this pass.
    #[inline(always)]
    fn within<'a>(&self, rights: &'a [u32]) -> &'a [u32] {
        let start = rights.partition_point(|&page| page < self.rights.start);
        &rights[start..start + rights[start..].partition_point(|&page| page < self.rights.end)]
    }
}

/// The passes in which all pairs that are to be kept find room, so many at a time, in their order. Only
/// one pair alone may be more, if it shares more chunks.
pub fn passes(lists: &Lists, room: usize, keep: impl Fn(u32, u32) -> bool + Sync) -> Vec<Pass> {
    let mut found = Vec::new();
    let all = Pass { lefts: 0..lists.pages, rights: 0..lists.pages, pairs: u64::MAX };
    part(lists, &all, room.max(1) as u64, &keep, &mut found);
    found
}

/// Parts what finds no room by its left pages, or those of a single one by their right pages.
fn part(
    lists: &Lists,
    whole: &Pass,
    room: u64,
    keep: &(impl Fn(u32, u32) -> bool + Sync),
    found: &mut Vec<Pass>,
) {
    let by_left = whole.lefts.len() > 1;
    let range = if by_left { &whole.lefts } else { &whole.rights };
    let width = (range.len() as u32).div_ceil(RANGES).max(1);
    // The last one, if it is of whole ranges, and more find room in it.
    let mut open: Option<usize> = None;
    for (number, pairs) in (0u32..).zip(weights(lists, whole, width, keep)) {
        let start = range.start + number * width;
        let end = start.saturating_add(width).min(range.end);
        match open.map(|last| &mut found[last]) {
            _ if pairs == 0 => {}
            Some(last) if last.pairs.saturating_add(pairs) <= room => {
                let joined = if by_left { &mut last.lefts } else { &mut last.rights };
                (joined.end, last.pairs) = (end, last.pairs + pairs);
            }
            _ => {
                let (lefts, rights) = if by_left {
                    (start..end, whole.rights.clone())
                } else {
                    (whole.lefts.clone(), start..end)
                };
                let one = Pass { lefts, rights, pairs };
                if pairs > room && (one.lefts.len() > 1 || one.rights.len() > 1) {
                    part(lists, &one, room, keep, found);
                    open = None;
                } else {
                    open = Some(found.len());
                    found.push(one);
                }
            }
        }
    }
}

/// The pairs of a pass, as often as they share a chunk: for each of some ranges of one width of its left
/// pages, or of the right ones of a single left, the lowest first.
fn weights(
    lists: &Lists,
    pass: &Pass,
    width: u32,
    keep: &(impl Fn(u32, u32) -> bool + Sync),
) -> Vec<u64> {
    let by_left = pass.lefts.len() > 1;
    let range = if by_left { &pass.lefts } else { &pass.rights };
    let count = (range.len() as u32).div_ceil(width);
    let sums: Vec<AtomicU64> = (0..count).map(|_| AtomicU64::new(0)).collect();
    let place = |page: u32| &sums[((page - range.start) / width) as usize];
    lists.rows(&pass.lefts, |left, rights| {
        let kept = pass.within(rights).iter().filter(|&&right| keep(left, right));
        if by_left {
            place(left).fetch_add(kept.count() as u64, Relaxed);
        } else {
            kept.for_each(|&right| {
                place(right).fetch_add(1, Relaxed);
            });
        }
    });
    sums.into_iter().map(AtomicU64::into_inner).collect()
}

/// Where pairs are sorted. It is used again from pass to pass: blocks of this size that come and go
/// leave holes, which the system does not get back.
#[derive(Default)]
pub struct Sorting {
    pairs: Vec<AtomicU64>,
}

impl Sorting {
    /// The pairs of a pass that are to be kept and share at least so many chunks, in order.
    pub fn count(
        &mut self,
        lists: &Lists,
        pass: &Pass,
        shared: u32,
        keep: impl Fn(u32, u32) -> bool + Sync,
    ) -> Vec<Overlap> {
        let size = pass.pairs as usize;
        if self.pairs.len() < size {
            // All are written anew: none has to be kept while there are more.
            self.pairs = Vec::new();
            self.pairs.resize_with(size, AtomicU64::default);
        }
        let pairs = &mut self.pairs[..size];
        collect(lists, pass, pairs, keep);
        pairs.par_sort_unstable_by_key(|pair| pair.load(Relaxed));
        pairs
            .chunk_by(|a, b| a.load(Relaxed) == b.load(Relaxed))
            .filter(|run| run.len() >= shared as usize)
            .map(|run| {
                let pair = run[0].load(Relaxed);
                let (left, right) = ((pair >> 32) as u32, pair as u32);
                Overlap { left, right, shared: run.len() as u32 }
            })
            .collect()
    }
}

/// A pair as one number, in whose order pairs are sorted.
#[inline(always)]
pub fn pair(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

/// The pairs of a pass, as many as there are places, in no order.
fn collect(lists: &Lists, pass: &Pass, all: &[AtomicU64], keep: impl Fn(u32, u32) -> bool + Sync) {
    let end = AtomicUsize::new(0);
    let hand_on = |some: &[u64]| {
        let start = end.fetch_add(some.len(), Relaxed);
        let places = &all[start..start + some.len()];
        places.iter().zip(some).for_each(|(place, &value)| place.store(value, Relaxed));
    };
    lists.rows(&pass.lefts, |left, rights| {
        let mut some = [0; COLLECTED];
        for rights in pass.within(rights).chunks(COLLECTED) {
            let mut count = 0;
            for &right in rights {
                some[count] = pair(left, right);
                count += usize::from(keep(left, right));
            }
            hand_on(&some[..count]);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::super::lists::{Sides, Writer};
    use super::*;

    #[test]
    fn one_page_with_more_pairs_than_find_room_is_parted_by_the_others() {
        // Three chunks of ten pages: 0 makes 27 pairs, each of nine thrice.
        let mut writer = Writer::new(30).unwrap();
        (0..3).for_each(|_| writer.push(0..10));
        let lists = writer.lists(Sides::Within, 10);
        let found = passes(&lists, 7, |_, _| true);
        assert_eq!(found.iter().map(Pass::pairs).sum::<u64>(), 3 * 45);
        assert!(found.iter().all(|pass| pass.pairs <= 7));
        let mut sorting = Sorting::default();
        let pairs: Vec<Overlap> =
            found.iter().flat_map(|pass| sorting.count(&lists, pass, 3, |_, _| true)).collect();
        assert!(pairs.is_sorted() && pairs.len() == 45);
        assert!(pairs.iter().all(|pair| pair.shared == 3));
        // What one pair shares finds no room: it is counted all the same, alone.
        let found = passes(&lists, 2, |_, _| true);
        assert!(found.len() == 45 && found.iter().all(|pass| pass.pairs == 3));
    }
}
