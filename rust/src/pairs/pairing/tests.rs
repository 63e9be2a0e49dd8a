//! Pairs held against brute force, with and without hot buckets.

use super::*;
use crate::fingerprints::mixing::mix;
use crate::groups::clusters::Forest;
use crate::pairs::clustering::unite_all;
use crate::pairs::finder::{By, Limits, NO_SITE, Sites};
use crate::pairs::hamming::Pieces;

const WIDTH: usize = 6;
/// From this row on all are of one cluster.
const LARGE: u64 = 600;

/// Rows in clusters of many sizes: each row differs from its cluster's first in a few bits, or in a
/// few words. Some rows of different clusters share their first word: a hot piece.
fn rows(count: u64, words: bool) -> Vec<u64> {
    let mut all = Vec::new();
    for row in 0..count {
        // Sizes 1, 2, 3 …: the cluster of row n begins at a triangular number.
        let size = ((8.0 * row as f64 + 1.0).sqrt() as u64 - 1) / 2;
        let size = if row >= LARGE { 0 } else { size };
        let mut values: Vec<u64> = (0..WIDTH as u64).map(|word| mix(1000 * size + word)).collect();
        let changes = mix(row) % 9;
        for change in 0..changes {
            let place = mix(row * 100 + change);
            let value = if words { mix(place) } else { 1 << (place >> 32 & 63) };
            values[(place % WIDTH as u64) as usize] ^= value;
        }
        if mix(row + 7).is_multiple_of(4) {
            values[0] = 5;
        }
        all.extend(values);
    }
    all
}

fn wanted(by: By) -> Wanted {
    let limits = Limits { sample: 50, comparisons: 1 << 33, seed: 0 };
    Wanted { by, sites: Sites::Any, most_bits: None, hot: None, limits }
}

fn bits(most: u32) -> By {
    By::Projections { most, pieces: Pieces::new(384, most + 1).unwrap(), asked: None }
}

fn found(wanted: &Wanted, data: Data<'_>) -> (Vec<Pair>, Pairing) {
    let mut pairing = Pairing::new(wanted.clone(), data.pages.len());
    let mut pairs = Vec::new();
    while let Some(batch) = pairing.next(data) {
        pairs.extend(batch);
    }
    pairs.sort_unstable_by_key(|pair| (pair.left, pair.right));
    (pairs, pairing)
}

/// Pages with both kinds of rows, on twenty sites and some on none.
struct Made {
    pages: Vec<u32>,
    sites: Vec<u32>,
    supershingles: Vec<u64>,
    projections: Vec<u64>,
}

impl Made {
    fn new(count: u64) -> Made {
        let site =
            |row: u64| if row.is_multiple_of(11) { NO_SITE } else { (mix(row / 3) % 20) as u32 };
        Made {
            pages: (0..count as u32).map(|row| 3 * row + 1).collect(),
            sites: (0..count).map(site).collect(),
            supershingles: rows(count, true),
            projections: rows(count, false),
        }
    }

    fn data(&self) -> Data<'_> {
        let rows = |words| Some(Rows { words, width: WIDTH });
        Data {
            pages: &self.pages,
            sites: &self.sites,
            partition: None,
            supershingles: rows(&self.supershingles),
            projections: rows(&self.projections),
        }
    }

    /// Every pair of which this is true.
    fn brute(&self, is_wanted: impl Fn(u32, u32, bool) -> bool) -> Vec<Pair> {
        let (b, c) = (&self.supershingles, &self.projections);
        let mut pairs = Vec::new();
        for left in 0..self.pages.len() {
            for right in left + 1..self.pages.len() {
                let row = |all: &'_ [u64], at: usize| all[at * WIDTH..][..WIDTH].to_vec();
                let b_similarity = equal_words(&row(b, left), &row(b, right));
                let c_similarity = 384 - differing_bits(&row(c, left), &row(c, right));
                let site = self.sites[left];
                let same_site = site == self.sites[right] && site != NO_SITE;
                if is_wanted(b_similarity, c_similarity, same_site) {
                    pairs.push(Pair {
                        left: left as u32,
                        right: right as u32,
                        b_similarity: Some(b_similarity),
                        c_similarity: Some(c_similarity),
                        same_site,
                        weight: 1.0,
                    });
                }
            }
        }
        pairs
    }
}

