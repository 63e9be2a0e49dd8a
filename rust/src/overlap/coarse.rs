//! *Coarse counting* (Shivakumar 1998, section 2.2): pairs are counted in cells that a hash function
//! gives them, several pairs in one cell. A pair that shares T chunks makes its cell *heavy*: it counts
//! T or more. Pairs in cells that are not heavy are none, and of those that are left all are counted
//! exactly. Several functions, one after the other, each count only what the ones before left.
//!
//! How many functions there are, and how many cells each has, is told beforehand from a *pilot*: the
//! pairs of a sample of all pairs, counted exactly. Pairs fall into cells by chance, so that what is in
//! a cell is a compound Poisson sum of the sampled counts, whose tail says how many cells will be heavy
//! by accident.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::lists::Lists;
use super::sorted::{Overlap, Pass, Sorting, pair, passes};
use crate::fingerprints::mixing::{constant, mix};

/// The most that a cell counts to; T beyond that is looked for as this.
const MOST: u32 = 250;
/// The most functions: each takes another scan.
pub const FUNCTIONS: usize = 4;
/// Cells below this are not worth saving.
pub const FEWEST_CELLS: usize = 1 << 16;
/// Pairs of the pilot.
const PILOT: u64 = 1 << 20;

/// One hash function's cells that are heavy, a bit each.
struct Heavy {
    bits: Vec<u64>,
    cells: u64,
    seed: u64,
}

/// The cell of a pair among so many.
#[inline(always)]
fn cell(left: u32, right: u32, seed: u64, cells: u64) -> usize {
    let mixed = mix(pair(left, right) ^ seed);
    ((u128::from(mixed) * u128::from(cells)) >> 64) as usize
}

impl Heavy {
    #[inline(always)]
    fn holds(&self, left: u32, right: u32) -> bool {
        let cell = cell(left, right, self.seed, self.cells);
        self.bits[cell >> 6] >> (cell & 63) & 1 == 1
    }

    fn bytes(&self) -> usize {
        self.bits.len() * 8
    }
}

/// How coarse counting is to be done.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Plan {
    pub functions: usize,
    pub cells: usize,
    /// What the pilot expects: different pairs, pairs that share enough, how often these share a
    /// chunk, and how often pairs do that are left, though they do not share enough, when all
    /// functions are done.
    pub different: f64,
    pub enough: f64,
    pub true_left: f64,
    pub false_left: f64,
}

impl Plan {
    /// How many pairs are to be counted exactly in the end, a pair as often as it shares a chunk.
    pub fn left(&self) -> f64 {
        self.true_left + self.false_left
    }
}

/// What one filter did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filtered {
    pub cells: u64,
    pub heavy: u64,
    /// Pairs that came to it, as often as they share a chunk, and those it left.
    pub before: u64,
    pub left: u64,
}

/// Chooses the least work that leaves few enough pairs to be counted at once, within so many bytes.
pub fn plan(lists: &Lists, shared: u32, room: usize) -> Plan {
    let pairs = lists.size().pairs;
    let one_in = pairs.div_ceil(PILOT).max(1);
    let sampled =
        |left: u32, right: u32| mix(pair(left, right) ^ constant(99)).is_multiple_of(one_in);
    let mut counts = vec![0u64; MOST as usize + 1];
    let (mut of_enough, mut sorting) = (0, Sorting::default());
    for pass in passes(lists, room / 32, sampled) {
        for found in sorting.count(lists, &pass, 1, sampled) {
            counts[found.shared.min(MOST) as usize] += 1;
            of_enough += if found.shared >= shared { u64::from(found.shared) } else { 0 };
        }
    }
    let scale = one_in as f64;
    let true_left = of_enough as f64 * scale;
    let different = counts.iter().sum::<u64>() as f64 * scale;
    let enough = counts[shared.min(MOST) as usize..].iter().sum::<u64>() as f64 * scale;
    let scaled: Vec<f64> = counts.iter().map(|&each| each as f64 * scale).collect();
    let expected = |functions: usize, cells: usize| {
        let last = (0..functions).fold(scaled.clone(), |left, _| survivors(&left, cells, shared));
        let light = (1u32..).zip(&last[1..shared.min(MOST) as usize]);
        light.map(|(count, &pairs)| f64::from(count) * pairs).sum::<f64>()
    };
    let enough_room = (room / 32) as f64;
    let mut best =
        Plan { functions: 1, cells: 0, different, enough, true_left, false_left: f64::INFINITY };
    for functions in 1..=FUNCTIONS {
        let mut cells = cells_within(room, functions);
        let mut false_left = expected(functions, cells);
        while cells / 2 >= FEWEST_CELLS {
            let fewer = expected(functions, cells / 2);
            if fewer > enough_room {
                break;
            }
            (cells, false_left) = (cells / 2, fewer);
        }
        // One more takes another scan: it must be worth that.
        if false_left < 0.9 * best.false_left {
            best = Plan { functions, cells, false_left, ..best };
        }
        if best.false_left <= enough_room {
            break;
        }
    }
    best
}

