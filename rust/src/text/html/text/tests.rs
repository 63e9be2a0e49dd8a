use super::*;

const JOINED: TextOptions =
    TextOptions { join_formatting: true, images: true, links: false, paragraphs: false };
const PARTED: TextOptions =
    TextOptions { join_formatting: false, images: true, links: false, paragraphs: false };

fn page(html: &str, options: TextOptions) -> Text {
    let mut out = Text::default();
    extract(html, options, &mut out);
    out
}

fn text(html: &str) -> String {
    page(html, JOINED).text
}

#[test]
fn formatting_joins_or_parts() {
    let html = "<b>bo</b>ld H<sub>2</sub>O x<!-- c -->y <a>li</a>nk <span>sp</span>an<wbr>";
    assert_eq!(page(html, JOINED).text, "bold H2O xy li nk sp an");
    assert_eq!(page(html, PARTED).text, "bo ld H 2 O x y li nk sp an ");
}

#[test]
fn blocks_part_lines_and_cells_part_words() {
    assert_eq!(text("a<p>b</p>c<br>d<BR/>e</br>f"), "a\nb\nc\nd\ne\nf");
    assert_eq!(text("<div><div>a</div></div>b<hr>c"), "a\nb\nc");
    assert_eq!(text("<tr><td>a</td><td>b</td></tr><tr><th>c</th></tr>"), "a b \nc \n");
    assert_eq!(text("<ul><li>a<li>b</ul>"), "a\nb\n");
    assert_eq!(text("<select><option>a<option>b</select>c"), "a\nb c");
    assert_eq!(text("<my-own-element-with-a-long-name>a</x>b"), "a b");
}

#[test]
fn white_space_flows_except_where_lines_are_kept() {
    assert_eq!(text("a\nb\tc\r\nd\x0Ce"), "a b c  d e");
    assert_eq!(text("a<pre>\tb\nc\r\nd\re\n\n</pre>f\ng"), "a\n b\nc\nd\ne\n\nf g");
    assert_eq!(text("<pre>a<b>b</b>\nc</pre>"), "ab\nc\n");
    assert_eq!(text("<pre>a<pre>b\nc</pre>d\ne</pre>f\ng</pre>h\ni"), "a\nb\nc\nd\ne\nf g\nh i");
    assert_eq!(text("a<textarea>b\nc<p>&amp;</textarea>d\ne"), "a\nb\nc<p>&\nd e");
    assert_eq!(text("a<xmp>b\nc<p>&amp;\r\n</xmp>d\ne"), "a\nb\nc<p>&amp;\nd e");
    assert_eq!(text("a<listing>b\nc</listing>"), "a\nb\nc\n");
    assert_eq!(text("a\nb<plaintext>c\nd</plaintext><p>"), "a b\nc\nd</plaintext><p>");
}

#[test]
fn references_are_decoded() {
    assert_eq!(text("&lt;p&gt; &eacute;&nbsp;&shy;&#8212;&copy"), "<p> é\u{A0}\u{AD}—©");
    assert_eq!(text("AT&T &unknown; a&b & &"), "AT&T &unknown; a&b & &");
    assert_eq!(text("a&#10;b&Tab;c<pre>a&#10;b</pre>"), "a b c\na\nb\n");
}

#[test]
fn what_no_browser_shows_is_no_text() {
    let hidden = page("a<script>if (1 < 2) '</p>'</script>b<style>p > q {}</style>c", JOINED);
    assert_eq!((hidden.text.as_str(), hidden.dropped), ("a b c", 17 + 8));
    let hidden = page("a<iframe><p>x</iframe>b<noframes>y</noframes>c<noembed>z</noembed>", JOINED);
    assert_eq!((hidden.text.as_str(), hidden.dropped), ("a b c ", 4 + 1 + 1));
    let hidden = page("a<!--bc-->d<!doctype x><?pi?>e", JOINED);
    assert_eq!((hidden.text.as_str(), hidden.dropped), ("ad e", 2 + 4));
    assert_eq!(text("a<script><!--<script></script>x</script>b"), "a b");
    assert_eq!(text("a<script>x"), "a ");
    assert_eq!(text("a<!--x"), "a");
    assert_eq!(text("a<p title='x>y' hidden>b<img alt=c>d"), "a\nb d");
}

#[test]
fn templates_are_no_text() {
    let html = "a<template>b<p>c<template>d</template>e<title>t</title><img src=i></template>f";
    let hidden = page(html, JOINED);
    assert_eq!((hidden.text.as_str(), hidden.dropped), ("a f", 5));
    assert_eq!((hidden.title.as_str(), hidden.images.len()), ("", 0));
    assert_eq!(text("a</template>b"), "a b");
    assert_eq!(text("<template>a<script>b</script>c</template>d"), "d");
}

