//! Any text in tokens: by lines there are the same ones, and as many words as tokens.

#![no_main]

use _core::text::tokens::{Fingerprint, TokenRules, tokenize, tokenize_parts, words};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: (u8, &str)| {
    let (bits, text) = data;
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
    for (_, range) in &found {
        assert!(text.get(range.clone()).is_some());
    }
});
