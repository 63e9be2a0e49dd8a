//! *Class*: the part that a character has in a token, by its category and script.

use icu_properties::CodePointMapData;
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup, Script};

/// A character's part in a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Stands between tokens.
    Separator,
    /// A letter or decimal digit: goes on with the run it stands in. Numbers written as letters
    /// (Ⅳ, 〇) count as letters, or Chinese years would lose their zeros.
    Word,
    /// A letter of a script written without spaces: may be a token of its own.
    Unspaced,
    /// A mark: belongs to what stands before it.
    Mark,
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
}

/// The class, looked up in the tables of Unicode.
pub fn slow_class(character: char) -> Class {
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

/// Whether a character that is no part of a word is one that readers see: neither white space nor a
/// control character.
pub fn is_symbol(character: char) -> bool {
    let category = CodePointMapData::<GeneralCategory>::new().get(character);
    GeneralCategoryGroup::Punctuation.contains(category)
        || GeneralCategoryGroup::Symbol.contains(category)
        || category == GeneralCategory::OtherNumber
}
