//! *Posting*: a chunk and a unit that has it: a page, or all pages of a host. Postings are sorted by
//! their chunks, those of one class of chunks at a time, so that memory is needed for one class only;
//! once more than there is room for have come, they wait in files.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::lists::{Lists, Sides, Writer};
use crate::groups::mapped_numbers::Numbers;

/// Classes of chunks, and the postings of a class that are written to its file together.
const CLASSES: usize = 128;
const WRITTEN: usize = 1 << 10;
/// So many postings always find room, and are read from a file together.
const FEW: usize = 1 << 16;
/// Parts of a class that finds no room.
const PARTS: usize = 1 << 16;
/// Bytes of a posting in a file.
const BYTES: usize = 12;

type Posting = (u64, u32);

/// Postings in classes of chunks.
pub struct Postings {
    classes: Vec<Class>,
    folder: PathBuf,
    /// How many are held, and may be.
    held: usize,
    room: usize,
    entries: usize,
}

#[derive(Default)]
struct Class {
    held: Vec<Posting>,
    file: Option<File>,
}

/// What is left out because it stands in too many units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    pub chunks: u64,
    /// Units that have any of them.
    pub units: u64,
}

/// What postings become.
pub struct Inverted {
    pub lists: Lists,
    /// How many different chunks each unit has.
    pub sizes: Numbers,
    pub left_out: LeftOut,
    /// How many different chunks there are.
    pub chunks: u64,
}

impl Postings {
    /// So many bytes of them are held; files lie in a folder.
    pub fn new(room: usize, folder: &Path) -> Postings {
        Postings {
            classes: (0..CLASSES).map(|_| Class::default()).collect(),
            folder: folder.to_owned(),
            held: 0,
            room: room / size_of::<Posting>(),
            entries: 0,
        }
    }

    pub fn len(&self) -> usize {
        self.entries
    }

    pub fn is_empty(&self) -> bool {
        self.entries == 0
    }

    /// Takes in some chunks of a unit; those that come again count once.
    pub fn add(&mut self, unit: u32, chunks: impl IntoIterator<Item = u64>) -> io::Result<()> {
        for chunk in chunks {
            let number = ((u128::from(chunk) * CLASSES as u128) >> 64) as usize;
            let class = &mut self.classes[number];
            class.held.push((chunk, unit));
            self.entries += 1;
            self.held += 1;
            if class.file.is_some() && class.held.len() >= WRITTEN {
                self.held -= class.held.len();
                class.write(&self.folder)?;
            } else if self.held > self.room {
                self.write()?;
            }
        }
        Ok(())
    }

    fn write(&mut self) -> io::Result<()> {
        for class in &mut self.classes {
            class.write(&self.folder)?;
            class.held = Vec::with_capacity(WRITTEN);
        }
        self.held = 0;
        Ok(())
    }

    /// Calls `each` with the units that have the same chunk, ascending, chunk by chunk in their order.
    pub fn visit(self, mut each: impl FnMut(&[u32])) -> io::Result<()> {
        let room = self.room.max(FEW);
        self.classes.into_iter().try_for_each(|class| class.visit(room, &mut each))
    }

    /// The lists of units that have the same chunk. What stands in more than `most` is left out.
    pub fn invert(self, sides: Sides, units: u32, most: Option<u32>) -> io::Result<Inverted> {
        let mut writer = Writer::new(self.entries)?;
        let mut sizes = Numbers::filled(units as usize, 0)?;
        let mut touched = Numbers::filled(if most.is_some() { units as usize } else { 0 }, 0)?;
        let (mut all, mut chunks) = (0, 0);
        self.visit(|list| {
            all += 1;
            list.iter().for_each(|&unit| sizes[unit as usize] += 1);
            if most.is_some_and(|most| list.len() > most as usize) {
                chunks += 1;
                list.iter().for_each(|&unit| touched[unit as usize] = 1);
            } else if sides.are_both(list) {
                writer.push(list.iter().copied());
            }
        })?;
        let touched = touched.iter().filter(|&&flag| flag > 0).count() as u64;
        let left_out = LeftOut { chunks, units: touched };
        Ok(Inverted { lists: writer.lists(sides, units), sizes, left_out, chunks: all })
    }
}

