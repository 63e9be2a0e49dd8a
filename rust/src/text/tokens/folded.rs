//! The tokens of text that is not all ASCII, after NFC and case folding.
//!
//! Each character of a block that is not ASCII is looked up in a table, which gives its kind and what
//! folding changes in it, without a choice that depends on the character: how long words are, and
//! where in them other characters than ASCII ones stand, cannot be foreseen. From the kinds follows
//! for the whole block at once where tokens begin and end. Only where something can compose, change
//! places or expand does a block go through the normaliser.

use super::fingerprint::fast;
use super::kinds::{Kinds, after_runs};
use super::rules::TokenRules;
use super::scan::{BLOCK, Block, classify_block, padded, write_places};
use crate::fingerprints::mixing::mix;
use crate::text::unicode::{self, CHARACTERS, Class, Kind, Letter, Table};

/// Bytes and tokens that are held before they are handed on, unless one token is longer.
const HELD_BYTES: usize = 1024;
const HELD_TOKENS: usize = 128;

/// A block and the rest of its last character, after room to read a character from its end.
const WINDOW: usize = BEFORE + WIDE;
const BEFORE: usize = 4;
const WIDE: usize = BLOCK + 4;

/// So many ASCII bytes at the end of a block end the piece of other text.
const LEAVE: u32 = 16;

/// Folded text that is held, and where the tokens in it begin and end.
pub(super) struct Folded {
    split_unspaced: bool,
    /// ASCII letters in it are not folded yet.
    bytes: Vec<u8>,
    used: usize,
    begins: Places,
    ends: Places,
    last: Last,
}

/// What the text ends with so far; marks are as what they stand on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Separator,
    Word,
    Unspaced,
}

#[derive(Default)]
struct Places {
    places: Vec<usize>,
    count: usize,
}

impl Places {
    #[inline(always)]
    fn add(&mut self, bits: u64, at: usize) {
        self.count += write_places(bits, at, &mut self.places[self.count..]);
    }
}

impl Folded {
    pub fn new(rules: TokenRules) -> Folded {
        Folded {
            split_unspaced: rules.split_unspaced,
            bytes: Vec::new(),
            used: 0,
            begins: Places::default(),
            ends: Places::default(),
            last: Last::Separator,
        }
    }

    /// Adds the tokens of the piece of the text that begins at `at`, and gives where it ends.
    pub fn piece(&mut self, text: &str, mut at: usize, tokens: &mut Vec<u64>) -> usize {
        let table = &*CHARACTERS;
        let bytes = text.as_bytes();
        loop {
            self.make_room(tokens);
            let edge;
            let inside = at.checked_sub(BEFORE).and_then(|at| bytes[at..].first_chunk());
            let window = if let Some(window) = inside {
                window
            } else {
                edge = padded::<WINDOW>(&bytes[at..bytes.len().min(at + WIDE)], BEFORE);
                &edge
            };
            let Some(block) = window[BEFORE..].first_chunk() else { return bytes.len() };
            let block = classify_block(block);
            let ascii = block.other.leading_zeros();
            // Where the last stretch with others ends, if it does so in this block. What is beyond
            // the end of the text looks like separators.
            let after = u64::MAX.checked_shl(BLOCK as u32 - ascii).unwrap_or(0);
            let ends = !block.word & !block.other & after;
            let is_last = ends != 0 && (ascii >= LEAVE || bytes.len() - at < BLOCK);
            let end = if is_last {
                ends.trailing_zeros() as usize
            } else {
                last_boundary(text, at, block.begins, table)
            };
            if end == 0 && !is_last {
                let next = next_boundary(text, at, table);
                self.carefully(&text[at..next], tokens);
                at = next;
            } else {
                if !self.block(window, &block, end, table, tokens) {
                    self.carefully(&text[at..at + end], tokens);
                }
                at += end;
            }
            if is_last || at == bytes.len() {
                self.end_token();
                self.hand_on(tokens);
                return at;
            }
        }
    }

