//! *Copies*: pages with the same sequence of chunks. The lowest stands for them.

use std::io;
use std::path::Path;

use rayon::prelude::*;

use super::postings::Postings;
use crate::fingerprints::mixing::{STEP, mix, sequence};
use crate::groups::mapped_numbers::Numbers;

/// Pages that are the same, while they come.
pub struct Sets {
    postings: Postings,
    /// Pages with fewer different chunks are the same as nobody.
    least: usize,
    sorted: Vec<u64>,
}

impl Sets {
    pub fn new(least: usize, room: usize, folder: &Path) -> Sets {
        Sets { postings: Postings::new(room, folder), least: least.max(1), sorted: Vec::new() }
    }

    /// Takes in the chunks of a page, in their order; pages of different groups are never the same.
    pub fn add(&mut self, page: u32, chunks: &[u64], group: u32) -> io::Result<()> {
        self.sorted.clear();
        self.sorted.extend_from_slice(chunks);
        self.sorted.sort_unstable();
        self.sorted.dedup();
        if self.sorted.len() < self.least {
            return Ok(());
        }
        // Chunks of few bits may be 0, and such at the beginning leave no trace but the length.
        let key = mix(sequence(chunks).wrapping_add(chunks.len() as u64));
        self.postings.add(page, [key ^ u64::from(group).wrapping_mul(STEP)])
    }

    /// Tells which of so many pages are the same.
    pub fn close(self, pages: u32) -> io::Result<Copies> {
        let mut stands = Numbers::filled(pages as usize, 0)?;
        let mut counts = Numbers::filled(pages as usize, 1)?;
        (0..).zip(stands.iter_mut()).for_each(|(page, place)| *place = page);
        let mut total = 0;
        self.postings.visit(|set| {
            set[1..].iter().for_each(|&page| stands[page as usize] = set[0]);
            counts[set[0] as usize] = set.len() as u32;
            total += set.len() - 1;
        })?;
        let mut copies = Numbers::filled(total, 0)?;
        let others = (0..).zip(&*stands).filter(|(page, first)| page != *first);
        copies.iter_mut().zip(others).for_each(|(place, (page, _))| *place = page);
        copies.par_sort_unstable_by_key(|&page| (stands[page as usize], page));
        Ok(Copies { stands, counts, copies })
    }
}

/// Which pages are the same.
pub struct Copies {
    /// For each page the one that stands for it: the lowest of its set, or itself.
    pub stands: Numbers,
    /// For each page that stands for itself how many it stands for, itself included.
    pub counts: Numbers,
    /// The pages that others stand for, by these and then by their own number.
    pub copies: Numbers,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_stands_for_pages_with_the_same_sequence() {
        let pages: [&[u64]; 8] =
            [&[], &[1, 2], &[2, 1], &[1, 2], &[1, 1], &[1, 1], &[1, 2], &[1, 2, 2]];
        let mut sets = Sets::new(2, 0, &std::env::temp_dir());
        for (page, chunks) in (0..).zip(pages) {
            // The next to last is of another group.
            sets.add(page, chunks, u32::from(page == 6)).unwrap();
        }
        let found = sets.close(8).unwrap();
        assert_eq!(&*found.stands, [0, 1, 2, 1, 4, 5, 6, 7]);
        assert_eq!(&*found.counts, [1, 2, 1, 1, 1, 1, 1, 1]);
    }

    #[test]
    fn chunks_that_are_zero_count() {
        let pages: [&[u64]; 4] = [&[0, 5], &[5], &[0, 0, 5], &[0, 5]];
        let mut sets = Sets::new(1, 0, &std::env::temp_dir());
        (0..).zip(pages).for_each(|(page, chunks)| sets.add(page, chunks, 0).unwrap());
        assert_eq!(&*sets.close(4).unwrap().stands, [0, 1, 2, 0]);
    }

    #[test]
    fn copies_are_in_the_order_of_those_that_stand_for_them() {
        let mut sets = Sets::new(1, 0, &std::env::temp_dir());
        for (page, chunk) in (0..).zip([5, 6, 6, 5, 7, 6]) {
            sets.add(page, &[chunk], 0).unwrap();
        }
        let found = sets.close(6).unwrap();
        assert_eq!(&*found.copies, [3, 2, 5]);
        assert_eq!(&*found.counts, [2, 3, 1, 1, 1, 1]);
    }
}
