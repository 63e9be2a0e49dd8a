//! The document type declaration, read only when somebody asks: text extraction passes over it.

use super::tags::{is_space, push_normal};

/// `<!DOCTYPE …>` as the source has it; it ends at the first `>`, quoted or not.
#[derive(Clone, Copy, Debug)]
pub struct Doctype<'a> {
    pub(super) inside: &'a [u8],
    /// Whether a `>` ended it, not the input.
    pub(super) closed: bool,
}

/// What a declaration says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declaration {
    pub name: Option<String>,
    pub public: Option<String>,
    pub system: Option<String>,
    pub force_quirks: bool,
}

impl Doctype<'_> {
    pub fn read(&self) -> Declaration {
        let mut declaration = Declaration::default();
        // `None` is a declaration that stops where it should not.
        declaration.force_quirks = self.fill(&mut declaration).is_none();
        declaration
    }

    fn fill(&self, into: &mut Declaration) -> Option<()> {
        let mut rest = self.inside.trim_ascii_start();
        let len = rest.iter().position(|&byte| is_space(byte)).unwrap_or(rest.len());
        if len > 0 {
            into.name = Some(normal(&rest[..len].to_ascii_lowercase()));
        }
        let whole = len > 0 && (self.closed || len < rest.len());
        rest = whole.then(|| rest[len..].trim_ascii_start())?;
        if rest.is_empty() {
            return self.closed.then_some(());
        }
        let keyword = rest.get(..6)?.to_ascii_uppercase();
        rest = rest[6..].trim_ascii_start();
        if keyword == b"PUBLIC" {
            rest = identifier(rest, &mut into.public)?.trim_ascii_start();
            if rest.is_empty() {
                return self.closed.then_some(());
            }
        } else if keyword != b"SYSTEM" {
            return None;
        }
        rest = identifier(rest, &mut into.system)?.trim_ascii_start();
        // What follows the last identifier is passed over.
        (self.closed || !rest.is_empty()).then_some(())
    }
}

/// Reads the quoted identifier at the head of `rest`, as far as it goes, and returns what follows it.
fn identifier<'a>(rest: &'a [u8], into: &mut Option<String>) -> Option<&'a [u8]> {
    let (&quote, rest) = rest.split_first()?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let end = rest.iter().position(|&byte| byte == quote);
    *into = Some(normal(&rest[..end.unwrap_or(rest.len())]));
    end.map(|end| &rest[end + 1..])
}

fn normal(mut raw: &[u8]) -> String {
    let mut out = Vec::with_capacity(raw.len());
    while !raw.is_empty() {
        let len = push_normal(raw, &mut out);
        raw = &raw[len..];
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(inside: &str, closed: bool) -> (Option<String>, Option<String>, Option<String>, bool) {
        let found = Doctype { inside: inside.as_bytes(), closed }.read();
        (found.name, found.public, found.system, found.force_quirks)
    }

    #[test]
    fn declarations() {
        let some = |text: &str| Some(text.to_string());
        assert_eq!(read(" HTML", true), (some("html"), None, None, false));
        assert_eq!(read("html", true), (some("html"), None, None, false));
        assert_eq!(read(" html", false), (some("html"), None, None, true));
        assert_eq!(read(" ", true), (None, None, None, true));
        assert_eq!(
            read(" html PUBLIC \"-//W3C\" 'a.dtd' x", true),
            (some("html"), some("-//W3C"), some("a.dtd"), false)
        );
        assert_eq!(read(" html system'a.dtd'", true), (some("html"), None, some("a.dtd"), false));
        assert_eq!(read(" html PUBLIC \"-//W3C", true), (some("html"), some("-//W3C"), None, true));
        assert_eq!(read(" html PUBLIC", true), (some("html"), None, None, true));
        assert_eq!(read(" html public2", true), (some("html"), None, None, true));
    }
}