    /// Takes in the first `end` bytes of a block if nothing in them can compose, change places or
    /// expand. If not it says so, and takes in nothing.
    #[inline(always)]
    fn block(
        &mut self,
        window: &[u8; WINDOW],
        block: &Block,
        end: usize,
        table: &Table,
        tokens: &mut Vec<u64>,
    ) -> bool {
        let taken = (1 << end) - 1;
        let (word, other) = (block.word & taken, block.other & taken);
        let Some(bytes) = self.bytes[self.used..].first_chunk_mut::<WIDE>() else { return false };
        bytes.copy_from_slice(&window[BEFORE..]);
        let firsts = other & block.begins;
        let mut kinds = Kinds { each: [0; BLOCK], all: 0, firsts, follows: other & !firsts };
        let (mut firsts, mut lasts) = (firsts, other & block.begins >> 1);
        while firsts != 0 {
            let first = firsts.trailing_zeros() as usize % BLOCK;
            let last = lasts.trailing_zeros() as usize % BLOCK;
            firsts &= firsts.wrapping_sub(1);
            lasts &= lasts.wrapping_sub(1);
            let from_its_end = load(window, BEFORE + last - 3).swap_bytes();
            let entry = table.of_utf8(from_its_end, (last + 1).wrapping_sub(first));
            // What is written beyond the character is what stands there already.
            let folded = entry.folded(load(window, BEFORE + first));
            bytes[first..first + 4].copy_from_slice(&folded.to_le_bytes());
            kinds.each[first] = entry.kind.0;
            kinds.all |= entry.kind.0;
        }
        if !kinds.are_plain() {
            return false;
        }
        let is_unspaced = kinds.all & !Kind::SEPARATOR == Kind::UNSPACED;
        if is_unspaced && self.split_unspaced && word == 0 {
            self.hand_on_singles(kinds.firsts_of(Kind::UNSPACED), end, tokens);
        } else {
            self.take(&kinds, word, end);
        }
        true
    }

    /// Takes in the next `end` bytes: writes down where tokens begin and end in them.
    #[inline(always)]
    fn take(&mut self, kinds: &Kinds, ascii: u64, end: usize) {
        let mut word = ascii | kinds.bytes_of(Kind::WORD);
        let (mut token, mut begins, mut after_unspaced) = (word, 0, 0);
        if kinds.all & (Kind::UNSPACED | Kind::MARK) != 0 || self.last == Last::Unspaced {
            let mut unspaced = kinds.bytes_of(Kind::UNSPACED);
            if !self.split_unspaced {
                word |= unspaced;
                unspaced = 0;
            }
            let mark = kinds.bytes_of(Kind::MARK);
            token = word | unspaced | mark;
            // Marks on such a character are gone through.
            let after = unspaced << 1 | u64::from(self.last == Last::Unspaced);
            after_unspaced = after & !mark | after_runs(after & mark, mark);
            begins = unspaced & kinds.firsts | word & after_unspaced;
        }
        let before = token << 1 | u64::from(self.last != Last::Separator);
        begins |= token & !before;
        self.begins.add(begins, self.used);
        self.ends.add(before & (!token | begins) & ((1 << end) - 1), self.used);
        self.used += end;
        if end > 0 {
            self.last = match (token >> (end - 1) & 1, after_unspaced >> end & 1) {
                (0, _) => Last::Separator,
                (_, 0) => Last::Word,
                _ => Last::Unspaced,
            };
        }
    }

    /// Takes in the next `end` bytes, whose tokens are the single characters that begin at these
    /// places, and hands on all but the last, which may have marks after it. That they are of three
    /// bytes, seldom of four, makes this quicker than to write down their places.
    #[inline(always)]
    fn hand_on_singles(&mut self, mut firsts: u64, end: usize, tokens: &mut Vec<u64>) {
        let from = self.used;
        self.end_token();
        self.hand_on(tokens);
        let Some(bytes) = self.bytes[from..].first_chunk::<WIDE>() else { return };
        let length = |utf8: u32| if utf8 & 0xF0 == 0xF0 { 4 } else { 3 };
        let last = 63 - (firsts | 1).leading_zeros() as usize;
        firsts ^= 1 << last;
        tokens.reserve(BLOCK);
        while firsts != 0 {
            let utf8 = load(bytes, firsts.trailing_zeros() as usize % BLOCK);
            firsts &= firsts.wrapping_sub(1);
            tokens.push(mix(u64::from(utf8 & u32::MAX >> (32 - 8 * length(utf8)))));
        }
        let length = length(load(bytes, last));
        self.bytes.copy_within(from + last..from + last + length, 0);
        self.used = length;
        self.begins.add(1, 0);
        self.last = Last::Unspaced;
        if last + length < end {
            self.end_token();
        }
    }

