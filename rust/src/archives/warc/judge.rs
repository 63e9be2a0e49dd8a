//! Which records are pages, and why the others are not.
//!
//! Pages are HTTP responses with a wanted status and type, `resource` records of such a type,
//! `conversion` records (the text of WET files), and `revisit` records: these say that a page was
//! fetched again and had not changed. A revisit becomes a page without a body that refers to the
//! page it repeats, by the *fingerprints* of that page's record id, of its address and date, and
//! of its payload's digest, as far as the record tells them. One of a profile that does not promise
//! the same content repeats nothing, and belongs to what it refers to.

use std::borrow::Cow;

use xxhash_rust::xxh3::xxh3_64;

use super::fields::{Fields, text};
use super::http::{self, Response};

/// So much of a block is enough to judge it, as it holds any sane HTTP header.
pub const HEAD: usize = http::MAX_HEADER;

/// Kinds of records that are never pages.
const NO_PAGES: [&str; 5] = ["warcinfo", "request", "metadata", "continuation", "filedesc"];
/// Records under these addresses describe a crawl or another page: wget's log and arguments, the
/// text and the pictures that crawlers with a browser take of a page.
const ABOUT: [&str; 2] = ["metadata:", "urn:"];
const HTML_TYPES: [&str; 3] =
    ["text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"];

/// What a profile of a revisit ends with if the content was the same.
const SAME_CONTENT: [&[u8]; 2] = [b"identical-payload-digest", b"server-not-modified"];

/// What is known of a page before its block is decoded.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    pub id: Option<String>,
    pub url: Option<String>,
    pub ip: Option<String>,
    pub date: Option<String>,
    /// `None`: look at the body.
    pub kind: Option<String>,
    pub charset: Option<String>,
    pub response: Option<Response>,
    /// The fingerprints by which others can refer to this page.
    pub keys: Vec<i64>,
    /// Those that this page, being a revisit, refers to.
    pub refers: Option<Vec<i64>>,
    /// That of the record which belongs to this page: some writers let the response name its
    /// request, others the request its response.
    pub beside: Option<i64>,
}

/// A record that gives no page, and why; `failed` marks what should have been readable.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skip {
    pub reason: Cow<'static, str>,
    pub detail: Option<String>,
    pub url: Option<String>,
    pub location: Option<String>,
    pub failed: bool,
    /// Of a request or metadata: the fingerprints of its id, and of the record it belongs to. A
    /// revisit that is no page belongs to its original: without that it is worth nothing.
    pub key: Option<i64>,
    pub beside: Option<i64>,
}

#[derive(Debug)]
pub enum Judged {
    Page(Box<Wanted>),
    Skip(Skip),
}

/// What makes a record a page; `text/*` takes all texts.
pub struct Judge {
    pub statuses: Vec<u16>,
    pub types: Vec<String>,
    /// The most bytes a block may have.
    pub longest: u64,
    /// What is said of one that has more.
    pub too_long: String,
}

impl Judge {
    /// What the record is, by its header, the first `HEAD` bytes of its block, and its length.
    pub fn judge(&self, fields: &Fields<'_>, head: &[u8], length: u64) -> Judged {
        match self.page(fields, head) {
            Ok(wanted) if length > self.longest => Judged::Skip(Skip {
                reason: self.too_long.clone().into(),
                detail: Some(format!("{length} bytes")),
                url: wanted.url,
                failed: true,
                ..Skip::default()
            }),
            Ok(wanted) => Judged::Page(Box::new(wanted)),
            Err(skip) => Judged::Skip(*skip),
        }
    }

    /// Whether documents of this media type are pages.
    pub fn wants(&self, kind: &str) -> bool {
        let family = kind.split('/').next().unwrap_or_default();
        self.types.iter().any(|wanted| {
            wanted == kind
                || wanted == "*/*"
                || wanted.strip_suffix("/*").is_some_and(|wanted| wanted == family)
        })
    }

