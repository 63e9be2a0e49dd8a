//! What a character is to the tokenizer, from the Unicode tables of the ICU4X crates.
//!
//! Recipes are versioned, so the tables are pinned with `Cargo.lock`; by Unicode's stability rules
//! an update changes values only for characters that had no meaning before.

mod classes;

use std::collections::HashMap;
use std::sync::LazyLock;

use icu_casemap::CaseMapper;
use icu_normalizer::ComposingNormalizerBorrowed;
use icu_normalizer::properties::{
    CanonicalCombiningClassMapBorrowed, CanonicalDecompositionBorrowed, Decomposed,
};

use classes::slow_class;

pub use classes::{Class, Letter, is_symbol};

/// Characters below this are in the table; the rest are rare.
const TABLE: usize = 0x20000;

/// What the table has of a character. Characters that fold to themselves differ in nothing from
/// their neighbours, so that few blocks of the table are different ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// If the character is plain: which bits of its UTF-8 folding changes.
    changes: u32,
    pub kind: Kind,
    /// Nothing can compose with what stands before it, or change places with it, so that NFC of a
    /// text is that of what stands before it and that of the rest.
    pub is_boundary: bool,
    /// Its canonical combining class, by which NFC orders marks.
    combining: u8,
}

/// What a character is to whoever takes plain ones as they come: its class, as one bit, and others.
/// A character is plain if it stays what it is under NFC, unless marks stand in the wrong order, and
/// folds to one character of the same length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kind(pub u8);

impl Kind {
    pub const SEPARATOR: u8 = 1;
    pub const WORD: u8 = 2;
    pub const UNSPACED: u8 = 4;
    pub const MARK: u8 = 8;
    /// A mark that may stand before a `HIGH` one; others of both may have to change places.
    pub const LOW: u8 = 16;
    pub const HIGH: u8 = 32;
    pub const NOT_PLAIN: u8 = 64;
}

/// Low marks are of this combining class at most, so that what is usual needs no ordering: the vowels
/// of Thai stand before its tone marks.
const LOW: u8 = 103;

impl Entry {
    /// That of characters beyond the table.
    const UNKNOWN: Entry =
        Entry { changes: 0, kind: Kind(Kind::NOT_PLAIN), is_boundary: false, combining: 0 };

    fn new(from: char, class: Class, combining: u8, is_alone: bool, to: Option<char>) -> Entry {
        let (from, is_boundary) = (Letter::new(from, class), is_alone && combining == 0);
        let fits = |to: &Letter| is_alone && to.length == from.length;
        let Some(to) = to.map(|to| Letter::new(to, class)).filter(fits) else {
            return Entry { is_boundary, combining, ..Entry::UNKNOWN };
        };
        let kind = match (class, combining) {
            (Class::Separator, 0) => Kind::SEPARATOR,
            (Class::Word, 0) => Kind::WORD,
            (Class::Unspaced, 0) => Kind::UNSPACED,
            (Class::Mark, 0) => Kind::MARK,
            (Class::Mark, ..=LOW) => Kind::MARK | Kind::LOW,
            (Class::Mark, _) => Kind::MARK | Kind::HIGH,
            // Only marks combine.
            _ => Kind::NOT_PLAIN,
        };
        Entry { changes: from.utf8 ^ to.utf8, kind: Kind(kind), is_boundary, combining }
    }

    /// A plain character's bytes, folded. Bytes that follow it stay as they are.
    #[inline(always)]
    pub fn folded(&self, utf8: u32) -> u32 {
        utf8 ^ self.changes
    }
}

/// The entries of all characters below `TABLE`, in blocks of 64, alike blocks once.
pub struct Table {
    /// Where each block begins, by the bytes of UTF-8 before the last one, without their upper bits;
    /// the last is for all that is beyond the table.
    blocks: Box<[u16; BLOCKS + 1]>,
    /// As many as any block may have after it, so that none is looked up beyond them.
    entries: Box<[Entry; ENTRIES]>,
}

const ENTRIES: usize = (1 << 16) + 128;

/// The bytes before the last one of the first character beyond the table, as in `Table::blocks`.
const BLOCKS: usize = 0x20_00;

/// The bits of a character in its last byte and in those before it, by how many it has in UTF-8.
const BITS: [u32; 8] = [0, 0x7F, 0x1F_3F, 0x0F_3F_3F, 0x07_3F_3F_3F, 0, 0, 0];

