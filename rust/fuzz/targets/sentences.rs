//! Any text in sentences: they end in order, and every character that is no white space is in one.

#![no_main]

use _core::sketches::paragraphs::{fingerprints_and_lengths, sentences_with_ends, texts};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (mut last, mut count) = (0, 0);
    sentences_with_ends(text, |sentence, end| {
        assert!(end >= last && text.is_char_boundary(end));
        assert!(str::from_utf8(sentence).is_ok());
        last = end;
        count += 1;
    });
    let (mut found, mut lengths) = (Vec::new(), Vec::new());
    fingerprints_and_lengths(text, &mut found, &mut lengths);
    assert_eq!((found.len(), lengths.len()), (count, count));
    texts(text);
});
