//! *Shelf*: the shingles of some pages in a temporary file, from which those of candidates are taken
//! to be compared. Pages are put there while they are sketched, as far as there is room, for then
//! they need not be read and taken apart once more; candidates that are not there are added later.
//! The file has no name and goes away with the process.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread::Builder;

use memmap2::MmapMut;
use rayon::prelude::*;

use super::shingle_sets::Sets;
use crate::interrupts::heed;

/// The most bits by which values are dealt out into buckets when they are sorted.
const BUCKET_BITS: u32 = 12;
/// A bucket of more values than this is not sorted by moving each.
const FULL: u16 = 32;
const VALUE: u64 = size_of::<u64>() as u64;

#[derive(Debug)]
pub struct Shelf {
    file: File,
    /// Values written so far, by any thread.
    length: AtomicU64,
    places: Vec<Place>,
}

/// Where the shingles of a page lie.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub page: u32,
    pub count: u32,
    pub start: u64,
}

/// The ascending sets of distinct shingles of some pages, where they lie on the shelf.
#[derive(Debug)]
pub struct Taken {
    map: Option<MmapMut>,
    starts: Vec<i64>,
    ends: Vec<i64>,
}

impl Shelf {
    /// An empty one, its file in this folder.
    pub fn new(folder: &Path) -> io::Result<Shelf> {
        let file = tempfile::tempfile_in(folder)?;
        Ok(Shelf { file, length: AtomicU64::new(0), places: Vec::new() })
    }

    pub fn bytes(&self) -> u64 {
        self.length.load(Relaxed) * VALUE
    }

    /// Writes values and tells where they begin; several threads may do so at once.
    pub fn write(&self, values: &[u64]) -> io::Result<u64> {
        let start = self.length.fetch_add(values.len() as u64, Relaxed);
        // SAFETY: any initialised u64 slice may be viewed as bytes.
        let bytes = unsafe {
            std::slice::from_raw_parts(values.as_ptr().cast::<u8>(), size_of_val(values))
        };
        self.file.write_all_at(bytes, start * VALUE)?;
        Ok(start)
    }

    /// Takes note of where pages lie.
    pub fn note(&mut self, places: impl IntoIterator<Item = Place>) {
        self.places.extend(places);
    }

    /// Adds this to the numbers of all pages: they came after others.
    pub fn renumber(&mut self, by: u32) {
        self.places.iter_mut().for_each(|place| place.page += by);
    }

    /// Of these pages those that are not there.
    pub fn missing(&mut self, pages: &[u32]) -> Vec<u32> {
        self.order();
        pages.iter().copied().filter(|&page| self.place(page).is_none()).collect()
    }

    fn order(&mut self) {
        if !self.places.is_sorted_by_key(|place| place.page) {
            self.places.par_sort_unstable_by_key(|place| place.page);
        }
    }

    fn place(&self, page: u32) -> Option<usize> {
        self.places.binary_search_by_key(&page, |place| place.page).ok()
    }

    /// The sets of these pages; where one is not there it is missing.
    pub fn take(mut self, pages: &[u32]) -> io::Result<Taken> {
        self.order();
        let found: Vec<Option<usize>> = pages.par_iter().map(|&page| self.place(page)).collect();
        let mut map = if self.bytes() > 0 {
            // SAFETY: the file has no name, so that no one else can cut it short.
            Some(unsafe { MmapMut::map_mut(&self.file)? })
        } else {
            None
        };
        let mut wanted: Vec<usize> = found.iter().flatten().copied().collect();
        wanted.sort_unstable();
        wanted.dedup();
        let mut places: Vec<Place> = wanted.iter().map(|&at| self.places[at]).collect();
        // In the order of the file, to cut it into disjoint pieces.
        places.sort_unstable_by_key(|place| (place.start, place.count));
        if let Some(map) = &mut map {
            let mut rest = values_mut(map);
            let mut begun = 0;
            let mut pieces = Vec::with_capacity(places.len());
            for place in &mut places {
                let piece;
                (_, rest) = rest.split_at_mut((place.start - begun) as usize);
                (piece, rest) = rest.split_at_mut(place.count as usize);
                begun = place.start + u64::from(place.count);
                pieces.push((place, piece));
            }
            pieces.into_par_iter().for_each_init(Vec::new, |spare, (place, piece)| {
                heed();
                place.count = distinct(piece, spare);
            });
        }
        places.sort_unstable_by_key(|place| place.page);
        let bounds = |page: &u32| {
            let place = places.binary_search_by_key(page, |place| place.page);
            place.map_or((-1, -1), |at| {
                let start = places[at].start as i64;
                (start, start + i64::from(places[at].count))
            })
        };
        let (starts, ends) = pages.par_iter().map(bounds).unzip();
        Ok(Taken { map, starts, ends })
    }
}

