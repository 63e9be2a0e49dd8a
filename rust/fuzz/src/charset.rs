//! Any bytes in any charset that a header or the page itself may name.

use std::borrow::Cow;

use _core::text::charset::decode;

use super::input::Input;

const LABELS: [&str; 8] = [
    "utf-8",
    "windows-1252",
    "utf-16",
    "shift_jis",
    "gb18030",
    "iso-2022-jp",
    "x-user-defined",
    "?",
];

pub fn run(data: &[u8]) {
    let mut input = Input(data);
    let first = input.byte();
    let label = LABELS.get(usize::from(first) % (LABELS.len() + 1)).copied();
    let found = decode(input.0, label, first >= 128);
    // What is not copied is what it was.
    if let Cow::Borrowed(text) = found {
        assert!(input.0.ends_with(text.as_bytes()));
    }
    if label == Some("utf-8")
        && let Ok(plain) = str::from_utf8(input.0)
    {
        assert_eq!(found, plain.strip_prefix('\u{feff}').unwrap_or(plain));
    }
    // Read again as what it has become, it stays that.
    let again = found.clone().into_owned();
    let marked = again.starts_with('\u{feff}');
    assert!(marked || decode(again.as_bytes(), Some("utf-8"), false) == found);
}
