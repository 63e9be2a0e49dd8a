//! Pages to sketches: shingles, features, supershingles, projections, paragraphs, chunks and links of a
//! page.

pub mod chunks;
mod cutting;
pub mod features;
pub mod layout;
pub mod link_targets;
pub mod page;
pub mod paragraphs;
pub mod passages;
pub mod projection;
pub mod recipe;
pub mod shelf;
pub mod shingle_sets;
pub mod shingles;
pub mod sketch;