/// Puts the distinct values in front, ascending, and tells how many they are.
fn distinct(values: &mut [u64], spare: &mut Vec<u64>) -> u32 {
    sort(values, spare);
    let mut count = 0;
    for at in 0..values.len() {
        if at == 0 || values[at] != values[count - 1] {
            values[count] = values[at];
            count += 1;
        }
    }
    count as u32
}

/// Sorts values most of which differ in their first bits, as fingerprints do: dealt out by these,
/// each is nearly where it belongs. Measured on 240 values: half the time of the library's sort,
/// which takes over where values turn out to be others.
fn sort(values: &mut [u64], spare: &mut Vec<u64>) {
    if values.len() < 32 || values.len() > 1 << 14 {
        return values.sort_unstable();
    }
    // About one value for each of the buckets.
    let bits = values.len().ilog2().min(BUCKET_BITS);
    let bucket = |value: u64| (value >> (64 - bits)) as usize;
    let mut ends = [0u16; 1 << BUCKET_BITS];
    for &value in &*values {
        ends[bucket(value)] += 1;
    }
    let (mut next, mut fullest) = (0, 0);
    for end in &mut ends[..1 << bits] {
        fullest = fullest.max(*end);
        (*end, next) = (next, next + *end);
    }
    if fullest > FULL {
        return values.sort_unstable();
    }
    spare.clear();
    spare.extend_from_slice(values);
    for &value in &*spare {
        let end = &mut ends[bucket(value)];
        values[*end as usize] = value;
        *end += 1;
    }
    for at in 1..values.len() {
        let value = values[at];
        let mut to = at;
        while to > 0 && values[to - 1] > value {
            values[to] = values[to - 1];
            to -= 1;
        }
        values[to] = value;
    }
}

fn values_mut(map: &mut MmapMut) -> &mut [u64] {
    // SAFETY: a mapping begins at a page of memory, so it is aligned, and it holds whole values.
    unsafe { std::slice::from_raw_parts_mut(map.as_mut_ptr().cast(), map.len() / size_of::<u64>()) }
}

impl Drop for Taken {
    /// To give up a file of gigabytes takes the system half a second, for which nobody need wait.
    fn drop(&mut self) {
        if let Some(map) = self.map.take() {
            // Without a thread the mapping ends here.
            let _ = Builder::new().spawn(move || drop(map));
        }
    }
}

impl Taken {
    pub fn sets(&self) -> Sets<'_> {
        let values: &[u64] = match &self.map {
            // SAFETY: as above; nothing writes to the mapping any more.
            Some(map) => unsafe {
                std::slice::from_raw_parts(map.as_ptr().cast(), map.len() / size_of::<u64>())
            },
            None => &[],
        };
        Sets { values, starts: &self.starts, ends: &self.ends }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprints::mixing::mix;

    #[test]
    fn sets_are_ascending_and_distinct_wherever_they_lie() {
        let mut shelf = Shelf::new(&std::env::temp_dir()).unwrap();
        let pages: [(u32, &[u64]); 4] = [(9, &[5, 1, 5, 3]), (2, &[7]), (4, &[]), (3, &[2, 2, 2])];
        for (page, values) in pages {
            let start = shelf.write(values).unwrap();
            shelf.note([Place { page, count: values.len() as u32, start }]);
        }
        assert_eq!(shelf.bytes(), 64);
        assert_eq!(shelf.missing(&[1, 2, 4, 8, 9]), [1, 8]);
        shelf.renumber(10);
        let taken = shelf.take(&[13, 19, 18, 14, 19]).unwrap();
        let sets = taken.sets();
        assert!(sets.are_valid() && !sets.are_complete());
        let found: Vec<Option<&[u64]>> = (0..5).map(|member| sets.get(member)).collect();
        let nine: &[u64] = &[1, 3, 5];
        assert_eq!(found, [Some(&[2][..]), Some(nine), None, Some(&[][..]), Some(nine)]);
    }

    #[test]
    fn any_values_are_sorted() {
        let spread = |count: u64| -> Vec<u64> { (0..count).map(mix).collect() };
        for count in [0, 1, 31, 32, 33, 240, 4096, 5000, 16_384, 16_385] {
            let repeated = (0..count).map(|n| mix(n % (count / 3 + 1))).collect();
            let near = (0..count).rev().collect();
            for values in [spread(count), repeated, near, vec![7; count as usize]] {
                let (mut found, mut expected) = (values.clone(), values);
                sort(&mut found, &mut vec![1, 2, 3]);
                expected.sort_unstable();
                assert_eq!(found, expected, "{count} values");
            }
        }
    }

    #[test]
    fn an_empty_shelf_has_nothing() {
        let taken = Shelf::new(&std::env::temp_dir()).unwrap().take(&[1]).unwrap();
        assert_eq!(taken.sets().get(0), None);
    }
}
