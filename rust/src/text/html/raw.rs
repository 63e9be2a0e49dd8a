//! Where content ends that holds no markup: raw text, scripts and comments.

use memchr::{memchr, memchr2};

use super::tags::ends_name;

/// Whether the `<` at the head of `rest` begins `</name` and the name ends there.
pub fn closes(rest: &[u8], name: &[u8]) -> bool {
    let end = 2 + name.len();
    rest.get(1) == Some(&b'/')
        && !name.is_empty()
        && rest.get(2..end).is_some_and(|found| found.eq_ignore_ascii_case(name))
        && rest.get(end).is_some_and(|&byte| ends_name(byte))
}

/// Where the raw text at `at` ends: at its own end tag, else with the input.
pub fn raw_text_end(input: &[u8], mut at: usize, name: &[u8]) -> usize {
    while let Some(skip) = memchr(b'<', &input[at..]) {
        at += skip;
        if closes(&input[at..], name) {
            return at;
        }
        at += 1;
    }
    input.len()
}

/// Where the script at `at` ends.
///
/// After `<!--` a script is escaped, and `<script` in there hides the next `</script>`, until `-->`
/// ends both (the specification's script data escaped and double escaped states).
pub fn script_end(input: &[u8], mut at: usize, name: &[u8]) -> usize {
    #[derive(Clone, Copy, PartialEq)]
    enum Script {
        Plain,
        Escaped,
        DoubleEscaped,
    }
    let mut script = Script::Plain;
    // Where the dashes of the `<!--` begin; they may serve the `-->`, too.
    let mut dashes = 0;
    loop {
        let skip = match script {
            Script::Plain => memchr(b'<', &input[at..]),
            _ => memchr2(b'<', b'>', &input[at..]),
        };
        let Some(skip) = skip else { return input.len() };
        at += skip;
        let rest = &input[at..];
        if rest[0] == b'>' {
            if at >= dashes + 2 && input[..at].ends_with(b"--") {
                script = Script::Plain;
            }
        } else if script == Script::DoubleEscaped {
            if closes(rest, b"script") {
                script = Script::Escaped;
            }
        } else if closes(rest, name) {
            return at;
        } else if script == Script::Escaped {
            if opens_script(rest) {
                script = Script::DoubleEscaped;
            }
        } else if rest.starts_with(b"<!--") {
            script = Script::Escaped;
            dashes = at + 2;
        }
        at += 1;
    }
}

fn opens_script(rest: &[u8]) -> bool {
    rest.get(1..7).is_some_and(|found| found.eq_ignore_ascii_case(b"script"))
        && rest.get(7).is_some_and(|&byte| ends_name(byte))
}

/// Where the data of the comment at `at`, behind `<!--`, ends, and where the markup goes on.
pub fn comment_end(input: &[u8], at: usize) -> (usize, usize) {
    let data = &input[at..];
    if data.starts_with(b">") {
        return (at, at + 1);
    }
    if data.starts_with(b"->") {
        return (at, at + 2);
    }
    let mut end = 0;
    while let Some(skip) = memchr(b'>', &data[end..]) {
        end += skip;
        let before = &data[..end];
        for mark in [b"--".as_slice(), b"--!"] {
            if before.ends_with(mark) {
                return (at + end - mark.len(), at + end + 1);
            }
        }
        end += 1;
    }
    let mark = [b"--!".as_slice(), b"--", b"-"].into_iter().find(|mark| data.ends_with(mark));
    (input.len() - mark.map_or(0, <[u8]>::len), input.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(source: &str) -> &str {
        &source[..script_end(source.as_bytes(), 0, b"script")]
    }

    #[test]
    fn scripts() {
        assert_eq!(script("a</script>b"), "a");
        assert_eq!(script("a</SCRIPT\n>b"), "a");
        assert_eq!(script("a</scripts></script"), "a</scripts></script");
        assert_eq!(script("<!--a</script>b"), "<!--a");
        assert_eq!(script("<!--<script>a</script>-->b</script>c"), "<!--<script>a</script>-->b");
        assert_eq!(script("<!--<script>a</script>b</script>c"), "<!--<script>a</script>b");
        assert_eq!(script("<!--><script>a</script>b</script>c"), "<!--><script>a");
        assert_eq!(script("<!---><script>a</script>b</script>c"), "<!---><script>a");
        assert_eq!(script("<!-- -><script>a</script>b</script>c"), "<!-- -><script>a</script>b");
    }

    #[test]
    fn comments() {
        for (source, data, rest) in [
            ("a-->b", "a", "b"),
            (">b", "", "b"),
            ("->b", "", "b"),
            ("-->b", "", "b"),
            ("a--->b", "a-", "b"),
            ("a--!>b", "a", "b"),
            ("-!>b-->c", "-!>b", "c"),
            ("a->b-->c", "a->b", "c"),
            ("a", "a", ""),
            ("a--", "a", ""),
            ("a--!", "a", ""),
        ] {
            let (end, next) = comment_end(source.as_bytes(), 0);
            assert_eq!((&source[..end], &source[next..]), (data, rest), "{source}");
        }
    }
}
