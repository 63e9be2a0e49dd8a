use std::io::Write;

use super::*;

fn declared(body: &[u8]) -> Option<&'static str> {
    prescan::declared(body).map(Encoding::name)
}

#[test]
fn what_is_utf_8_is_not_copied() {
    for body in ["plain", "Gr\u{FC}\u{DF}e", "", "<meta charset=utf-8>\u{4E2D}"] {
        assert!(matches!(decode(body.as_bytes(), None, true), Cow::Borrowed(text) if text == body));
        let labelled = decode(body.as_bytes(), Some("UTF-8"), false);
        assert!(matches!(labelled, Cow::Borrowed(text) if text == body));
    }
    let ascii = decode(b"plain", Some("windows-1251"), true);
    assert!(matches!(ascii, Cow::Borrowed("plain")));
    let marked = decode(b"\xEF\xBB\xBFplain", Some("windows-1251"), true);
    assert!(matches!(marked, Cow::Borrowed("plain")));
}

#[test]
fn a_mark_comes_before_a_header_before_a_meta_before_a_guess() {
    let meta = b"<meta charset=windows-1251>\xC4\xE0";
    assert_eq!(decode(meta, None, true), "<meta charset=windows-1251>\u{414}\u{430}");
    assert_eq!(decode(meta, Some("latin1"), true), "<meta charset=windows-1251>\u{C4}\u{E0}");
    let marked =
        [b"\xEF\xBB\xBF".as_slice(), "<meta charset=windows-1251>\u{E4}".as_bytes()].concat();
    assert_eq!(decode(&marked, Some("latin1"), true), "<meta charset=windows-1251>\u{E4}");
    assert_eq!(decode(b"\xFF\xFEh\0i\0", Some("utf-8"), true), "hi");
    assert_eq!(decode(b"\xFE\xFF\0h\0i", None, false), "hi");
    assert_eq!(decode(b"h\0i\0", Some("utf-16"), true), "hi");
}

#[test]
fn in_plain_text_a_meta_is_only_text() {
    let body = b"<meta charset=windows-1251>caf\xE9, d\xE9j\xE0 vu";
    assert_eq!(
        decode(body, None, false),
        "<meta charset=windows-1251>caf\u{E9}, d\u{E9}j\u{E0} vu"
    );
}

#[test]
fn labels_mean_what_they_mean_to_browsers() {
    assert_eq!(decode(b"\x93\xE9\x94", Some("ISO-8859-1"), true), "\u{201C}\u{E9}\u{201D}");
    assert_eq!(decode(b"\xE9", Some(" \"latin1\" "), true), "\u{E9}");
    assert_eq!(declared(b"<meta charset=utf-16>"), Some("UTF-8"));
    assert_eq!(declared(b"<meta charset=x-user-defined>"), Some("windows-1252"));
    assert_eq!(declared(b"<meta charset=no-such-thing>"), None);
    // Unknown and refused labels leave it to detection.
    assert_eq!(decode("\u{E9}t\u{E9}".as_bytes(), Some("no-such-thing"), true), "\u{E9}t\u{E9}");
    assert_eq!(decode(b"~{abc~}", Some("hz-gb-2312"), true), "~{abc~}");
}

#[test]
fn wrong_bytes_are_replaced() {
    assert_eq!(decode(b"a\xE9b", Some("utf-8"), true), "a\u{FFFD}b");
    assert_eq!(decode(b"<meta charset=utf8>\xE9", None, true), "<meta charset=utf8>\u{FFFD}");
    assert_eq!(decode(b"a\x81", Some("shift_jis"), true), "a\u{FFFD}");
}

#[test]
fn undeclared_pages_are_guessed() {
    let (bytes, _, _) =
        encoding_rs::WINDOWS_1251.encode("Съешь же ещё этих мягких французских булок");
    assert_eq!(decode(&bytes, None, true), "Съешь же ещё этих мягких французских булок");
    let (bytes, _, _) = encoding_rs::SHIFT_JIS.encode("これは日本語の文章です。");
    assert_eq!(decode(&bytes, None, true), "これは日本語の文章です。");
    let (bytes, _, _) = ISO_2022_JP.encode("これは日本語の文章です。");
    assert_eq!(decode(&bytes, None, true), "これは日本語の文章です。");
    assert_eq!(decode(b"a\x1B[0m terminal", None, true), "a\u{1B}[0m terminal");
}

