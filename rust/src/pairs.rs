//! Two pages at a time: the pairs of sketches that agree in many values or bits, and what differs
//! between the tokens of two pages.

pub mod buckets;
pub mod clustering;
pub mod difference;
pub mod features_in_common;
pub mod finder;
pub mod hamming;
pub mod hot_buckets;
pub mod lost_words;
pub mod pairing;
pub mod stars;
pub mod term_difference;
