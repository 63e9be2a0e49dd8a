//! What a character is to the tokenizer, from the Unicode tables of the ICU4X crates.
//!
//! Recipes are versioned, so the tables are pinned with `Cargo.lock`; by Unicode's stability rules
//! an update changes values only for characters that had no meaning before.

use std::sync::LazyLock;

use icu_casemap::CaseMapper;
use icu_normalizer::ComposingNormalizerBorrowed;
use icu_normalizer::properties::{
    CanonicalCombiningClassMapBorrowed, CanonicalDecompositionBorrowed, Decomposed,
};
use icu_properties::CodePointMapData;
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup, Script};

/// A character's part in a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Class {
    /// Stands between tokens.
    Separator = 0,
    /// A letter or decimal digit: goes on with the run it stands in. Numbers written as letters
    /// (Ⅳ, 〇) count as letters, or Chinese years would lose their zeros.
    Word = 1,
    /// A letter of a script written without spaces: may be a token of its own.
    Unspaced = 2,
    /// A mark: belongs to what stands before it.
    Mark = 3,
}

/// Scripts whose words are not parted by spaces or other signs. (Tibetan parts its syllables by a
/// sign of its own, Hangul has spaces.)
const UNSPACED: [Script; 18] = [
    Script::Ahom,
    Script::Balinese,
    Script::Bopomofo,
    Script::Han,
    Script::Hiragana,
    Script::Javanese,
    Script::Katakana,
    Script::Khmer,
    Script::Lao,
    Script::Myanmar,
    Script::NewTaiLue,
    Script::Nushu,
    Script::TaiLe,
    Script::TaiTham,
    Script::TaiViet,
    Script::Tangut,
    Script::Thai,
    Script::Yi,
];

/// Letters by category that lengthen or voice the kana before them, as marks do.
const KANA_MARKS: [char; 4] = ['\u{30FC}', '\u{FF70}', '\u{FF9E}', '\u{FF9F}'];

/// Characters below this are looked up in a table; the rest are rare.
const TABLE: usize = 0x20000;

/// A character as the tokenizer takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Letter {
    /// Its bytes in UTF-8, the first one lowest, and how many they are.
    pub utf8: u32,
    pub length: u32,
    pub class: Class,
}

impl Letter {
    pub fn new(character: char, class: Class) -> Letter {
        let mut bytes = [0; 4];
        let length = character.encode_utf8(&mut bytes).len() as u32;
        Letter { utf8: u32::from_le_bytes(bytes), length, class }
    }

    pub fn character(self) -> char {
        let bytes = self.utf8.to_le_bytes();
        let text = std::str::from_utf8(&bytes[..self.length as usize]).unwrap_or_default();
        text.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    fn packed(self, plain: bool) -> u64 {
        let marks =
            self.class as u64 | u64::from(plain) << PLAIN | u64::from(self.length) << LENGTH;
        u64::from(self.utf8) << UTF8 | marks
    }

    #[inline(always)]
    fn unpacked(entry: u64) -> Letter {
        let (utf8, length) = ((entry >> UTF8) as u32, entry as u32 >> LENGTH);
        Letter { utf8, length, class: class_of(entry) }
    }
}

/// Where the parts of a packed letter lie; its class is in the lowest two bits.
const PLAIN: u32 = 2;
const LENGTH: u32 = 3;
const UTF8: u32 = 32;

/// For each character its class; and if it is plain, for nothing can compose with it and it folds to
/// one character, that one.
static CHARACTERS: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let nfc = ComposingNormalizerBorrowed::new_nfc();
    let decompositions = CanonicalDecompositionBorrowed::new();
    let combining = CanonicalCombiningClassMapBorrowed::new();
    let fold = CaseMapper::new();
    let mut composes = vec![false; TABLE];
    for character in '\0'..=char::MAX {
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
            let Some(character) = char::from_u32(code) else { return 0 };
            let text = &*character.encode_utf8(&mut buffer);
            let folded = fold.fold_string(text);
            let mut folded = folded.chars();
            let single = folded.next().filter(|_| folded.next().is_none());
            let alone = nfc.is_normalized(text)
                && combining.get_u8(character) == 0
                && !composes[code as usize];
            // A letter and what it folds to are of one class.
            let class = slow_class(character);
            match single {
                Some(target) if alone => Letter::new(target, class).packed(true),
                _ => Letter::new(character, class).packed(false),
            }
        })
        .collect()
});

fn slow_class(character: char) -> Class {
    let category = CodePointMapData::<GeneralCategory>::new().get(character);
    if GeneralCategoryGroup::Mark.contains(category) || KANA_MARKS.contains(&character) {
        Class::Mark
    } else if GeneralCategoryGroup::Letter.contains(category)
        || category == GeneralCategory::LetterNumber
    {
        let script = CodePointMapData::<Script>::new().get(character);
        if UNSPACED.contains(&script) { Class::Unspaced } else { Class::Word }
    } else if category == GeneralCategory::DecimalNumber {
        Class::Word
    } else {
        Class::Separator
    }
}

/// The part that a character has in a token.
#[inline]
pub fn class(character: char) -> Class {
    CHARACTERS
        .get(character as usize)
        .map_or_else(|| slow_class(character), |&entry| class_of(entry))
}

#[inline(always)]
fn class_of(entry: u64) -> Class {
    match entry & 3 {
        0 => Class::Separator,
        1 => Class::Word,
        2 => Class::Unspaced,
        _ => Class::Mark,
    }
}

/// What a character is folded to, if it is plain.
#[inline(always)]
pub fn plain(character: char) -> Option<Letter> {
    let entry = *CHARACTERS.get(character as usize)?;
    (entry >> PLAIN & 1 == 1).then(|| Letter::unpacked(entry))
}

/// Calls `each` with every character of NFC and full case folding of the text. Text in which nothing
/// can compose or expand, the rule, is folded character by character.
pub fn fold(text: &str, mut each: impl FnMut(Letter)) {
    if text.chars().all(|character| plain(character).is_some()) {
        text.chars().filter_map(plain).for_each(each);
    } else {
        let composed = ComposingNormalizerBorrowed::new_nfc().normalize(text);
        for character in CaseMapper::new().fold_string(&composed).chars() {
            each(Letter::new(character, class(character)));
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