impl Class {
    fn write(&mut self, folder: &Path) -> io::Result<()> {
        if self.file.is_none() {
            self.file = Some(tempfile::tempfile_in(folder)?);
        }
        let mut bytes = Vec::with_capacity(self.held.len() * BYTES);
        for (chunk, unit) in self.held.drain(..) {
            bytes.extend_from_slice(&chunk.to_le_bytes());
            bytes.extend_from_slice(&unit.to_le_bytes());
        }
        self.file.as_mut().map_or(Ok(()), |file| file.write_all(&bytes))
    }

    fn visit(mut self, room: usize, each: &mut impl FnMut(&[u32])) -> io::Result<()> {
        let Some(mut file) = self.file.take() else {
            visit_sorted(self.held, each);
            return Ok(());
        };
        if file.seek(SeekFrom::End(0))? as usize / BYTES + self.held.len() <= room {
            let mut all = self.held;
            scan(&mut file, |posting| all.push(posting))?;
            visit_sorted(all, each);
            return Ok(());
        }
        // Then all of it is in the file.
        self.file = Some(file);
        self.write(Path::new(""))?;
        self.file.map_or(Ok(()), |mut file| visit_part(&mut file, 0, u64::MAX, room, each))
    }
}

/// Calls `each` with the units of every chunk.
fn visit_sorted(mut postings: Vec<Posting>, each: &mut impl FnMut(&[u32])) {
    postings.par_sort_unstable();
    let mut units = Vec::new();
    for same in postings.chunk_by(|a, b| a.0 == b.0) {
        units.clear();
        units.extend(same.iter().map(|posting| posting.1));
        units.dedup();
        each(&units);
    }
}

/// The same of the chunks from `first` to `last` in a file, as many at a time as find room. The units of
/// one chunk that alone finds none are sorted in a mapped file.
fn visit_part(
    file: &mut File,
    first: u64,
    last: u64,
    room: usize,
    each: &mut impl FnMut(&[u32]),
) -> io::Result<()> {
    let width = (last - first) / PARTS as u64 + 1;
    let mut counts = vec![0usize; PARTS];
    scan(file, |(chunk, _)| {
        if (first..=last).contains(&chunk) {
            counts[((chunk - first) / width) as usize] += 1;
        }
    })?;
    let start_of = |part: usize| first + part as u64 * width;
    let end_of = |part: usize| start_of(part).saturating_add(width - 1).min(last);
    let mut part = 0;
    while part < PARTS {
        let (from, mut sum) = (part, counts[part]);
        part += 1;
        while part < PARTS && sum + counts[part] <= room {
            sum += counts[part];
            part += 1;
        }
        let chunks = start_of(from)..=end_of(part - 1);
        if sum <= room {
            let mut some = Vec::with_capacity(sum);
            let mut take = |posting: Posting| {
                if chunks.contains(&posting.0) {
                    some.push(posting);
                }
            };
            if sum > 0 {
                scan(file, &mut take)?;
            }
            visit_sorted(some, each);
        } else if width > 1 {
            visit_part(file, *chunks.start(), *chunks.end(), room, each)?;
        } else {
            visit_one(file, *chunks.start(), sum, each)?;
        }
    }
    Ok(())
}

/// The same of one chunk, which comes so many times.
fn visit_one(
    file: &mut File,
    chunk: u64,
    count: usize,
    each: &mut impl FnMut(&[u32]),
) -> io::Result<()> {
    let mut units = Numbers::filled(count, 0)?;
    let mut places = units.iter_mut();
    scan(file, |(other, unit)| {
        if other == chunk
            && let Some(place) = places.next()
        {
            *place = unit;
        }
    })?;
    units.par_sort_unstable();
    let mut end = 0;
    for at in 0..count {
        if at == 0 || units[at] != units[end - 1] {
            units[end] = units[at];
            end += 1;
        }
    }
    each(&units[..end]);
    Ok(())
}

