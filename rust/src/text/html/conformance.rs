//! The tokenizer against html5lib's tests, read from `$WEBECHO_DATA/html5lib-tests/tokenizer`, and
//! against cases of our own that need no data. Parse errors are not compared: we report none.

use std::io::Write;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::doctype::Doctype;
use super::tags::{Key, StartTag, push_normal};
use super::tokenizer::{Content, Sink, tokenize};

/// Writes tokens down in the form of the tests.
#[derive(Default)]
struct Recorder {
    tokens: Vec<Value>,
    characters: Vec<u8>,
}

/// A slice of the source with its line breaks as LF and its NULs replaced.
fn normal(mut raw: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    while !raw.is_empty() {
        raw = &raw[push_normal(raw, &mut out)..];
    }
    out
}

fn utf8(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("tokens are cut between characters")
}

impl Recorder {
    fn push(&mut self, token: Value) {
        self.flush();
        self.tokens.push(token);
    }

    fn flush(&mut self) {
        if !self.characters.is_empty() {
            let text = utf8(std::mem::take(&mut self.characters));
            self.tokens.push(json!(["Character", text]));
        }
    }
}

impl Sink for Recorder {
    fn text(&mut self, run: &[u8]) {
        assert!(!run.is_empty() && !run.contains(&0));
        self.characters.extend(normal(run));
    }

    fn decoded(&mut self, text: &[u8]) {
        self.characters.extend(text);
    }

    fn start_tag(&mut self, tag: &StartTag) -> Content {
        let mut attributes = serde_json::Map::new();
        for attribute in tag.attributes() {
            let name = utf8(normal(&attribute.raw_name.to_ascii_lowercase()));
            attributes.entry(name).or_insert_with(|| json!(attribute.value()));
        }
        let name = utf8(normal(&tag.raw_name.to_ascii_lowercase()));
        assert!(tag.key == Key::LONG || name.contains('\u{FFFD}') || tag.key == Key::of(&name));
        let mut token = vec![json!("StartTag"), json!(name), Value::Object(attributes)];
        token.extend(tag.self_closing.then_some(json!(true)));
        self.push(Value::Array(token));
        Content::Data
    }

    fn end_tag(&mut self, raw_name: &[u8], _: Key) {
        self.push(json!(["EndTag", utf8(normal(&raw_name.to_ascii_lowercase()))]));
    }

    fn comment(&mut self, data: &[u8]) {
        self.push(json!(["Comment", utf8(normal(data))]));
    }

    fn doctype(&mut self, doctype: Doctype) {
        let found = doctype.read();
        let correct = !found.force_quirks;
        self.push(json!(["DOCTYPE", found.name, found.public, found.system, correct]));
    }

    fn takes_cdata(&self) -> bool {
        false
    }
}

fn tokens(input: &str, content: Content, start_tag: &str) -> Value {
    let mut recorder = Recorder::default();
    tokenize(input.as_bytes(), content, start_tag.as_bytes(), &mut recorder);
    recorder.flush();
    Value::Array(recorder.tokens)
}

/// Undoes the second round of `\uHHHH` in every string; nothing where that leaves half a surrogate
/// pair, which no UTF-8 text can hold.
fn unescaped(value: &Value) -> Option<Value> {
    Some(match value {
        Value::String(text) => json!(unescaped_text(text)?),
        Value::Array(items) => Value::Array(items.iter().map(unescaped).collect::<Option<_>>()?),
        Value::Object(items) => {
            let items = items.iter().map(|(k, v)| Some((unescaped_text(k)?, unescaped(v)?)));
            Value::Object(items.collect::<Option<_>>()?)
        }
        other => other.clone(),
    })
}

fn unescaped_text(text: &str) -> Option<String> {
    let mut units: Vec<u16> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("\\u") {
        units.extend(rest[..at].encode_utf16());
        units.push(u16::from_str_radix(&rest[at + 2..at + 6], 16).expect("four digits"));
        rest = &rest[at + 6..];
    }
    units.extend(rest.encode_utf16());
    String::from_utf16(&units).ok()
}

fn content(state: &str) -> Content {
    match state {
        "Data state" => Content::Data,
        "PLAINTEXT state" => Content::PlainText,
        "RCDATA state" => Content::Rcdata,
        "RAWTEXT state" => Content::RawText,
        "Script data state" => Content::Script,
        "CDATA section state" => Content::Cdata,
        other => panic!("the tests have a new state, {other}"),
    }
}

