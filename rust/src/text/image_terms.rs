//! *Image term*: the address of an image as a term of the page (Henzinger 2006, section 2). If it
//! points to another host the whole address is the term, if it points to the page's own host only
//! the file name is, so that a page mirrored with its images gives the same tokens.
//!
//! An address is the same however it is spelled: `//host/x.gif`, `http://host/x.gif`,
//! `https://HOST:443/x.gif` all are the term `//host/x.gif`.

use std::borrow::Cow;

/// What a term is marked with in its lowest bit if it is an image's: 63 bits tell terms apart.
pub const IMAGE: u64 = 1;

/// The term for an image's `src` on a page at `page`; none where the address names no file.
pub fn term<'a>(src: &'a str, page: Option<&str>) -> Option<Cow<'a, str>> {
    let scheme = self::scheme(src);
    let elsewhere = host(src)
        .filter(|host| page.and_then(self::host).is_none_or(|own| !own.eq_ignore_ascii_case(host)));
    if scheme.is_some_and(|scheme| !is_web(scheme)) {
        return Some(src.into());
    }
    if elsewhere.is_some() {
        return Some(without_scheme(src, scheme));
    }
    let path = src.split(['?', '#']).next().unwrap_or(src);
    let name = path.rsplit('/').next().unwrap_or(path);
    Some(name).filter(|name| !name.is_empty()).map(Cow::from)
}

/// An address with a host as it is after `http:` or `https:`, the host in lower case and without
/// the port that goes without saying.
fn without_scheme<'a>(src: &'a str, scheme: Option<&str>) -> Cow<'a, str> {
    let rest = scheme.map_or(src, |scheme| &src[scheme.len() + 1..]);
    let end = rest[2..].find(['/', '?', '#', '\\']).map_or(rest.len(), |at| at + 2);
    let (authority, path) = rest.split_at(end);
    let named = [":80", ":443"].iter().find_map(|port| authority.strip_suffix(port));
    let short = named.unwrap_or(authority);
    if short.len() == authority.len() && !short.bytes().any(|b| b.is_ascii_uppercase()) {
        return rest.into();
    }
    format!("{}{path}", short.to_ascii_lowercase()).into()
}

fn is_web(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
}

/// What stands before the first colon, if it can be a scheme.
fn scheme(address: &str) -> Option<&str> {
    let (scheme, _) = address.split_once(':')?;
    let letters = scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
    Some(scheme).filter(|scheme| letters && scheme.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// The host of an address that names one, without user and port.
fn host(address: &str) -> Option<&str> {
    let rest = match scheme(address) {
        Some(scheme) => &address[scheme.len() + 1..],
        None => address,
    };
    let authority = rest.strip_prefix("//")?.split(['/', '?', '#', '\\']).next()?;
    let host = authority.rsplit('@').next()?;
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => Some(name),
        _ => Some(host),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_images_by_file_name_others_by_address() {
        let page = Some("http://www.example.com/shop/index.html");
        for (src, expected) in [
            ("logo.gif", Some("logo.gif")),
            ("/img/logo.gif?v=2#top", Some("logo.gif")),
            ("http://WWW.example.com:80/img/logo.gif", Some("logo.gif")),
            ("//www.example.com/a/b.png", Some("b.png")),
            ("http://ads.example.net/b.gif", Some("//ads.example.net/b.gif")),
            ("//cdn.example.net/b.gif", Some("//cdn.example.net/b.gif")),
            ("HTTPS://Cdn.example.net:443/B.gif?v=2", Some("//cdn.example.net/B.gif?v=2")),
            ("//cdn.example.net:8080/b.gif", Some("//cdn.example.net:8080/b.gif")),
            ("ftp://www.example.com/b.gif", Some("ftp://www.example.com/b.gif")),
            ("//cdn.example.net", Some("//cdn.example.net")),
            ("data:image/gif;base64,R0lG", Some("data:image/gif;base64,R0lG")),
            ("/img/", None),
            ("", None),
        ] {
            assert_eq!(term(src, page).as_deref(), expected, "{src}");
        }
        assert_eq!(term("http://a.example/b.gif", None).as_deref(), Some("//a.example/b.gif"));
    }
}
