//! *Link*: an address in a page's markup that a crawler may go to.
//!
//! `a` and `area` by their `href`, `frame` and `iframe` by their `src`, a *redirect* by
//! `<meta http-equiv=refresh>`, and the *canonical* address by `<link rel=canonical>`. What stands in
//! templates, scripts and comments is no link, nor what stands in SVG and MathML.

use std::borrow::Cow;
use std::ops::Range;

use super::tags::{Key, StartTag};

/// What kind of link it is; a number that the border hands on as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    A = 0,
    Area = 1,
    Frame = 2,
    Iframe = 3,
    Redirect = 4,
    Canonical = 5,
}

/// One link as the page has it.
#[derive(Clone, Debug)]
struct Link {
    kind: Kind,
    /// The link itself asks not to be followed.
    nofollow: bool,
    /// Where in the text of all links it stands.
    href: Range<usize>,
}

/// The links of one page, as they stand there.
#[derive(Debug, Default)]
pub struct Links {
    found: Vec<Link>,
    /// All links, one after the other: a page may have millions.
    hrefs: String,
    /// What the first `base` element with an address says.
    base: Option<String>,
    /// A `<meta name=robots>` asks to follow none of the page's links.
    nofollow: bool,
}

const A: Key = Key::of("a");
const AREA: Key = Key::of("area");
const FRAME: Key = Key::of("frame");
const IFRAME: Key = Key::of("iframe");
const LINK: Key = Key::of("link");
const META: Key = Key::of("meta");
const BASE: Key = Key::of("base");

impl Links {
    pub fn clear(&mut self) {
        self.found.clear();
        self.hrefs.clear();
        self.base = None;
        self.nofollow = false;
    }

    pub fn base(&self) -> Option<&str> {
        self.base.as_deref()
    }

    /// The bytes that the buffers hold.
    pub fn capacity(&self) -> usize {
        self.hrefs.capacity() + self.found.capacity() * size_of::<Link>()
    }

    /// Every link in order: its kind, whether it is not to be followed, and its address as written.
    pub fn each(&self) -> impl Iterator<Item = (Kind, bool, &str)> {
        let link = |link: &Link| {
            (link.kind, self.nofollow || link.nofollow, &self.hrefs[link.href.clone()])
        };
        self.found.iter().map(link)
    }

    /// Takes in what a start tag says.
    pub fn start(&mut self, tag: &StartTag) {
        match tag.key {
            A => self.anchor(tag, Kind::A),
            AREA => self.anchor(tag, Kind::Area),
            FRAME => self.framed(tag, Kind::Frame),
            IFRAME => self.framed(tag, Kind::Iframe),
            LINK => {
                if tag.attribute("rel").is_some_and(|rel| has_word(&rel, "canonical"))
                    && let Some(href) = tag.attribute("href")
                {
                    self.add(Kind::Canonical, false, &href);
                }
            }
            META => self.meta(tag),
            BASE if self.base.is_none() => {
                self.base = tag.attribute("href").map(Cow::into_owned);
            }
            _ => {}
        }
    }

    fn anchor(&mut self, tag: &StartTag, kind: Kind) {
        if let Some(href) = tag.attribute("href") {
            let nofollow = tag.attribute("rel").is_some_and(|rel| has_word(&rel, "nofollow"));
            self.add(kind, nofollow, &href);
        }
    }

    fn framed(&mut self, tag: &StartTag, kind: Kind) {
        if let Some(src) = tag.attribute("src") {
            self.add(kind, false, &src);
        }
    }

    fn meta(&mut self, tag: &StartTag) {
        let Some(content) = tag.attribute("content") else { return };
        if let Some(name) = tag.attribute("name")
            && name.trim_ascii().eq_ignore_ascii_case("robots")
        {
            let mut asked = content.split([',', ' ', '\t', '\n', '\x0C', '\r']);
            self.nofollow |= asked.any(|word| {
                word.eq_ignore_ascii_case("nofollow") || word.eq_ignore_ascii_case("none")
            });
        }
        if tag.attribute("http-equiv").is_some_and(|asks| asks.eq_ignore_ascii_case("refresh"))
            && let Some(address) = refresh(&content)
        {
            self.add(Kind::Redirect, false, address);
        }
    }

    fn add(&mut self, kind: Kind, nofollow: bool, href: &str) {
        let start = self.hrefs.len();
        self.hrefs.push_str(href);
        self.found.push(Link { kind, nofollow, href: start..self.hrefs.len() });
    }
}

