//! Pages that nobody wrote in good faith: sizes at which anything but linear time would never end,
//! and pages put together at random.

use super::{Text, TextOptions, extract};

const OPTIONS: [TextOptions; 2] = [
    TextOptions { join_formatting: true, images: true, links: true, paragraphs: true },
    TextOptions { join_formatting: false, images: false, links: false, paragraphs: false },
];

fn text(html: &str) -> Text {
    let mut out = Text::default();
    extract(html, OPTIONS[0], &mut out);
    out
}

const MANY: usize = 1 << 20;

#[test]
fn repeated_beginnings_take_linear_time() {
    for piece in [
        "<",
        "</",
        "<!",
        "<!-",
        "<!--",
        "<!-->",
        "--!",
        "<?",
        "&",
        "&#",
        "&#x",
        "&a",
        "&not",
        "&#1",
        "<a",
        "<a ",
        "<a b=",
        "<a b='",
        "<a b=\"",
        "=",
        "'",
        "/",
        "<![CDATA[",
        "]]",
        "</script",
        "<p>",
        "</p>",
        "<b>",
        "<pre>",
        "</pre>",
        "<template>",
        "<svg>",
        "<math>",
        "</svg>",
        "<svg><math>",
        "</math></svg>",
        "<svg><desc>",
        "<title>",
        "</title",
        "<script>",
        "<!--<script>",
        "<textarea>",
        "\0",
        "\r",
        "<plaintext>",
        "<!DOCTYPE",
        "\u{1F600}",
        "<a\u{1F600}",
        "<img src=x>",
    ] {
        let run = piece.repeat(MANY / piece.len());
        for before in [
            "",
            "<script>",
            "<script><!--",
            "<style>",
            "<title>",
            "<svg>",
            "<!--",
            "<a b='",
            "<pre>",
        ] {
            text(&format!("{before}{run}"));
        }
    }
}

#[test]
fn near_misses_end_nothing() {
    let near = "</scrip></scriptx></ script>".repeat(MANY / 28);
    let page = text(&format!("a<script>{near}</script>b"));
    assert_eq!((page.text.as_str(), page.dropped), ("a b", near.len()));
    let near = "-- >--!->-!>".repeat(MANY / 12);
    let page = text(&format!("a<!--{near}-->b"));
    assert_eq!((page.text.as_str(), page.dropped), ("ab", near.len()));
    let near = "]] ]>".repeat(MANY / 5);
    assert_eq!(text(&format!("<svg><![CDATA[{near}]]>")).text, near);
    let near = "&#;&;&x;&#x;".repeat(MANY / 12);
    assert_eq!(text(&near).text, near);
}

#[test]
fn long_things_are_one_thing() {
    let long = "x".repeat(MANY);
    assert_eq!(text(&format!("a<{long} {long}='{long}'>b")).text, "a b");
    assert_eq!(text(&format!("a&{long};")).text, format!("a&{long};"));
    assert_eq!(text(&format!("a&#{};b", "1".repeat(MANY))).text, "a\u{FFFD}b");
    assert_eq!(text(&format!("<title>{long}")).title, long);
    let deep = "<div><svg><math>".repeat(MANY / 16);
    assert_eq!(text(&format!("{deep}a{deep}")).text, "a\n");
}

/// Marsaglia's xorshift: the same pages in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    /// A page of pieces of markup and stray characters.
    fn page(&mut self) -> String {
        const PIECES: [&str; 64] = [
            "<p>",
            "</p>",
            "<b>",
            "</b>",
            "<a href='",
            "'>",
            "\">",
            "</a>",
            "<!--",
            "-->",
            "--!>",
            "<!",
            "<?",
            "</",
            "<",
            ">",
            "/>",
            "<script>",
            "</script>",
            "<style>",
            "</style>",
            "<title>",
            "</title>",
            "<textarea>",
            "</textarea>",
            "<pre>",
            "</pre>",
            "<xmp>",
            "</xmp>",
            "<svg>",
            "</svg>",
            "<math>",
            "</math>",
            "<desc>",
            "</desc>",
            "<title/>",
            "<style/>",
            "<![CDATA[",
            "]]>",
            "<template>",
            "</template>",
            "<img src=",
            "<br/>",
            "<!DOCTYPE html ",
            "PUBLIC '",
            "&amp;",
            "&",
            "&#",
            "&#x1F600;",
            "&notin",
            ";",
            "\r\n",
            "\r",
            "\n",
            "\t",
            "\0",
            "=",
            "\"",
            "'",
            " ",
            "-",
            "é",
            "中",
            "\u{1F600}",
        ];
        let mut page = String::new();
        for _ in 0..self.below(40) {
            match self.below(4) {
                0 => page.extend(char::from_u32(self.below(0x11_0000) as u32)),
                1 => page.push_str(&"word ".repeat(self.below(6))),
                _ => page.push_str(PIECES[self.below(PIECES.len())]),
            }
        }
        page
    }
}

#[test]
fn any_page_has_a_text_of_whole_characters() {
    let mut random = Random(2006);
    let mut out = Text::default();
    for _ in 0..20_000 {
        let page = random.page();
        let cuts: Vec<usize> = page.char_indices().map(|(at, _)| at).chain([page.len()]).collect();
        let cut = cuts[random.below(cuts.len())];
        for html in [page.as_str(), &page[..cut], &page[cut..]] {
            for options in OPTIONS {
                extract(html, options, &mut out);
                // A cut character would have become a replacement character.
                let replaced = out.text.contains('\u{FFFD}');
                let could_be = html.contains(['\0', '\u{FFFD}', '&']);
                assert!(!replaced || could_be, "{html:?} gives {:?}", out.text);
                for image in &out.images {
                    assert!(out.text.is_char_boundary(image.offset), "{html:?}");
                }
            }
        }
    }
}

#[test]
fn text_without_markup_comes_through() {
    let mut random = Random(1998);
    for _ in 0..2_000 {
        let page: String = random.page().chars().filter(|c| !"<&\0".contains(*c)).collect();
        let white = |c: char| if matches!(c, '\t'..='\r') { ' ' } else { c };
        assert_eq!(text(&page).text, page.chars().map(white).collect::<String>());
        let lines = page.replace("\r\n", "\n").replace('\r', "\n");
        let white = |c: char| if matches!(c, '\t' | '\x0B' | '\x0C') { ' ' } else { c };
        let kept = text(&format!("<pre>{page}")).text;
        assert_eq!(kept, lines.chars().map(white).collect::<String>());
    }
}
