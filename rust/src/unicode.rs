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

const CLASS_BITS: u32 = 2;
const PLAIN: u32 = 1 << CLASS_BITS;
const FOLD_SHIFT: u32 = 3;

/// For each character its class, whether it is plain, and what it folds to.
static CHARACTERS: LazyLock<Vec<u32>> = LazyLock::new(|| {
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
            let class = slow_class(character) as u32;
            match single {
                Some(target) if alone => class | PLAIN | (target as u32) << FOLD_SHIFT,
                _ => class,
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

#[inline]
fn class_of(entry: u32) -> Class {
    match entry & 3 {
        0 => Class::Separator,
        1 => Class::Word,
        2 => Class::Unspaced,
        _ => Class::Mark,
    }
}

/// Calls `each` with every character of NFC and full case folding of the text, and its class. Text
/// in which nothing can compose or expand, the rule, is folded character by character.
#[inline]
pub fn fold(text: &str, mut each: impl FnMut(char, Class)) {
    let table = &**CHARACTERS;
    let plain = |character: char| match table.get(character as usize) {
        Some(&entry) if entry & PLAIN != 0 => Some(entry),
        _ => None,
    };
    if text.chars().all(|character| plain(character).is_some()) {
        for entry in text.chars().filter_map(plain) {
            // A letter and what it folds to are of one class.
            let folded = char::from_u32(entry >> FOLD_SHIFT).unwrap_or(char::REPLACEMENT_CHARACTER);
            each(folded, class_of(entry));
        }
    } else {
        let composed = ComposingNormalizerBorrowed::new_nfc().normalize(text);
        for character in CaseMapper::new().fold_string(&composed).chars() {
            each(character, class(character));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str) -> String {
        let mut out = String::new();
        fold(text, |character, _| out.push(character));
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
            fold(&text, |folded, class| assert_eq!(class, slow_class(folded), "{character:?}"));
            assert_eq!(class(character), slow_class(character), "{character:?}");
        }
    }
}
