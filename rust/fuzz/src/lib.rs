//! What the fuzzers try, each a function of any bytes that fails where a kernel does not keep its word.
//!
//! `cargo fuzz` runs them by coverage, a target each (`targets`); `rust/tests/any_bytes.rs` runs the same
//! functions on the seeds, on what once failed, and on some changes of both.

pub mod addresses;
pub mod charset;
pub mod differences;
pub mod documents;
pub mod graph;
pub mod groups;
pub mod html;
pub mod input;
pub mod overlap;
pub mod page;
pub mod pairs;
pub mod sentences;
pub mod sketches;
pub mod tokens;
pub mod warc;

/// A function of any bytes.
pub type Target = fn(&[u8]);

/// The targets by name.
pub const TARGETS: [(&str, Target); 17] = [
    ("addresses", addresses::run),
    ("agreement", groups::agreement),
    ("candidates", groups::candidates),
    ("charset", charset::run),
    ("chunks", page::passages),
    ("differences", differences::run),
    ("documents", documents::run),
    ("graph", graph::run),
    ("html", html::run),
    ("judge", warc::judged),
    ("overlap", overlap::run),
    ("page", page::run),
    ("pairs", pairs::run),
    ("sentences", sentences::run),
    ("sketches", sketches::run),
    ("tokens", tokens::run),
    ("warc", warc::run),
];