impl Table {
    #[inline]
    pub fn of(&self, character: char) -> &Entry {
        let (bytes, length) = from_its_end(character);
        self.of_utf8(bytes, length)
    }

    /// The entry of a character of this length in UTF-8: a number with its last byte lowest, and
    /// whatever stands before it in the upper bits.
    #[inline(always)]
    pub fn of_utf8(&self, bytes: u32, length: usize) -> &Entry {
        // Of the last byte all bits of ASCII characters; their two blocks lie one after the other.
        &self.entries[self.blocks[block(bytes, length)] as usize + (bytes & 0x7F) as usize]
    }
}

#[inline(always)]
fn block(bytes: u32, length: usize) -> usize {
    (((bytes & BITS[length % 8]) >> 8) as usize).min(BLOCKS)
}

/// A character's bytes in UTF-8, the last one lowest, and how many they are.
fn from_its_end(character: char) -> (u32, usize) {
    let Letter { utf8, length, .. } = Letter::new(character, Class::Word);
    (utf8.swap_bytes() >> (32 - 8 * length), length as usize)
}

pub static CHARACTERS: LazyLock<Table> = LazyLock::new(|| {
    let entries = entries();
    let mut table =
        Table { blocks: Box::new([0; BLOCKS + 1]), entries: Box::new([Entry::UNKNOWN; ENTRIES]) };
    // The first block stays for what is beyond the table.
    let mut used = 64;
    let mut known: HashMap<&[Entry], u16> = HashMap::new();
    for (code, block) in (0u32..).step_by(64).zip(entries.chunks(64)) {
        let start = *known.entry(block).or_insert_with(|| {
            table.entries[used..used + 64].copy_from_slice(block);
            used += 64;
            (used - 64) as u16
        });
        // The second block of ASCII is found through the first one.
        if let Some(first) = char::from_u32(code).filter(|&first| first != '\u{40}') {
            let (bytes, length) = from_its_end(first);
            table.blocks[self::block(bytes, length)] = start;
        }
    }
    table
});

fn entries() -> Vec<Entry> {
    let nfc = ComposingNormalizerBorrowed::new_nfc();
    let decompositions = CanonicalDecompositionBorrowed::new();
    let combining = CanonicalCombiningClassMapBorrowed::new();
    let fold = CaseMapper::new();
    let mut composes = vec![false; TABLE];
    // Beyond the table no character decomposes into two.
    for character in (0..TABLE as u32).filter_map(char::from_u32) {
        if let Decomposed::Expansion(_, second) = decompositions.decompose(character)
            && let Some(entry) = composes.get_mut(second as usize)
        {
            *entry = true;
        }
    }
    // Conjoining jamo compose by arithmetic, not by the tables.
    composes[0x1161..=0x1175].fill(true);
    composes[0x11A8..=0x11C2].fill(true);
    let mut buffer = [0; 4];
    (0..TABLE as u32)
        .map(|code| {
            let Some(character) = char::from_u32(code) else { return Entry::UNKNOWN };
            let text = &*character.encode_utf8(&mut buffer);
            let folded = fold.fold_string(text);
            let mut folded = folded.chars();
            let single = folded.next().filter(|_| folded.next().is_none());
            let is_whole = decompositions.decompose(character) == Decomposed::Default;
            let alone = (is_whole || nfc.is_normalized(text)) && !composes[code as usize];
            // A letter and what it folds to are of one class.
            let class = slow_class(character);
            Entry::new(character, class, combining.get_u8(character), alone, single)
        })
        .collect()
}

/// The part that a character has in a token.
#[inline]
pub fn class(character: char) -> Class {
    match CHARACTERS.of(character).kind.0 {
        Kind::SEPARATOR => Class::Separator,
        Kind::WORD => Class::Word,
        Kind::UNSPACED => Class::Unspaced,
        Kind::NOT_PLAIN => slow_class(character),
        _ => Class::Mark,
    }
}

