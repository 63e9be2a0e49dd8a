//! A page's text is cut into chunks, as its recipe says.

use std::borrow::Cow;

use xxhash_rust::xxh3::xxh3_64;

use super::chunks::{
    ChunkText, Chunking, Cut, Unit, characters, chunks_of_each, chunks_of_units, wants,
};
use super::page::Page;
use super::paragraphs;
use super::recipe::Recipe;
use crate::text::tokens::{tokenize, tokenize_parts};

impl Recipe {
    /// The chunks of a page's text by each chunking; `marked` is where its markup ends paragraphs.
    pub(super) fn chunks(
        &self,
        page: &Page<'_>,
        text: &str,
        marked: &[usize],
        chunkings: &[Chunking],
        cut: &mut Cut,
    ) -> Vec<Vec<u64>> {
        let (text, marked) = self.without_boilerplate(page, text, marked);
        let mut values = std::mem::take(&mut cut.values);
        self.cut(&text, &marked, chunkings, &mut values, cut);
        let made = self.chunks_of_values(&text, &values, chunkings, cut);
        cut.values = values;
        made
    }

    /// Cuts a text: makes its values, tokens or lines, and finds where units end among them.
    pub(super) fn cut(
        &self,
        text: &str,
        marked: &[usize],
        chunkings: &[Chunking],
        values: &mut Vec<u64>,
        cut: &mut Cut,
    ) {
        values.clear();
        cut.read(text, marked, chunkings, self.chunk_text);
        let Cut { lines, counts, folded, .. } = &mut *cut;
        match self.chunk_text {
            ChunkText::Tokens => tokenize_parts(text, &lines.ends, self.rules, values, counts),
            ChunkText::Characters => {
                let mut start = 0;
                for &end in &lines.ends {
                    values.extend(characters(&text[start..end], folded));
                    counts.push(values.len());
                    start = end;
                }
            }
        }
        cut.settle();
    }

    /// The chunks of a text that is cut into these values.
    pub(super) fn chunks_of_values(
        &self,
        text: &str,
        values: &[u64],
        chunkings: &[Chunking],
        cut: &mut Cut,
    ) -> Vec<Vec<u64>> {
        if wants(chunkings, Unit::Sentence) {
            self.read_sentences(text, cut);
        }
        let by_characters = self.chunk_text == ChunkText::Characters;
        if by_characters && wants(chunkings, Unit::Words) {
            cut.words.clear();
            cut.words.extend(text.split_whitespace().map(|word| xxh3_64(word.as_bytes())));
        }
        let whole = values.len();
        let made = |&Chunking { unit, size, sliding }: &Chunking| match unit {
            Unit::Page if whole == 0 => Vec::new(),
            Unit::Page => chunks_of_units(values, &[whole], size, sliding),
            Unit::Lines => chunks_of_units(values, &cut.line_ends, size, sliding),
            Unit::Paragraph => chunks_of_units(values, &cut.paragraph_ends, size, sliding),
            Unit::Sentence => chunks_of_units(&cut.sentences, &cut.sentence_ends, size, sliding),
            Unit::Words if by_characters => chunks_of_each(&cut.words, size, sliding),
            Unit::Words => chunks_of_each(values, size, sliding),
        };
        chunkings.iter().map(made).collect()
    }

    fn read_sentences(&self, text: &str, cut: &mut Cut) {
        let Cut { sentences, sentence_ends, folded, .. } = cut;
        sentences.clear();
        sentence_ends.clear();
        paragraphs::sentences(text, |sentence| {
            let before = sentences.len();
            self.sentence(&String::from_utf8_lossy(sentence), sentences, folded);
            if sentences.len() > before {
                sentence_ends.push(sentences.len());
            }
        });
    }

    /// Adds the values of a sentence.
    pub(super) fn sentence(&self, sentence: &str, values: &mut Vec<u64>, folded: &mut Vec<u8>) {
        match self.chunk_text {
            ChunkText::Tokens => tokenize(sentence, self.rules, values),
            ChunkText::Characters => values.extend(characters(sentence, folded)),
        }
    }

    /// A text without what is left out of sketches, and where its markup then ends paragraphs.
    pub(super) fn without_boilerplate<'t>(
        &self,
        page: &Page<'_>,
        text: &'t str,
        marked: &'t [usize],
    ) -> (Cow<'t, str>, Cow<'t, [usize]>) {
        let (Some(boilerplate), Some(site)) = (&self.boilerplate, page.site) else {
            return (Cow::Borrowed(text), Cow::Borrowed(marked));
        };
        let (mut kept, mut places) = (String::new(), Vec::new());
        let mut marked = marked.iter().copied().peekable();
        let mut end = 0;
        for block in text.split_inclusive('\n') {
            end += block.len();
            if !boilerplate.has(site, block) {
                kept.push_str(block);
            }
            while marked.next_if(|&place| place <= end).is_some() {
                places.push(kept.len());
            }
        }
        (Cow::Owned(kept), Cow::Owned(places))
    }
}