    /// Takes in a piece that begins where nothing composes with what stands before it, and ends so.
    #[cold]
    fn carefully(&mut self, piece: &str, tokens: &mut Vec<u64>) {
        unicode::fold(piece, |letter| self.push(letter, tokens));
    }

    fn push(&mut self, letter: Letter, tokens: &mut Vec<u64>) {
        self.make_room(tokens);
        let last = match letter.class {
            Class::Separator => return self.end_token(),
            Class::Unspaced if self.split_unspaced => Last::Unspaced,
            Class::Mark if self.last == Last::Unspaced => Last::Unspaced,
            _ => Last::Word,
        };
        let goes_on = match letter.class {
            Class::Mark => self.last != Last::Separator,
            _ => self.last == Last::Word && last == Last::Word,
        };
        if !goes_on {
            self.end_token();
            self.begins.add(1, self.used);
        }
        self.last = last;
        self.bytes[self.used..][..4].copy_from_slice(&letter.utf8.to_le_bytes());
        self.used += letter.length as usize;
    }

    fn end_token(&mut self) {
        if self.last != Last::Separator {
            self.ends.add(1, self.used);
        }
        self.last = Last::Separator;
    }

    /// Makes room for a block.
    #[inline(always)]
    fn make_room(&mut self, tokens: &mut Vec<u64>) {
        if self.used + WINDOW <= self.bytes.len() && self.begins.count < HELD_TOKENS {
            return;
        }
        self.hand_on(tokens);
        for Places { places, .. } in [&mut self.begins, &mut self.ends] {
            // Those of a block, and as many as are written at once.
            places.resize(HELD_TOKENS + 2 * BLOCK, 0);
        }
        let size = (2 * self.used).max(HELD_BYTES) + WINDOW;
        if self.bytes.len() < size {
            self.bytes.resize(size, 0);
        }
    }

    /// Hands on all tokens that have ended, and keeps the one that has not.
    fn hand_on(&mut self, tokens: &mut Vec<u64>) {
        self.bytes[..self.used].make_ascii_lowercase();
        let begins = &self.begins.places[..self.begins.count];
        let (ended, open) = begins.split_at(self.ends.count);
        let edges = ended.iter().zip(&self.ends.places);
        tokens.extend(edges.map(|(&begin, &end)| fast::<false>(&self.bytes, begin, end)));
        let start = open.first().copied().unwrap_or(self.used);
        self.bytes.copy_within(start..self.used, 0);
        self.used -= start;
        self.begins.count = open.len();
        self.ends.count = 0;
        if self.begins.count > 0 {
            self.begins.places[0] = 0;
        }
    }
}

/// Four bytes, the first one lowest.
#[inline(always)]
fn load(bytes: &[u8], at: usize) -> u32 {
    bytes[at..].first_chunk().map_or(0, |four| u32::from_le_bytes(*four))
}

/// The last place in a block where nothing before it can compose with what follows, which may so be
/// left to the next block; 0 if there is none.
#[inline(always)]
fn last_boundary(text: &str, at: usize, mut begins: u64, table: &Table) -> usize {
    loop {
        let end = 63 - (begins | 1).leading_zeros() as usize;
        let mut rest = text[at + end..].chars();
        if end == 0 || rest.next().is_some_and(|character| table.of(character).is_boundary) {
            return end;
        }
        begins ^= 1 << end;
    }
}

/// The next such place after `at`, or the end of the text.
fn next_boundary(text: &str, at: usize, table: &Table) -> usize {
    let mut characters = text[at..].char_indices().skip(1);
    let found = characters.find(|&(_, character)| table.of(character).is_boundary);
    found.map_or(text.len(), |(end, _)| at + end)
}
