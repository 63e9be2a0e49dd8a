//! Pages that belong together by what their sketches share: groups, candidates, stars and clusters.

pub mod agreement;
pub mod candidates;
pub mod clusters;
pub mod evidence;
pub mod grouping;
pub mod hot_groups;
pub mod mapped_numbers;
pub mod prefixes;
pub mod repeated_values;
pub mod resemblance;
pub mod sifting;
pub mod stars;
