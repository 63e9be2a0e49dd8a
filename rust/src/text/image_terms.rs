//! *Image term*: the address of an image as a term of the page (Henzinger 2006, section 2). If it
//! points to another host the whole address is the term, if it points to the page's own host only
//! the file name is, so that a page mirrored with its images gives the same tokens.

/// What a term is marked with in its lowest bit if it is an image's: 63 bits tell terms apart.
pub const IMAGE: u64 = 1;

/// The term for an image's `src` on a page at `page`; none where the address names no file.
pub fn term<'a>(src: &'a str, page: Option<&str>) -> Option<&'a str> {
    if let Some(host) = host(src)
        && page.and_then(self::host).is_none_or(|own| !own.eq_ignore_ascii_case(host))
    {
        return Some(src);
    }
    if scheme(src).is_some_and(|scheme| !is_web(scheme)) {
        return Some(src);
    }
    let path = src.split(['?', '#']).next().unwrap_or(src);
    let name = path.rsplit('/').next().unwrap_or(path);
    Some(name).filter(|name| !name.is_empty())
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
            ("http://ads.example.net/b.gif", Some("http://ads.example.net/b.gif")),
            ("//cdn.example.net/b.gif", Some("//cdn.example.net/b.gif")),
            ("data:image/gif;base64,R0lG", Some("data:image/gif;base64,R0lG")),
            ("/img/", None),
            ("", None),
        ] {
            assert_eq!(term(src, page), expected, "{src}");
        }
        assert_eq!(term("http://a.example/b.gif", None), Some("http://a.example/b.gif"));
    }
}
