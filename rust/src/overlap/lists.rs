//! *List*: the pages that have one chunk, ascending; the sorted fingerprint file of Shivakumar 1998
//! without the fingerprints, which nobody needs once pages are grouped by them. Lists lie one after
//! the other, each behind its length, in a mapped file.
//!
//! What cannot be in a pair is pruned: a page with fewer chunks than must be shared that stand on
//! other pages too, and then a list with fewer than two pages. As that takes chunks from other pages,
//! it is done again as long as it helps.

use std::ops::Range;

use rayon::prelude::*;

use crate::groups::mapped_numbers::Numbers;
use crate::interrupts::heed;

/// Words of a block, which one thread goes through at a time.
const BLOCK: usize = 1 << 16;
/// More pairs than this make a list large: its rows are shared out among threads.
const LARGE: usize = 1 << 20;
/// A round of pruning that drops less than one in so many words is the last: long chains of pages, each
/// like the next, fall a few links in each.
const WORTH: usize = 100;

/// Which two pages can make a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// Any two.
    Within,
    /// One below this number and one that is not.
    Across(u32),
}

impl Sides {
    /// Whether pages in ascending order make any pair.
    pub(super) fn are_both(self, pages: &[u32]) -> bool {
        match (self, pages) {
            (_, [] | [_]) => false,
            (Sides::Within, _) => true,
            (Sides::Across(right), [first, .., last]) => *first < right && *last >= right,
        }
    }

    /// The pages of a list that can be the left one of a pair.
    fn lefts(self, list: &[u32]) -> &[u32] {
        match self {
            Sides::Within => &list[..list.len() - 1],
            Sides::Across(right) => &list[..list.partition_point(|&page| page < right)],
        }
    }

    /// The pages of a list that the one at a place makes pairs with.
    fn rights(self, list: &[u32], at: usize) -> &[u32] {
        match self {
            Sides::Within => &list[at + 1..],
            Sides::Across(right) => &list[list.partition_point(|&page| page < right)..],
        }
    }
}

/// What there is to count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Chunks that stand on several pages, the pages they stand on, one each, and pairs of pages, a
    /// pair as often as it shares a chunk: the cross-product.
    pub lists: u64,
    pub entries: u64,
    pub pairs: u64,
    /// The pages of the chunk that stands on most.
    pub longest: u64,
}

/// Lists of pages.
pub struct Lists {
    words: Numbers,
    /// Where blocks start, and where the last ends.
    blocks: Vec<usize>,
    pub sides: Sides,
    /// One more than the highest page number.
    pub pages: u32,
}

/// What lists are written with.
pub struct Writer {
    words: Numbers,
    end: usize,
    blocks: Vec<usize>,
}

impl Writer {
    /// For lists that have so many pages altogether.
    pub fn new(entries: usize) -> std::io::Result<Writer> {
        // No list has fewer than two.
        Ok(Writer { words: Numbers::filled(entries + entries / 2, 0)?, end: 0, blocks: vec![0] })
    }

    pub fn push(&mut self, list: impl ExactSizeIterator<Item = u32>) {
        let length = list.len();
        self.words[self.end] = length as u32;
        let place = self.end + 1..self.end + 1 + length;
        self.end = place.end;
        self.words[place].iter_mut().zip(list).for_each(|(word, page)| *word = page);
        if self.end - self.blocks[self.blocks.len() - 1] >= BLOCK {
            self.blocks.push(self.end);
        }
    }

    pub fn lists(mut self, sides: Sides, pages: u32) -> Lists {
        if self.blocks[self.blocks.len() - 1] < self.end {
            self.blocks.push(self.end);
        }
        Lists { words: self.words, blocks: self.blocks, sides, pages }
    }
}

/// The lists in some words, one after the other.
fn lists_in(mut words: &[u32]) -> impl Iterator<Item = &[u32]> {
    std::iter::from_fn(move || {
        let (&length, rest) = words.split_first()?;
        let (list, after) = rest.split_at(length as usize);
        words = after;
        Some(list)
    })
}

impl Lists {
    fn words_used(&self) -> usize {
        self.blocks.last().copied().unwrap_or(0)
    }

    fn block(&self, number: usize) -> impl Iterator<Item = &[u32]> {
        lists_in(&self.words[self.blocks[number]..self.blocks[number + 1]])
    }

    pub fn all(&self) -> impl Iterator<Item = &[u32]> {
        lists_in(&self.words[..self.blocks.last().copied().unwrap_or(0)])
    }

    /// How much there is.
    pub fn size(&self) -> Size {
        let blocks = self.blocks.len() - 1;
        let of_list = |list: &[u32]| {
            let count = list.len() as u64;
            let pairs = match self.sides {
                Sides::Within => count * (count - 1) / 2,
                Sides::Across(_) => {
                    let left = self.sides.lefts(list).len() as u64;
                    left * (count - left)
                }
            };
            Size { lists: 1, entries: count, pairs, longest: count }
        };
        let add = |a: Size, b: Size| Size {
            lists: a.lists + b.lists,
            entries: a.entries + b.entries,
            pairs: a.pairs + b.pairs,
            longest: a.longest.max(b.longest),
        };
        (0..blocks)
            .into_par_iter()
            .map(|number| self.block(number).map(of_list).fold(Size::default(), add))
            .reduce(Size::default, add)
    }