/// Calls `each` with every character of NFC and full case folding of the text. Where nothing can
/// compose, change places or expand, the rule, it is folded character by character.
pub fn fold(text: &str, mut each: impl FnMut(Letter)) {
    let table = &*CHARACTERS;
    let mut rest = text;
    while !rest.is_empty() {
        let mut characters = rest.char_indices().skip(1);
        let end = characters.find(|&(_, character)| table.of(character).is_boundary);
        let (piece, after) = rest.split_at(end.map_or(rest.len(), |(end, _)| end));
        rest = after;
        let is_plain = |c: char| table.of(c).kind.0 != Kind::NOT_PLAIN;
        let order = piece.chars().map(|c| table.of(c).combining);
        if piece.chars().all(is_plain) && order.is_sorted() {
            for character in piece.chars() {
                let letter = Letter::new(character, class(character));
                each(Letter { utf8: table.of(character).folded(letter.utf8), ..letter });
            }
        } else {
            let composed = ComposingNormalizerBorrowed::new_nfc().normalize(piece);
            for character in CaseMapper::new().fold_string(&composed).chars() {
                each(Letter::new(character, class(character)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str) -> String {
        let mut out = String::new();
        fold(text, |letter| out.push(letter.character()));
        out
    }

    #[test]
    fn beyond_the_table_no_character_decomposes_into_two() {
        let decompositions = CanonicalDecompositionBorrowed::new();
        for character in '\u{20000}'..=char::MAX {
            let found = decompositions.decompose(character);
            assert!(!matches!(found, Decomposed::Expansion(..)), "{character:?} {found:?}");
        }
    }

    #[test]
    fn classes_of_characters() {
        use Class::*;
        for (character, expected) in [
            ('a', Word),
            ('7', Word),
            ('é', Word),
            ('한', Word),
            ('ب', Word),
            ('٣', Word),
            ('Ⅳ', Word),
            ('漢', Unspaced),
            ('〇', Unspaced),
            ('ひ', Unspaced),
            ('ก', Unspaced),
            ('\u{20000}', Unspaced),
            ('\u{0301}', Mark),
            ('\u{093F}', Mark),
            ('ー', Mark),
            ('_', Separator),
            ('½', Separator),
            ('\u{1F600}', Separator),
            ('\u{10FFFF}', Separator),
        ] {
            assert_eq!(class(character), expected, "{character:?}");
        }
    }

    #[test]
    fn folding_is_nfc_then_full_case_folding() {
        assert_eq!(folded("ÉCOLE"), "école");
        assert_eq!(folded("E\u{301}cole"), "école");
        assert_eq!(folded("Straße"), "strasse");
        assert_eq!(folded("ΣΊΣΥΦΟΣ"), "σίσυφοσ");
        assert_eq!(folded("\u{1100}\u{1161}"), "가");
        assert_eq!(folded("İ"), "i\u{307}");
        assert_eq!(folded("=\u{338}"), "≠");
    }

    #[test]
    fn any_sequence_is_folded_as_a_whole_one_would_be() {
        // Marks that compose, that do not, of many combining classes and of none; what expands,
        // grows, shrinks or is decomposed by NFC; what lies beyond the table.
        let alphabet: Vec<char> = "aÉßİſȺ=\u{301}\u{316}\u{338}\u{345}กุ่ຸ່ह\u{93C}\u{94D}\u{958}ب\u{651}\u{64E}\
                                   \u{5D0}\u{5BC}\u{5B0}\u{1100}\u{1161}\u{11A8}가漢ー\u{17000}\u{20000}\u{E0100}"
            .chars()
            .collect();
        let mut state = 1u64;
        for length in 0..2000 {
            let text: String = (0..length % 20)
                .map(|_| {
                    state = crate::fingerprints::mixing::mix(state.wrapping_add(1));
                    alphabet[state as usize % alphabet.len()]
                })
                .collect();
            let composed = ComposingNormalizerBorrowed::new_nfc().normalize(&text);
            assert_eq!(folded(&text), CaseMapper::new().fold_string(&composed), "{text:?}");
        }
    }

    #[test]
    fn the_table_and_the_slow_way_agree_on_every_character() {
        let nfc = ComposingNormalizerBorrowed::new_nfc();
        for character in (0..TABLE as u32).filter_map(char::from_u32) {
            let text = character.to_string();
            let slow = CaseMapper::new().fold_string(&nfc.normalize(&text)).into_owned();
            assert_eq!(folded(&text), slow, "{character:?}");
            fold(&text, |letter| {
                assert_eq!(letter.class, slow_class(letter.character()), "{character:?}");
            });
            assert_eq!(class(character), slow_class(character), "{character:?}");
        }
    }
}
