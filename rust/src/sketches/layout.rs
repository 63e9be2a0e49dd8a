//! *Layout*: the text of a page with its words, and where each of them stands: what a person is shown
//! who compares two pages.

use super::page::{Page, decoded};
use super::recipe::{Piece, Recipe};
use crate::text::html::{Place, Text, extract_with_places};
use crate::text::tokens::words;

/// A token as the text spells it; `start` and `end` are offsets in the text, in characters.
#[derive(Debug, PartialEq, Eq)]
pub struct Word {
    pub spelt: String,
    pub start: usize,
    pub end: usize,
    pub place: Place,
}

impl Recipe {
    /// A page's text, and its words, one for each of `tokens_of`.
    pub fn layout_of(&self, page: &Page<'_>) -> (String, Vec<Word>) {
        let raw = decoded(page);
        let mut found = Vec::new();
        let mut add = |at: usize, piece: Piece<'_>| match piece {
            Piece::Text(text) => {
                found.extend(words(text, self.rules).into_iter().map(|(spelt, range)| Word {
                    spelt: spelt.into_owned(),
                    start: at + range.start,
                    end: at + range.end,
                    place: Place::Body,
                }));
            }
            Piece::Term(term) => {
                found.push(Word {
                    spelt: term.to_owned(),
                    start: at,
                    end: at,
                    place: Place::Image,
                });
            }
        };
        if !page.markup {
            self.segments(page, &raw, &[], &mut add);
            in_characters(&raw, &mut found);
            return (raw.into_owned(), found);
        }
        let mut text = Text::default();
        let begun = extract_with_places(&raw, self.text, &mut text);
        self.segments(page, &text.text, &text.images, &mut add);
        let mut begun = begun.into_iter().peekable();
        let mut place = Place::Body;
        for word in &mut found {
            while let Some((_, next)) = begun.next_if(|(offset, _)| *offset <= word.start) {
                place = next;
            }
            if word.place != Place::Image || place == Place::Hidden {
                word.place = place;
            }
        }
        in_characters(&text.text, &mut found);
        (text.text, found)
    }
}

/// Turns offsets in bytes, which ascend, into offsets in characters.
fn in_characters(text: &str, words: &mut [Word]) {
    let (mut bytes, mut characters) = (0, 0);
    let mut count = |offset: usize| {
        characters += text.get(bytes..offset).map_or(0, |between| between.chars().count());
        bytes = offset;
        characters
    };
    for word in words {
        word.start = count(word.start);
        word.end = count(word.end);
    }
}
