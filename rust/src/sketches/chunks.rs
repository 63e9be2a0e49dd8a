//! *Chunk*: a piece of a page's text, as a 64-bit fingerprint; pages overlap by those that they share
//! (Shivakumar 1998, section 2). A *chunking* says which pieces: so many *units* each, the next chunk
//! beginning after them; sliding ones begin at every unit. A last chunk may have fewer units, a sliding
//! one only where the page has fewer in all.
//!
//! - Lines and paragraphs are those of `text::lines`, sentences those of shingle paragraphs, words the
//!   tokens. What is left out as boilerplate is in no chunk; image terms are in none, which is text.
//! - By default a chunk is its tokens, wherever in it lines end; a unit without tokens does not count.
//! - A recipe may take the characters instead, as the paper does: those of each line, with runs of white
//!   space as one space and none at the ends; lines without others do not count. A word is then what
//!   stands between white space.
//!
//! The fingerprint is that of a sequence of fingerprints (`fingerprints::mixing`), of tokens or of what
//! the characters are of, so that sliding chunks take as long as others.

use xxhash_rust::xxh3::xxh3_64;

use super::shingles::Shingler;
use crate::fingerprints::mixing::{SEQUENCE, mix, sequence, sequence_sum};
use crate::text::lines::Lines;
use crate::text::white_space;

/// What a chunk has any number of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Page,
    Lines,
    Sentence,
    Paragraph,
    Words,
}

/// Chunks of so many units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunking {
    pub unit: Unit,
    pub size: usize,
    pub sliding: bool,
}

/// What chunks are made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChunkText {
    #[default]
    Tokens,
    Characters,
}

/// A text that is cut. The buffers are used again from page to page.
#[derive(Debug, Default)]
pub struct Cut {
    pub lines: Lines,
    /// How many values there are at the end of each line.
    pub counts: Vec<usize>,
    /// The same of lines and paragraphs that have any.
    pub line_ends: Vec<usize>,
    pub paragraph_ends: Vec<usize>,
    /// Tokens, or lines by their characters, where nobody else has made them.
    pub values: Vec<u64>,
    /// Words by their characters.
    pub words: Vec<u64>,
    /// The values of sentences, and where each ends among them.
    pub sentences: Vec<u64>,
    pub sentence_ends: Vec<usize>,
    pub folded: Vec<u8>,
}

impl Cut {
    /// Finds the lines of a text, or takes all of it for one if no chunking asks for them, and its
    /// paragraphs likewise.
    pub fn read(&mut self, text: &str, marked: &[usize], chunkings: &[Chunking], of: ChunkText) {
        self.counts.clear();
        let paragraphs = wants(chunkings, Unit::Paragraph);
        if paragraphs || of == ChunkText::Characters || wants(chunkings, Unit::Lines) {
            self.lines.read(text);
        } else {
            self.lines.take_whole(text);
        }
        if paragraphs {
            self.lines.read_paragraphs(text, marked);
        }
    }

    /// Finds which lines and paragraphs count, once it is known how many values they have.
    pub fn settle(&mut self) {
        let Cut { lines, counts, line_ends, paragraph_ends, .. } = self;
        line_ends.clear();
        paragraph_ends.clear();
        let mut done = 0;
        for &count in &*counts {
            if count > done {
                line_ends.push(count);
                done = count;
            }
        }
        done = 0;
        for (&count, &closes) in counts.iter().zip(&lines.closes) {
            if closes && count > done {
                paragraph_ends.push(count);
                done = count;
            }
        }
        if let Some(&last) = line_ends.last().filter(|&&last| last > done) {
            paragraph_ends.push(last);
        }
    }

    /// The bytes that the buffers take.
    pub fn capacity(&self) -> usize {
        let ends = [&self.counts, &self.line_ends, &self.paragraph_ends, &self.sentence_ends];
        let values = [&self.values, &self.words, &self.sentences];
        let ends: usize = ends.map(Vec::capacity).iter().sum();
        let values: usize = values.map(Vec::capacity).iter().sum();
        self.lines.capacity() + self.folded.capacity() + 8 * (ends + values)
    }
}