#[test]
fn every_rule_gives_the_pairs_of_brute_force_once() {
    let made = Made::new(700);
    let b = |least| By::Supershingles { least };
    for (by, most_bits, sites, expected) in [
        (b(1), None, Sites::Any, made.brute(|b, _, _| b >= 1)),
        (b(2), None, Sites::Any, made.brute(|b, _, _| b >= 2)),
        (b(6), None, Sites::Any, made.brute(|b, _, _| b >= 6)),
        (b(2), Some(29), Sites::Any, made.brute(|b, c, _| b >= 2 && c >= 355)),
        (b(2), Some(8), Sites::Same, made.brute(|b, c, same| b >= 2 && c >= 376 && same)),
        (bits(12), None, Sites::Any, made.brute(|_, c, _| c >= 372)),
        (bits(20), None, Sites::Any, made.brute(|_, c, _| c >= 364)),
        (bits(12), None, Sites::Different, made.brute(|_, c, same| c >= 372 && !same)),
    ] {
        assert!(expected.len() > 50, "{}", expected.len());
        for hot in [None, Some(1000)] {
            let wanted = Wanted { sites, most_bits, hot, ..wanted(by.clone()) };
            let (pairs, pairing) = found(&wanted, made.data());
            assert_eq!(pairs, expected, "{wanted:?}");
            assert_eq!(pairing.counts.pairs, expected.len() as f64);
            let mut degrees = vec![0; made.pages.len()];
            for pair in &expected {
                degrees[pair.left as usize] += 1;
                degrees[pair.right as usize] += 1;
            }
            assert_eq!(pairing.degrees, degrees);
            let forest = Forest::new(3000);
            unite_all(&Finder::new(made.data(), &wanted, &[]).unwrap(), &forest);
            let slow = Forest::new(3000);
            let page = |row: u32| made.pages[row as usize];
            expected.iter().for_each(|pair| slow.unite(page(pair.left), page(pair.right)));
            assert_eq!(forest.clusters(), slow.clusters());
        }
    }
}

#[test]
fn pairs_that_fewer_pieces_miss_are_counted() {
    let mut made = Made::new(700);
    // The last row differs from the first in one bit of each of 12 pieces.
    for word in 0..WIDTH {
        made.projections[699 * WIDTH + word] = made.projections[word] ^ 1 << 3 ^ 1 << 40;
    }
    let twelve = Pieces::new(384, 12).unwrap();
    let all = made.brute(|_, c, _| c >= 372);
    let projection = |row: u32| &made.projections[row as usize * WIDTH..][..WIDTH];
    let agrees = |pair: &&Pair| twelve.any_agrees(projection(pair.left), projection(pair.right));
    let expected: Vec<Pair> = all.iter().filter(agrees).copied().collect();
    let By::Projections { most, pieces, .. } = bits(12) else { unreachable!() };
    let by = By::Projections { most, pieces, asked: Some(twelve.clone()) };
    let (pairs, pairing) = found(&wanted(by), made.data());
    assert_eq!(pairs, expected);
    assert_eq!(pairing.counts.missed, (all.len() - expected.len()) as f64);
    assert!(pairing.counts.missed > 0.0);
}

