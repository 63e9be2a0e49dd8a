//! *Overlap*: how many chunks two pages have in common (Shivakumar 1998), for all pairs at once and
//! within a memory budget. A *chunk* is a fingerprint; a page has a set of them.

pub mod coarse;
pub mod lists;
pub mod postings;
pub mod search;
pub mod sets;
pub mod sorted;
pub mod stars;

#[cfg(test)]
mod brute_force;
