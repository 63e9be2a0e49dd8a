//! *Shelf*: the tokens of some pages in a temporary file, of which the shingles of candidates are
//! made to be compared. Pages are put there while they are sketched, as far as there is room, for
//! then they need not be read and taken apart once more; candidates that are not there are added
//! later. Shingles take the place of the tokens; the different words of these pages are written
//! behind all others, for whoever asks how many of them another page lacks.
//! The file has no name and goes away with the process.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread::Builder;

use memmap2::{Mmap, MmapMut};
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
    /// Of pages whose tokens lie there, and of others, of which there are shingles alone.
    tokens: Vec<Place>,
    shingles: Vec<Place>,
    /// Whether words are wanted, and where those of pages lie whose tokens became shingles.
    keeps_words: bool,
    words: Vec<Place>,
}

/// Where the values of a page lie.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub page: u32,
    pub count: u32,
    pub start: u64,
}

/// The ascending sets of distinct shingles, or words, of some pages, where they lie on the shelf.
#[derive(Debug)]
pub struct Taken {
    map: Option<Mmap>,
    starts: Vec<i64>,
    ends: Vec<i64>,
}

impl Shelf {
    /// An empty one, its file in this folder.
    pub fn new(folder: &Path, keeps_words: bool) -> io::Result<Shelf> {
        let (length, tokens, shingles, words) = Default::default();
        let file = tempfile::tempfile_in(folder)?;
        Ok(Shelf { file, length, tokens, shingles, keeps_words, words })
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

    /// Takes note of where the tokens of pages lie.
    pub fn note_tokens(&mut self, places: impl IntoIterator<Item = Place>) {
        self.tokens.extend(places);
    }

    /// Takes note of where the shingles of a page lie of which there are no tokens.
    pub fn note_shingles(&mut self, place: Place) {
        self.shingles.push(place);
    }

    /// Adds this to the numbers of all pages: they came after others.
    pub fn renumber(&mut self, by: u32) {
        for places in [&mut self.tokens, &mut self.shingles, &mut self.words] {
            places.iter_mut().for_each(|place| place.page += by);
        }
    }

    /// Of these pages those that are not there.
    pub fn missing(&mut self, pages: &[u32]) -> Vec<u32> {
        self.order();
        let known = [&self.tokens, &self.shingles];
        let is_missing = |page: u32| known.iter().all(|places| find(places, page).is_none());
        pages.iter().copied().filter(|&page| is_missing(page)).collect()
    }

    fn order(&mut self) {
        for places in [&mut self.tokens, &mut self.shingles, &mut self.words] {
            if !places.is_sorted_by_key(|place| place.page) {
                places.par_sort_unstable_by_key(|place| place.page);
            }
        }
    }

    /// The sets of shingles of these pages, as `shingle` writes them of tokens; where a page is not
    /// there it is missing. They are the last that are taken: only words are left after.
    pub fn take(
        &mut self,
        pages: &[u32],
        shingle: impl Fn(&[u64], &mut Vec<u64>) + Sync,
    ) -> io::Result<Taken> {
        self.order();
        let mut of_tokens = chosen(&self.tokens, pages);
        let mut shingled = chosen(&self.shingles, pages);
        let mut map = if self.bytes() > 0 {
            // SAFETY: the file has no name, so that no one else can cut it short.
            Some(unsafe { MmapMut::map_mut(&self.file)? })
        } else {
            None
        };
        if let Some(map) = &mut map {
            let writing = &*self;
            let words: Vec<Place> = cut(values_mut(map), &mut of_tokens)
                .into_par_iter()
                .map_init(Default::default, |(values, spare), (place, piece)| {
                    heed();
                    let words = writing.write_words(place.page, piece, values, spare)?;
                    shingle(piece, values);
                    piece[..values.len()].copy_from_slice(values);
                    place.count = distinct(&mut piece[..values.len()], spare);
                    Ok(words)
                })
                .collect::<io::Result<Vec<Option<Place>>>>()?
                .into_iter()
                .flatten()
                .collect();
            cut(values_mut(map), &mut shingled).into_par_iter().for_each_init(
                Vec::new,
                |spare, (place, piece)| {
                    heed();
                    place.count = distinct(piece, spare);
                },
            );
            self.words = words;
        }
        // Tokens of other pages, copies of some that were taken, may still be asked for words.
        let taken: HashSet<u32> = of_tokens.iter().map(|place| place.page).collect();
        self.tokens.retain(|place| !taken.contains(&place.page));
        self.shingles = Vec::new();
        self.order();
        of_tokens.append(&mut shingled);
        of_tokens.sort_unstable_by_key(|place| place.page);
        Ok(Taken::new(map.map(MmapMut::make_read_only).transpose()?, &of_tokens, pages))
    }

    /// Writes the different words among the tokens of a page, if they are wanted.
    fn write_words(
        &self,
        page: u32,
        tokens: &[u64],
        values: &mut Vec<u64>,
        spare: &mut Vec<u64>,
    ) -> io::Result<Option<Place>> {
        if !self.keeps_words {
            return Ok(None);
        }
        values.clear();
        values.extend_from_slice(tokens);
        let count = distinct(values, spare);
        let start = self.write(&values[..count as usize])?;
        Ok(Some(Place { page, count, start }))
    }

    /// The sets of words of these pages; where a page is not there, or only its shingles are, it is
    /// missing.
    pub fn words(&mut self, pages: &[u32]) -> io::Result<Taken> {
        self.order();
        let left = if self.keeps_words { chosen(&self.tokens, pages) } else { Vec::new() };
        if let Some(map) = self.map()? {
            let writing = &*self;
            let mut found = left
                .par_iter()
                .map_init(Default::default, |(values, spare), place| {
                    heed();
                    let tokens = &values_of(&map)[place.start as usize..][..place.count as usize];
                    writing.write_words(place.page, tokens, values, spare)
                })
                .collect::<io::Result<Vec<Option<Place>>>>()?;
            self.words.extend(found.drain(..).flatten());
            let written: HashSet<u32> = left.iter().map(|place| place.page).collect();
            self.tokens.retain(|place| !written.contains(&place.page));
            self.order();
        }
        Ok(Taken::new(self.map()?, &self.words, pages))
    }

    /// All that is written, if there is something.
    fn map(&self) -> io::Result<Option<Mmap>> {
        // SAFETY: the file has no name, so that no one else can cut it short.
        (self.bytes() > 0).then(|| unsafe { Mmap::map(&self.file) }).transpose()
    }
}

/// Where a page lies, by places in the order of pages.
fn find(places: &[Place], page: u32) -> Option<Place> {
    places.binary_search_by_key(&page, |place| place.page).ok().map(|at| places[at])
}

/// The places of these pages, each once, in the order in which they lie in the file.
fn chosen(places: &[Place], pages: &[u32]) -> Vec<Place> {
    let mut found: Vec<Place> = pages.par_iter().filter_map(|&page| find(places, page)).collect();
    found.par_sort_unstable_by_key(|place| (place.start, place.count, place.page));
    found.dedup_by_key(|place| place.page);
    found
}

/// The values of each of these places, which lie in this order.
fn cut<'a, 'b>(
    mut values: &'a mut [u64],
    places: &'b mut [Place],
) -> Vec<(&'b mut Place, &'a mut [u64])> {
    let mut begun = 0;
    places
        .iter_mut()
        .map(|place| {
            if place.count == 0 {
                return (place, &mut [][..]);
            }
            let (_, rest) =
                std::mem::take(&mut values).split_at_mut((place.start - begun) as usize);
            let (piece, rest) = rest.split_at_mut(place.count as usize);
            values = rest;
            begun = place.start + u64::from(place.count);
            (place, piece)
        })
        .collect()
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

fn values_of(map: &Mmap) -> &[u64] {
    // SAFETY: as above; what is written once is not written to again.
    unsafe { std::slice::from_raw_parts(map.as_ptr().cast(), map.len() / size_of::<u64>()) }
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
    /// The sets of these pages, by places in the order of pages.
    fn new(map: Option<Mmap>, places: &[Place], pages: &[u32]) -> Taken {
        let bounds = |&page: &u32| {
            let place = find(places, page);
            place.map_or((-1, -1), |place| {
                (place.start as i64, place.start as i64 + i64::from(place.count))
            })
        };
        let (starts, ends) = pages.par_iter().map(bounds).unzip();
        Taken { map, starts, ends }
    }

    pub fn sets(&self) -> Sets<'_> {
        let values = self.map.as_ref().map_or(&[][..], values_of);
        Sets { values, starts: &self.starts, ends: &self.ends }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprints::mixing::mix;

    const SHINGLES: [(u32, &[u64]); 4] = [(9, &[5, 1, 5, 3]), (2, &[7]), (4, &[]), (3, &[2, 2, 2])];

    fn put(shelf: &mut Shelf, page: u32, values: &[u64], of_tokens: bool) {
        let start = shelf.write(values).unwrap();
        let place = Place { page, count: values.len() as u32, start };
        if of_tokens { shelf.note_tokens([place]) } else { shelf.note_shingles(place) }
    }

    /// Pairs of tokens, and of one token that.
    fn pairs(tokens: &[u64], shingles: &mut Vec<u64>) {
        shingles.clear();
        shingles.extend(tokens.windows(2).map(|pair| 10 * pair[0] + pair[1]));
        if tokens.len() == 1 {
            shingles.push(tokens[0]);
        }
    }

    #[test]
    fn sets_are_ascending_and_distinct_wherever_they_lie() {
        let mut shelf = Shelf::new(&std::env::temp_dir(), false).unwrap();
        for (page, values) in SHINGLES {
            put(&mut shelf, page, values, false);
        }
        assert_eq!(shelf.bytes(), 64);
        assert_eq!(shelf.missing(&[1, 2, 4, 8, 9]), [1, 8]);
        shelf.renumber(10);
        let taken = shelf.take(&[13, 19, 18, 14, 19], pairs).unwrap();
        let sets = taken.sets();
        assert!(sets.are_valid() && !sets.are_complete());
        let found: Vec<Option<&[u64]>> = (0..5).map(|member| sets.get(member)).collect();
        let nine: &[u64] = &[1, 3, 5];
        assert_eq!(found, [Some(&[2][..]), Some(nine), None, Some(&[][..]), Some(nine)]);
    }

    #[test]
    fn tokens_become_shingles_and_their_words_stay() {
        for keeps_words in [true, false] {
            let mut shelf = Shelf::new(&std::env::temp_dir(), keeps_words).unwrap();
            for (page, values) in SHINGLES {
                put(&mut shelf, page, values, true);
            }
            put(&mut shelf, 5, &[8, 6, 8], false);
            put(&mut shelf, 6, &[4, 4, 1], true);
            let pages = [9, 2, 4, 3, 5, 7, 9];
            let taken = shelf.take(&pages, pairs).unwrap();
            let found: Vec<_> = (0..pages.len()).map(|member| taken.sets().get(member)).collect();
            let nine: &[u64] = &[15, 51, 53];
            let expected = [nine, &[7], &[], &[22], &[6, 8]].map(Some);
            assert_eq!(found, [&expected[..], &[None, Some(nine)]].concat());
            let words = shelf.words(&[9, 3, 5, 6, 4, 2]).unwrap();
            let found: Vec<_> = (0..6).map(|member| words.sets().get(member)).collect();
            let kept: [Option<&[u64]>; 6] =
                [Some(&[1, 3, 5]), Some(&[2]), None, Some(&[1, 4]), Some(&[]), Some(&[7])];
            assert_eq!(found, if keeps_words { kept } else { [None; 6] });
            // What was taken is what it was.
            assert_eq!(taken.sets().get(0), Some(nine));
        }
    }

    #[test]
    fn words_are_there_where_nobody_took_shingles() {
        let mut shelf = Shelf::new(&std::env::temp_dir(), true).unwrap();
        for (page, values) in SHINGLES {
            put(&mut shelf, page, values, true);
        }
        let words = shelf.words(&[3, 9, 8, 4, 9]).unwrap();
        let found: Vec<_> = (0..5).map(|member| words.sets().get(member)).collect();
        let nine: &[u64] = &[1, 3, 5];
        assert_eq!(found, [Some(&[2][..]), Some(nine), None, Some(&[]), Some(nine)]);
        let mut empty = Shelf::new(&std::env::temp_dir(), true).unwrap();
        put(&mut empty, 1, &[], true);
        assert_eq!(empty.words(&[2]).unwrap().sets().get(0), None);
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
        let taken = Shelf::new(&std::env::temp_dir(), false).unwrap().take(&[1], pairs).unwrap();
        assert_eq!(taken.sets().get(0), None);
    }
}