/// Cells of a byte for each of some functions, beside the bits of all.
fn cells_within(room: usize, functions: usize) -> usize {
    (room * 8 / (8 + functions)).max(64)
}

/// Of so many pairs that count 0, 1, 2 … those that lie in heavy cells: the others of a cell count a
/// compound Poisson sum (Panjer's recursion).
fn survivors(pairs: &[f64], cells: usize, shared: u32) -> Vec<f64> {
    let needed = shared.min(MOST) as usize;
    let load: Vec<f64> = pairs.iter().map(|each| each / cells as f64).collect();
    // The chance that the others count 0, 1, 2 …
    let mut chances = vec![(-load.iter().sum::<f64>()).exp()];
    for sum in 1..needed {
        let terms = (1..=sum).map(|each| each as f64 * load[each] * chances[sum - each]);
        chances.push(terms.sum::<f64>() / sum as f64);
    }
    let mut left = pairs.to_vec();
    // A pair that counts c itself needs the others to count T − c at least.
    let mut below = 0.0;
    for own in (1..needed).rev() {
        below += chances[needed - 1 - own];
        left[own] *= (1.0 - below).clamp(0.0, 1.0);
    }
    left
}

/// The heavy cells of all functions.
#[derive(Default)]
pub struct Filters {
    all: Vec<Heavy>,
    pub done: Vec<Filtered>,
}

impl Filters {
    /// Whether a pair may share enough chunks.
    #[inline(always)]
    pub fn hold(&self, left: u32, right: u32) -> bool {
        self.all.iter().all(|heavy| heavy.holds(left, right))
    }

    pub fn bytes(&self) -> usize {
        self.all.iter().map(Heavy::bytes).sum()
    }

    /// Counts what the filters leave in the cells of another function.
    pub fn add(&mut self, lists: &Lists, shared: u32, cells: usize) {
        let needed = shared.min(MOST) as u8;
        let seed = constant(self.all.len() as u64 + 1);
        let size = cells as u64;
        let counters: Vec<AtomicU8> = (0..cells).map(|_| AtomicU8::new(0)).collect();
        let seen = AtomicU64::new(0);
        lists.rows(&(0..lists.pages), |left, rights| {
            let mut here = 0;
            for &right in rights {
                if self.hold(left, right) {
                    let counter = &counters[cell(left, right, seed, size)];
                    let more = |count: u8| (count < needed).then_some(count + 1);
                    // Whoever finds it full leaves it so.
                    let _ = counter.fetch_update(Relaxed, Relaxed, more);
                    here += 1;
                }
            }
            seen.fetch_add(here, Relaxed);
        });
        let bits: Vec<u64> = counters
            .par_chunks(64)
            .map(|some| {
                let bit =
                    |(at, each): (usize, &AtomicU8)| u64::from(each.load(Relaxed) >= needed) << at;
                some.iter().enumerate().map(bit).sum()
            })
            .collect();
        let heavy = bits.par_iter().map(|word| u64::from(word.count_ones())).sum();
        let before = seen.into_inner();
        if let Some(last) = self.done.last_mut() {
            last.left = before;
        }
        self.done.push(Filtered { cells: size, heavy, before, left: before });
        self.all.push(Heavy { bits, cells: size, seed });
    }

    /// The passes in which what is left finds room.
    pub fn passes(&mut self, lists: &Lists, room: usize) -> Vec<Pass> {
        let found = passes(lists, room, |left, right| self.hold(left, right));
        if let Some(last) = self.done.last_mut() {
            last.left = found.iter().map(Pass::pairs).sum();
        }
        found
    }

    /// The pairs of a pass that share enough, in order.
    pub fn count(
        &self,
        sorting: &mut Sorting,
        lists: &Lists,
        pass: &Pass,
        shared: u32,
    ) -> Vec<Overlap> {
        sorting.count(lists, pass, shared, |left, right| self.hold(left, right))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_of_a_poisson_sum() {
        // Seven pairs in ten cells that share one chunk each: others must count two for three.
        let mut pairs = vec![0.0; MOST as usize + 1];
        pairs[1] = 7.0;
        let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
        let none = (-0.7f64).exp();
        assert!(near(survivors(&pairs, 10, 3)[1], 7.0 * (1.0 - none * 1.7)));
        // As many share two, which need one more; five share three and are heavy by themselves.
        (pairs[2], pairs[3]) = (7.0, 5.0);
        let none = (-1.9f64).exp();
        let left = survivors(&pairs, 10, 3);
        assert!(near(left[1], 7.0 * (1.0 - none * 1.7)) && near(left[2], 7.0 * (1.0 - none)));
        assert_eq!(left[3], 5.0);
        assert_eq!(survivors(&pairs, 10, 1), pairs);
    }
}
