//! The pairs of a hot bucket: counted, and a sample of them drawn.
//!
//! The sample are the pairs with the lowest of numbers that look random, made of the two pages and
//! a seed: it depends on neither threads nor order. Each pair that is drawn stands for as many as
//! its *weight* says, true count over sampled count.
//!
//! A bucket of a hundred thousand pages is compared as a whole and its count is true. A larger one
//! would take hours, so its pages are laid in a circle, and only pairs at some distances along it
//! are compared, drawn by chance. As every pair has one distance, the count over those distances
//! times all distances over those drawn is an unbiased estimate, and how it varies from distance to
//! distance tells its standard error.

use std::collections::HashSet;

use rayon::prelude::*;

use super::buckets::{Values, others, row_of};
use super::finder::{Finder, Limits, Outcome};
use super::hamming::Block;
use crate::fingerprints::mixing::{STEP, mix};
use crate::interrupts::heed;

/// What was found in a hot bucket.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HotBucket {
    pub position: usize,
    pub pages: usize,
    pub comparisons: u64,
    /// How many pairs belong to it, and how far off that may be: 0 if it was counted.
    pub pairs: f64,
    pub standard_error: f64,
    /// The pairs that the pieces asked for do not find.
    pub missed: f64,
    /// How many of the pairs were drawn.
    pub drawn: usize,
}

impl HotBucket {
    pub fn weight(&self) -> f64 {
        if self.drawn == 0 { 1.0 } else { self.pairs / self.drawn as f64 }
    }
}

/// A hot bucket, the pairs drawn from it, and how many partners each of its rows has.
#[derive(Debug)]
pub struct Drawn {
    pub bucket: HotBucket,
    pub pairs: Vec<(u32, u32)>,
    pub degrees: Vec<(u32, u32)>,
}

/// Compares the rows of a hot bucket (sorted as `Buckets` has them).
pub fn draw(finder: &Finder<'_>, position: usize, bucket: &[u64], limits: Limits) -> Drawn {
    let rows: Vec<u32> = bucket.iter().map(|&each| row_of(each)).collect();
    let cool: Vec<u64> = rows.par_iter().map(|&row| finder.buckets.cool(row)).collect();
    let hot = Hot { finder, position, rows: &rows, cool: &cool, limits };
    let all = rows.len() as u64 * (rows.len() as u64 - 1) / 2;
    if all <= limits.comparisons { hot.counted(all) } else { hot.estimated() }
}

struct Hot<'a> {
    finder: &'a Finder<'a>,
    position: usize,
    rows: &'a [u32],
    cool: &'a [u64],
    limits: Limits,
}

/// What one thread has found so far.
struct Part {
    pairs: u64,
    missed: u64,
    degrees: Vec<u32>,
    sample: Sample,
}

impl Part {
    fn joined(mut self, other: Part) -> Part {
        self.pairs += other.pairs;
        self.missed += other.missed;
        self.degrees.iter_mut().zip(other.degrees).for_each(|(sum, more)| *sum += more);
        other.sample.pairs.into_iter().for_each(|pair| self.sample.add(pair));
        self
    }
}

/// The pairs with the lowest lots, of at most so many.
struct Sample {
    most: usize,
    /// Up to twice as many; whatever is above the bound is not among the lowest.
    pairs: Vec<(u64, u32, u32)>,
    bound: (u64, u32, u32),
}

impl Sample {
    fn new(most: usize) -> Sample {
        Sample { most, pairs: Vec::new(), bound: (u64::MAX, u32::MAX, u32::MAX) }
    }

    #[inline(always)]
    fn add(&mut self, pair: (u64, u32, u32)) {
        if pair < self.bound {
            self.pairs.push(pair);
            if self.pairs.len() >= 2 * self.most {
                self.cut();
            }
        }
    }

