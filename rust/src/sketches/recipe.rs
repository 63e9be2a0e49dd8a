//! *Recipe*: the settings by which bytes become text, tokens and sketches, made ready; and the parts of
//! a page that tokens are made of.

use super::chunks::ChunkText;
use super::features::Picker;
use super::page::{Page, decoded};
use super::paragraphs;
use super::shingles::Shingler;
use crate::text::boilerplate::{self, Boilerplate};
use crate::text::html::{self, Image, Text, TextOptions};
use crate::text::image_terms::{self, IMAGE};
use crate::text::tokens::{TokenRules, tokenize};

/// A recipe, made ready: how bytes become a sketch.
#[derive(Debug)]
pub struct Recipe {
    pub text: TextOptions,
    pub rules: TokenRules,
    pub shingler: Shingler,
    pub picker: Picker,
    pub m: usize,
    pub width: usize,
    pub bits: usize,
    /// A shingle counts as often as it stands on a page.
    pub frequency: bool,
    /// The projection is of shingles, not of tokens.
    pub project_shingles: bool,
    pub chunk_text: ChunkText,
    /// Blocks that make no tokens.
    pub boilerplate: Option<Boilerplate>,
}

/// What tokens are made of.
pub(crate) enum Piece<'a> {
    Text(&'a str),
    /// An image term: one token as it stands.
    Term(&'a str),
}

impl Recipe {
    /// The text of a page.
    pub fn text_of(&self, page: &Page<'_>) -> String {
        let raw = decoded(page);
        if !page.markup {
            return raw.into_owned();
        }
        let mut text = Text::default();
        html::extract(&raw, self.text, &mut text);
        text.text
    }

    /// The texts of a page's paragraphs, without overlap.
    pub fn paragraph_texts_of(&self, page: &Page<'_>) -> Vec<Vec<u8>> {
        paragraphs::texts(&self.text_of(page))
    }

    /// The sentences of a page's paragraphs, in order.
    pub fn sentences_of(&self, page: &Page<'_>) -> Vec<String> {
        let mut found = Vec::new();
        paragraphs::sentences(&self.text_of(page), |sentence| {
            found.push(String::from_utf8_lossy(sentence).into_owned());
        });
        found
    }

    /// The fingerprints of a page's tokens, those of image terms marked in their lowest bit.
    pub fn terms_of(&self, page: &Page<'_>) -> Vec<u64> {
        let (mut text, mut terms, mut tokens) = (Text::default(), Vec::new(), Vec::new());
        let whole = |_: &str| ();
        self.pieces(page, self.text, &mut text, whole, |piece| match piece {
            Piece::Text(text) => {
                tokens.clear();
                tokenize(text, self.rules, &mut tokens);
                terms.extend(tokens.iter().map(|token| token & !IMAGE));
            }
            Piece::Term(term) => terms.push(self.rules.fingerprint.of(term.as_bytes()) | IMAGE),
        });
        terms
    }

    /// The fingerprints of a page's different words, ascending; what images say is not among them.
    pub fn vocabulary_of(&self, page: &Page<'_>) -> Vec<u64> {
        let mut words = self.terms_of(page);
        words.retain(|term| term & IMAGE == 0);
        words.sort_unstable();
        words.dedup();
        words
    }

    /// The keys of a page's blocks; none where its site is not known.
    pub fn blocks_of(&self, page: &Page<'_>) -> Vec<u64> {
        page.site.map_or_else(Vec::new, |site| boilerplate::keys(site, &self.text_of(page)))
    }

    /// Calls `whole` with a page's text, and `each` with all that its tokens are made of, in order.
    /// HTML leaves its text in `text`.
    pub(crate) fn pieces(
        &self,
        page: &Page<'_>,
        options: TextOptions,
        text: &mut Text,
        whole: impl FnOnce(&str),
        mut each: impl FnMut(Piece<'_>),
    ) {
        let raw = &*decoded(page);
        if !page.markup {
            self.segments(page, raw, &[], &mut |_, piece| each(piece));
            return whole(raw);
        }
        html::extract(raw, options, text);
        self.segments(page, &text.text, &text.images, &mut |_, piece| each(piece));
        whole(&text.text);
    }

    /// Calls `each` with a text and with what its images give, in order, and with where in the text
    /// it begins; without boilerplate, if that is to be left out.
    pub(crate) fn segments(
        &self,
        page: &Page<'_>,
        text: &str,
        mut images: &[Image],
        each: &mut impl FnMut(usize, Piece<'_>),
    ) {
        let mut segment = |start: usize, end: usize, is_left_out: bool| {
            let mut from = start;
            while let Some((image, rest)) = images.split_first().filter(|(i, _)| i.offset <= end) {
                if !is_left_out {
                    each(from, Piece::Text(&text[from..image.offset]));
                }
                (from, images) = (image.offset, rest);
                if let Some(term) = image_terms::term(&image.src, page.url) {
                    each(from, Piece::Term(&term));
                }
            }
            if !is_left_out {
                each(from, Piece::Text(&text[from..end]));
            }
        };
        let (Some(boilerplate), Some(site)) = (&self.boilerplate, page.site) else {
            return segment(0, text.len(), false);
        };
        let mut start = 0;
        for block in text.split_inclusive('\n') {
            let end = start + block.len();
            segment(start, end, boilerplate.has(site, block));
            start = end;
        }
        // Images of a page without text.
        segment(start, text.len(), false);
    }
}
