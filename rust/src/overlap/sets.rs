//! *Copies*: pages with the same sequence of chunks. The lowest stands for them.

use std::io;
use std::path::Path;

use super::postings::Postings;
use crate::fingerprints::mixing::{STEP, sequence};
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
        self.postings.add(page, [sequence(chunks) ^ u64::from(group).wrapping_mul(STEP)])
    }

    /// For each of so many pages the one that stands for it: the lowest of its set, or itself.
    pub fn stands(self, pages: u32) -> io::Result<Numbers> {
        let mut stands = Numbers::filled(pages as usize, 0)?;
        (0..).zip(stands.iter_mut()).for_each(|(page, place)| *place = page);
        self.postings.visit(|set| {
            set[1..].iter().for_each(|&page| stands[page as usize] = set[0]);
        })?;
        Ok(stands)
    }
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
        assert_eq!(&*sets.stands(8).unwrap(), [0, 1, 2, 1, 4, 5, 6, 7]);
    }
}
