//! *Evidence*: what two candidates are compared by, and the *measure* that comes of it.

use rayon::prelude::*;

use super::prefixes::{Lengths, Tokens};
use super::resemblance::{least_shared, shared};
use crate::fingerprints::mixing::mix;
use crate::interrupts::heed;
use crate::sketches::shingle_sets::Sets;

/// What was counted for two pages, or estimated from their features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    pub shared: u64,
    pub left_size: u64,
    pub right_size: u64,
    pub estimated: bool,
}

/// What candidates are verified by, for each member: the sets of their shingles, or where one of
/// the two has none, the features.
#[derive(Clone, Copy)]
pub struct Evidence<'a> {
    pub sets: Option<Sets<'a>>,
    pub features: &'a [u64],
    pub m: usize,
}

impl Evidence<'_> {
    /// The measures of these pairs of pages, both of them members (ascending).
    pub fn measure(&self, members: &[u32], pairs: &[(u32, u32)]) -> Option<Vec<Measure>> {
        let place = |page: u32| Some(members.binary_search(&page).ok()? as u32);
        pairs
            .par_iter()
            .map(|&(left, right)| {
                heed();
                self.compare(place(left)?, place(right)?, 0.0)
            })
            .collect()
    }

    /// The measure of two members, if their resemblance is as high.
    pub fn compare(&self, left: u32, right: u32, resemblance: f64) -> Option<Measure> {
        let (left, right) = (left as usize, right as usize);
        let sets = self.sets.and_then(|sets| sets.get(left).zip(sets.get(right)));
        if let Some((left, right)) = sets {
            let least = least_shared(left.len(), right.len(), resemblance);
            return Some(Measure {
                shared: shared(left, right, least)? as u64,
                left_size: left.len() as u64,
                right_size: right.len() as u64,
                estimated: false,
            });
        }
        let m = self.m;
        let (left, right) = (self.features_of(left), self.features_of(right));
        let equal = left.iter().zip(right).filter(|(l, r)| l == r).count();
        // As if the two had m shingles in all: then equal / m is the resemblance.
        (equal as f64 >= resemblance * m as f64 - SLACK).then_some(Measure {
            shared: equal as u64,
            left_size: usize::midpoint(m, equal) as u64,
            right_size: (m + equal).div_ceil(2) as u64,
            estimated: true,
        })
    }

    fn features_of(&self, member: usize) -> &[u64] {
        &self.features[member * self.m..][..self.m]
    }
}

/// What members of some resemblance must share: shingles if both have a set of them, features at the
/// same positions if one has none.
#[derive(Clone, Copy)]
pub struct Resembling<'a> {
    pub evidence: Evidence<'a>,
    pub resemblance: f64,
}

impl Tokens for Resembling<'_> {
    fn kinds(&self) -> usize {
        KINDS.len()
    }

    fn lengths(&self, kind: usize, member: u32) -> Option<Lengths> {
        let (size, short, long) = match KINDS[kind] {
            Kind::Shingles => {
                let size = self.evidence.sets?.get(member as usize)?.len();
                // The smallest partner is all shared, the smallest that is not smaller is as large.
                let long = (self.resemblance * size as f64 - SLACK).ceil() as usize;
                (size, least_shared(size, size, self.resemblance), long)
            }
            Kind::Features => {
                if self.evidence.sets.is_some_and(|sets| sets.are_complete()) {
                    return None;
                }
                let m = self.evidence.m;
                let least = (self.resemblance * m as f64 - SLACK).ceil() as usize;
                (m, least, least)
            }
        };
        // Candidates share something. Only empty sets share nothing, and those have a token for it.
        let length = |least: usize| size.max(1) + 1 - least.clamp(1, size.max(1));
        Some(Lengths { short: length(short), long: length(long) })
    }

    fn add(&self, kind: usize, member: u32, tokens: &mut Vec<u64>) {
        match KINDS[kind] {
            Kind::Shingles => {
                let set = self.evidence.sets.and_then(|sets| sets.get(member as usize));
                tokens.extend_from_slice(set.unwrap_or_default());
                if tokens.is_empty() {
                    tokens.push(0);
                }
            }
            Kind::Features => {
                let features = self.evidence.features_of(member as usize);
                tokens.extend((1..).zip(features).map(|(at, &each)| mix(each) ^ mix(at)));
            }
        }
    }
}

/// By what members may be compared.
#[derive(Clone, Copy)]
enum Kind {
    Shingles,
    Features,
}

const KINDS: [Kind; 2] = [Kind::Shingles, Kind::Features];

/// Keeps products that are whole numbers but for their last bit on the near side.
const SLACK: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_stand_in_where_a_set_is_missing() {
        let values = [1, 2, 3, 1, 2, 4];
        let (starts, ends) = ([0, 3, -1], [3, 6, -1]);
        let sets = Some(Sets { values: &values, starts: &starts, ends: &ends });
        let evidence = Evidence { sets, features: &[5, 5, 5, 6, 5, 5], m: 2 };
        let measure = evidence.compare(0, 1, 0.5).unwrap();
        assert_eq!((measure.shared, measure.estimated), (2, false));
        let measure = evidence.compare(0, 2, 0.5).unwrap();
        assert_eq!((measure.shared, measure.estimated), (2, true));
        assert_eq!(evidence.compare(1, 2, 0.6), None);
    }
}
