//! *Finder*: some pages, what of theirs is to be compared, and what makes two of them a pair. Whoever
//! goes through the buckets, for pairs, for a sample or for clusters, asks it for its judgement.

use super::buckets::{Buckets, Positions};
use super::hamming::{Near, Pieces, Rows, differing_bits};

/// The number of a site that is not known: no page is on the same.
pub const NO_SITE: u32 = u32::MAX;

/// What is known of some pages, ascending by their numbers.
#[derive(Clone, Copy, Debug)]
pub struct Data<'a> {
    pub pages: &'a [u32],
    pub sites: &'a [u32],
    /// With it only pages of the same number are compared.
    pub partition: Option<&'a [u32]>,
    pub supershingles: Option<Rows<'a>>,
    pub projections: Option<Rows<'a>>,
}

impl Data<'_> {
    pub fn same_site(&self, left: u32, right: u32) -> bool {
        let site = self.sites[left as usize];
        site != NO_SITE && site == self.sites[right as usize]
    }

    fn differ_in_partition(&self, left: u32, right: u32) -> bool {
        self.partition
            .is_some_and(|partition| partition[left as usize] != partition[right as usize])
    }
}

/// What pages are brought together and compared by.
#[derive(Clone, Debug)]
pub enum By {
    Supershingles {
        least: u32,
    },
    /// With pieces asked for, pairs that agree in none of those are counted but not given.
    Projections {
        most: u32,
        pieces: Pieces,
        asked: Option<Pieces>,
    },
}

/// The pairs that are wanted: all, those on one site, or those on different ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sites {
    Any,
    Same,
    Different,
}

/// How much may be done for one hot bucket.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub sample: usize,
    pub comparisons: u64,
    pub seed: u64,
}

/// What a pair must have, and what is done about hot buckets.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub by: By,
    pub sites: Sites,
    /// In how many bits the projections may differ, where pages are not compared by them.
    pub most_bits: Option<u32>,
    /// More rows than this make a bucket hot; without it none is.
    pub hot: Option<usize>,
    pub limits: Limits,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Together,
    /// Together, but the pieces asked for would not have found them.
    Missed,
    Separate,
}

/// What is looked through, and what for.
pub struct Finder<'a> {
    pub data: Data<'a>,
    pub wanted: &'a Wanted,
    pub buckets: Buckets<'a>,
}

impl<'a> Finder<'a> {
    /// None where the data lack what the pairs are to be found by.
    pub fn new(data: Data<'a>, wanted: &'a Wanted, hot: &'a [Vec<u32>]) -> Option<Finder<'a>> {
        let (rows, positions, near) = match &wanted.by {
            By::Supershingles { least } => {
                let rows = data.supershingles?;
                (rows, Positions::Words(rows.width), Near::Words { least: *least })
            }
            By::Projections { most, pieces, .. } => {
                (data.projections?, Positions::Pieces(pieces), Near::Bits { most: *most })
            }
        };
        if wanted.most_bits.is_some() {
            data.projections?;
        }
        let buckets = Buckets { rows, partition: data.partition, positions, near, hot };
        Some(Finder { data, wanted, buckets })
    }

    /// What else is asked of a pair that is near.
    #[inline(always)]
    pub fn judge(&self, left: u32, right: u32) -> Outcome {
        let fits = match self.wanted.sites {
            Sites::Any => true,
            Sites::Same => self.data.same_site(left, right),
            Sites::Different => !self.data.same_site(left, right),
        };
        let bits =
            |projections: Rows<'_>| differing_bits(projections.row(left), projections.row(right));
        let alike = || match (self.wanted.most_bits, self.data.projections) {
            (Some(most), Some(projections)) => bits(projections) <= most,
            _ => true,
        };
        if !fits || self.data.differ_in_partition(left, right) || !alike() {
            return Outcome::Separate;
        }
        if let By::Projections { asked: Some(asked), .. } = &self.wanted.by {
            let rows = self.buckets.rows;
            if !asked.any_agrees(rows.row(left), rows.row(right)) {
                return Outcome::Missed;
            }
        }
        Outcome::Together
    }

    /// Whether two rows make a pair.
    pub fn holds(&self, left: u32, right: u32) -> bool {
        let Buckets { rows, near, .. } = self.buckets;
        near.holds(rows.row(left), rows.row(right)) && self.judge(left, right) == Outcome::Together
    }
}
