//! *Sketch*: all that is kept of one page, as one row: sizes, digests, features, supershingles and
//! projection.

use super::chunks::{ChunkText, Chunking, Cut, Unit, wants};
use super::link_targets;
use super::page::{Page, decoded};
use super::paragraphs;
use super::projection;
use super::recipe::{Piece, Recipe};
use super::shingles::number_repeated;
use crate::fingerprints::digest::{digest, sequence_digest};
use crate::fingerprints::mixing::mix;
use crate::text::html::{self, Image, Text, TextOptions};
use crate::text::tokens::{Fingerprint, tokenize, tokenize_parts};
use crate::text::white_space;

/// Which of the larger columns are wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Columns<'a> {
    pub features: bool,
    pub supershingles: bool,
    pub projection: bool,
    pub shingles: bool,
    /// With overlap and without.
    pub paragraphs: bool,
    /// How long their sentences are.
    pub sentences: bool,
    pub links: bool,
    pub chunks: &'a [Chunking],
}

/// One row. The lists are empty where they are not wanted or the page has no tokens.
#[derive(Debug, Default)]
pub struct Sketch {
    pub chars: u64,
    pub tokens: u64,
    pub title: String,
    /// Little is left because the text stands in scripts or the like, which are dropped.
    pub hollow: bool,
    /// Of the bytes as they were stored and as they were read, where these differ.
    pub payload_digest: Option<[u8; 16]>,
    /// Of the bytes as they were read.
    pub markup_digest: Option<[u8; 16]>,
    /// Of all the text, each run of white space as one space.
    pub text_digest: Option<[u8; 16]>,
    /// Of the tokens.
    pub digest: Option<[u8; 16]>,
    pub features: Vec<u64>,
    pub supershingles: Vec<u64>,
    pub projection: Vec<u64>,
    pub shingles: Vec<u64>,
    pub paragraphs: Vec<u64>,
    pub overlapping_paragraphs: Vec<u64>,
    /// The characters of each sentence of the paragraphs.
    pub sentence_chars: Vec<u64>,
    /// One list for each chunking.
    pub chunks: Vec<Vec<u64>>,
    pub links: Vec<u64>,
    /// One for each link.
    pub link_kinds: Vec<u64>,
}

/// Buffers that are used again from page to page.
#[derive(Default)]
pub struct Scratch {
    text: Text,
    tokens: Vec<u64>,
    shingles: Vec<u64>,
    mixed: Vec<u64>,
    sentences: Vec<u64>,
    folded: Vec<u8>,
    cut: Cut,
}

impl Scratch {
    /// The tokens of the page that was sketched last.
    pub fn tokens(&self) -> &[u64] {
        &self.tokens
    }

    /// Whether the buffers are of a size that is worth keeping.
    pub fn is_small(&self) -> bool {
        let buffers = [&self.tokens, &self.shingles, &self.mixed, &self.sentences];
        let values = buffers.map(Vec::capacity);
        let texts = self.text.text.capacity() + self.text.links.capacity() + self.folded.capacity();
        texts + self.cut.capacity() + 8 * values.iter().sum::<usize>() < LARGE
    }
}

/// Bytes of buffers that only a page of many megabytes needs.
const LARGE: usize = 32 << 20;

/// A page is hollow with fewer tokens than this left …
const HOLLOW_TOKENS: usize = 10;
/// … and at least this many bytes dropped.
const HOLLOW_DROPPED: usize = 500;

