//! *Posting*: a chunk and a page that has it. Postings are sorted by their chunks, those of one class of
//! chunks at a time, so that memory is needed for one class only; the others wait in files.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::lists::{Lists, Sides, Writer};
use crate::groups::mapped_numbers::Numbers;

/// Postings of a class that are written to its file together.
const WRITTEN: usize = 1 << 12;
/// Bytes of a posting in a file.
const BYTES: usize = 12;

type Posting = (u64, u32);

/// Postings in classes of chunks.
pub struct Postings {
    classes: Vec<Class>,
    folder: PathBuf,
    entries: usize,
}

#[derive(Default)]
struct Class {
    held: Vec<Posting>,
    file: Option<File>,
}

/// What is left out because it stands on too many pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    pub chunks: u64,
    /// Pages that have any of them.
    pub pages: u64,
}

impl Postings {
    /// With one class nothing is written to files, which lie in a folder.
    pub fn new(classes: usize, folder: &Path) -> Postings {
        let classes = (0..classes.max(1)).map(|_| Class::default()).collect();
        Postings { classes, folder: folder.to_owned(), entries: 0 }
    }

    pub fn len(&self) -> usize {
        self.entries
    }

    pub fn is_empty(&self) -> bool {
        self.entries == 0
    }

    /// Takes in the chunks of a page, each once.
    pub fn add(&mut self, page: u32, chunks: &[u64]) -> io::Result<()> {
        let count = self.classes.len();
        self.entries += chunks.len();
        for &chunk in chunks {
            let class = ((u128::from(chunk) * count as u128) >> 64) as usize;
            let class = &mut self.classes[class];
            class.held.push((chunk, page));
            if count > 1 && class.held.len() >= WRITTEN {
                class.write(&self.folder)?;
            }
        }
        Ok(())
    }

    /// The lists of pages that have the same chunk. What stands on more than `most` pages is left out.
    pub fn lists(
        self,
        sides: Sides,
        pages: u32,
        most: Option<u32>,
    ) -> io::Result<(Lists, LeftOut)> {
        let mut writer = Writer::new(self.entries)?;
        let mut touched = Numbers::filled(if most.is_some() { pages as usize } else { 0 }, 0)?;
        let mut chunks = 0;
        for class in self.classes {
            let mut postings = class.read()?;
            postings.par_sort_unstable();
            for list in postings.chunk_by(|a, b| a.0 == b.0) {
                if most.is_some_and(|most| list.len() > most as usize) {
                    chunks += 1;
                    list.iter().for_each(|posting| touched[posting.1 as usize] = 1);
                } else if list.len() > 1 {
                    writer.push(list.iter().map(|posting| posting.1));
                }
            }
        }
        let touched = touched.iter().filter(|&&flag| flag > 0).count() as u64;
        Ok((writer.lists(sides, pages), LeftOut { chunks, pages: touched }))
    }
}

impl Class {
    fn write(&mut self, folder: &Path) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(tempfile::tempfile_in(folder)?),
        };
        let mut bytes = Vec::with_capacity(self.held.len() * BYTES);
        for (chunk, page) in self.held.drain(..) {
            bytes.extend_from_slice(&chunk.to_le_bytes());
            bytes.extend_from_slice(&page.to_le_bytes());
        }
        file.write_all(&bytes)
    }

    fn read(self) -> io::Result<Vec<Posting>> {
        let Some(mut file) = self.file else { return Ok(self.held) };
        let end = file.seek(SeekFrom::End(0))?;
        file.rewind()?;
        let mut all = self.held;
        all.reserve_exact(end as usize / BYTES);
        let mut bytes = vec![0; WRITTEN * BYTES];
        let mut left = end as usize;
        while left > 0 {
            let some = left.min(bytes.len());
            file.read_exact(&mut bytes[..some])?;
            left -= some;
            all.extend(bytes[..some].as_chunks::<BYTES>().0.iter().map(|each| {
                let (chunk, page) = each.split_at(8);
                let chunk = chunk.try_into().map_or(0, u64::from_le_bytes);
                (chunk, page.try_into().map_or(0, u32::from_le_bytes))
            }));
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprints::mixing::mix;

    fn lists(classes: usize, most: Option<u32>) -> (Vec<Vec<u32>>, LeftOut) {
        let mut postings = Postings::new(classes, &std::env::temp_dir());
        for page in 0..30_000u32 {
            // A chunk of all pages, one of pages in fours, and one of its own.
            let chunks = [7 << 60, mix(u64::from(page / 4)), mix(u64::from(page) << 20)];
            postings.add(page, &chunks).unwrap();
        }
        assert_eq!(postings.len(), 90_000);
        let (lists, left_out) = postings.lists(Sides::Within, 30_000, most).unwrap();
        (lists.all().map(<[u32]>::to_vec).collect(), left_out)
    }

    #[test]
    fn classes_change_nothing() {
        let (one, left_out) = lists(1, None);
        assert_eq!((one.len(), left_out), (7501, LeftOut::default()));
        assert!(one.iter().all(|list| list.is_sorted() && matches!(list.len(), 4 | 30_000)));
        for classes in [2, 7] {
            assert_eq!(lists(classes, None).0, one);
        }
    }

    #[test]
    fn chunks_of_many_pages_are_left_out_and_counted() {
        let (some, left_out) = lists(3, Some(4));
        assert_eq!((some.len(), left_out), (7500, LeftOut { chunks: 1, pages: 30_000 }));
        assert_eq!(lists(3, Some(3)).1, LeftOut { chunks: 7501, pages: 30_000 });
    }
}
