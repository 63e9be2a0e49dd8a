//! *Token*: a maximal run of letters, marks and decimal digits, as a 64-bit fingerprint.
//!
//! The default recipe takes the text after NFC and full case folding, and makes each character with
//! its marks a token in scripts written without spaces. A recipe may also make each symbol with its
//! marks a token. Tokens are hashed eight bytes at a time:
//! those in ASCII where they stand in the text, others in a folded copy of their piece of it.

mod fingerprint;
mod folded;
mod kinds;
mod letters;
mod rules;
mod scan;
mod words;

use fingerprint::{fast, fast_or_symbol, rabin_fingerprint};
use folded::Folded;
use letters::Token;
use scan::{scan, stretch};

pub use fingerprint::Fingerprint;
pub use rules::TokenRules;
pub use words::{Word, words};

/// Adds the fingerprints of the text's tokens, in order.
pub fn tokenize(text: &str, rules: TokenRules, tokens: &mut Vec<u64>) {
    let whole = Parts { text, ends: &[text.len()], counts: &mut Vec::new() };
    all(whole, rules, tokens);
}

/// The same of a text in parts, such as its lines, which end at these places in ascending order, after
/// line breaks and at its end; adds how many tokens there are at the end of each, too.
pub fn tokenize_parts(
    text: &str,
    ends: &[usize],
    rules: TokenRules,
    tokens: &mut Vec<u64>,
    counts: &mut Vec<usize>,
) {
    all(Parts { text, ends, counts }, rules, tokens);
}

/// A text, where its parts end, and how many tokens there are at the end of each.
struct Parts<'a> {
    text: &'a str,
    ends: &'a [usize],
    counts: &'a mut Vec<usize>,
}

fn all(parts: Parts<'_>, rules: TokenRules, tokens: &mut Vec<u64>) {
    if rules.symbols {
        with_symbols(parts, rules, tokens);
    } else {
        without_symbols(parts, rules, tokens);
    }
}

fn without_symbols(parts: Parts<'_>, rules: TokenRules, tokens: &mut Vec<u64>) {
    match (rules.fingerprint, rules.fold_case) {
        (Fingerprint::Fast, true) => fingerprints::<false>(parts, rules, fast::<true>, tokens),
        (Fingerprint::Fast, false) => fingerprints::<false>(parts, rules, fast::<false>, tokens),
        (Fingerprint::Rabin, true) => {
            fingerprints::<false>(parts, rules, rabin_fingerprint::<true>, tokens);
        }
        (Fingerprint::Rabin, false) => {
            fingerprints::<false>(parts, rules, rabin_fingerprint::<false>, tokens);
        }
    }
}

fn with_symbols(parts: Parts<'_>, rules: TokenRules, tokens: &mut Vec<u64>) {
    match (rules.fingerprint, rules.fold_case) {
        (Fingerprint::Fast, true) => fingerprints::<true>(parts, rules, fast_or_symbol, tokens),
        (Fingerprint::Fast, false) => fingerprints::<true>(parts, rules, fast::<false>, tokens),
        (Fingerprint::Rabin, true) => {
            fingerprints::<true>(parts, rules, rabin_fingerprint::<true>, tokens);
        }
        (Fingerprint::Rabin, false) => {
            fingerprints::<true>(parts, rules, rabin_fingerprint::<false>, tokens);
        }
    }
}