impl Recipe {
    /// The sketch of one page.
    pub fn sketch(&self, page: &Page<'_>, columns: Columns<'_>, scratch: &mut Scratch) -> Sketch {
        let mut sketch = Sketch {
            markup_digest: (!page.body.is_empty()).then(|| digest(page.body)),
            ..Sketch::default()
        };
        sketch.payload_digest = page.stored.map(|stored| {
            let read = sketch.markup_digest.unwrap_or_default();
            digest(&[stored, &read].concat())
        });
        scratch.shingles.clear();
        self.read(page, columns, scratch, &mut sketch);
        let tokens = &scratch.tokens;
        sketch.tokens = tokens.len() as u64;
        if tokens.is_empty() {
            return sketch;
        }
        sketch.digest = Some(sequence_digest(tokens));
        let of_shingles = columns.projection && self.project_shingles;
        let picked = columns.features || columns.supershingles;
        if picked || columns.shingles || of_shingles {
            self.shingler.shingle(tokens, &mut scratch.shingles);
        }
        if of_shingles {
            sketch.projection = self.project(&scratch.shingles, &mut scratch.mixed);
        }
        if self.frequency {
            number_repeated(&mut scratch.shingles);
        }
        if columns.features || columns.supershingles {
            sketch.features.resize(self.m, 0);
            self.picker.pick(&scratch.shingles, &mut sketch.features);
        }
        if columns.supershingles {
            sketch.supershingles.resize(self.m / self.width, 0);
            self.picker.supershingle(&sketch.features, self.width, &mut sketch.supershingles);
        }
        if !columns.features {
            sketch.features = Vec::new();
        }
        if columns.projection && !of_shingles {
            sketch.projection = self.project(tokens, &mut scratch.mixed);
        }
        if columns.shingles {
            scratch.shingles.sort_unstable();
            scratch.shingles.dedup();
            sketch.shingles = scratch.shingles.clone();
        }
        sketch
    }

    /// Writes the shingles of a page's tokens as its features are picked of them, in any order.
    pub fn shingle(&self, tokens: &[u64], shingles: &mut Vec<u64>) {
        shingles.clear();
        if !tokens.is_empty() {
            self.shingler.shingle(tokens, shingles);
        }
        if self.frequency {
            number_repeated(shingles);
        }
    }

    /// The projection of tokens, or of shingles.
    fn project(&self, values: &[u64], mixed: &mut Vec<u64>) -> Vec<u64> {
        let mut projection = vec![0; self.bits / 64];
        match self.rules.fingerprint {
            Fingerprint::Fast => projection::project(values, &mut projection),
            // Rabin's fingerprints are linear, and similar tokens would get related signs.
            Fingerprint::Rabin => {
                mixed.clear();
                mixed.extend(values.iter().map(|&value| mix(value)));
                projection::project(mixed, &mut projection);
            }
        }
        projection
    }

    /// The fingerprints of a page's tokens.
    pub fn tokens_of(&self, page: &Page<'_>) -> Vec<u64> {
        let mut scratch = Scratch::default();
        self.read(page, Columns::default(), &mut scratch, &mut Sketch::default());
        scratch.tokens
    }

    /// Bytes to text to tokens, into the scratch buffers.
    fn read(
        &self,
        page: &Page<'_>,
        columns: Columns<'_>,
        scratch: &mut Scratch,
        sketch: &mut Sketch,
    ) {
        let Scratch { text, tokens, sentences, folded, cut, .. } = scratch;
        tokens.clear();
        let raw = &*decoded(page);
        if page.markup {
            let paragraphs = wants(columns.chunks, Unit::Paragraph);
            html::extract(raw, TextOptions { links: columns.links, paragraphs, ..self.text }, text);
        }
        let (whole, images, marked) = if page.markup {
            (&*text.text, &*text.images, &*text.paragraph_ends)
        } else {
            (raw, &[] as &[Image], &[] as &[usize])
        };
        if !columns.chunks.is_empty() && self.chunks_are_of_tokens() {
            cut.read(whole, marked, columns.chunks, self.chunk_text);
            tokenize_parts(whole, &cut.lines.ends, self.rules, tokens, &mut cut.counts);
            cut.settle();
            sketch.chunks = self.chunks_of_values(whole, tokens, columns.chunks, cut);
        } else {
            self.segments(page, whole, images, &mut |_, piece| match piece {
                Piece::Text(text) => tokenize(text, self.rules, tokens),
                Piece::Term(term) => tokens.push(self.rules.fingerprint.of(term.as_bytes())),
            });
            if !columns.chunks.is_empty() {
                sketch.chunks = self.chunks(page, whole, marked, columns.chunks, cut);
            }
        }
        sketch.chars = count_chars(whole);
        let folded = white_space::folded(whole, folded);
        sketch.text_digest = (!folded.is_empty()).then(|| digest(folded));
        if columns.paragraphs || columns.sentences {
            let found = Paragraphs::of(whole, sentences);
            if columns.paragraphs {
                sketch.paragraphs = found.parted;
                sketch.overlapping_paragraphs = found.overlapping;
            }
            if columns.sentences {
                sketch.sentence_chars = found.sentence_chars;
            }
        }
        if page.markup {
            beginning(&text.title).clone_into(&mut sketch.title);
            sketch.hollow = tokens.len() < HOLLOW_TOKENS && text.dropped >= HOLLOW_DROPPED;
            if columns.links {
                (sketch.links, sketch.link_kinds) = link_targets::targets(&text.links, page.url);
            }
        }
    }