#[test]
fn what_stands_in_for_scripts_and_objects_is_text() {
    assert_eq!(text("<noscript><p>a</p></noscript>b"), "a\nb");
    assert_eq!(text("<object>a</object><canvas>b</canvas><video>c</video>"), "a b c ");
}

#[test]
fn the_title_is_kept_and_is_text() {
    let titled = page("<head><title>\n A &amp;\t<b>B</b> </title><body>c", JOINED);
    assert_eq!(titled.title, "A & <b>B</b>");
    assert_eq!(titled.text, "  A & <b>B</b> \nc");
    let titled = page("<title>a</title><title>b</title>", JOINED);
    assert_eq!((titled.title.as_str(), titled.text.as_str()), ("a", "a\nb\n"));
    let titled = page("<svg><title>a</title></svg><title>b", JOINED);
    assert_eq!((titled.title.as_str(), titled.text.as_str()), ("b", "a\nb"));
    let untitled = page("a</title>b", JOINED);
    assert_eq!((untitled.title.as_str(), untitled.text.as_str()), ("", "a\nb"));
}

#[test]
fn images_have_a_place() {
    let html = "ab<img src=' x.gif?a&amp;b '>c<IMG SRC='y'><img><img src=''><image src=z>";
    let found = page(html, JOINED);
    assert_eq!(found.text, "ab c ");
    let image = |offset, src: &str| Image { offset, src: src.to_string() };
    assert_eq!(found.images, [image(2, "x.gif?a&b"), image(4, "y"), image(5, "z")]);
    let without = TextOptions { images: false, ..JOINED };
    assert_eq!(page(html, without).images, []);
}

#[test]
fn svg_and_mathml() {
    // Nothing in there switches to raw text, so what closes itself does not swallow the page.
    assert_eq!(text("<svg><title/><style/><script/><text>a</text></svg><p>b"), "a \nb");
    assert_eq!(text("<svg><style>p{}<![CDATA[<q>]]></style><text>a</svg>b"), "a b");
    assert_eq!(text("<svg><![CDATA[a<b>&amp;]]></svg><![CDATA[c]]>d"), "a<b>&amp; d");
    assert_eq!(text("<math><mi>x</mi><![CDATA[ y]]></math>"), "x  y ");
    assert_eq!(text("<svg/><![CDATA[x]]>a"), "a");
    // A tag of HTML ends what was not closed, but not HTML inside SVG.
    assert_eq!(text("<svg><style>a<p>b<style>c</style>d"), "b d");
    assert_eq!(
        text("<svg><foreignObject><p>a<style>b</style></foreignObject><![CDATA[c]]>"),
        "a c"
    );
    // These are elements of SVG, so CDATA directly in them is text; in the HTML they hold it is not.
    assert_eq!(text("<svg><desc><![CDATA[a]]>b</desc><![CDATA[c]]></svg>"), "ab c ");
    assert_eq!(text("<svg><title><![CDATA[<a>]]></title></svg><![CDATA[b]]>"), "<a>\n");
    assert_eq!(text("<svg><foreignObject><![CDATA[a]]><p><![CDATA[b]]>c"), "a\nc");
    assert_eq!(text("<svg><desc><svg><desc></desc></svg><![CDATA[a]]>b"), "b");
    assert_eq!(text("<svg><svg></svg><![CDATA[a]]></svg><![CDATA[b]]>c"), "a c");
    assert_eq!(text("a<svg><image src=x></svg>").len(), 2);
}

#[test]
fn nul_is_nothing() {
    assert_eq!(text("a\0b<title>c\0d</title>"), "ab\nc\u{FFFD}d\n");
}

#[test]
fn buffers_are_cleared() {
    let mut out = Text::default();
    extract("<title>a</title><img src=b><!--c-->", JOINED, &mut out);
    extract("d", JOINED, &mut out);
    assert_eq!((out.text.as_str(), out.title.as_str()), ("d", ""));
    assert_eq!((out.images.len(), out.dropped), (0, 0));
    extract("", JOINED, &mut out);
    assert_eq!(out.text, "");
}

#[test]
fn no_more_is_dropped_than_there_is() {
    for html in ["<script>\0\0\0\0\0\0\0\0", "<template>&nGt;&nGt;", "<noframes>\0&nGt;"] {
        let dropped = page(html, JOINED).dropped;
        assert!(dropped > 0 && dropped <= html.len(), "{html:?}: {dropped}");
    }
}
