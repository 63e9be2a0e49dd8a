//! *Folded text*: the letters of tokens after NFC and case folding, those of one token right after
//! those of the one before, and where each begins.
//!
//! Text that is not all ASCII goes through a table, character by character and without a choice
//! that depends on the character: how long words are, and where in them other characters than ASCII
//! ones stand, cannot be foreseen. Only where something can compose, change places or expand does
//! a block of 64 bytes go another way.

use super::scan::{Block, classify_block};
use super::{TokenRules, fast};
use crate::unicode::{self, CHARACTERS, Class, Letter, Table};

/// Bytes and tokens that are held before they are handed on, unless one token is longer.
const HELD_BYTES: usize = 1024;
const HELD_TOKENS: usize = 512;

const LEAVE: u32 = 16;

/// The most bytes and tokens that a block gives.
const BLOCK: usize = 64;

/// A block, the rest of its last character, and what stands before it.
const WINDOW: usize = BEFORE_WINDOW + BLOCK + 4;
const BEFORE_WINDOW: usize = 4;

pub(super) struct Folded {
    steps: Steps,
    bytes: Vec<u8>,
    starts: Vec<usize>,
    end: End,
}

/// How much is held, and what stands at the end of it.
#[derive(Clone, Copy, Default)]
struct End {
    bytes: usize,
    tokens: usize,
    before: u64,
}

impl Folded {
    pub fn new(rules: TokenRules) -> Folded {
        let steps = steps(rules.split_unspaced);
        Folded { steps, bytes: Vec::new(), starts: Vec::new(), end: End::default() }
    }

    /// Adds the tokens of the piece of the text that begins at `at`, and gives where it ends.
    pub fn piece(&mut self, text: &str, mut at: usize, tokens: &mut Vec<u64>) -> usize {
        let table = &*CHARACTERS;
        loop {
            self.make_room(tokens);
            let bytes = text.as_bytes();
            let edge;
            let window =
                match at.checked_sub(BEFORE_WINDOW).and_then(|at| bytes[at..].first_chunk()) {
                    Some(window) => window,
                    None => {
                        let mut padded = [0; WINDOW];
                        let rest = &bytes[at..bytes.len().min(at + WINDOW - BEFORE_WINDOW)];
                        padded[BEFORE_WINDOW..][..rest.len()].copy_from_slice(rest);
                        edge = padded;
                        &edge
                    }
                };
            let block = window[BEFORE_WINDOW..].first_chunk().map(classify_block);
            let Some(Block { word, other, mut begins }) = block else { return text.len() };
            // Where the last other character's stretch ends, if it does so in this block. What is
            // beyond the end of the text looks like separators.
            let after = u64::MAX.checked_shl(64 - other.leading_zeros()).unwrap_or(0);
            let ends = !word & !other & after;
            let is_last = ends != 0 && (other.leading_zeros() >= LEAVE || text.len() - at < BLOCK);
            let end = if is_last {
                ends.trailing_zeros() as usize
            } else {
                // What can compose with something in the next block must stay for it.
                loop {
                    let end = 63 - begins.leading_zeros() as usize;
                    let is_boundary = |c: char| table.of(c).is_boundary;
                    if end == 0 || text[at + end..].chars().next().is_some_and(is_boundary) {
                        break end;
                    }
                    begins ^= 1 << end;
                }
            };
            begins &= u64::MAX >> (63 - end);
            if end == 0 && !is_last {
                let end = next_boundary(text, at, table);
                self.carefully(&text[at..end], tokens);
                at = end;
                if at == text.len() {
                    self.leave(tokens);
                    return at;
                }
                continue;
            }
            if !self.block(window, begins, table) {
                self.carefully(&text[at..at + end], tokens);
            }
            at += end;
            if is_last {
                self.leave(tokens);
                return at;
            }
        }
    }

    /// Takes in the characters of a block, up to where the last one begins, if nothing in it can
    /// compose, change places or expand. If not it says so, and takes in nothing.
    #[inline(always)]
    fn block(&mut self, window: &[u8; WINDOW], mut begins: u64, table: &Table) -> bool {
        let mut end = self.end;
        let mut at = 0;
        begins &= begins.wrapping_sub(1);
        let steps = self.steps;
        let (from, bytes) = (end.bytes, &mut self.bytes[end.bytes..]);
        let starts = &mut self.starts[end.tokens..];
        let (Some(bytes), Some(starts)) =
            (bytes.first_chunk_mut::<WINDOW>(), starts.first_chunk_mut::<BLOCK>())
        else {
            return false;
        };
        let (mut taken, mut count) = (0, 0);
        while begins != 0 {
            let next = begins.trailing_zeros() as usize & 63;
            begins &= begins.wrapping_sub(1);
            let (Some(utf8), Some(number)) =
                (window[BEFORE_WINDOW + at..].first_chunk(), window[next..].first_chunk())
            else {
                return false;
            };
            let utf8 = u32::from_le_bytes(*utf8);
            let entry = table.of_utf8(u32::from_be_bytes(*number), next - at);
            bytes[taken % BLOCK..][..4].copy_from_slice(&entry.folded(utf8).to_le_bytes());
            starts[count % BLOCK] = from + taken;
            let step = steps[entry.kind as usize] >> end.before;
            end.before = step & STATE;
            count += (step >> BEGINS & 1) as usize;
            taken += entry.taken as usize;
            at = next;
        }
        if end.before == NOT_PLAIN {
            return false;
        }
        end.bytes += taken;
        end.tokens += count;
        self.end = end;
        true
    }