#[test]
fn a_hot_bucket_is_counted_and_sampled() {
    let made = Made::new(900);
    let expected = made.brute(|_, c, _| c >= 372);
    // The rows that share the first word are about 225, those of the large cluster 300, of which
    // many are in the same bucket wherever one looks.
    let wanted = Wanted { hot: Some(100), ..wanted(bits(12)) };
    let (pairs, pairing) = found(&wanted, made.data());
    let most = pairing.hot_buckets.iter().max_by_key(|hot| hot.drawn).unwrap();
    assert!(most.pages > 100 && most.pairs > 50.0);
    assert_eq!((most.drawn, most.standard_error), (50, 0.0));
    assert_eq!(pairing.counts.pairs, expected.len() as f64);
    assert!(pairs.len() < expected.len());
    assert_eq!(pairs.len() as u64, pairing.counts.given);
    let weights: f64 = pairs.iter().map(|pair| pair.weight).sum();
    assert!((weights - expected.len() as f64).abs() < 1e-6);
    // What is given is true, whatever its weight; what met elsewhere is all there.
    for pair in &pairs {
        assert!(expected.contains(&Pair { weight: 1.0, ..*pair }));
    }
    let sampled = pairs.iter().filter(|pair| pair.weight != 1.0).count();
    let hot_drawn: usize = pairing.hot_buckets.iter().map(|hot| hot.drawn).sum();
    assert!(sampled <= hot_drawn);
    // Threads do not matter, the seed does.
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    for threads in [1, 2, 3] {
        assert_eq!(pool(threads).install(|| found(&wanted, made.data()).0), pairs);
    }
    let limits = Limits { seed: 1, ..wanted.limits };
    let (other, _) = found(&Wanted { limits, ..wanted.clone() }, made.data());
    assert_ne!(other, pairs);
}

#[test]
fn the_estimate_of_a_bucket_that_is_not_compared_as_a_whole_is_unbiased() {
    let made = Made::new(900);
    let truth = made.brute(|_, c, _| c >= 372).len() as f64;
    let runs = 200;
    let (mut sum, mut squares, mut errors, mut degrees) = (0.0, 0.0, 0.0, 0.0);
    for seed in 0..runs {
        let limits = Limits { sample: 20, comparisons: 2000, seed };
        let wanted = Wanted { hot: Some(100), limits, ..wanted(bits(12)) };
        let (pairs, pairing) = found(&wanted, made.data());
        let weights: f64 = pairs.iter().map(|pair| pair.weight).sum();
        assert!((weights - pairing.counts.pairs).abs() < 1e-6 * truth);
        let variance: f64 = pairing.hot_buckets.iter().map(|hot| hot.standard_error.powi(2)).sum();
        assert!(variance > 0.0);
        sum += pairing.counts.pairs;
        squares += (pairing.counts.pairs - truth).powi(2);
        errors += variance;
        degrees += pairing.degrees.iter().map(|&n| f64::from(n)).sum::<f64>() / 2.0;
    }
    let runs = runs as f64;
    // The mean of 200 estimates is off by a fourteenth of one's error.
    let error = (errors / runs).sqrt();
    assert!((sum / runs - truth).abs() < 4.0 * error / runs.sqrt(), "{} {truth}", sum / runs);
    assert!((degrees / runs - truth).abs() < 0.05 * truth, "{} {truth}", degrees / runs);
    // And the error that each tells is the one they have.
    let spread = (squares / runs).sqrt();
    assert!((error / spread - 1.0).abs() < 0.25, "{error} {spread}");
}

#[test]
fn large_buckets_come_in_several_batches() {
    // 3,000 equal rows: 4,498,500 pairs, more than a batch holds.
    let words = vec![1; 3000];
    let pages: Vec<u32> = (0..3000).collect();
    let rows = Some(Rows { words: &words, width: 1 });
    let data = Data {
        pages: &pages,
        sites: &pages,
        partition: None,
        supershingles: rows,
        projections: None,
    };
    let mut pairing = Pairing::new(wanted(By::Supershingles { least: 1 }), 3000);
    let (mut batches, mut count) = (0, 0);
    while let Some(batch) = pairing.next(data) {
        assert!(batch.len() <= BATCH);
        assert!(batch.iter().all(|pair| pair.left < pair.right && pair.c_similarity.is_none()));
        batches += 1;
        count += batch.len();
    }
    assert_eq!(count, 4_498_500);
    assert!(batches > 2);
    assert_eq!(pairing.counts.comparisons, 4_498_500);
}

