//! *Normal form* of an address, in which links are compared with the addresses of pages; and its
//! *key*, 64 bits that stand for it.
//!
//! An address is read and resolved as browsers do it (WHATWG URL, by the `url` crate: blanks around
//! it and line breaks in it are dropped, `\` is `/`, `https:a` is `https://a`). Then
//!
//! - scheme and host are in lower case, an internationalised host in its ASCII form, an IPv4 address
//!   as four decimal numbers, a final dot of the host dropped;
//! - the scheme's own port, user and password, the fragment and an empty query are dropped;
//! - dot segments are resolved, and an empty path is `/`. Other slashes stay: `/a`, `/a/` and `/a//`
//!   are three addresses, and so is `/a/index.html`;
//! - an escape of a letter, digit, `-`, `.`, `_` or `~` is that character (RFC 3986, section 2.3),
//!   other escapes have upper-case digits, and a percent sign that begins none is `%25`. Characters
//!   that need an escape have it, of their UTF-8 bytes, in the query too;
//! - the query stays as it is, session ids and the order of its parts with it.
//!
//! Only http, https and ftp addresses have a normal form. http and https are two addresses, but have
//! one key: a site that moved keeps old links, and they lead to the same pages.

use url::Url;
use xxhash_rust::xxh3::xxh3_64;

const SCHEMES: [&str; 3] = ["http", "https", "ftp"];

/// The most bytes of an address that others are seen from: each of a million links copies it. A longer
/// one is none.
const LONGEST: usize = 64 << 10;

/// What the pages of a folder, which have paths and no addresses, are resolved against: a host that
/// no address can have (RFC 2606).
const FOLDER: &str = "http://folder.invalid/";

/// What links are resolved against.
#[derive(Clone, Debug)]
pub struct Base {
    url: Url,
}

impl Base {
    /// The base that the address of a page is, or its path in a folder.
    pub fn of_page(address: &str) -> Option<Base> {
        if address.len() > LONGEST {
            return None;
        }
        let url = match Url::parse(address) {
            Err(url::ParseError::RelativeUrlWithoutBase) => {
                Url::parse(FOLDER).and_then(|folder| folder.join(address)).ok()?
            }
            parsed => parsed.ok()?,
        };
        SCHEMES.contains(&url.scheme()).then_some(Base { url })
    }
}

/// The key of a page's own address, or of its path in a folder.
pub fn page_key(address: &str) -> Option<u64> {
    let mut buffer = String::new();
    write_normal(&Base::of_page(address)?.url, &mut buffer).then(|| key(&buffer))
}

/// The key under which a page also answers, if its address is that of the first page of a folder:
/// as servers do, `/a/` gives `/a/index.html`.
pub fn folder_key(address: &str) -> Option<u64> {
    let mut url = Base::of_page(address)?.url;
    let (folder, name) = url.path().rsplit_once('/')?;
    let is_index = url.query().is_none_or(str::is_empty)
        && ["index.html", "index.htm"].iter().any(|index| name.eq_ignore_ascii_case(index));
    if !is_index {
        return None;
    }
    let folder = format!("{folder}/");
    url.set_path(&folder);
    let mut buffer = String::new();
    write_normal(&url, &mut buffer).then(|| key(&buffer))
}

/// Links on their way to keys; its buffer is used again.
#[derive(Debug, Default)]
pub struct Resolver {
    buffer: String,
}

impl Resolver {
    /// The base that a page with a `base` element has.
    pub fn base(page: Option<&Base>, href: &str) -> Option<Base> {
        let url = parse(href, page).filter(|url| url.as_str().len() <= LONGEST)?;
        SCHEMES.contains(&url.scheme()).then_some(Base { url })
    }

    /// The key of the address that a link leads to.
    pub fn key(&mut self, link: &str, base: Option<&Base>) -> Option<u64> {
        write_normal(&parse(link, base)?, &mut self.buffer).then(|| key(&self.buffer))
    }
}

/// The normal form of an address, absolute or as seen from a base.
pub fn normal(address: &str, base: Option<&str>) -> Option<String> {
    let base = base.and_then(|base| Url::parse(base).ok()).map(|url| Base { url });
    let mut buffer = String::new();
    write_normal(&parse(address, base.as_ref())?, &mut buffer).then_some(buffer)
}

fn parse(address: &str, base: Option<&Base>) -> Option<Url> {
    Url::options().base_url(base.map(|base| &base.url)).parse(address).ok()
}