/// `hash` gives the fingerprint of a token that is all ASCII.
#[inline(always)]
fn fingerprints<const SYMBOLS: bool>(
    parts: Parts<'_>,
    rules: TokenRules,
    hash: impl Fn(&[u8], usize, usize) -> u64,
    tokens: &mut Vec<u64>,
) {
    let Parts { text, ends, counts } = parts;
    counts.reserve(ends.len());
    let ended = |count| counts.push(count);
    let bytes = text.as_bytes();
    let words = |bounds: &[[usize; 2]], tokens: &mut Vec<u64>| {
        tokens.extend(bounds.iter().map(|&[start, end]| hash(bytes, start, end)));
    };
    if !SYMBOLS && rules.fold_case && rules.fingerprint == Fingerprint::Fast {
        let mut folded = Folded::new(rules);
        return scan::<SYMBOLS, _>(
            text,
            ends,
            words,
            |part, start, tokens| folded.piece(part, start, tokens),
            ended,
            tokens,
        );
    }
    let mut token = Token::new(rules);
    let others = |part: &str, start: usize, tokens: &mut Vec<u64>| {
        let stretch = stretch(part, start);
        token.all(stretch, |word| tokens.push(rules.fingerprint.of(word)));
        start + stretch.len()
    };
    scan::<SYMBOLS, _>(text, ends, words, others, ended, tokens);
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use icu_casemap::CaseMapper;
    use icu_normalizer::ComposingNormalizerBorrowed;

    use super::words::is_folded;
    use super::*;
    use crate::fingerprints::mixing::mix;
    use crate::text::unicode;
    use crate::text::unicode::Class;

    const DEFAULT: TokenRules = TokenRules {
        fold_case: true,
        split_unspaced: true,
        symbols: false,
        fingerprint: Fingerprint::Fast,
    };

    /// Tokens as the recipe says, straight from the definition.
    fn slow(text: &str, rules: TokenRules) -> Vec<String> {
        let composed = ComposingNormalizerBorrowed::new_nfc().normalize(text);
        let folded = CaseMapper::new().fold_string(&composed);
        let folded = if rules.fold_case { &*folded } else { text };
        let mut tokens: Vec<String> = Vec::new();
        let mut before = Class::Separator;
        for character in folded.chars() {
            let mut class = unicode::class(character);
            if class == Class::Unspaced && !rules.split_unspaced {
                class = Class::Word;
            }
            if class == Class::Separator && rules.symbols && unicode::is_symbol(character) {
                // By itself, as letters are in scripts without spaces.
                class = Class::Unspaced;
            }
            let goes_on = match class {
                Class::Separator | Class::Unspaced => false,
                Class::Word => before == Class::Word,
                Class::Mark => before != Class::Separator,
            };
            match tokens.last_mut() {
                Some(token) if goes_on => token.push(character),
                _ if class != Class::Separator => tokens.push(character.to_string()),
                _ => {}
            }
            // A mark leaves what it stands on as it was; alone it begins a run.
            if class != Class::Mark {
                before = class;
            } else if before == Class::Separator {
                before = Class::Word;
            }
        }
        tokens
    }

    fn check(text: &str, rules: TokenRules) -> Vec<String> {
        let expected = slow(text, rules);
        let mut tokens = Vec::new();
        tokenize(text, rules, &mut tokens);
        let fingerprints: Vec<u64> =
            expected.iter().map(|token| rules.fingerprint.of(token.as_bytes())).collect();
        assert_eq!(tokens, fingerprints, "{text:?} {expected:?}");
        check_lines(text, rules, &tokens);
        // Each word, folded, is the token in its place.
        let spelt = words(text, rules);
        assert_eq!(spelt.len(), expected.len(), "{text:?} {spelt:?}");
        let mut at = 0;
        for ((word, range), token) in spelt.iter().zip(&expected) {
            // In order, and each where the text has it; normalised ones share a stretch.
            assert!(range.start >= at && text.get(range.clone()).is_some(), "{text:?} {spelt:?}");
            at = range.end;
            assert!(
                text[range.clone()] == **word || is_folded_stretch(&text[range.clone()]),
                "{text:?} {spelt:?}"
            );
            assert!(
                *word == *token || is_folded(word, token, rules),
                "{text:?} {word:?} {token:?}"
            );
        }
        expected
    }

    /// The same tokens line by line, and as many of each line as it has by itself.
    fn check_lines(text: &str, rules: TokenRules, expected: &[u64]) {
        let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
        let ends = [&*ends, &[text.len()]].concat();
        let (mut tokens, mut counts, mut alone) = (Vec::new(), Vec::new(), Vec::new());
        tokenize_parts(text, &ends, rules, &mut tokens, &mut counts);
        assert_eq!(tokens, expected, "{text:?}");
        let mut start = 0;
        for (end, count) in ends.into_iter().zip(counts) {
            tokenize(&text[start..end], rules, &mut alone);
            assert_eq!(alone.len(), count, "{text:?} {start} {end}");
            start = end;
        }
    }

    /// Whether normalising may change what is a token here.
    fn is_folded_stretch(stretch: &str) -> bool {
        stretch.is_empty() || !stretch.is_ascii()
    }

    fn spelt(text: &str) -> Vec<Cow<'_, str>> {
        words(text, DEFAULT).into_iter().map(|(word, _)| word).collect()
    }

    #[test]
    fn words_are_spelt_as_in_the_text() {
        assert_eq!(spelt("The quick-brown FOX, 42!"), ["The", "quick", "brown", "FOX", "42"]);
        assert_eq!(spelt("Straße, ÉCOLE E\u{301}"), ["Straße", "ÉCOLE", "E\u{301}"]);
        assert_eq!(spelt("漢字2024年"), ["漢", "字", "2024", "年"]);
        // The mark makes one sign with what it stands on, which is no word; B stands folded.
        assert_eq!(spelt("Aé=\u{338}B"), ["Aé", "b"]);
        assert_eq!(spelt("É=\u{338}"), ["É"]);
    }

    #[test]
    fn words_of_many_scripts() {
        assert_eq!(
            check("The quick-brown FOX, 42!", DEFAULT),
            ["the", "quick", "brown", "fox", "42"]
        );
        assert_eq!(
            check("http://www.example.com/a", DEFAULT),
            ["http", "www", "example", "com", "a"]
        );
        assert_eq!(check("Crème Brûlée E\u{301}", DEFAULT), ["crème", "brûlée", "é"]);
        assert_eq!(check("漢字かな交じり文2024年", DEFAULT).len(), 10);
        assert_eq!(check("ที่นี่", DEFAULT), ["ที่", "นี่"]);
        assert_eq!(check("हिन्दी हिन्द", DEFAULT), ["हिन्दी", "हिन्द"]);
        assert_eq!(check("データ", DEFAULT), ["デー", "タ"]);
        assert_eq!(check("a=\u{338}b \u{301}x", DEFAULT), ["a", "b", "\u{301}x"]);
        let plain = TokenRules { fold_case: false, split_unspaced: false, ..DEFAULT };
        assert_eq!(check("漢字 Ab", plain), ["漢字", "Ab"]);
    }

    /// Texts of characters drawn from an alphabet, of every length up to one, each from another start.
    fn drawn(alphabet: &str, share_of_ascii: u64, longest: usize) -> impl Iterator<Item = String> {
        let alphabet: Vec<char> = alphabet.chars().collect();
        let mut state = 1u64;
        (0..longest).map(move |length| {
            (0..length)
                .map(|_| {
                    state = mix(state.wrapping_add(1));
                    let is_ascii = state >> 60 < share_of_ascii;
                    let among = if is_ascii { ASCII.len() } else { alphabet.len() };
                    let at = (state >> 8) as usize % among;
                    if is_ascii { char::from(ASCII[at]) } else { alphabet[at] }
                })
                .collect()
        })
    }

    const ASCII: &[u8] = b" \n.-=aZ9_";

    #[test]
    fn any_mixture_is_tokenized_as_defined() {
        let others = "éİßΣ\u{301}\u{338}漢かーกิ\u{1100}\u{1161}\u{11A8}ह\u{93F}\u{1F600}\u{20000}";
        // Mostly ASCII, so that blocks of 64 bytes are met whole and broken; half and half.
        for text in drawn(others, 15, 400).chain(drawn(others, 8, 200)) {
            for fold_case in [false, true] {
                for split_unspaced in [false, true] {
                    for fingerprint in [Fingerprint::Fast, Fingerprint::Rabin] {
                        for symbols in [false, true] {
                            let rules =
                                TokenRules { fold_case, split_unspaced, symbols, fingerprint };
                            check(&text, rules);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn every_script_is_tokenized_as_defined() {
        for script in [
            "éÉñÇßſȺİ",
            "жЖыЁі—«",
            "σΣςΊά\u{301}·",
            "بت\u{64E}\u{651}٣،",
            "\u{5D0}\u{5D1}\u{5BC}\u{5B0}\u{5B4}",
            "हिन्दी\u{93C}\u{958}।३",
            "กขุูิ่้ๆ฿",
            "ກຂຸູິ່້",
            "漢字々〇。、",
            "かナーが\u{3099}ﾞ。a",
            "한글\u{1100}\u{1161}\u{11A8}",
            "\u{17000}\u{17001}\u{1B170}漢",
            "\u{1F600}\u{200D}\u{FE0F}\u{1F1E6}\u{E0100}\u{20000}\u{10400}",
        ] {
            for share_of_ascii in [0, 2, 8] {
                for text in drawn(script, share_of_ascii, 160) {
                    check(&text, DEFAULT);
                    check(&text, TokenRules { split_unspaced: false, ..DEFAULT });
                    check(&text, TokenRules { symbols: true, ..DEFAULT });
                }
            }
        }
    }

    #[test]
    fn symbols_are_tokens_where_a_recipe_says_so() {
        let rules = TokenRules { symbols: true, ..DEFAULT };
        assert_eq!(
            check("operator<< (A_b)", rules),
            ["operator", "<", "<", "(", "a", "_", "b", ")"]
        );
        // Folding leaves symbols as they are, which differ in the bit of lower case.
        assert_eq!(check("[{]}@`^~", rules).len(), 8);
        assert_eq!(
            check("5 € ½ ≠ =\u{338}\t\u{1}\u{200D}😀\u{FE0F}", rules),
            ["5", "€", "½", "≠", "≠", "😀\u{FE0F}"]
        );
        for count in [63, 64, 65, 128, 600, 1000] {
            assert_eq!(check(&"%".repeat(count), rules).len(), count);
            assert_eq!(check(&format!("{}é", "=".repeat(count)), rules).len(), count + 1);
            let composed = format!("{}=\u{338}", "a".repeat(count - 1));
            assert_eq!(check(&composed, rules)[1], "≠");
        }
    }

    #[test]
    fn tokens_of_any_length_and_number() {
        for letter in ["é", "漢", "e\u{301}", "ก่", "\u{94D}", "\u{301}", "Ж", "ß", "aé"] {
            for count in [7, 8, 9, 31, 32, 33, 63, 64, 65, 511, 512, 1100, 5000] {
                let word = letter.repeat(count);
                for text in [
                    &word,
                    &format!("a {word}"),
                    &format!("{word}.{word} z"),
                    &format!("漢{word}字"),
                ] {
                    check(text, DEFAULT);
                    check(text, TokenRules { split_unspaced: false, ..DEFAULT });
                }
                check(&format!("{letter}, ").repeat(count), DEFAULT);
            }
        }
    }

    #[test]
    fn a_mark_after_a_separator_begins_a_token_wherever_a_block_ends() {
        for count in 0..50 {
            let text = format!("{}。ー漢字", "漢".repeat(count));
            assert_eq!(check(&text, DEFAULT)[count..], ["ー", "漢", "字"]);
        }
    }
}