    #[cold]
    fn carefully(&mut self, piece: &str, tokens: &mut Vec<u64>) {
        unicode::fold(piece, |letter| self.push(letter, tokens));
    }

    fn push(&mut self, letter: Letter, tokens: &mut Vec<u64>) {
        self.make_room(tokens);
        let step = self.steps[letter.class as usize] >> self.end.before;
        self.starts[self.end.tokens] = self.end.bytes;
        self.end.before = step & STATE;
        self.end.tokens += (step >> BEGINS & 1) as usize;
        if letter.class != Class::Separator {
            self.bytes[self.end.bytes..][..4].copy_from_slice(&letter.utf8.to_le_bytes());
            self.end.bytes += letter.length as usize;
        }
    }

    /// Makes room for a block.
    #[inline(always)]
    fn make_room(&mut self, tokens: &mut Vec<u64>) {
        if self.end.bytes + WINDOW > self.bytes.len()
            || self.end.tokens + BLOCK >= self.starts.len()
        {
            self.really_make_room(tokens);
        }
    }

    #[cold]
    fn really_make_room(&mut self, tokens: &mut Vec<u64>) {
        if self.end.before != 0 {
            // The last token may go on.
            let start = self.starts[self.end.tokens - 1];
            let last = self.end;
            self.end.tokens -= 1;
            self.end.bytes = start;
            self.hand_on(tokens);
            self.bytes.copy_within(start..last.bytes, 0);
            self.starts[0] = 0;
            self.end = End { bytes: last.bytes - start, tokens: 1, before: last.before };
        } else {
            self.hand_on(tokens);
        }
        self.starts.resize(HELD_TOKENS + BLOCK + 1, 0);
        let size = (2 * self.end.bytes).max(HELD_BYTES) + WINDOW;
        if self.bytes.len() < size {
            self.bytes.resize(size, 0);
        }
    }

    /// Hands all tokens on that are held.
    fn hand_on(&mut self, tokens: &mut Vec<u64>) {
        if self.end.tokens > 0 {
            self.starts[self.end.tokens] = self.end.bytes;
            let starts = &self.starts[..=self.end.tokens];
            tokens
                .extend(starts.windows(2).map(|edge| fast::<false>(&self.bytes, edge[0], edge[1])));
        }
        self.end = End::default();
    }

    fn leave(&mut self, tokens: &mut Vec<u64>) {
        self.hand_on(tokens);
    }
}

fn next_boundary(text: &str, at: usize, table: &Table) -> usize {
    let mut characters = text[at..].char_indices().skip(1);
    let end = characters.find(|&(_, character)| table.of(character).is_boundary);
    end.map_or(text.len(), |(end, _)| at + end)
}

/// For each kind of character what one of it does after each of the others: the place of what is
/// before the next one in the lower bits, and whether it begins a token.
type Steps = [u64; 8];

/// What may stand before a character, eight bits apart.
const SEPARATOR: u64 = 0;
const WORD: u64 = 8;
const UNSPACED: u64 = 16;
const LOW_WORD: u64 = 24;
const LOW_UNSPACED: u64 = 32;
const HIGH_WORD: u64 = 40;
const HIGH_UNSPACED: u64 = 48;
const NOT_PLAIN: u64 = 56;
const STATE: u64 = 0x38;
const BEGINS: u64 = 7;

fn steps(split_unspaced: bool) -> Steps {
    let begins = |before: u64| before | 1 << BEGINS;
    let step = |next: [u64; 7]| next.iter().rev().fold(NOT_PLAIN, |steps, next| steps << 8 | next);
    let separator = step([SEPARATOR; 7]);
    let new = begins(WORD);
    let word = step([new, WORD, new, WORD, new, WORD, new]);
    let unspaced = step([begins(UNSPACED); 7]);
    // A mark leaves what it stands on as it was; alone it begins a run.
    let mark = step([new, WORD, UNSPACED, WORD, UNSPACED, WORD, UNSPACED]);
    let bad = NOT_PLAIN;
    let low = step([begins(LOW_WORD), LOW_WORD, LOW_UNSPACED, bad, bad, bad, bad]);
    let high =
        step([begins(HIGH_WORD), HIGH_WORD, HIGH_UNSPACED, HIGH_WORD, HIGH_UNSPACED, bad, bad]);
    let unspaced = if split_unspaced { unspaced } else { word };
    let none = step([bad; 7]);
    [separator, word, unspaced, mark, low, high, none, none]
}
