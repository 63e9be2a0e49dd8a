//! The kernels of webecho: what is done per byte, per token and per pair of pages.
//!
//! A room is a stage of the data's way. It may use itself and the rooms named beside it, no others.
//!
//! | room | what is in it | may use |
//! | --- | --- | --- |
//! | `fingerprints` | few bits that stand for something longer | |
//! | `addresses` | normal forms, keys and sites | `fingerprints` |
//! | `text` | bytes to text to tokens | `fingerprints` |
//! | `sketches` | pages to sketches | `fingerprints`, `addresses`, `text` |
//! | `differences` | what two token sequences have in common | `fingerprints`, `text`, `sketches` |
//! | `groups` | candidates, stars, clusters | `fingerprints`, `sketches`, `differences` |
//! | `pairs` | two pages at a time | `fingerprints`, `sketches`, `groups` |
//! | `documents` | pages as paragraphs | `fingerprints`, `sketches`, `groups` |
//! | `overlap` | chunks that pages share | `fingerprints`, `groups` |
//! | `graph` | what links reach | `fingerprints` |
//! | `archives` | files that are in order | |
//! | `border` | what Python sees; alone knows pyo3 | every other room |

pub mod addresses;
pub mod archives;
pub mod border;
pub mod differences;
pub mod documents;
pub mod fingerprints;
pub mod graph;
pub mod groups;
pub mod overlap;
pub mod pairs;
pub mod sketches;
pub mod text;
