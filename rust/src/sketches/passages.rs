//! *Passage*: a chunk as a person reads it: where in the page's text it stands, and on which lines.

use std::ops::Range;

use super::chunks::{ChunkText, Chunking, Cut, Unit, wants};
use super::page::{Page, decoded};
use super::paragraphs::{is_stop, sentences_with_ends};
use super::recipe::Recipe;
use crate::text::html::{self, Text, TextOptions};
use crate::text::tokens::words;

/// A chunk and where it stands. Lines are numbered from 1; only those count that have text.
#[derive(Debug, PartialEq, Eq)]
pub struct Passage {
    pub chunk: u64,
    pub first_line: usize,
    pub last_line: usize,
    /// From which byte of the text on it stands, and up to which. Sliding ones lie upon each other:
    /// their texts together are many times the page's.
    pub start: usize,
    pub end: usize,
}

/// The text of a page, and its passages, one for each of its chunks, in the same order.
#[derive(Debug, PartialEq, Eq)]
pub struct Passages {
    pub text: String,
    pub all: Vec<Passage>,
}

impl Recipe {
    pub fn passages_of(&self, page: &Page<'_>, chunking: Chunking) -> Passages {
        let raw = decoded(page);
        // Where lines end is wanted, whatever the chunks.
        let chunkings = [chunking, Chunking { unit: Unit::Lines, size: 1, sliding: false }];
        let mut text = Text::default();
        let (whole, marked) = if page.markup {
            let paragraphs = wants(&chunkings, Unit::Paragraph);
            html::extract(&raw, TextOptions { paragraphs, images: false, ..self.text }, &mut text);
            (&*text.text, &*text.paragraph_ends)
        } else {
            (&*raw, &[] as &[usize])
        };
        let (whole, marked) = self.without_boilerplate(page, whole, marked);
        let (mut cut, mut values) = (Cut::default(), Vec::new());
        self.cut(&whole, &marked, &chunkings, &mut values, &mut cut);
        let found = self.chunks_of_values(&whole, &values, &chunkings[..1], &mut cut).into_iter();
        let lines = counted_lines(&whole, &cut);
        let units = match chunking.unit {
            Unit::Page => joined(&lines, |_| false),
            Unit::Lines => lines.iter().map(|line| line.range.clone()).collect(),
            Unit::Paragraph => joined(&lines, |line| line.closes),
            Unit::Words if self.chunk_text == ChunkText::Characters => {
                whole.split_whitespace().map(|word| range_of(&whole, word)).collect()
            }
            Unit::Words => words(&whole, self.rules).into_iter().map(|(_, range)| range).collect(),
            Unit::Sentence => self.sentence_ranges(&whole),
        };
        let spans = windows(units.len(), chunking);
        let spans = spans.map(|window| units[window.start].start..units[window.end - 1].end);
        let passage = |(chunk, Range { start, end }): (u64, Range<usize>)| {
            let first_line = lines.partition_point(|line| line.range.end <= start) + 1;
            let last_line = lines.partition_point(|line| line.range.start < end).max(first_line);
            Passage { chunk, first_line, last_line, start, end }
        };
        let all = found.flatten().zip(spans).map(passage).collect();
        Passages { text: whole.into_owned(), all }
    }

    /// Where the sentences stand that count.
    fn sentence_ranges(&self, text: &str) -> Vec<Range<usize>> {
        let (mut found, mut start) = (Vec::new(), 0);
        let (mut values, mut folded) = (Vec::new(), Vec::new());
        sentences_with_ends(text, |sentence, end| {
            values.clear();
            self.sentence(&String::from_utf8_lossy(sentence), &mut values, &mut folded);
            if !values.is_empty() {
                // Stops with nothing before them are no part of it.
                let is_before = |letter: char| letter.is_whitespace() || is_stop(letter);
                let stands = text[start..end].trim_start_matches(is_before).trim_end();
                found.push(range_of(text, stands));
            }
            start = end;
        });
        found
    }
}

/// A line that counts: where its text stands, and whether a paragraph ends with it.
struct Line {
    range: Range<usize>,
    closes: bool,
}

/// The lines of a text that is cut.
fn counted_lines(text: &str, cut: &Cut) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let (mut start, mut done) = (0, 0);
    for (number, (&end, &count)) in cut.lines.ends.iter().zip(&cut.counts).enumerate() {
        if count > done {
            lines.push(Line { range: range_of(text, text[start..end].trim()), closes: false });
        }
        if let Some(last) = lines.last_mut() {
            last.closes |= cut.lines.closes.get(number).is_some_and(|&closes| closes);
        }
        (start, done) = (end, count);
    }
    lines
}

/// Lines joined, each unit up to one that ends it, the last up to the last.
fn joined(lines: &[Line], ends: impl Fn(&Line) -> bool) -> Vec<Range<usize>> {
    let units = lines.split_inclusive(ends);
    let range = |unit: &[Line]| Some(unit.first()?.range.start..unit.last()?.range.end);
    units.filter_map(range).collect()
}

/// Where in the text a part of it stands.
fn range_of(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    start..start + part.len()
}

/// Which units each chunk has.
fn windows(count: usize, chunking: Chunking) -> impl Iterator<Item = Range<usize>> {
    let size = chunking.size.min(count.max(1));
    let step = if chunking.sliding { 1 } else { size };
    let last = if chunking.sliding { count + 1 - size.min(count + 1) } else { count };
    (0..last).step_by(step).map(move |start| start..(start + size).min(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(count: usize, size: usize, sliding: bool) -> Vec<(usize, usize)> {
        let found = windows(count, Chunking { unit: Unit::Lines, size, sliding });
        found.map(|window| (window.start, window.end)).collect()
    }

    #[test]
    fn each_chunk_has_its_units() {
        assert_eq!(of(5, 2, false), [(0, 2), (2, 4), (4, 5)]);
        assert_eq!(of(5, 2, true), [(0, 2), (1, 3), (2, 4), (3, 5)]);
        for sliding in [false, true] {
            assert_eq!(of(2, 2, sliding), [(0, 2)]);
            assert_eq!(of(2, 9, sliding), [(0, 2)]);
            assert!(of(0, 9, sliding).is_empty());
        }
    }
}
