//! *Shingle paragraph*: three sentences in a row, as a 64-bit fingerprint (Pereira 2006, Definition 1).
//! A *sentence* ends at a period or, if none comes, at its 150th character; the next begins at the
//! 151st. Without overlap the paragraphs part the text; with overlap every sentence begins one.
//!
//! What the paper leaves open:
//! - The last one or two sentences make a last, shorter paragraph, because the paper's algorithm "uses
//!   the whole text of the documents": without it documents that end differently would be equal. With
//!   overlap every sentence is in a paragraph of three anyway; only a document of one or two sentences
//!   has a shorter one.
//! - Characters are those that `chars` counts: a run of white space (ASCII) is one space. White space
//!   at either end of a sentence is no part of it, and is not counted, so that a sentence is the same
//!   wherever it stands. Case stays: the paper compares text as it is.
//! - A period is a period, also in numbers, abbreviations and addresses; it is the last character of
//!   its sentence. The full stops of other scripts are periods too (`STOPS`), else their texts would
//!   be cut at every 150th character only, and one letter more would change all that follows.
//! - A sentence is a sequence of words, so a period with nothing before it, as in "...", ends none.
//!
//! More than 450 characters make three sentences or more, unless most of them are stops.

use xxhash_rust::xxh3::xxh3_64;

use crate::fingerprints::mixing::sequence;

/// Sentences of a paragraph.
pub const SENTENCES: usize = 3;
/// The most characters of a sentence.
pub const LONGEST: usize = 150;

/// What ends a sentence beside the period, in the order of their code points: what Unicode calls a
/// full stop, and the danda and double danda of Indic scripts, the section sign of Myanmar and the
/// khan of Khmer, which serve as one.
const STOPS: [char; 22] = [
    '\u{0589}',
    '\u{06D4}',
    '\u{0701}',
    '\u{0702}',
    '\u{0964}',
    '\u{0965}',
    '\u{104B}',
    '\u{1362}',
    '\u{166E}',
    '\u{17D4}',
    '\u{1803}',
    '\u{1809}',
    '\u{2CF9}',
    '\u{2CFE}',
    '\u{3002}',
    '\u{A4FF}',
    '\u{A60E}',
    '\u{A6F3}',
    '\u{FE52}',
    '\u{FF0E}',
    '\u{FF61}',
    '\u{16AF5}',
];

/// Which first bytes the UTF-8 of a stop can have.
const STOP_STARTS: [bool; 256] = {
    let mut starts = [false; 256];
    let mut stop = 0;
    while stop < STOPS.len() {
        let mut bytes = [0; 4];
        STOPS[stop].encode_utf8(&mut bytes);
        starts[bytes[0] as usize] = true;
        stop += 1;
    }
    starts
};

/// Calls `each` with every sentence of a text, in order; white space is collapsed in it.
pub fn sentences(text: &str, mut each: impl FnMut(&[u8])) {
    sentences_with_ends(text, |sentence, _| each(sentence));
}

/// The same, with where in the text each ends.
#[inline(always)]
pub fn sentences_with_ends(text: &str, mut each: impl FnMut(&[u8], usize)) {
    let mut sentence = Sentence::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        at += sentence.take_plain(&bytes[at..]);
        let Some(&byte) = bytes.get(at) else { break };
        if sentence.chars == LONGEST {
            sentence.end(&mut |found: &[u8]| each(found, at));
        }
        if byte < 0x80 {
            at += 1;
            sentence.take(byte, byte == b'.', &mut |found: &[u8]| each(found, at));
            continue;
        }
        let Some(character) = text[at..].chars().next() else { break };
        let width = character.len_utf8();
        let stop = STOP_STARTS[byte as usize] && is_stop(character);
        let end = at + width;
        sentence.take_wide(&bytes[at..end], stop, &mut |found: &[u8]| each(found, end));
        at = end;
    }
    sentence.end(&mut |found: &[u8]| each(found, text.len()));
}

