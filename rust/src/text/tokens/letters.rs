//! The tokens of a stretch of text that is not all ASCII, as people read them.

use super::rules::TokenRules;
use crate::text::unicode::{self, Class, Letter};

/// The token that is being read.
pub(super) struct Token {
    rules: TokenRules,
    letters: Vec<u8>,
    /// It is one character, with marks at most.
    single: bool,
}

impl Token {
    pub fn new(rules: TokenRules) -> Token {
        Token { rules, letters: Vec::new(), single: false }
    }

    /// Calls `each` with every token of the stretch.
    pub fn all(&mut self, stretch: &str, mut each: impl FnMut(&[u8])) {
        if self.rules.fold_case {
            unicode::fold(stretch, |letter| self.take(letter, &mut each));
        } else {
            for character in stretch.chars() {
                self.take(Letter::new(character, unicode::class(character)), &mut each);
            }
        }
        self.end(&mut each);
    }

    fn take(&mut self, letter: Letter, each: &mut impl FnMut(&[u8])) {
        // In the order of how often they are met.
        if letter.class == Class::Word && !self.single {
        } else if letter.class == Class::Separator {
            self.end(each);
            if !(self.rules.symbols && unicode::is_symbol(letter.character())) {
                return;
            }
            self.single = true;
        } else if letter.class == Class::Unspaced && self.rules.split_unspaced {
            self.end(each);
            self.single = true;
        } else if letter.class != Class::Mark && self.single {
            self.end(each);
        }
        self.letters.extend_from_slice(&letter.utf8.to_le_bytes()[..letter.length as usize]);
    }

    fn end(&mut self, each: &mut impl FnMut(&[u8])) {
        if !self.letters.is_empty() {
            each(&self.letters);
            self.letters.clear();
        }
        self.single = false;
    }
}
