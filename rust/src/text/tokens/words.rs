//! *Word*: a token as the text spells it.

use std::borrow::Cow;
use std::ops::Range;

use crate::text::unicode;

use super::letters::Token;
use super::rules::TokenRules;
use super::scan::{scan, stretch};

/// A token as people read it, and where in the text it stands, in bytes.
pub type Word<'a> = (Cow<'a, str>, Range<usize>);

/// The text's tokens as people read them, as many and in the same order as `tokenize` gives
/// fingerprints: spelt as in the text, unless normalising changed what a token is. Of the tokens of
/// a stretch where it did, the first stands for all of it, and the others nowhere.
pub fn words<'a>(text: &'a str, rules: TokenRules) -> Vec<Word<'a>> {
    let mut token = Token::new(rules);
    let mut written = Token::new(TokenRules { fold_case: false, ..rules });
    let others = |text: &'a str, start: usize, words: &mut Vec<Word<'a>>| {
        let stretch = stretch(text, start);
        let (mut folded, mut spelt) = (Vec::new(), Vec::new());
        token.all(stretch, |word| folded.push(owned(word)));
        written.all(stretch, |word| spelt.push(owned(word)));
        // Marks may compose with signs, and the text then has other words than the tokens.
        let alike = spelt.len() == folded.len()
            && spelt.iter().zip(&folded).all(|(spelt, folded)| is_folded(spelt, folded, rules));
        let end = start + stretch.len();
        let mut at = start;
        for word in if alike { spelt } else { folded } {
            let found = if alike { text[at..end].find(&word) } else { None };
            let range = found.map_or(at..end, |skipped| at + skipped..at + skipped + word.len());
            at = range.end;
            words.push((Cow::Owned(word), range));
        }
        end
    };
    let ascii = |bounds: &[[usize; 2]], words: &mut Vec<Word<'a>>| {
        let word = |&[start, end]: &[usize; 2]| (Cow::Borrowed(&text[start..end]), start..end);
        words.extend(bounds.iter().map(word));
    };
    let mut words = Vec::new();
    if rules.symbols {
        scan::<true, _>(text, &[text.len()], ascii, others, |_| (), &mut words);
    } else {
        scan::<false, _>(text, &[text.len()], ascii, others, |_| (), &mut words);
    }
    words
}

fn owned(word: &[u8]) -> String {
    String::from_utf8_lossy(word).into_owned()
}

/// Whether a word of the text gives this token.
pub(super) fn is_folded(spelt: &str, folded: &str, rules: TokenRules) -> bool {
    if !rules.fold_case {
        return spelt == folded;
    }
    let mut found = String::with_capacity(folded.len());
    unicode::fold(spelt, |letter| found.push(letter.character()));
    found == folded
}
