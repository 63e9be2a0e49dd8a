//! Fingerprints: the arithmetic that 64 or 128 bits come from which stand for something longer.

pub mod checksum;
pub mod digest;
pub mod mixing;
pub mod rabin;
