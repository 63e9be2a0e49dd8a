//! Any text as a page's markup: all places that are told of lie in its text, in order.

#![no_main]

use _core::text::html::{Text, TextOptions, extract, extract_with_places};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: (u8, &str)| {
    let (bits, html) = data;
    let has = |bit: u8| bits & (1 << bit) != 0;
    let options = TextOptions {
        join_formatting: has(0),
        images: has(1),
        links: has(2),
        paragraphs: has(3),
    };
    let mut found = Text::default();
    let places = extract_with_places(html, options, &mut found);
    ascending(&found.text, places.iter().map(|(offset, _)| *offset));
    ascending(&found.text, found.images.iter().map(|image| image.offset));
    ascending(&found.text, found.paragraph_ends.iter().copied());
    assert!(found.dropped <= html.len());
    let mut again = Text::default();
    extract(html, options, &mut again);
    assert_eq!(again.text, found.text);
});

fn ascending(text: &str, offsets: impl Iterator<Item = usize>) {
    let mut last = 0;
    for offset in offsets {
        assert!(offset >= last && text.is_char_boundary(offset));
        last = offset;
    }
}
