//! Any text in sentences: they are what a slow and obvious reading gives, and end in order.

use _core::sketches::paragraphs::{
    LONGEST, fingerprints_and_lengths, is_stop, overlapping, paragraphs, sentences_with_ends, texts,
};

use super::input::text;

pub fn run(data: &[u8]) {
    let text = &*text(data);
    let (mut last, mut found) = (0, Vec::new());
    sentences_with_ends(text, |sentence, end| {
        assert!(end >= last && text.is_char_boundary(end));
        found.push(String::from_utf8(sentence.to_vec()).expect("text in, text out"));
        last = end;
    });
    assert_eq!(found, slow(text));
    let (mut values, mut lengths) = (Vec::new(), Vec::new());
    fingerprints_and_lengths(text, &mut values, &mut lengths);
    assert_eq!(values.len(), found.len());
    let counts: Vec<u64> = found.iter().map(|each| each.chars().count() as u64).collect();
    assert_eq!(lengths, counts);
    assert_eq!(texts(text).len(), paragraphs(&values).len());
    assert!(overlapping(&values).len() <= values.len());
}

/// A character at a time.
fn slow(text: &str) -> Vec<String> {
    let (mut found, mut sentence) = (Vec::new(), String::new());
    let mut end = |sentence: &mut String| {
        let whole = sentence.trim_end_matches(' ');
        if !whole.is_empty() {
            found.push(whole.to_owned());
        }
        sentence.clear();
    };
    for character in text.chars() {
        if sentence.chars().count() == LONGEST {
            end(&mut sentence);
        }
        let is_space = matches!(character, ' ' | '\t'..='\r');
        if is_space {
            if !sentence.is_empty() && !sentence.ends_with(' ') {
                sentence.push(' ');
            }
        } else if !is_stop(character) {
            sentence.push(character);
        } else if sentence.is_empty() {
            // Stops alone are no sentence.
        } else {
            sentence.push(character);
            end(&mut sentence);
        }
    }
    end(&mut sentence);
    found
}
