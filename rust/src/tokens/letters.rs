//! The tokens of a stretch of text that is not all ASCII, character by character.

use super::TokenRules;
use crate::mixing::mix;
use crate::unicode::{self, Class, Letter};

/// What is kept of a token's letters while it is read.
pub(super) trait Letters: Default {
    fn push(&mut self, letter: Letter);
    fn is_empty(&self) -> bool;
    fn clear(&mut self);
}

/// The letters themselves.
#[derive(Default)]
pub(super) struct Spelt(Vec<u8>);

impl Spelt {
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl Letters for Spelt {
    fn push(&mut self, letter: Letter) {
        self.0.extend_from_slice(&letter.utf8.to_le_bytes()[..letter.length as usize]);
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn clear(&mut self) {
        self.0.clear();
    }
}

/// The fast fingerprint of the letters so far: whole words of eight bytes, and the one that is not
/// full yet.
#[derive(Default)]
pub(super) struct Running {
    value: u64,
    word: u64,
    bits: u32,
    any: bool,
}

impl Running {
    pub fn value(&self) -> u64 {
        if self.bits > 0 { mix(self.value ^ self.word) } else { self.value }
    }
}

impl Letters for Running {
    #[inline(always)]
    fn push(&mut self, letter: Letter) {
        let utf8 = u64::from(letter.utf8);
        self.word |= utf8 << self.bits;
        self.bits += 8 * letter.length;
        self.any = true;
        if self.bits >= 64 {
            self.value = mix(self.value ^ self.word);
            self.bits -= 64;
            // What of the letter did not fit.
            self.word = utf8 >> (8 * letter.length - self.bits);
        }
    }

    fn is_empty(&self) -> bool {
        !self.any
    }

    #[inline(always)]
    fn clear(&mut self) {
        *self = Running::default();
    }
}

/// The token that is being read.
pub(super) struct Token<L> {
    rules: TokenRules,
    letters: L,
    unspaced: bool,
}

impl<L: Letters> Token<L> {
    pub fn new(rules: TokenRules) -> Token<L> {
        Token { rules, letters: L::default(), unspaced: false }
    }

    /// Calls `each` with every token of the stretch.
    pub fn all(&mut self, stretch: &str, mut each: impl FnMut(&L)) {
        if self.rules.fold_case {
            unicode::fold(stretch, |letter| self.take(letter, &mut each));
        } else {
            for character in stretch.chars() {
                self.take(Letter::new(character, unicode::class(character)), &mut each);
            }
        }
        self.end(&mut each);
    }

    /// Calls `each` with every token of the folded stretch if all its characters are plain, which is
    /// the rule. If not it says so, and the tokens it gave do not count.
    #[inline(always)]
    pub fn plain(&mut self, stretch: &str, mut each: impl FnMut(&L)) -> bool {
        for character in stretch.chars() {
            let Some(letter) = unicode::plain(character) else {
                self.end(&mut |_| {});
                return false;
            };
            self.take(letter, &mut each);
        }
        self.end(&mut each);
        true
    }

    #[inline(always)]
    fn take(&mut self, letter: Letter, each: &mut impl FnMut(&L)) {
        // In the order of how often they are met.
        if letter.class == Class::Word && !self.unspaced {
        } else if letter.class == Class::Separator {
            return self.end(each);
        } else if letter.class == Class::Unspaced && self.rules.split_unspaced {
            self.end(each);
            self.unspaced = true;
        } else if letter.class != Class::Mark && self.unspaced {
            self.end(each);
        }
        self.letters.push(letter);
    }

    #[inline(always)]
    fn end(&mut self, each: &mut impl FnMut(&L)) {
        if !self.letters.is_empty() {
            each(&self.letters);
            self.letters.clear();
        }
        self.unspaced = false;
    }
}
