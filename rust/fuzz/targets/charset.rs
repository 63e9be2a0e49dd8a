//! Any bytes in any charset that a header may name.

#![no_main]

use _core::text::charset::decode;
use libfuzzer_sys::fuzz_target;

const LABELS: [&str; 8] =
    ["utf-8", "windows-1252", "utf-16", "shift_jis", "gb18030", "iso-2022-jp", "x-user-defined", "?"];

fuzz_target!(|data: &[u8]| {
    let Some((&first, body)) = data.split_first() else { return };
    let label = LABELS.get(first as usize % (LABELS.len() + 1)).copied();
    let text = decode(body, label, first >= 128);
    // What is UTF-8 already, and said to be, is what it was but for a mark of the byte order.
    if label == Some("utf-8")
        && let Ok(plain) = str::from_utf8(body)
        && !body.starts_with(&[0xFE, 0xFF])
    {
        assert_eq!(text, plain.trim_start_matches('\u{feff}'));
    }
});