    /// Drops pages that stand in fewer than `shared` lists, and lists that make no pair, until hardly
    /// anything changes: what is left too much costs comparisons only. Gives how many pages are left.
    pub fn prune(&mut self, shared: u32) -> std::io::Result<u64> {
        let mut counts = Numbers::filled(self.pages as usize, 0)?;
        self.all().flatten().for_each(|&page| counts[page as usize] += 1);
        loop {
            let few = |page: &u32| counts[*page as usize] < shared;
            if !self.all().any(|list| !self.sides.are_both(list) || list.iter().any(few)) {
                return Ok(counts.iter().filter(|&&count| count > 0).count() as u64);
            }
            let before = self.words_used();
            self.drop_pages(&mut counts, shared);
            if (before - self.words_used()) * WORTH < before {
                return Ok(counts.iter().filter(|&&count| count > 0).count() as u64);
            }
        }
    }

    /// Drops pages that stand in too few lists, with what else goes by that, and counts again.
    fn drop_pages(&mut self, counts: &mut Numbers, shared: u32) {
        let total = self.blocks.last().copied().unwrap_or(0);
        let (mut from, mut to) = (0, 0);
        let mut blocks = vec![0];
        let mut left = Vec::new();
        while from < total {
            let end = from + 1 + self.words[from] as usize;
            let pages = self.words[from + 1..end].iter().copied();
            left.clear();
            left.extend(pages.clone().filter(|&page| counts[page as usize] >= shared));
            // What a page loses counts at once: a later list drops it in this very round.
            if !self.sides.are_both(&left) {
                left.iter().for_each(|&page| counts[page as usize] -= 1);
                left.clear();
            }
            if !left.is_empty() {
                self.words[to] = left.len() as u32;
                self.words[to + 1..to + 1 + left.len()].copy_from_slice(&left);
                to += 1 + left.len();
                if to - blocks[blocks.len() - 1] >= BLOCK {
                    blocks.push(to);
                }
            }
            from = end;
        }
        if blocks[blocks.len() - 1] < to {
            blocks.push(to);
        }
        self.blocks = blocks;
        // Pages that were dropped stand in lists no more, whatever they were counted in before.
        counts.fill(0);
        let words = &self.words[..to];
        lists_in(words).flatten().for_each(|&page| counts[page as usize] += 1);
    }

    /// Calls `each` for every list and every page of it within `lefts`, with the pages that this one
    /// makes pairs with there; on all threads.
    pub fn rows(&self, lefts: &Range<u32>, each: impl Fn(u32, &[u32]) + Sync) {
        (0..self.blocks.len() - 1)
            .into_par_iter()
            .for_each(|number| self.block(number).for_each(|list| self.row(list, lefts, &each)));
    }

    fn row(&self, list: &[u32], lefts: &Range<u32>, each: &(impl Fn(u32, &[u32]) + Sync)) {
        let all = self.sides.lefts(list);
        let start = all.partition_point(|&page| page < lefts.start);
        let end = all.partition_point(|&page| page < lefts.end);
        heed();
        let of = |at: usize| each(list[at], self.sides.rights(list, at));
        if (end - start) * list.len() > LARGE {
            (start..end).into_par_iter().for_each(of);
        } else {
            (start..end).for_each(of);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(of: &[&[u32]], sides: Sides) -> Lists {
        let mut writer = Writer::new(of.iter().map(|list| list.len()).sum()).unwrap();
        of.iter().for_each(|list| writer.push(list.iter().copied()));
        writer.lists(sides, 10)
    }

    fn left(lists: &Lists) -> Vec<&[u32]> {
        lists.all().collect()
    }

    #[test]
    fn what_makes_no_pair_is_pruned_until_nothing_changes() {
        // 9 stands in one list only; without it the third list is of 3 alone, which then stands in one
        // list only; 1 and 2 stay.
        let mut some = lists(&[&[1, 2], &[1, 2, 3], &[3, 9]], Sides::Within);
        assert_eq!(some.size(), Size { lists: 3, entries: 7, pairs: 1 + 3 + 1, longest: 3 });
        assert_eq!(some.prune(2).unwrap(), 2);
        assert_eq!(left(&some), [[1, 2], [1, 2]]);
        assert_eq!(some.size(), Size { lists: 2, entries: 4, pairs: 2, longest: 2 });
        assert_eq!(some.prune(3).unwrap(), 0);
        assert_eq!(left(&some), [] as [&[u32]; 0]);
    }

    #[test]
    fn across_two_sides_a_list_needs_both() {
        let mut some = lists(&[&[1, 2], &[1, 2, 5, 6], &[6, 7], &[2, 6]], Sides::Across(5));
        assert_eq!(some.size().pairs, 4 + 1);
        assert_eq!(some.prune(1).unwrap(), 4);
        assert_eq!(left(&some), [&[1, 2, 5, 6][..], &[2, 6]]);
        let rows = std::sync::Mutex::new(Vec::new());
        some.rows(&(0..10), |left, rights| rows.lock().unwrap().push((left, rights.to_vec())));
        let mut rows = rows.into_inner().unwrap();
        rows.sort();
        assert_eq!(rows, [(1, vec![5, 6]), (2, vec![5, 6]), (2, vec![6])]);
    }
}
