//! The fields of a record's header that are looked at.

const NAMES: [&[u8]; 14] = [
    b"warc-type",
    b"warc-record-id",
    b"warc-trec-id",
    b"warc-target-uri",
    b"warc-date",
    b"warc-ip-address",
    b"warc-payload-digest",
    b"warc-refers-to",
    b"warc-refers-to-target-uri",
    b"warc-refers-to-date",
    b"warc-concurrent-to",
    b"warc-profile",
    b"warc-segment-number",
    b"content-type",
];

/// The fields of one header; of a name that comes twice the first counts.
#[derive(Default)]
pub struct Fields<'a> {
    values: [Option<&'a [u8]>; NAMES.len()],
}

impl<'a> Fields<'a> {
    /// Takes a field in; `name` is in lower case.
    pub fn set(&mut self, name: &[u8], value: &'a [u8]) {
        if let Some(index) = NAMES.iter().position(|known| *known == name) {
            self.values[index].get_or_insert(value);
        }
    }

    /// The value, `Some` also where it is empty. Only known names are kept.
    pub fn get(&self, name: &str) -> Option<&'a [u8]> {
        let index = NAMES.iter().position(|known| *known == name.as_bytes());
        debug_assert!(index.is_some(), "{name} is not kept");
        self.values[index?]
    }

    /// The value as text, if there is one.
    pub fn text(&self, name: &str) -> Option<String> {
        self.get(name).filter(|value| !value.is_empty()).map(text)
    }
}

/// A header's value as text: UTF-8, or else Latin-1, in which every byte is a character.
pub fn text(value: &[u8]) -> String {
    match std::str::from_utf8(value) {
        Ok(text) => text.to_owned(),
        Err(_) => value.iter().map(|&byte| char::from(byte)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equal_names_counts_and_others_are_left_out() {
        let mut fields = Fields::default();
        for (name, value) in [("warc-date", "a"), ("warc-date", "b"), ("x-other", "c")] {
            fields.set(name.as_bytes(), value.as_bytes());
        }
        assert_eq!(fields.get("warc-date"), Some(&b"a"[..]));
        assert_eq!(fields.get("warc-type"), None);
    }

    #[test]
    fn text_is_utf8_or_latin1() {
        assert_eq!(text("fö".as_bytes()), "fö");
        assert_eq!(text(b"f\xf6"), "fö");
    }
}
