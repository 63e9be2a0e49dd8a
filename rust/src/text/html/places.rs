//! *Place* of a word: in which kind of element it stands, as far as that tells a person who compares
//! two pages how much a difference matters. There is no tree: an element is open from its start tag
//! to the end tag of the same name.

use super::tags::{Key, StartTag};

/// Where a word stands; a number that the border hands on as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    #[default]
    Body = 0,
    Title = 1,
    Heading = 2,
    /// What a visitor can change or erase: text areas and menus.
    Form = 3,
    /// Beside the main content: navigation, asides, footers.
    Margin = 4,
    /// What no visitor sees.
    Hidden = 5,
    /// The word is an image term.
    Image = 6,
}

/// An open element that is a place.
struct Open {
    key: Key,
    place: Place,
    /// How many elements of this name are open within it, itself included.
    depth: u32,
}

/// The places of a page so far: where in the text each begins.
#[derive(Default)]
pub struct Places {
    open: Vec<Open>,
    pub begun: Vec<(usize, Place)>,
}

/// Deeper nesting of places than any page has is not followed.
const DEEPEST: usize = 64;

const PLACES: [(Key, Place); 15] = [
    (Key::of("title"), Place::Title),
    (Key::of("h1"), Place::Heading),
    (Key::of("h2"), Place::Heading),
    (Key::of("h3"), Place::Heading),
    (Key::of("textarea"), Place::Form),
    (Key::of("select"), Place::Form),
    (Key::of("nav"), Place::Margin),
    (Key::of("aside"), Place::Margin),
    (Key::of("footer"), Place::Margin),
    (Key::of("noscript"), Place::Hidden),
    (Key::of("datalist"), Place::Hidden),
    (Key::of("object"), Place::Hidden),
    (Key::of("canvas"), Place::Hidden),
    (Key::of("audio"), Place::Hidden),
    (Key::of("video"), Place::Hidden),
];

/// Elements without content: nothing stands in them.
const EMPTY: [Key; 9] = [
    Key::of("img"),
    Key::of("input"),
    Key::of("br"),
    Key::of("hr"),
    Key::of("meta"),
    Key::of("link"),
    Key::of("embed"),
    Key::of("col"),
    Key::of("wbr"),
];

/// Elements that the next of their name ends.
const SIBLINGS: [Key; 7] = [
    Key::of("p"),
    Key::of("li"),
    Key::of("td"),
    Key::of("th"),
    Key::of("tr"),
    Key::of("dt"),
    Key::of("dd"),
];

impl Places {
    /// An element begins at this offset of the text.
    pub fn start(&mut self, tag: &StartTag, offset: usize) {
        if let Some(top) = self.open.last_mut().filter(|top| top.key == tag.key) {
            if !SIBLINGS.contains(&tag.key) {
                top.depth = top.depth.saturating_add(1);
                return;
            }
            self.open.pop();
            self.settle(offset);
        }
        let known = PLACES.iter().find(|(key, _)| *key == tag.key).map(|(_, place)| *place);
        let place = if is_hidden(tag) { Some(Place::Hidden) } else { known };
        if let Some(place) = place
            && self.open.len() < DEEPEST
            && !EMPTY.contains(&tag.key)
        {
            self.open.push(Open { key: tag.key, place, depth: 1 });
            self.settle(offset);
        }
    }

    /// An element ends at this offset of the text.
    pub fn end(&mut self, key: Key, offset: usize) {
        let Some(at) = self.open.iter().rposition(|open| open.key == key) else { return };
        if at + 1 == self.open.len() && self.open[at].depth > 1 {
            self.open[at].depth -= 1;
            return;
        }
        self.open.truncate(at);
        self.settle(offset);
    }

    /// The innermost place counts, but what is hidden hides all that is in it.
    fn settle(&mut self, offset: usize) {
        let hidden = self.open.iter().any(|open| open.place == Place::Hidden);
        let inner = self.open.last().map_or(Place::Body, |open| open.place);
        let place = if hidden { Place::Hidden } else { inner };
        if self.begun.last().map_or(Place::Body, |(_, last)| *last) != place {
            self.begun.push((offset, place));
        }
    }
}

/// Whether the tag itself says that its element is not shown; style sheets are not read.
fn is_hidden(tag: &StartTag) -> bool {
    let mut hidden = false;
    for attribute in tag.attributes() {
        if attribute.is("hidden") {
            hidden = true;
        } else if attribute.is("style") {
            let style: String =
                attribute.value().chars().filter(|c| !c.is_whitespace()).collect::<String>();
            let style = style.to_ascii_lowercase();
            hidden |= style.contains("display:none") || style.contains("visibility:hidden");
        }
    }
    hidden
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::html::{Text, TextOptions, extract_with_places};

    /// The words of a page with their places.
    fn places(html: &str) -> Vec<(String, Place)> {
        let mut text = Text::default();
        let options =
            TextOptions { join_formatting: true, images: false, links: false, paragraphs: false };
        let begun = extract_with_places(html, options, &mut text);
        let mut found = Vec::new();
        let mut at = 0;
        for word in text.text.split_ascii_whitespace() {
            at += text.text[at..].find(word).unwrap();
            let place = begun.iter().rev().find(|(offset, _)| *offset <= at);
            found.push((word.to_owned(), place.map_or(Place::Body, |(_, place)| *place)));
            at += word.len();
        }
        found
    }

    fn check(html: &str, expected: &[(&str, Place)]) {
        let found = places(html);
        let found: Vec<_> = found.iter().map(|(word, place)| (word.as_str(), *place)).collect();
        assert_eq!(found, expected, "{html}");
    }

    #[test]
    fn titles_headings_forms_and_margins() {
        check(
            "<title>A</title><h1>B <i>C</i></h1>D<textarea>E</textarea><select><option>F</select>G\
             <nav>H<ul><li>I</ul></nav><footer>J</footer>K",
            &[
                ("A", Place::Title),
                ("B", Place::Heading),
                ("C", Place::Heading),
                ("D", Place::Body),
                ("E", Place::Form),
                ("F", Place::Form),
                ("G", Place::Body),
                ("H", Place::Margin),
                ("I", Place::Margin),
                ("J", Place::Margin),
                ("K", Place::Body),
            ],
        );
    }

    #[test]
    fn what_is_hidden_hides_what_is_in_it() {
        check(
            "a<div style='DISPLAY : none'>b<div>c</div><h1>d</h1>e</div>f<span hidden>g</span>h\
             <noscript>i</noscript>j<input hidden>k<p hidden>l<p>m",
            &[
                ("a", Place::Body),
                ("b", Place::Hidden),
                ("c", Place::Hidden),
                ("d", Place::Hidden),
                ("e", Place::Hidden),
                ("f", Place::Body),
                ("g", Place::Hidden),
                ("h", Place::Body),
                ("i", Place::Hidden),
                ("j", Place::Body),
                ("k", Place::Body),
                ("l", Place::Hidden),
                ("m", Place::Body),
            ],
        );
    }

    #[test]
    fn what_is_not_closed_or_not_open() {
        check("</nav>a<nav>b", &[("a", Place::Body), ("b", Place::Margin)]);
        // The end of the outer one ends what is open in it.
        check(
            "<nav>a<h1>b</nav>c",
            &[("a", Place::Margin), ("b", Place::Heading), ("c", Place::Body)],
        );
        let deep = "<nav><h1>".repeat(10_000) + "a";
        check(&deep, &[("a", Place::Heading)]);
    }
}