/// Whether any of the chunkings has this unit.
pub fn wants(chunkings: &[Chunking], unit: Unit) -> bool {
    chunkings.iter().any(|chunking| chunking.unit == unit)
}

/// The fingerprint of the characters of a line, if it has any.
pub fn characters(line: &str, folded: &mut Vec<u8>) -> Option<u64> {
    let found = white_space::folded(line, folded);
    (!found.is_empty()).then(|| xxh3_64(found))
}

/// Chunks of which each value is a unit.
pub fn chunks_of_each(values: &[u64], size: usize, sliding: bool) -> Vec<u64> {
    if !sliding {
        return values.chunks(size).map(sequence).collect();
    }
    let mut found = Vec::with_capacity(values.len());
    Shingler::fast(size, false).shingle(values, &mut found);
    found
}

/// Chunks of units that end at these places among the values.
pub fn chunks_of_units(values: &[u64], ends: &[usize], size: usize, sliding: bool) -> Vec<u64> {
    if sliding && ends.len() > size {
        return sliding_chunks(values, ends, size);
    }
    let mut start = 0;
    let mut next = |units: &[usize]| {
        let end = units.last().copied().unwrap_or(start);
        let chunk = sequence(&values[start..end]);
        start = end;
        chunk
    };
    ends.chunks(size).map(&mut next).collect()
}

/// The same, from every unit on. The sum of a chunk is that up to its end, less what comes before it.
fn sliding_chunks(values: &[u64], ends: &[usize], size: usize) -> Vec<u64> {
    let (mut sum, mut done) = (0u64, 0);
    // How far each unit goes, and the sum so far.
    let mut sums = Vec::with_capacity(ends.len() + 1);
    sums.push((0, 0));
    for &end in ends {
        sum = sequence_sum(sum, &values[done..end]);
        sums.push((end, sum));
        done = end;
    }
    let chunk = |(&(start, before), &(end, sum)): (&(usize, u64), &(usize, u64))| {
        let leaving = before.wrapping_mul(SEQUENCE.wrapping_pow((end - start) as u32));
        mix(sum.wrapping_sub(leaving))
    };
    sums.iter().zip(&sums[size..]).map(chunk).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(values: &[u64], ends: &[usize]) -> Vec<Vec<u64>> {
        let starts = [0].into_iter().chain(ends.iter().copied());
        starts.zip(ends).map(|(start, &end)| values[start..end].to_vec()).collect()
    }

    #[test]
    fn sliding_chunks_are_the_sequences_of_every_window() {
        let values: Vec<u64> = (1..=40).map(mix).collect();
        let ends = [1, 3, 4, 9, 20, 21, 22, 30, 40];
        for count in 1..=ends.len() {
            let ends = &ends[..count];
            let values = &values[..ends[count - 1]];
            let units = units(values, ends);
            for size in 1..=count + 2 {
                let windows: Vec<u64> = if units.len() <= size {
                    vec![sequence(values)]
                } else {
                    units.windows(size).map(|window| sequence(&window.concat())).collect()
                };
                assert_eq!(chunks_of_units(values, ends, size, true), windows, "{count} {size}");
                let parted: Vec<u64> =
                    units.chunks(size).map(|chunk| sequence(&chunk.concat())).collect();
                assert_eq!(chunks_of_units(values, ends, size, false), parted, "{count} {size}");
            }
        }
    }

    #[test]
    fn words_slide_as_shingles_do() {
        let values: Vec<u64> = (1..=100).map(mix).collect();
        let ends: Vec<usize> = (1..=100).collect();
        for size in [1, 2, 8, 17, 99, 100, 101, 1_000_000] {
            for sliding in [false, true] {
                let of_each = chunks_of_each(&values, size, sliding);
                assert_eq!(of_each, chunks_of_units(&values, &ends, size, sliding), "{size}");
            }
        }
    }

    #[test]
    fn nothing_has_no_chunks() {
        for sliding in [false, true] {
            assert!(chunks_of_each(&[], 3, sliding).is_empty());
            assert!(chunks_of_units(&[], &[], 3, sliding).is_empty());
        }
    }
}