#[test]
fn html5lib() {
    // Written past the macros, whose output the test harness hides.
    let mut loud = std::io::stderr();
    let Some(data) = std::env::var_os("WEBECHO_DATA") else {
        writeln!(loud, "SKIPPED: html5lib's tokenizer tests, for WEBECHO_DATA is not set")
            .expect("stderr");
        return;
    };
    let folder = PathBuf::from(data).join("html5lib-tests/tokenizer");
    let (mut passed, mut skipped, mut failed) = (0, 0, Vec::new());
    for entry in std::fs::read_dir(&folder).expect("the folder of html5lib's tokenizer tests") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "test") {
            continue;
        }
        let file = std::fs::read_to_string(&path).expect("UTF-8");
        let file: Value = serde_json::from_str(&file).expect("JSON");
        // The tests under another name, xmlViolationTests, expect an XML infoset.
        for test in file["tests"].as_array().into_iter().flatten() {
            let states = test["initialStates"].as_array().cloned();
            for state in states.unwrap_or_else(|| vec![json!("Data state")]) {
                let twice = test["doubleEscaped"] == json!(true);
                let read =
                    |value: &Value| if twice { unescaped(value) } else { Some(value.clone()) };
                let (Some(input), Some(expected)) = (read(&test["input"]), read(&test["output"]))
                else {
                    skipped += 1;
                    continue;
                };
                let start_tag = test["lastStartTag"].as_str().unwrap_or_default();
                let input = input.as_str().expect("a string");
                let found = tokens(input, content(state.as_str().expect("a name")), start_tag);
                if found == expected {
                    passed += 1;
                } else {
                    let name = &test["description"];
                    failed.push(format!("{name} {state} {input:?}: {found} not {expected}"));
                }
            }
        }
    }
    writeln!(loud, "html5lib: {passed} passed, {} failed, {skipped} not UTF-8", failed.len())
        .expect("stderr");
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
    assert!(passed > 6000, "only {passed} tests were found in {}", folder.display());
}

#[test]
fn ours() {
    let data = |input| tokens(input, Content::Data, "");
    assert_eq!(data("a &amp; b"), json!([["Character", "a & b"]]));
    assert_eq!(data("a\r\nb\rc&#13;"), json!([["Character", "a\nb\nc\r"]]));
    assert_eq!(data("a\0b"), json!([["Character", "a\0b"]]));
    assert_eq!(data("1 < 2 <"), json!([["Character", "1 < 2 <"]]));
    assert_eq!(data("</"), json!([["Character", "</"]]));
    assert_eq!(data("a</>b"), json!([["Character", "ab"]]));
    assert_eq!(data("</ x>b"), json!([["Comment", " x"], ["Character", "b"]]));
    assert_eq!(data("<?php x?>"), json!([["Comment", "?php x?"]]));
    assert_eq!(data("<![CDATA[x]]>"), json!([["Comment", "[CDATA[x]]"]]));
    assert_eq!(data("<DiV\0>"), json!([["StartTag", "div\u{FFFD}", {}]]));
    assert_eq!(
        data("<a-name-of-more-than-sixteen-bytes X></a-name-of-more-than-sixteen-bytes>"),
        json!([
            ["StartTag", "a-name-of-more-than-sixteen-bytes", {"x": ""}],
            ["EndTag", "a-name-of-more-than-sixteen-bytes"]
        ])
    );
    assert_eq!(data("a<b"), json!([["Character", "a"]]));
    assert_eq!(data("a<b x='"), json!([["Character", "a"]]));
    assert_eq!(
        data("<!DOCTYPE html><br/>"),
        json!([["DOCTYPE", "html", null, null, true], ["StartTag", "br", {}, true]])
    );
}

#[test]
fn our_attributes() {
    for (inside, expected) in [
        ("A=1 a=2", json!({"a": "1"})),
        ("a = '>' b", json!({"a": ">", "b": ""})),
        ("a=b=\"c\"", json!({"a": "b=\"c\""})),
        ("=\"x\"", json!({"=\"x\"": ""})),
        ("==\"x y\"", json!({"=": "x y"})),
        ("a=\"1\"b='2'/c", json!({"a": "1", "b": "2", "c": ""})),
        ("a=x&amp;y&copy=1&copy", json!({"a": "x&y&copy=1\u{A9}"})),
        ("a=\"x\r\ny\0\"", json!({"a": "x\ny\u{FFFD}"})),
        ("a=", json!({"a": ""})),
        ("href=x/", json!({"href": "x/"})),
    ] {
        let expected = json!([["StartTag", "p", expected]]);
        assert_eq!(tokens(&format!("<p {inside}>"), Content::Data, ""), expected, "{inside}");
    }
}

#[test]
fn our_raw_text() {
    let raw = |input, content| tokens(input, content, "x");
    assert_eq!(
        raw("a&lt;</y></x>", Content::Rcdata),
        json!([["Character", "a<</y>"], ["EndTag", "x"]])
    );
    assert_eq!(
        raw("a&lt;\0</y></X >b", Content::RawText),
        json!([["Character", "a&lt;\u{FFFD}</y>"], ["EndTag", "x"], ["Character", "b"]])
    );
    assert_eq!(raw("a</x", Content::RawText), json!([["Character", "a</x"]]));
    assert_eq!(raw("a</x ", Content::RawText), json!([["Character", "a"]]));
    assert_eq!(raw("a</x>\0", Content::PlainText), json!([["Character", "a</x>\u{FFFD}"]]));
    assert_eq!(
        raw("a]]\0>]]>b<c>", Content::Cdata),
        json!([["Character", "a]]\0>b"], ["StartTag", "c", {}]])
    );
}