fn has_word(value: &str, word: &str) -> bool {
    value.split_ascii_whitespace().any(|each| each.eq_ignore_ascii_case(word))
}

/// The address in what a `refresh` says (WHATWG HTML section 4.2.5.3); none where it only reloads.
fn refresh(content: &str) -> Option<&str> {
    let rest = content.trim_ascii_start();
    let time = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    let (time, rest) = rest.split_at(time);
    let spaced = rest.trim_ascii_start();
    let parted = spaced.strip_prefix([';', ',']);
    // What follows the time is parted from it by something; without a time there must be a mark.
    if parted.is_none() && (time.is_empty() || spaced.len() == rest.len()) {
        return None;
    }
    let rest = parted.unwrap_or(spaced).trim_ascii_start();
    let named = rest
        .get(..3)
        .filter(|name| name.eq_ignore_ascii_case("url"))
        .and_then(|_| rest[3..].trim_ascii_start().strip_prefix('=').map(str::trim_ascii_start));
    let address = named.unwrap_or(rest);
    let quoted = address.chars().next().filter(|quote| matches!(quote, '"' | '\''));
    let address = match quoted {
        Some(quote) => address[1..].split(quote).next().unwrap_or_default(),
        None => address,
    };
    Some(address).filter(|address| !address.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::html::{Text, TextOptions, extract};

    fn read(html: &str) -> Text {
        let mut text = Text::default();
        let options =
            TextOptions { join_formatting: true, images: false, links: true, paragraphs: false };
        extract(html, options, &mut text);
        text
    }

    fn check(html: &str, expected: &[(Kind, bool, &str)]) {
        assert_eq!(read(html).links.each().collect::<Vec<_>>(), expected, "{html}");
    }

    #[test]
    fn every_kind_of_link() {
        check(
            "<link rel='Alternate CANONICAL' href=/c><link rel=stylesheet href=s.css>\
             <meta http-equiv=Refresh content='5; URL=/r'><a href='a?b&amp;c'>x</a><a name=n>y</a>\
             <map><area href=m shape=rect></map><iframe src=i><a href=inside></iframe>\
             <frameset><frame src=f></frameset><A HREF = \"b\" rel='next NoFollow'>z</A>",
            &[
                (Kind::Canonical, false, "/c"),
                (Kind::Redirect, false, "/r"),
                (Kind::A, false, "a?b&c"),
                (Kind::Area, false, "m"),
                (Kind::Iframe, false, "i"),
                (Kind::Frame, false, "f"),
                (Kind::A, true, "b"),
            ],
        );
    }

    #[test]
    fn what_nobody_follows_is_no_link() {
        check(
            "<!-- <a href=1> --><script>'<a href=2>'</script><style><a href=3></style>\
             <template><a href=4><template></template><a href=5></template>\
             <textarea><a href=6></textarea><title><a href=7></title>\
             <svg><a href=8></a></svg><noscript><a href=9></noscript><a href=10",
            &[(Kind::A, false, "9")],
        );
    }

    #[test]
    fn robots_speak_for_all_links_and_the_first_base_counts() {
        let text = read(
            "<a href=1><base target=x><base href=/b/><base href=/c/>\
             <meta name=Robots content='noindex,NoFollow'><a href=2>",
        );
        assert_eq!(text.links.base(), Some("/b/"));
        let found: Vec<_> = text.links.each().collect();
        assert_eq!(found, [(Kind::A, true, "1"), (Kind::A, true, "2")]);
        assert!(read("<meta name=robots content=none><a href=1>").links.each().all(|link| link.1));
        let other =
            read("<meta name=robots content=noindex><meta name=x content=nofollow><a href=1>");
        assert!(other.links.each().all(|link| !link.1));
    }

    #[test]
    fn refreshes_as_people_write_them() {
        for (content, expected) in [
            ("0;url=/a", Some("/a")),
            (" 0 ; URL = '/a b' x", Some("/a b")),
            ("3.5,url=\"/a", Some("/a")),
            ("5 /a", Some("/a")),
            ("0; /a", Some("/a")),
            (";url=/a", Some("/a")),
            ("0;url", Some("url")),
            ("0;ürl=/a", Some("ürl=/a")),
            ("5", None),
            ("5;", None),
            ("5/a", None),
            ("/a", None),
            ("0;url=''", None),
            ("", None),
        ] {
            assert_eq!(refresh(content), expected, "{content}");
        }
    }

    #[test]
    fn a_million_links() {
        let text = read(&"<a href=x><a href='//y/z'>".repeat(500_000));
        assert_eq!(text.links.each().count(), 1_000_000);
    }
}
