//! The kernels of webecho: what is done per byte, per token and per pair of pages.
//!
//! A room is a stage of the data's way. It may use itself and the rooms named beside it, no others.
//!
//! | room | what is in it | may use |
//! | --- | --- | --- |
//! | `fingerprints` | few bits that stand for something longer | |
//! | `interrupts` | whether whoever waits wants it to end | |
//! | `spilling` | large pieces of memory in files | |
//! | `addresses` | normal forms, keys and sites | `fingerprints` |
//! | `text` | bytes to text to tokens | `fingerprints` |
//! | `sketches` | pages to sketches | `fingerprints`, `interrupts`, `addresses`, `text` |
//! | `differences` | what two token sequences have in common | `fingerprints`, `interrupts`, `text`, `sketches` |
//! | `groups` | candidates, stars, clusters | `fingerprints`, `interrupts`, `sketches`, `differences` |
//! | `pairs` | two pages at a time | `fingerprints`, `interrupts`, `sketches`, `groups` |
//! | `documents` | pages as paragraphs | `fingerprints`, `interrupts`, `sketches`, `groups` |
//! | `overlap` | chunks that pages share | `fingerprints`, `interrupts`, `groups` |
//! | `graph` | what links reach | `fingerprints`, `interrupts` |
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
pub mod interrupts;
pub mod overlap;
pub mod pairs;
pub mod sketches;
pub mod spilling;
pub mod text;