/// Whether a character ends a sentence.
pub fn is_stop(character: char) -> bool {
    character == '.' || STOPS.binary_search(&character).is_ok()
}

/// Bytes that are looked at together.
const WORD: usize = 8;
const ONES: u64 = u64::from_ne_bytes([1; WORD]);
const HIGH: u64 = ONES << 7;

/// A sentence that is being read.
struct Sentence {
    /// Room for the longest, a space at its end, a stop, and a word that is copied whole.
    buffer: [u8; 4 * (LONGEST + 2) + WORD],
    length: usize,
    chars: usize,
    /// The last character was white space, or there was none yet.
    after_space: bool,
}

impl Sentence {
    fn new() -> Sentence {
        Sentence { buffer: [0; 4 * (LONGEST + 2) + WORD], length: 0, chars: 0, after_space: true }
    }

    /// Takes in the bytes up to the first that needs care, or up to the longest sentence, and gives
    /// their number. Care is for periods, controls, spaces after spaces and what is not ASCII.
    #[inline(always)]
    fn take_plain(&mut self, bytes: &[u8]) -> usize {
        let mut done = 0;
        while let Some(word) = bytes[done..].first_chunk::<WORD>() {
            let word = u64::from_le_bytes(*word);
            // Exact for ASCII; what is not is marked anyway.
            let is = |byte: u8| {
                let differing = (word ^ (ONES * u64::from(byte))) & !HIGH;
                !(differing + (ONES * 0x7F)) & HIGH
            };
            let spaces = is(b' ');
            let doubled = spaces & (spaces << 8 | u64::from(self.after_space) << 7);
            let controls = !((word & !HIGH) + ONES * 0x60) & HIGH;
            let care = is(b'.') | doubled | controls | word & HIGH;
            let plain = (care.trailing_zeros() as usize / 8).min(LONGEST - self.chars);
            self.buffer[self.length..self.length + WORD].copy_from_slice(&word.to_le_bytes());
            self.length += plain;
            self.chars += plain;
            done += plain;
            if plain > 0 {
                self.after_space = bytes[done - 1] == b' ';
            }
            if plain < WORD {
                break;
            }
        }
        done
    }

    /// Takes in a byte of ASCII.
    #[inline(always)]
    fn take(&mut self, byte: u8, stop: bool, each: &mut impl FnMut(&[u8])) {
        let space = byte == b' ' || byte.wrapping_sub(b'\t') < 5;
        if space && self.after_space {
            return;
        }
        self.take_wide(&[if space { b' ' } else { byte }], stop, each);
        self.after_space |= space;
    }

    /// Takes in the bytes of one character; a stop ends the sentence, if there is one.
    #[inline(always)]
    fn take_wide(&mut self, bytes: &[u8], stop: bool, each: &mut impl FnMut(&[u8])) {
        let none = self.length == 0;
        self.buffer[self.length..self.length + bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
        self.chars += 1;
        self.after_space = false;
        if stop {
            if none {
                self.length = 0;
            }
            self.end(each);
        }
    }

    /// Hands the sentence on without the space at its end, and begins the next; nothing is none.
    #[inline(always)]
    fn end(&mut self, each: &mut impl FnMut(&[u8])) {
        let found = &self.buffer[..self.length];
        let found = found.strip_suffix(b" ").unwrap_or(found);
        if !found.is_empty() {
            each(found);
        }
        (self.length, self.chars, self.after_space) = (0, 0, true);
    }
}

/// Adds the fingerprints of a text's sentences, in order.
pub fn fingerprints(text: &str, found: &mut Vec<u64>) {
    sentences(text, |sentence| found.push(xxh3_64(sentence)));
}

/// The same, and how many characters each sentence has.
pub fn fingerprints_and_lengths(text: &str, found: &mut Vec<u64>, lengths: &mut Vec<u64>) {
    sentences(text, |sentence| {
        found.push(xxh3_64(sentence));
        lengths.push(sentence.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u64);
    });
}

/// The texts of a text's paragraphs without overlap, a sentence a line: no sentence has lines.
pub fn texts(text: &str) -> Vec<Vec<u8>> {
    let (mut found, mut count) = (Vec::<Vec<u8>>::new(), 0);
    sentences(text, |sentence| {
        match found.last_mut() {
            Some(paragraph) if count % SENTENCES > 0 => {
                paragraph.push(b'\n');
                paragraph.extend_from_slice(sentence);
            }
            _ => found.push(sentence.to_vec()),
        }
        count += 1;
    });
    found
}

/// The paragraphs of a document with these sentences, without overlap.
pub fn paragraphs(sentences: &[u64]) -> Vec<u64> {
    sentences.chunks(SENTENCES).map(sequence).collect()
}

/// The same with overlap.
pub fn overlapping(sentences: &[u64]) -> Vec<u64> {
    if sentences.len() < SENTENCES {
        return paragraphs(sentences);
    }
    sentences.windows(SENTENCES).map(sequence).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        sentences(text, |sentence| found.push(String::from_utf8_lossy(sentence).into_owned()));
        found
    }

