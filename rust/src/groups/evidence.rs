//! *Evidence*: what two candidates are compared by, and the *measure* that comes of it.

use rayon::prelude::*;

use super::prefixes::{Lengths, Tokens};
use super::resemblance::{least_shared, shared};
use crate::differences::equal_words::{equal_words, least_equal};
use crate::fingerprints::mixing::mix;
use crate::interrupts::heed;
use crate::sketches::shingle_sets::Sets;

/// What was counted for two pages, of shingles or of words, or estimated from their features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    pub shared: u64,
    pub left_size: u64,
    pub right_size: u64,
    pub estimated: bool,
}

/// What is held for each member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// Ascending sets of distinct shingles.
    Shingles,
    /// Words in their order. Two pages are compared only if so many of their features are equal.
    Words { least_features: usize },
}

/// What candidates are verified by, for each member: its shingles or words, or where one of the two
/// has none, the features.
#[derive(Clone, Copy)]
pub struct Evidence<'a> {
    pub held: Held,
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

    /// The measure of two members, if their resemblance, or share of equal words, is as high.
    pub fn compare(&self, left: u32, right: u32, least: f64) -> Option<Measure> {
        let (left, right) = (left as usize, right as usize);
        let sets = self.sets.and_then(|sets| sets.get(left).zip(sets.get(right)));
        match (self.held, sets) {
            (Held::Shingles, Some((left, right))) => by_shingles(left, right, least),
            (Held::Shingles, None) => {
                let equal = self.equal_features(left, right);
                let enough = equal as f64 >= least * self.m as f64 - SLACK;
                enough.then_some(self.estimate(equal))
            }
            (Held::Words { least_features }, Some((ours, theirs))) => {
                let unlike = || self.equal_features(left, right) < least_features;
                if least > 0.0 && unlike() { None } else { by_words(ours, theirs, least) }
            }
            (Held::Words { .. }, None) => {
                let equal = self.equal_features(left, right);
                // Of shingles that are equal in order all words are: they tell no more than there are.
                let share = 2.0 * equal as f64 / (self.m + equal) as f64;
                (share >= least - SLACK).then_some(self.estimate(equal))
            }
        }
    }

    fn equal_features(&self, left: usize, right: usize) -> usize {
        let (left, right) = (self.features_of(left), self.features_of(right));
        left.iter().zip(right).filter(|(l, r)| l == r).count()
    }

    fn features_of(&self, member: usize) -> &[u64] {
        &self.features[member * self.m..][..self.m]
    }

    /// As if the two had m shingles in all: then equal / m is the resemblance.
    fn estimate(&self, equal: usize) -> Measure {
        Measure {
            shared: equal as u64,
            left_size: usize::midpoint(self.m, equal) as u64,
            right_size: (self.m + equal).div_ceil(2) as u64,
            estimated: true,
        }
    }

    /// How many features two members have in common at the least that are held together.
    fn least_features(&self, least: f64) -> usize {
        let m = self.m as f64;
        match self.held {
            Held::Shingles => (least * m - SLACK).ceil() as usize,
            // As `compare` has it, of pages with words and without.
            Held::Words { least_features } => {
                least_features.min((least * m / (2.0 - least) - SLACK).ceil() as usize)
            }
        }
    }
}

fn by_shingles(left: &[u64], right: &[u64], resemblance: f64) -> Option<Measure> {
    let least = least_shared(left.len(), right.len(), resemblance);
    Some(Measure {
        shared: shared(left, right, least)? as u64,
        left_size: left.len() as u64,
        right_size: right.len() as u64,
        estimated: false,
    })
}

fn by_words(left: &[u64], right: &[u64], share: f64) -> Option<Measure> {
    let found = equal_words(left, right, least_equal(left.len(), right.len(), share))?;
    Some(Measure {
        shared: found.count as u64,
        left_size: left.len() as u64,
        right_size: right.len() as u64,
        estimated: !found.exact,
    })
}

/// What members of some resemblance must share: shingles if both have a set of them; features at the
/// same positions if one has none, and wherever words are compared.
#[derive(Clone, Copy)]
pub struct Resembling<'a> {
    evidence: Evidence<'a>,
    resemblance: f64,
    by_features: bool,
}

impl<'a> Resembling<'a> {
    pub fn new(evidence: Evidence<'a>, resemblance: f64) -> Resembling<'a> {
        // All sets are looked at: once, and not for each member.
        let complete = evidence.sets.is_some_and(|sets| sets.are_complete());
        let by_features = !complete || evidence.held != Held::Shingles;
        Resembling { evidence, resemblance, by_features }
    }
}

impl Tokens for Resembling<'_> {
    fn kinds(&self) -> usize {
        KINDS.len()
    }

    fn lengths(&self, kind: usize, member: u32) -> Option<Lengths> {
        let (size, short, long) = match KINDS[kind] {
            // Words are sequences: of these the prefixes of sets say nothing.
            Kind::Shingles if self.evidence.held != Held::Shingles => return None,
            Kind::Shingles => {
                let size = self.evidence.sets?.get(member as usize)?.len();
                // The smallest partner is all shared, the smallest that is not smaller is as large.
                let long = (self.resemblance * size as f64 - SLACK).ceil() as usize;
                (size, least_shared(size, size, self.resemblance), long)
            }
            Kind::Features if !self.by_features => return None,
            Kind::Features => {
                let least = self.evidence.least_features(self.resemblance);
                (self.evidence.m, least, least)
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
        let features = &[5, 5, 5, 6, 5, 5];
        let evidence = Evidence { held: Held::Shingles, sets, features, m: 2 };
        let measure = evidence.compare(0, 1, 0.5).unwrap();
        assert_eq!((measure.shared, measure.estimated), (2, false));
        let measure = evidence.compare(0, 2, 0.5).unwrap();
        assert_eq!((measure.shared, measure.estimated), (2, true));
        assert_eq!(evidence.compare(1, 2, 0.6), None);
    }

    #[test]
    fn words_are_compared_in_their_order_if_features_agree_enough() {
        let values = [9, 8, 7, 6, 9, 8, 5, 6];
        let (starts, ends) = ([0, 4, -1], [4, 8, -1]);
        let sets = Some(Sets { values: &values, starts: &starts, ends: &ends });
        let features = &[5, 5, 5, 6, 5, 5];
        let evidence = |least_features| {
            let held = Held::Words { least_features };
            Evidence { held, sets, features, m: 2 }
        };
        let measure = evidence(1).compare(0, 1, 0.75).unwrap();
        assert_eq!((measure.shared, measure.left_size, measure.estimated), (3, 4, false));
        assert_eq!(evidence(1).compare(0, 1, 0.76), None);
        assert_eq!(evidence(2).compare(0, 1, 0.75), None);
        // Whatever features say, what is asked for without a least is measured.
        assert_eq!(evidence(2).compare(0, 1, 0.0), Some(measure));
        // One of two features is equal: a resemblance of 1/2, and so a share of 2/3.
        let measure = evidence(1).compare(1, 2, 0.66).unwrap();
        assert_eq!((measure.shared, measure.estimated), (1, true));
        assert_eq!(evidence(1).compare(1, 2, 0.67), None);
    }
}