/// Projections in clusters whose sizes follow a power law, and pieces that thousands of rows share
/// though they have nothing else in common.
fn power_law(count: usize) -> Vec<u64> {
    let mut words = Vec::with_capacity(count * WIDTH);
    let (mut cluster, mut left) = (0, 0);
    for row in 0..count as u64 {
        if left == 0 {
            // Sizes of at least s are as frequent as 1 / s.
            let share = mix(row) as f64 / u64::MAX as f64;
            left = (1.0 / share.max(5e-4)) as u64;
            cluster = row;
        }
        left -= 1;
        let mut values: Vec<u64> = (0..WIDTH as u64).map(|word| mix(cluster * 8 + word)).collect();
        for change in 0..mix(row + 1) % 10 {
            let place = mix(row * 16 + change) % 384;
            values[place as usize / 64] ^= 1 << (place % 64);
        }
        match mix(row + 2) % 20 {
            0 => values[2] = values[2] & !0xFFFF_FFFF | 0x4D,
            1 => values[5] = 0,
            _ => {}
        }
        words.extend(values);
    }
    words
}

/// The rows whose first word differs in at most 12 bits: only they can differ in no more.
#[inline(always)]
fn in_first_word(firsts: &[u64], word: u64) -> Vec<u32> {
    let near = firsts.iter().enumerate().filter(|(_, other)| (*other ^ word).count_ones() <= 12);
    near.map(|(row, _)| row as u32).collect()
}

#[cfg(target_arch = "x86_64")]
fn near_in_first_word(firsts: &[u64], word: u64) -> Vec<u32> {
    #[target_feature(enable = "popcnt")]
    fn counted(firsts: &[u64], word: u64) -> Vec<u32> {
        in_first_word(firsts, word)
    }
    // SAFETY: every x86-64 processor of the last fifteen years counts bits.
    unsafe { counted(firsts, word) }
}

#[cfg(not(target_arch = "x86_64"))]
use in_first_word as near_in_first_word;

#[test]
fn the_pairs_of_a_hundred_thousand_projections_are_those_of_brute_force() {
    let count = 100_000;
    let words = power_law(count);
    let pages: Vec<u32> = (0..count as u32).collect();
    let rows = Rows { words: &words, width: WIDTH };
    let data = Data {
        pages: &pages,
        sites: &pages,
        partition: None,
        supershingles: None,
        projections: Some(rows),
    };
    let firsts: Vec<u64> = words.iter().step_by(WIDTH).copied().collect();
    let expected: Vec<(u32, u32)> = (0..count as u32)
        .into_par_iter()
        .flat_map_iter(|right| {
            let near = near_in_first_word(&firsts[..right as usize], firsts[right as usize]);
            let all = near.into_iter().map(move |left| (left, right));
            all.filter(|&(left, right)| differing_bits(rows.row(left), rows.row(right)) <= 12)
        })
        .collect();
    assert!(expected.len() > 100_000, "{}", expected.len());
    let (pairs, pairing) = found(&Wanted { hot: Some(5000), ..wanted(bits(12)) }, data);
    let mut found: Vec<(u32, u32)> = pairs.iter().map(|pair| (pair.left, pair.right)).collect();
    found.sort_unstable_by_key(|&(left, right)| (right, left));
    // The hot buckets are there, and cost no pair: clusters meet elsewhere too.
    assert!(pairing.hot_buckets.len() >= 2 && pairing.counts.pairs == expected.len() as f64);
    assert_eq!(found, expected);
}
