//! Any text in tokens: by lines there are the same ones, as many words, and each word by itself is its
//! token.

use _core::text::tokens::{Fingerprint, TokenRules, tokenize, tokenize_parts, words};
use _core::text::white_space::folded;

use super::input::{Input, text};

pub fn run(data: &[u8]) {
    let mut input = Input(data);
    let bits = input.byte();
    let text = &*text(input.0);
    let rules = TokenRules {
        fold_case: bits & 1 != 0,
        split_unspaced: bits & 2 != 0,
        symbols: bits & 4 != 0,
        fingerprint: if bits & 8 != 0 { Fingerprint::Rabin } else { Fingerprint::Fast },
    };
    let mut tokens = Vec::new();
    tokenize(text, rules, &mut tokens);
    let mut ends: Vec<_> = text.match_indices('\n').map(|(place, _)| place + 1).collect();
    if ends.last() != Some(&text.len()) {
        ends.push(text.len());
    }
    let (mut by_lines, mut counts) = (Vec::new(), Vec::new());
    tokenize_parts(text, &ends, rules, &mut by_lines, &mut counts);
    assert_eq!(by_lines, tokens);
    assert_eq!(counts.len(), ends.len());
    assert!(counts.is_sorted() && counts.last() == Some(&tokens.len()));
    let found = words(text, rules);
    assert_eq!(found.len(), tokens.len());
    let mut last = 0;
    for (_, range) in &found {
        assert!(range.start >= last && text.get(range.clone()).is_some());
        last = range.start;
    }
    let mut buffer = Vec::new();
    let spaced: Vec<&str> = text.split_whitespace().collect();
    assert_eq!(folded(text, &mut buffer), spaced.join(" ").as_bytes());
}