    #[inline(never)]
    fn cut(&mut self) {
        if self.pairs.len() > self.most {
            let (_, bound, _) = self.pairs.select_nth_unstable(self.most);
            self.bound = *bound;
            self.pairs.truncate(self.most);
        }
    }
}

impl Hot<'_> {
    fn part(&self) -> Part {
        let degrees = vec![0; self.rows.len()];
        Part { pairs: 0, missed: 0, degrees, sample: Sample::new(self.limits.sample) }
    }

    /// Takes in two rows that are near and belong here, by their places in the bucket, the lower
    /// row first.
    #[inline(always)]
    fn take(&self, part: &mut Part, left: usize, right: usize) {
        let (one, other) = (self.rows[left], self.rows[right]);
        match self.finder.judge(one, other) {
            Outcome::Separate => {}
            Outcome::Missed => part.missed += 1,
            Outcome::Together => {
                part.pairs += 1;
                part.degrees[left] += 1;
                part.degrees[right] += 1;
                part.sample.add((self.lot(one, other), one, other));
            }
        }
    }

    /// Takes in those of the rows that are near to this one and whose pairs belong here.
    fn take_all(&self, part: &mut Part, left: usize, near: &[u32], values: &Values) {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") {
                // SAFETY: the feature was just detected.
                return unsafe { self.take_avx512(part, left, near, values) };
            }
            if is_x86_feature_detected!("avx2") {
                // SAFETY: the feature was just detected.
                return unsafe { self.take_avx2(part, left, near, values) };
            }
        }
        self.take_owned(part, left, near, values);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f")]
    fn take_avx512(&self, part: &mut Part, left: usize, near: &[u32], values: &Values) {
        self.take_owned(part, left, near, values);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn take_avx2(&self, part: &mut Part, left: usize, near: &[u32], values: &Values) {
        self.take_owned(part, left, near, values);
    }

    #[inline(always)]
    fn take_owned(&self, part: &mut Part, left: usize, near: &[u32], values: &Values) {
        let here = 1 << self.position;
        let looked_at = others(self.position, self.cool[left]) | here;
        for &right in near {
            if values.agreement(left, right as usize) & looked_at == here {
                self.take(part, left, right as usize);
            }
        }
    }

    fn owns(&self, left: usize, right: usize) -> bool {
        let (one, other) = (self.rows[left], self.rows[right]);
        self.finder.buckets.owns(self.position, one, other, self.cool[left])
    }

    /// The number that decides whether a pair is drawn.
    #[inline(always)]
    fn lot(&self, left: u32, right: u32) -> u64 {
        let [left, right] = [left, right].map(|row| self.finder.data.pages[row as usize]);
        mix(mix(u64::from(left) << 32 | u64::from(right)) ^ mix(self.limits.seed ^ STEP))
    }

    /// All pairs compared.
    fn counted(&self, comparisons: u64) -> Drawn {
        let buckets = &self.finder.buckets;
        let block = Block::of(buckets.rows, self.rows.iter().copied());
        let values = Values::of(buckets, self.rows);
        // Early rows have most others after them, so every part takes some early and some late.
        let parts = 4 * rayon::current_num_threads();
        let found = (0..parts).into_par_iter().map(|first| {
            let (mut part, mut near) = (self.part(), Vec::new());
            for left in (first..self.rows.len()).step_by(parts) {
                heed();
                let row = buckets.rows.row(self.rows[left]);
                block.near_after(left, row, buckets.near, &mut near);
                self.take_all(&mut part, left, &near, &values);
            }
            part
        });
        let part = found.reduce(|| self.part(), Part::joined);
        let (pairs, missed) = (part.pairs as f64, part.missed as f64);
        self.drawn(part, comparisons, 1.0, pairs, 0.0, missed)
    }

    /// Pairs at some distances compared.
    fn estimated(&self) -> Drawn {
        let count = self.rows.len();
        let distances = count / 2;
        let wanted = (self.limits.comparisons / count as u64).clamp(2, distances as u64) as usize;
        let drawn = chosen(distances, wanted, self.limits.seed ^ self.position as u64);
        let buckets = &self.finder.buckets;
        let parts = rayon::current_num_threads().min(wanted);
        let found = drawn.par_chunks(wanted.div_ceil(parts)).map(|some| {
            let (mut part, mut counts) = (self.part(), Vec::with_capacity(some.len()));
            for &distance in some {
                heed();
                let before = part.pairs;
                // Half way round each pair would come twice.
                let last = if 2 * distance == count { count / 2 } else { count };
                for one in 0..last {
                    let other = (one + distance) % count;
                    let (left, right) = (one.min(other), one.max(other));
                    let [a, b] = [left, right].map(|place| buckets.rows.row(self.rows[place]));
                    if buckets.near.holds(a, b) && self.owns(left, right) {
                        self.take(&mut part, left, right);
                    }
                }
                counts.push(part.pairs - before);
            }
            (part, counts)
        });
        let nothing = || (self.part(), Vec::new());
        let (part, counts) = found.reduce(nothing, |(one, mut counts), (other, more)| {
            counts.extend(more);
            (one.joined(other), counts)
        });
        let each = distances as f64 / wanted as f64;
        let mean = part.pairs as f64 / wanted as f64;
        let squares: f64 = counts.iter().map(|&n| (n as f64 - mean).powi(2)).sum();
        let variance = squares / (wanted - 1) as f64;
        let left_out = 1.0 - wanted as f64 / distances as f64;
        let error = distances as f64 * (left_out * variance / wanted as f64).sqrt();
        let comparisons = (wanted * count) as u64;
        let (pairs, missed) = (part.pairs as f64 * each, part.missed as f64 * each);
        self.drawn(part, comparisons, each, pairs, error, missed)
    }

    fn drawn(
        &self,
        mut part: Part,
        comparisons: u64,
        each: f64,
        pairs: f64,
        standard_error: f64,
        missed: f64,
    ) -> Drawn {
        part.sample.cut();
        let drawn = part.sample.pairs.iter().map(|&(_, left, right)| (left, right));
        let mut drawn: Vec<(u32, u32)> = drawn.collect();
        drawn.sort_unstable();
        let bucket = HotBucket {
            position: self.position,
            pages: self.rows.len(),
            comparisons,
            pairs,
            standard_error,
            missed,
            drawn: drawn.len(),
        };
        let scaled = part.degrees.iter().map(|&count| (f64::from(count) * each).round() as u32);
        let degrees = self.rows.iter().copied().zip(scaled).filter(|&(_, count)| count > 0);
        Drawn { bucket, pairs: drawn, degrees: degrees.collect() }
    }
}

/// So many different numbers from 1 to `most`, each set of them as likely as any other (Floyd's
/// algorithm), in ascending order.
fn chosen(most: usize, wanted: usize, seed: u64) -> Vec<usize> {
    let mut found = HashSet::with_capacity(wanted);
    for last in most - wanted + 1..=most {
        let number = mix(seed.wrapping_add((last as u64).wrapping_mul(STEP)));
        let at = 1 + ((u128::from(number) * last as u128) >> 64) as usize;
        if !found.insert(at) {
            found.insert(last);
        }
    }
    let mut found: Vec<usize> = found.into_iter().collect();
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_chosen_without_repetition_and_evenly() {
        assert_eq!(chosen(5, 5, 3), [1, 2, 3, 4, 5]);
        let mut counts = [0; 21];
        for seed in 0..7000 {
            let found = chosen(20, 4, mix(seed));
            assert_eq!(found.len(), 4);
            found.into_iter().for_each(|number| counts[number] += 1);
        }
        // 1,400 each are expected; σ = 33.
        assert!(counts[1..].iter().all(|&n: &i32| (n - 1400).abs() < 170), "{counts:?}");
    }
}