    fn page(&self, fields: &Fields<'_>, head: &[u8]) -> Result<Wanted, Box<Skip>> {
        let kind = fields.text("warc-type").unwrap_or_default().trim().to_lowercase();
        if let Some(known) = NO_PAGES.iter().find(|known| **known == kind) {
            let skip = Skip { reason: (*known).into(), ..Skip::default() };
            return Err(companion(fields, skip));
        }
        let url = address(fields);
        let skip = |reason: &'static str, detail: Option<String>| Skip {
            reason: reason.into(),
            detail,
            url: url.clone(),
            ..Skip::default()
        };
        let under = |start: &str| url.as_ref().is_some_and(|url| url.starts_with(start));
        if under("dns:") {
            return Err(Box::new(skip("dns", None)));
        }
        let content_type = fields.get("content-type");
        match &*kind {
            "response" | "revisit" => {
                let revisit = kind == "revisit";
                if !revisit && fields.get("warc-segment-number").is_some() {
                    // The rest of it stands in other records, so that it is not known what it says.
                    return Err(Box::new(skip("segment", None)));
                }
                if let Some(response) = http::parse(head) {
                    let skip = |reason: &'static str, detail: Option<String>| Skip {
                        beside: named(fields).first().copied().filter(|_| revisit),
                        ..skip(reason, detail)
                    };
                    self.check_response(&response, revisit, skip)?;
                    return Ok(wanted(fields, url, Some(response), revisit));
                }
                if revisit {
                    return Ok(wanted(fields, url, None, true));
                }
                if content_type.is_none_or(|value| value.starts_with(b"application/http")) {
                    let detail = Some("no HTTP status".to_owned());
                    return Err(Box::new(Skip { failed: true, ..skip("bad header", detail) }));
                }
            }
            "resource" | "conversion" if ABOUT.iter().any(|start| under(start)) => {
                return Err(companion(fields, skip("metadata", None)));
            }
            "resource" | "conversion" => {}
            _ => {
                let detail = Some(kind.chars().take(40).collect());
                return Err(Box::new(skip("unknown kind", detail)));
            }
        }
        let (named, charset) = http::content_type(content_type.unwrap_or_default());
        if let Some(named) = named.as_ref().filter(|named| !self.wants(named)) {
            return Err(Box::new(skip("type", Some(named.clone()))));
        }
        Ok(Wanted { kind: named, charset, ..wanted(fields, url, None, false) })
    }

    fn check_response(
        &self,
        response: &Response,
        revisit: bool,
        skip: impl Fn(&'static str, Option<String>) -> Skip,
    ) -> Result<(), Box<Skip>> {
        let status = response.status;
        // 304 is how a server says that the page is as it was, and a revisit repeats it.
        if !(self.statuses.contains(&status) || revisit && status == 304) {
            let detail = Some(status.to_string());
            if (300..400).contains(&status) && status != 304 {
                let location = response.location.clone();
                return Err(Box::new(Skip { location, ..skip("redirect", detail) }));
            }
            return Err(Box::new(skip("status", detail)));
        }
        if let Some(kind) = response.kind.as_ref().filter(|kind| !self.wants(kind)) {
            return Err(Box::new(skip("type", Some(kind.clone()))));
        }
        if response.start >= HEAD {
            let detail = Some(format!("longer than {HEAD} bytes"));
            return Err(Box::new(Skip { failed: true, ..skip("bad header", detail) }));
        }
        Ok(())
    }
}

/// Whether documents of this media type are HTML, not plain text.
pub fn is_markup(kind: &str) -> bool {
    HTML_TYPES.contains(&kind) || kind.ends_with("+xml") || kind.ends_with("/xml")
}

fn wanted(
    fields: &Fields<'_>,
    url: Option<String>,
    response: Option<Response>,
    revisit: bool,
) -> Wanted {
    let mut keys = fingerprints(fields, ["warc-record-id", "warc-target-uri", "warc-date"]);
    let refers = revisit.then(|| if repeats(fields) { named(fields) } else { Vec::new() });
    // By its payload a revisit refers to others and is not referred to: it holds none.
    if !revisit {
        keys.extend(payload(fields));
    }
    Wanted {
        id: fields.text("warc-trec-id").or_else(|| fields.text("warc-record-id")),
        url,
        ip: fields.text("warc-ip-address").filter(|ip| ip != "-"),
        date: fields.text("warc-date").map(whole_date),
        kind: response.as_ref().and_then(|response| response.kind.clone()),
        charset: response.as_ref().and_then(|response| response.charset.clone()),
        response,
        keys,
        refers,
        beside: if revisit && !repeats(fields) {
            named(fields).first().copied()
        } else {
            id_fingerprint(fields, "warc-concurrent-to")
        },
    }
}

/// Whether a revisit says that the content was the same.
fn repeats(fields: &Fields<'_>) -> bool {
    let same = |profile: &[u8]| SAME_CONTENT.iter().any(|end| profile.ends_with(end));
    fields.get("warc-profile").is_none_or(|profile| same(bare(profile)))
}

/// What a revisit names, the surest first.
fn named(fields: &Fields<'_>) -> Vec<i64> {
    let names = ["warc-refers-to", "warc-refers-to-target-uri", "warc-refers-to-date"];
    fingerprints(fields, names).into_iter().chain(payload(fields)).collect()
}

fn payload(fields: &Fields<'_>) -> Option<i64> {
    let digest = fields.get("warc-payload-digest").filter(|value| !value.is_empty())?;
    Some(fingerprint("payload", &[digest]))
}

/// A record that may belong to a page, with what tells to which.
fn companion(fields: &Fields<'_>, skip: Skip) -> Box<Skip> {
    let beside = id_fingerprint(fields, "warc-concurrent-to");
    Box::new(Skip {
        key: id_fingerprint(fields, "warc-record-id"),
        beside: beside.or_else(|| id_fingerprint(fields, "warc-refers-to")),
        ..skip
    })
}

