//! Two pages at a time: the pairs of sketches that agree in many values or bits.

pub mod buckets;
pub mod clustering;
pub mod features_in_common;
pub mod finder;
pub mod hamming;
pub mod hot_buckets;
pub mod pairing;
pub mod stars;