#[test]
fn metas() {
    for (head, name) in [
        ("<meta charset=iso8859-2>", Some("ISO-8859-2")),
        ("<META CHARSET = 'koi8-r' >", Some("KOI8-R")),
        ("<meta/charset=koi8-r>", Some("KOI8-R")),
        ("<metacharset=koi8-r>", None),
        ("<meta name=a content='text/html; charset=koi8-r'>", None),
        ("<meta content='text/html; charset=koi8-r' http-equiv=Content-Type>", Some("KOI8-R")),
        ("<meta http-equiv=Content-Type content='charset; charset = \"koi8-r\"'>", Some("KOI8-R")),
        ("<!-- <meta charset=koi8-r> --><meta charset=big5>", Some("Big5")),
        ("<!--><meta charset=big5>", Some("Big5")),
        ("<a title='<meta charset=koi8-r>'><meta charset=big5>", Some("Big5")),
        ("<!x <meta charset=koi8-r><meta charset=big5>", Some("Big5")),
        ("</ <meta charset=koi8-r><meta charset=big5>", Some("Big5")),
        ("< <meta charset=big5>", Some("Big5")),
        ("<meta charset=koi8-r charset=big5>", Some("KOI8-R")),
        ("<meta charset=bad><meta charset=big5>", Some("Big5")),
        ("<meta charset=koi8-r", None),
        ("<?xml version='1.0' encoding='koi8-r'?><p>", Some("KOI8-R")),
        ("<?xml version='1.0' encoding='koi8-r'?><meta charset=big5>", Some("Big5")),
    ] {
        assert_eq!(declared(head.as_bytes()), name, "{head}");
    }
    let late = format!("{}<meta charset=koi8-r>", " ".repeat(1010));
    assert_eq!(declared(late.as_bytes()), None);
    // It is obeyed all the same where the page is not UTF-8.
    let russian = [late.as_bytes(), b"\xC4\xC1"].concat();
    assert_eq!(decode(&russian, None, true), format!("{late}\u{434}\u{430}"));
    let russian = format!("{late}\u{434}\u{430}");
    assert_eq!(decode(russian.as_bytes(), None, true), russian);
}

#[test]
fn any_bytes_decode() {
    let mut state = 1u64;
    for _ in 0..3000 {
        let mut body = Vec::new();
        for _ in 0..state % 60 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let pieces: [&[u8]; 8] =
                [b"<meta ", b"charset", b"=", b"<!--", b"\x1B$B", b"<?xml encoding='", b"\"", b">"];
            match state >> 61 {
                0 => body.extend_from_slice(pieces[(state >> 40) as usize % 8]),
                _ => body.push((state >> 33) as u8),
            }
        }
        for header in [None, Some("gb18030"), Some("utf-16be"), Some("\u{1F600}"), Some("")] {
            decode(&body, header, true);
        }
        state = state.wrapping_add(1);
    }
}

/// html5lib's cases: what a page declares, windows-1252 standing for nothing.
#[test]
fn html5lib() {
    // Written past the macros, whose output the test harness hides.
    let mut loud = std::io::stderr();
    let Some(data) = std::env::var_os("WEBECHO_DATA") else {
        writeln!(loud, "SKIPPED: html5lib's encoding tests, for WEBECHO_DATA is not set")
            .expect("stderr");
        return;
    };
    let folder = std::path::PathBuf::from(data).join("html5lib-tests/encoding");
    let (mut passed, mut failed) = (0, Vec::new());
    for name in ["tests1.dat", "tests2.dat", "test-yahoo-jp.dat"] {
        let file = std::fs::read(folder.join(name)).expect("a file of html5lib's encoding tests");
        let starts: Vec<usize> = memchr::memmem::find_iter(&file, b"#data\n").collect();
        for (number, start) in starts.iter().enumerate() {
            let case = &file[start + 6..starts.get(number + 1).copied().unwrap_or(file.len())];
            let split = memchr::memmem::find(case, b"\n#encoding\n").expect("an encoding");
            let label = case[split + 11..].trim_ascii();
            let wanted = Encoding::for_label(label).expect("a label").name();
            let body = &case[..split];
            let marked = Encoding::for_bom(body).map(|(encoding, _)| encoding);
            let found = marked.or(prescan::declared(body)).or(prescan::meta(body));
            let found = found.map_or("windows-1252", Encoding::name);
            if found == wanted {
                passed += 1;
            } else {
                let body = String::from_utf8_lossy(body);
                failed.push(format!("{name} {number}: {found} not {wanted}\n{body}"));
            }
        }
    }
    writeln!(loud, "html5lib: {passed} passed, {} failed", failed.len()).expect("stderr");
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
}