fn id_fingerprint(fields: &Fields<'_>, name: &str) -> Option<i64> {
    let id = fields.get(name).filter(|id| !id.is_empty())?;
    Some(fingerprint("id", &[bare(id)]))
}

fn address(fields: &Fields<'_>) -> Option<String> {
    let value = text(fields.get("warc-target-uri")?);
    let value = value.trim();
    // wget's are in angle brackets.
    let bare = value.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).unwrap_or(value);
    (!bare.is_empty()).then(|| bare.to_owned())
}

/// WARC 1.1 allows to leave out of a date what is not known.
fn whole_date(date: String) -> String {
    let digits = |range: std::ops::Range<usize>| {
        date.as_bytes().get(range).is_some_and(|some| some.iter().all(u8::is_ascii_digit))
    };
    match date.len() {
        4 if digits(0..4) => date + "-01-01",
        7 if digits(0..4) && date.as_bytes()[4] == b'-' && digits(5..7) => date + "-01",
        _ => date,
    }
}

/// Of a record's id, and of its address with its date.
fn fingerprints(fields: &Fields<'_>, [id, address, date]: [&str; 3]) -> Vec<i64> {
    let value = |name| fields.get(name).filter(|value: &&[u8]| !value.is_empty());
    let mut found = Vec::with_capacity(3);
    found.extend(id_fingerprint(fields, id));
    if let (Some(address), Some(date)) = (value(address), value(date)) {
        found.push(fingerprint("at", &[bare(address), date]));
    }
    found
}

fn bare(value: &[u8]) -> &[u8] {
    let edge = |byte: &u8| b"<> ".contains(byte);
    let start = value.iter().position(|byte| !edge(byte)).unwrap_or(value.len());
    let end = value.iter().rposition(|byte| !edge(byte)).map_or(start, |last| last + 1);
    &value[start..end]
}

fn fingerprint(kind: &str, values: &[&[u8]]) -> i64 {
    // The kind goes first, so that an id never equals an address or a digest.
    let mut all = kind.as_bytes().to_vec();
    for value in values {
        all.push(b' ');
        all.extend_from_slice(value);
    }
    xxh3_64(&all) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    const HTTP: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";

    fn judged(fields: &[(&'static str, &'static str)], head: &[u8]) -> Judged {
        let mut known = Fields::default();
        for (name, value) in fields {
            known.set(name.as_bytes(), value.as_bytes());
        }
        let judge = Judge {
            statuses: vec![200],
            types: vec!["text/html".to_owned()],
            longest: 1 << 20,
            too_long: "too long".to_owned(),
        };
        judge.judge(&known, head, head.len() as u64)
    }

    fn id(value: &str) -> i64 {
        fingerprint("id", &[value.as_bytes()])
    }

    #[test]
    fn a_revisit_refers_to_what_it_repeats() {
        let fields = [("warc-type", "revisit"), ("warc-refers-to", "<a>")];
        let Judged::Page(page) = judged(&fields, HTTP) else { panic!("no page") };
        assert_eq!((page.refers, page.beside), (Some(vec![id("a")]), None));
    }

    #[test]
    fn one_of_another_profile_repeats_nothing_but_belongs_to_what_it_names() {
        for (profile, repeats) in [
            ("http://netpreserve.org/warc/1.0/revisit/uri-agnostic-identical-payload-digest", true),
            ("http://netpreserve.org/warc/1.1/revisit/server-not-modified", true),
            ("http://a.org/difference", false),
        ] {
            let fields =
                [("warc-type", "revisit"), ("warc-refers-to", "<a>"), ("warc-profile", profile)];
            let Judged::Page(page) = judged(&fields, HTTP) else { panic!("no page") };
            assert_eq!(page.refers.is_some_and(|refers| !refers.is_empty()), repeats);
            assert_eq!(page.beside, (!repeats).then(|| id("a")));
        }
    }

    #[test]
    fn a_revisit_that_is_no_page_goes_with_its_original() {
        let fields = [("warc-type", "revisit"), ("warc-refers-to", "<a>")];
        let head = b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n";
        let Judged::Skip(skip) = judged(&fields, head) else { panic!("a page") };
        assert_eq!((&*skip.reason, skip.beside), ("status", Some(id("a"))));
        let fields = [("warc-type", "response"), ("warc-refers-to", "<a>")];
        let Judged::Skip(skip) = judged(&fields, head) else { panic!("a page") };
        assert_eq!(skip.beside, None);
    }

    #[test]
    fn a_part_of_a_response_is_no_page() {
        let fields = [("warc-type", "response"), ("warc-segment-number", "1")];
        let Judged::Skip(skip) = judged(&fields, HTTP) else { panic!("a page") };
        assert_eq!(&*skip.reason, "segment");
    }
}