    /// Whether the tokens of pages are those of all their text, of which chunks are made.
    fn chunks_are_of_tokens(&self) -> bool {
        self.chunk_text == ChunkText::Tokens && !self.text.images && self.boilerplate.is_none()
    }

    /// The paragraphs of a page, and nothing else of its sketch. They are of all its text, boilerplate
    /// too, as the paper knows of none.
    pub fn paragraphs_of(&self, page: &Page<'_>, scratch: &mut Scratch) -> Paragraphs {
        let raw = &*decoded(page);
        let Scratch { text, sentences, .. } = scratch;
        if !page.markup {
            return Paragraphs::of(raw, sentences);
        }
        html::extract(raw, self.text, text);
        Paragraphs::of(&text.text, sentences)
    }

    /// The chunks of a page by each chunking, and nothing else of its sketch.
    pub fn chunks_of(
        &self,
        page: &Page<'_>,
        chunkings: &[Chunking],
        scratch: &mut Scratch,
    ) -> Vec<Vec<u64>> {
        let raw = &*decoded(page);
        let Scratch { text, cut, .. } = scratch;
        if !page.markup {
            return self.chunks(page, raw, &[], chunkings, cut);
        }
        let paragraphs = wants(chunkings, Unit::Paragraph);
        html::extract(raw, TextOptions { paragraphs, images: false, ..self.text }, text);
        self.chunks(page, &text.text, &text.paragraph_ends, chunkings, cut)
    }

    /// Where the links of a page lead, and their kinds, and nothing else of its sketch.
    pub fn links_of(&self, page: &Page<'_>, scratch: &mut Scratch) -> (Vec<u64>, Vec<u64>) {
        if !page.markup {
            return Default::default();
        }
        let options = TextOptions { links: true, ..self.text };
        html::extract(&decoded(page), options, &mut scratch.text);
        link_targets::targets(&scratch.text.links, page.url)
    }
}

/// The paragraphs of a text without and with overlap, and the characters of their sentences.
pub struct Paragraphs {
    pub parted: Vec<u64>,
    pub overlapping: Vec<u64>,
    pub sentence_chars: Vec<u64>,
}

impl Paragraphs {
    fn of(text: &str, sentences: &mut Vec<u64>) -> Paragraphs {
        sentences.clear();
        let mut sentence_chars = Vec::new();
        paragraphs::fingerprints_and_lengths(text, sentences, &mut sentence_chars);
        Paragraphs {
            parted: paragraphs::paragraphs(sentences),
            overlapping: paragraphs::overlapping(sentences),
            sentence_chars,
        }
    }
}

/// The most characters that are kept of a title; an unclosed one is the whole page.
const TITLE: usize = 300;

fn beginning(title: &str) -> &str {
    title.char_indices().nth(TITLE).map_or(title, |(end, _)| &title[..end])
}

/// The characters of a text, runs of white space counting as one and those at the ends as none.
fn count_chars(text: &str) -> u64 {
    let mut count = 0u64;
    let mut space_before = 1u8;
    for block in text.as_bytes().chunks(128) {
        // Sums of up to 128 fit a byte, so that the loop is done many bytes at a time.
        let mut sum = 0u8;
        for &byte in block {
            let space = u8::from(byte == b' ') | u8::from(byte.wrapping_sub(b'\t') < 5);
            let follows = u8::from(byte & 0xC0 == 0x80);
            sum += (1 - follows) & (1 - (space & space_before));
            space_before = space;
        }
        count += u64::from(sum);
    }
    if count > 0 { count - u64::from(space_before) } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_counted_with_white_space_collapsed() {
        for text in ["", " ", "a", " a  b\n\nc ", "é\t漢 字", "\n\n", &"word ".repeat(300)] {
            let collapsed = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(count_chars(text), collapsed.chars().count() as u64, "{text:?}");
        }
    }
}
