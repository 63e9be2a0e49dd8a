//! The kernels of webecho: what is done per byte, per token and per pair of pages.
//!
//! A room is a stage of the data's way. It may use itself and the rooms named beside it, no others:
//!
//! | room           | what is in it                                    | may use                        |
//! | -------------- | ------------------------------------------------ | ------------------------------ |
//! | `fingerprints` | 64 or 128 bits that stand for something longer   |                                |
//! | `addresses`    | normal forms, keys and sites                     | `fingerprints`                 |
//! | `text`         | bytes to text to tokens                          | `fingerprints`                 |
//! | `sketches`     | tokens to sketches                               | `fingerprints` `addresses` `text` |
//! | `groups`       | pages that share something: candidates, clusters | `fingerprints` `sketches`      |
//! | `pairs`        | two pages at a time: pairs, differences          | `fingerprints` `sketches` `groups` |
//! | `documents`    | pages as paragraphs: duplicates, growth          | `fingerprints` `groups`        |
//! | `graph`        | what links reach                                 | `fingerprints`                 |
//! | `archives`     | files of pages that are in order                 |                                |
//! | `border`       | Python's face of all this; alone knows pyo3      | all                            |

pub mod addresses;
pub mod archives;
pub mod border;
pub mod documents;
pub mod fingerprints;
pub mod graph;
pub mod groups;
pub mod pairs;
pub mod sketches;
pub mod text;