    #[test]
    fn stops_are_in_order() {
        assert!(STOPS.is_sorted());
    }

    #[test]
    fn a_sentence_ends_at_a_period_and_white_space_is_collapsed() {
        assert_eq!(split(" One \n\n two.Three.  Four "), ["One two.", "Three.", "Four"]);
        assert_eq!(split("Pi is 3.14."), ["Pi is 3.", "14."]);
    }

    #[test]
    fn a_sentence_ends_at_its_150th_character() {
        let a = |count: usize| "é".repeat(count);
        assert_eq!(split(&a(150)), [a(150)]);
        assert_eq!(split(&a(151)), [a(150), a(1)]);
        // The period is the 150th character, then the 151st: that one has no words before it.
        assert_eq!(split(&(a(149) + ". b")), [a(149) + ".", "b".into()]);
        assert_eq!(split(&(a(150) + ". b")), [a(150), "b".into()]);
        // White space where the next would begin is no part of it.
        assert_eq!(split(&(a(150) + "  b.")), [a(150), "b.".into()]);
        assert_eq!(split(&(a(149) + " b.")), [a(149), "b.".into()]);
    }

    #[test]
    fn only_periods_make_no_sentence() {
        assert!(split(&". ".repeat(500)).is_empty());
        assert_eq!(split("Wait... what. . ."), ["Wait.", "what."]);
        assert!(split("").is_empty() && split(" \t\n").is_empty());
    }

    #[test]
    fn full_stops_of_other_scripts_are_periods() {
        assert_eq!(split("一二三。四五．。六"), ["一二三。", "四五．", "六"]);
        assert_eq!(split("एक दो। तीन॥"), ["एक दो।", "तीन॥"]);
        assert_eq!(split("Why? Because! So"), ["Why? Because! So"]);
    }

    #[test]
    fn three_sentences_make_a_paragraph() {
        let of = |text: &str| {
            let mut found = Vec::new();
            fingerprints(text, &mut found);
            (paragraphs(&found), overlapping(&found))
        };
        let (parted, with_overlap) = of("a. b. c. d. e. f.");
        assert_eq!(parted, [of("a. b. c.").0, of("d. e. f.").0].concat());
        let windows = ["a. b. c.", "b. c. d.", "c. d. e.", "d. e. f."];
        assert_eq!(with_overlap, windows.map(|text| of(text).0).concat());
        // The rest is a shorter one.
        assert_eq!(of("a. b. c. d.").0, [of("a. b. c.").0, of("d.").0].concat());
        assert_eq!(of("a. b.").1.len(), 1);
        assert!(of("...").0.is_empty());
        let (mut found, mut lengths) = (Vec::new(), Vec::new());
        fingerprints_and_lengths("Ab cd.  é。 x", &mut found, &mut lengths);
        assert_eq!((found.len(), lengths), (3, vec![6, 2, 1]));
        assert_eq!(texts("a. b. c. d."), [b"a.\nb.\nc.".to_vec(), b"d.".to_vec()]);
    }
}