/// Calls `each` with all postings of a file.
fn scan(file: &mut File, mut each: impl FnMut(Posting)) -> io::Result<()> {
    let mut left = file.seek(SeekFrom::End(0))? as usize;
    file.rewind()?;
    let mut bytes = vec![0; left.min(FEW * BYTES)];
    while left > 0 {
        let some = left.min(bytes.len());
        file.read_exact(&mut bytes[..some])?;
        left -= some;
        for posting in bytes[..some].as_chunks::<BYTES>().0 {
            let (chunk, unit) = posting.split_at(8);
            let chunk = chunk.try_into().map_or(0, u64::from_le_bytes);
            each((chunk, unit.try_into().map_or(0, u32::from_le_bytes)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprints::mixing::mix;

    fn inverted(room: usize, most: Option<u32>) -> Inverted {
        let mut postings = Postings::new(room, &std::env::temp_dir());
        for page in 0..30_000u32 {
            // A chunk of all pages, one of pages in fours, and one of its own, twice.
            let own = mix(u64::from(page) | 1 << 60);
            postings.add(page, [7 << 60, mix(u64::from(page / 4)), own, own]).unwrap();
        }
        assert_eq!(postings.len(), 120_000);
        postings.invert(Sides::Within, 30_000, most).unwrap()
    }

    fn lists(of: &Inverted) -> Vec<Vec<u32>> {
        of.lists.all().map(<[u32]>::to_vec).collect()
    }

    #[test]
    fn files_change_nothing() {
        let one = inverted(1 << 30, None);
        assert_eq!((lists(&one).len(), one.left_out), (7501, LeftOut::default()));
        assert!(lists(&one).iter().all(|l| l.is_sorted() && matches!(l.len(), 4 | 30_000)));
        assert!(one.sizes.iter().all(|&size| size == 3));
        for room in [0, 100_000, 1_000_000] {
            assert_eq!(lists(&inverted(room, None)), lists(&one), "{room}");
        }
    }

    #[test]
    fn a_class_that_finds_no_room_is_parted_and_one_chunk_alone_is_sorted_in_a_file() {
        // One chunk of nearly all pages, twice each, in no order; its next neighbours; and others.
        let mut postings = Postings::new(FEW * 16, &std::env::temp_dir());
        let hot = (5 << 57) + 12_345;
        let pages = 3 * FEW as u32;
        for page in (0..pages).rev() {
            let near = hot + 1 - u64::from(page % 2) * 2;
            let few = if page < 100 { near } else { hot };
            postings.add(page, [hot, few, 5 << 57 | u64::from(page / 3) << 20]).unwrap();
        }
        let mut found: Vec<(usize, u32, u32)> = Vec::new();
        postings
            .visit(|units| {
                assert!(units.is_sorted_by(|a, b| a < b));
                found.push((units.len(), units[0], units[units.len() - 1]));
            })
            .unwrap();
        // The lowest chunk is that of pages 0 to 2; then come those about the hot one.
        assert_eq!(found[0], (3, 0, 2));
        assert_eq!(found[1..4], [(50, 1, 99), (pages as usize, 0, pages - 1), (50, 0, 98)]);
        assert_eq!(found.len(), 3 + FEW);
        let groups = (1..FEW as u32).map(|group| (3, group * 3, group * 3 + 2));
        assert!(found[4..].iter().copied().eq(groups));
    }

    #[test]
    fn chunks_of_many_pages_are_left_out_and_counted() {
        let some = inverted(1 << 18, Some(4));
        assert_eq!((lists(&some).len(), some.left_out.chunks), (7500, 1));
        assert_eq!(some.left_out.units, 30_000);
        assert!(some.sizes.iter().all(|&size| size == 3));
        assert_eq!(inverted(1 << 30, Some(3)).left_out, LeftOut { chunks: 7501, units: 30_000 });
    }
}
