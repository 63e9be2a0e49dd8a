//! The kernels of webecho: what is done per byte, per token and per pair of pages.
//!
//! The way of the data: `charset` and `html` make text of bytes, `tokens` makes tokens of text,
//! `shingles` makes shingles of tokens, `features` and `projection` make sketches of them,
//! `paragraphs` makes shingle paragraphs of text, and `sketch` does all of that for a page.
//! `grouping`, `repeats`, `agreement`, `candidates`, `sifting`, `shelf`, `evidence`, `clusters`,
//! `stars` and `overlap` work on sketches and shingles; `hamming`, `buckets`, `hot` and `pairing`
//! find the pairs of sketches that agree in many values or bits; `documents`, `near` and `growth` find
//! the documents that agree in all or many paragraphs, and `paragraph_texts` compares their texts;
//! `addresses` and `links` say where pages link to, `graph` and `bow_tie` what is reached that way;
//! `difference` works on the tokens of two pages.
//! `warc` and `parquet_rows` read files that are in order. `border` alone knows Python.

pub mod addresses;
pub mod agreement;
pub mod boilerplate;
pub mod border;
pub mod bow_tie;
pub mod buckets;
pub mod candidates;
pub mod charset;
pub mod clusters;
pub mod difference;
pub mod documents;
pub mod evidence;
pub mod features;
pub mod graph;
pub mod grouping;
pub mod growth;
pub mod hamming;
pub mod hot;
pub mod html;
pub mod images;
pub mod layout;
pub mod links;
pub mod mixing;
pub mod near;
pub mod numbers;
pub mod overlap;
pub mod pairing;
pub mod paragraph_texts;
pub mod paragraphs;
pub mod parquet_rows;
pub mod projection;
pub mod rabin;
pub mod repeats;
pub mod shelf;
pub mod shingles;
pub mod sifting;
pub mod sites;
pub mod sketch;
pub mod stars;
pub mod terms;
pub mod tokens;
pub mod unicode;
pub mod uniting;
pub mod warc;
