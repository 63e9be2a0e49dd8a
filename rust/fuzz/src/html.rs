//! Any text as a page's markup: all places that are told of lie in its text, in order.

use _core::text::html::{Text, TextOptions, extract, extract_with_places};

use super::input::{Input, text};

pub fn run(data: &[u8]) {
    let mut input = Input(data);
    let bits = input.byte();
    let html = text(input.0);
    let has = |bit: u8| bits & (1 << bit) != 0;
    let options =
        TextOptions { join_formatting: has(0), images: has(1), links: has(2), paragraphs: has(3) };
    let mut found = Text::default();
    let places = extract_with_places(&html, options, &mut found);
    ascending(&found.text, places.iter().map(|(offset, _)| *offset));
    ascending(&found.text, found.images.iter().map(|image| image.offset));
    ascending(&found.text, found.paragraph_ends.iter().copied());
    assert!(found.dropped <= html.len());
    assert!(options.images || found.images.is_empty());
    assert!(options.paragraphs || found.paragraph_ends.is_empty());
    // What else is asked for changes nothing of the text, nor do buffers that were used before.
    let plain = TextOptions { images: false, links: false, paragraphs: false, ..options };
    let mut again = Text::default();
    extract("<title>another</title><p>page <a href=b><img src=c>", options, &mut again);
    extract(&html, plain, &mut again);
    assert_eq!((again.text, again.title), (found.text, found.title));
}

fn ascending(text: &str, offsets: impl Iterator<Item = usize>) {
    let mut last = 0;
    for offset in offsets {
        assert!(offset >= last && text.is_char_boundary(offset));
        last = offset;
    }
}