/// Writes the normal form into the buffer; false if there is none.
fn write_normal(url: &Url, buffer: &mut String) -> bool {
    buffer.clear();
    let Some(host) = url.host_str().filter(|_| SCHEMES.contains(&url.scheme())) else {
        return false;
    };
    // A second dot would leave a name that reads otherwise without the first.
    let host = host.strip_suffix('.').unwrap_or(host);
    if host.is_empty() || host.ends_with('.') {
        return false;
    }
    buffer.push_str(url.scheme());
    buffer.push_str("://");
    buffer.push_str(host);
    if let Some(port) = url.port() {
        buffer.push(':');
        buffer.push_str(&port.to_string());
    }
    push_escaped(url.path(), buffer);
    if let Some(query) = url.query().filter(|query| !query.is_empty()) {
        buffer.push('?');
        push_escaped(query, buffer);
    }
    true
}

/// Appends text that is ASCII already, its escapes in their one form.
fn push_escaped(text: &str, buffer: &mut String) {
    let mut pieces = text.split('%');
    buffer.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let digit = |at: usize| piece.as_bytes().get(at).and_then(|&d| (d as char).to_digit(16));
        let (Some(high), Some(low)) = (digit(0), digit(1)) else {
            buffer.push_str("%25");
            buffer.push_str(piece);
            continue;
        };
        let character = (16 * high + low) as u8 as char;
        if character.is_ascii_alphanumeric() || matches!(character, '-' | '.' | '_' | '~') {
            buffer.push(character);
        } else {
            buffer.push('%');
            buffer.extend(piece[..2].chars().map(|digit| digit.to_ascii_uppercase()));
        }
        buffer.push_str(&piece[2..]);
    }
}

/// The key of an address in its normal form.
fn key(normal: &str) -> u64 {
    let rest = normal.strip_prefix("https:").or(normal.strip_prefix("http:"));
    text_key(rest.unwrap_or(normal))
}

/// The key of a name that is no address, such as a host.
pub fn text_key(text: &str) -> u64 {
    xxh3_64(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(page: &str, link: &str) -> Option<u64> {
        Resolver::default().key(link, Base::of_page(page).as_ref())
    }

    #[test]
    fn http_and_https_have_one_key_and_slashes_make_others() {
        let here = page_key("https://A.example:443/a?b#c");
        assert!(here.is_some());
        assert_eq!(here, page_key("http://a.example/a?b"));
        assert_ne!(here, page_key("ftp://a.example/a?b"));
        assert_ne!(here, page_key("http://a.example:8080/a?b"));
        assert_ne!(here, page_key("http://a.example/a/?b"));
        assert_eq!(page_key("dns:a.example"), None);
        assert_eq!(page_key("http://"), None);
    }

    #[test]
    fn pages_of_a_folder_link_to_each_other_by_their_paths() {
        let target = page_key("/docs/b%20c.html");
        assert!(target.is_some());
        for (page, href) in [
            ("/docs/a.html", "b c.html#top"),
            ("/docs/sub/a.html", "../b%20c.html"),
            ("/index.html", "docs/b c.html"),
            ("/x/y.html", "/docs/b c.html"),
        ] {
            assert_eq!(link(page, href), target, "{page} {href}");
        }
        assert_eq!(page_key("docs/b c.html"), target);
    }

    #[test]
    fn the_first_page_of_a_folder_answers_for_it() {
        let folder = page_key("http://a.example/x/");
        assert_eq!(folder_key("https://a.example/x/Index.HTML"), folder);
        assert_eq!(folder_key("http://a.example/x/index.htm?"), folder);
        for other in ["/x/index.php", "/x/index.html?a", "/x/", "/x/myindex.html", "/index.html/"] {
            assert_eq!(folder_key(&format!("http://a.example{other}")), None, "{other}");
        }
        assert_eq!(folder_key("index.html"), page_key("/"));
    }

    #[test]
    fn any_text_is_an_address_or_none() {
        let parts =
            ["http:", "https://", "//", "/", "\\", "..", "%", "%2", "%2e", "?", "#", "@", ":"];
        let more = ["[", "]", "\0", "é", "\u{FFFD}", "a", "0x", "1", ".", " ", "\n", "xn--", "🦀"];
        let all: Vec<&str> = parts.into_iter().chain(more).collect();
        let base = Base::of_page("http://a.example/b/c");
        for n in 0..40_000u64 {
            let mut state = crate::fingerprints::mixing::mix(n);
            let text: String = (0..n % 9)
                .map(|_| {
                    state = crate::fingerprints::mixing::mix(state);
                    all[state as usize % all.len()]
                })
                .collect();
            Resolver::default().key(&text, base.as_ref());
            page_key(&text);
            folder_key(&text);
            if let Some(found) = normal(&text, Some("http://a.example/b/c")) {
                assert_eq!(normal(&found, None).as_ref(), Some(&found), "{text:?}");
            }
        }
    }
}
