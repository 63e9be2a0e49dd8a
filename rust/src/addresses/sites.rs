//! The registered domain of a host: the public suffix of ICANN's part of the list, and the label
//! before it. Suffixes that companies registered for their customers do not count.

/// The registered domain of a host in lower case; a host that is itself a public suffix, or has no
/// label before it, is one of its own. For what is not in the list the last label is the suffix.
pub fn registered(host: &str) -> &str {
    let mut name = host;
    // A private suffix stands below a public one: what is left without its first label tells.
    let suffix = loop {
        match psl::suffix(name.as_bytes()) {
            Some(suffix) if suffix.typ() == Some(psl::Type::Private) => {
                let start = name.len() - suffix.as_bytes().len();
                match name[start..].split_once('.') {
                    Some((_, rest)) => name = rest,
                    None => return host,
                }
            }
            Some(suffix) => break suffix.as_bytes().len(),
            None => return host,
        }
    };
    let before = host[..host.len() - suffix].trim_end_matches('.');
    let start = before.rfind('.').map_or(0, |dot| dot + 1);
    &host[start..]
}

#[cfg(test)]
mod tests {
    use super::registered;

    #[test]
    fn one_label_before_the_public_suffix() {
        for (host, expected) in [
            ("www.example.org", "example.org"),
            ("a.b.example.co.uk", "example.co.uk"),
            ("co.uk", "co.uk"),
            ("uk", "uk"),
            ("a.b.nosuchsuffix", "b.nosuchsuffix"),
            // Companies' own suffixes.
            ("someone.github.io", "github.io"),
            ("github.io", "github.io"),
            ("a.b.someone.blogspot.com", "blogspot.com"),
            ("bucket.s3.eu-west-1.amazonaws.com", "amazonaws.com"),
            // All below *.ck are suffixes, but www.ck is none; in ASCII form and not.
            ("a.b.c.ck", "b.c.ck"),
            ("a.www.ck", "www.ck"),
            ("a.b.xn--55qx5d.cn", "b.xn--55qx5d.cn"),
            ("a.b.公司.cn", "b.公司.cn"),
            ("www.xn--bcher-kva.de", "xn--bcher-kva.de"),
            ("", ""),
            (".", "."),
            ("a..com", "a..com"),
        ] {
            assert_eq!(registered(host), expected, "{host}");
        }
    }
}
