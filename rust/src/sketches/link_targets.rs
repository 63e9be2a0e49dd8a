//! Where the links of a page lead: the keys of their addresses, as seen from the page's own address or
//! from what its `base` element says. A link to what has no normal form leads nowhere.

use std::collections::HashMap;

use crate::addresses::normal_form::{Base, Resolver};
use crate::text::html::links::Links;

/// Where each different link leads, ascending as signed numbers, as tables have them; and beside it
/// twice the number of its kind, and one more if it is not to be followed.
pub fn targets(links: &Links, address: Option<&str>) -> (Vec<u64>, Vec<u64>) {
    let page = address.and_then(Base::of_page);
    let own = links.base().and_then(|href| Resolver::base(page.as_ref(), href));
    let base = own.as_ref().or(page.as_ref());
    let mut resolver = Resolver::default();
    // Pages link to the same places again and again: a tenth less time for a whole sketch.
    let mut known: HashMap<&str, Option<u64>> = HashMap::new();
    let mut found: Vec<(i64, u64)> = links
        .each()
        .filter_map(|(kind, nofollow, href)| {
            let href = href.split('#').next().unwrap_or_default();
            let key = *known.entry(href).or_insert_with(|| resolver.key(href, base));
            Some((key? as i64, 2 * kind as u64 + u64::from(nofollow)))
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found.into_iter().map(|(key, kind)| (key as u64, kind)).unzip()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::addresses::normal_form::page_key;
    use crate::text::html::links::Kind;
    use crate::text::html::{Text, TextOptions, extract};

    const PAGE: Option<&str> = Some("http://a.example/dir/page.html?x#y");

    fn check(html: &str, address: Option<&str>, expected: &[(&str, Kind, bool)]) {
        let mut text = Text::default();
        let options =
            TextOptions { join_formatting: true, images: false, links: true, paragraphs: false };
        extract(html, options, &mut text);
        let mut wanted: Vec<(i64, u64)> = expected
            .iter()
            .map(|(url, kind, refused)| {
                (page_key(url).unwrap() as i64, 2 * *kind as u64 + u64::from(*refused))
            })
            .collect();
        wanted.sort_unstable();
        let (keys, kinds) = targets(&text.links, address);
        let found: Vec<(i64, u64)> = keys.into_iter().map(|key| key as i64).zip(kinds).collect();
        assert_eq!(found, wanted, "{html}");
    }

    #[test]
    fn links_are_seen_from_the_page_and_counted_once() {
        check(
            "<a href=b.html#1><a href=' ./b.html '><a rel=nofollow href=b.html><iframe src=b.html></iframe>\
             <a href='/c?q=1&amp;r'><a href=//d.example><a href=''><a href='#z'><a href=?n>",
            PAGE,
            &[
                ("http://a.example/dir/b.html", Kind::A, false),
                ("http://a.example/dir/b.html", Kind::A, true),
                ("http://a.example/dir/b.html", Kind::Iframe, false),
                ("http://a.example/c?q=1&r", Kind::A, false),
                ("http://d.example/", Kind::A, false),
                ("http://a.example/dir/page.html?x", Kind::A, false),
                ("http://a.example/dir/page.html?n", Kind::A, false),
            ],
        );
    }

    #[test]
    fn a_base_counts_for_all_links_wherever_it_stands() {
        let expected = [("http://a.example/e/b.html", Kind::A, false)];
        check("<a href=b.html><base href='../e/f'><base href=/g/>", PAGE, &expected);
        let elsewhere = [("https://h.example/b.html", Kind::A, false)];
        check("<base href='https://h.example'><a href=b.html>", PAGE, &elsewhere);
        check("<base href='https://h.example'><a href=b.html>", None, &elsewhere);
        // A base that is none is as if it were not there.
        for base in ["http://", "data:,x", "javascript:x", "http://[", ""] {
            let here = [("http://a.example/dir/b.html", Kind::A, false)];
            check(&format!("<base href='{base}'><a href=b.html>"), PAGE, &here);
        }
    }

    #[test]
    fn links_that_lead_nowhere() {
        check(
            "<a href='mailto:a@b.example'><a href='javascript:void(0)'><a href='tel:1'>\
             <a href='http://'><a href='http://a b/'><a href='http://x:99999/'><a href='data:,'>",
            PAGE,
            &[],
        );
        // Without an address only absolute links lead somewhere.
        let html = "<a href=b><a href=//c.example/><a href=http://d.example/>";
        check(html, None, &[("http://d.example/", Kind::A, false)]);
        check(html, Some("urn:x"), &[("http://d.example/", Kind::A, false)]);
    }

    #[test]
    fn pages_of_a_folder() {
        check(
            "<a href=../b.html><a href=c/><a href=/d.html><a href=http://e.example/>",
            Some("/docs/a.html"),
            &[
                ("/b.html", Kind::A, false),
                ("/docs/c/", Kind::A, false),
                ("/d.html", Kind::A, false),
                ("http://e.example/", Kind::A, false),
            ],
        );
    }

    #[test]
    fn a_base_without_end_is_none() {
        let long = "x/".repeat(10 << 20);
        let html = format!("<base href='http://b.example/{long}'>") + &"<a href=b>".repeat(1 << 20);
        check(&html, PAGE, &[("http://a.example/dir/b", Kind::A, false)]);
        let mut many = format!("<base href='http://b.example/{long}'>");
        many.extend((0..1 << 18).map(|n| format!("<a href={n}>")));
        let mut text = Text::default();
        let options =
            TextOptions { join_formatting: true, images: false, links: true, paragraphs: false };
        extract(&many, options, &mut text);
        assert_eq!(targets(&text.links, None).0.len(), 0);
        assert_eq!(targets(&text.links, PAGE).0.len(), 1 << 18);
    }
}
