//! What each element does to the text around it.

use super::tags::Key;

/// What becomes of an element's tags and content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Parts words: links, spans, cells, controls, and whatever we do not know.
    Word,
    /// Parts lines.
    Line,
    /// Parts lines, but not paragraphs.
    Break,
    /// Only formats letters, so it may stand within a word. Ruby is not here: the reading beside a
    /// character is no part of its word.
    Letters,
    /// Parts lines and keeps those of its content.
    Lines,
    /// The same, but its content is text with references (textarea).
    LinesOfText,
    /// The same, but its content is raw text (xmp).
    LinesOfRawText,
    /// The same, up to the end of the page.
    LinesToTheEnd,
    Title,
    Script,
    /// Its content is raw text that no browser shows: style sheets, and what stands in for frames
    /// and plug-ins.
    Unseen,
    /// Its content is markup that no browser shows.
    Template,
    Image,
    Svg,
    Math,
    /// Inside SVG its content is HTML again.
    HtmlInSvg,
}

/// An element's role, and whether its start tag ends SVG or MathML that was not closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    pub role: Role,
    pub leaves_foreign: bool,
}

/// Names by role; in the second string those whose start tags end SVG and MathML, by the
/// specification's rules for foreign content.
const ELEMENTS: [(Role, &str, &str); 16] = [
    // Words are the rest; the common ones are here so that a lookup finds them at once.
    (Role::Word, "a button input label link td th time", "embed meta ruby span"),
    (
        Role::Line,
        "address article aside caption details dialog dir fieldset figcaption figure footer form \
         frameset header hgroup html isindex legend main marquee multicol nav optgroup option search \
         section summary tbody tfoot thead tr",
        "blockquote body center dd div dl dt h1 h2 h3 h4 h5 h6 head hr li menu ol p table ul",
    ),
    (Role::Break, "", "br"),
    (
        Role::Letters,
        "abbr acronym bdi bdo blink cite del dfn font ins kbd mark q samp wbr",
        "b big code em i nobr s small strike strong sub sup tt u var",
    ),
    (Role::Lines, "", "listing pre"),
    (Role::LinesOfText, "textarea", ""),
    (Role::LinesOfRawText, "xmp", ""),
    (Role::LinesToTheEnd, "plaintext", ""),
    (Role::Title, "title", ""),
    (Role::Script, "script", ""),
    (Role::Unseen, "iframe noembed noframes style", ""),
    (Role::Template, "template", ""),
    (Role::Image, "image", "img"),
    (Role::Svg, "svg", ""),
    (Role::Math, "math", ""),
    (Role::HtmlInSvg, "desc foreignobject", ""),
];

const UNKNOWN: Element = Element { role: Role::Word, leaves_foreign: false };

/// The element with this name.
#[inline(always)]
pub fn find(key: Key) -> Element {
    let mut slot = slot(key);
    loop {
        let (found, element) = TABLE[slot];
        if found == key.0 {
            return element;
        }
        if found == 0 {
            return UNKNOWN;
        }
        slot = (slot + 1) % SLOTS;
    }
}

const SLOTS: usize = 512;

/// Open addressing; a free slot has key 0, which is no name's.
static TABLE: [(u128, Element); SLOTS] = table();

const fn slot(key: Key) -> usize {
    let folded = (key.0 as u64) ^ ((key.0 >> 64) as u64).rotate_left(29);
    (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 55) as usize
}

const fn table() -> [(u128, Element); SLOTS] {
    let mut table = [(0, UNKNOWN); SLOTS];
    let mut row = 0;
    while row < ELEMENTS.len() {
        let (role, stays, leaves) = ELEMENTS[row];
        table = fill(table, stays, Element { role, leaves_foreign: false });
        table = fill(table, leaves, Element { role, leaves_foreign: true });
        row += 1;
    }
    table
}

const fn fill(
    mut table: [(u128, Element); SLOTS],
    names: &str,
    element: Element,
) -> [(u128, Element); SLOTS] {
    let mut rest = names;
    while !rest.is_empty() {
        let mut end = 0;
        while end < rest.len() && rest.as_bytes()[end] != b' ' {
            end += 1;
        }
        let (name, tail) = rest.split_at(end);
        let key = Key::of(name);
        let mut slot = slot(key);
        while table[slot].0 != 0 {
            slot = (slot + 1) % SLOTS;
        }
        table[slot] = (key.0, element);
        rest = if tail.is_empty() { tail } else { tail.split_at(1).1 };
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found() {
        let mut names = 0;
        for (role, stays, leaves) in ELEMENTS {
            for (list, leaves_foreign) in [(stays, false), (leaves, true)] {
                for name in list.split_ascii_whitespace() {
                    assert_eq!(find(Key::of(name)), Element { role, leaves_foreign }, "{name}");
                    names += 1;
                }
            }
        }
        assert_eq!(names, TABLE.iter().filter(|(key, _)| *key != 0).count());
        for name in ["x", "tdx", "object", "canvas", "bloc", ""] {
            assert_eq!(find(Key::of(name)), UNKNOWN, "{name}");
        }
        assert_eq!(find(Key::LONG), UNKNOWN);
    }
}
