//! *Projection*: the page's b bits from random ±1 projections of all its tokens (Algorithm C of
//! Henzinger 2006, after Charikar 2002). Each token adds +1 or −1 to each of b dimensions, as often
//! as it occurs; a positive sum gives 1, any other 0. Two pages agree in a bit with the probability
//! 1 − θ/π, θ being the angle between their vectors of token frequencies.
//!
//! The sums are counted for 512 dimensions at once: bit i of the counter of every dimension lies in
//! plane i, and a tree of carry-save adders takes sixteen tokens at a time into the planes. Only
//! additions, ANDs and XORs of whole words, so every vector path gives the same bits.

use crate::fingerprints::mixing::constant;

/// Words of 64 dimensions that are counted together.
const LANES: usize = 8;
/// Tokens that one pass of the adder tree takes in.
const GROUP: usize = 16;
/// Planes above the tree's own four: enough for 2³⁶ tokens.
const PLANES: usize = 32;

type Lanes = [u64; LANES];

/// The keys and odd factors that give each word of a token's signs its own hash.
const KEYS: [Lanes; 4] = table(100);
const FACTORS: [Lanes; 4] = odd(table(200));

/// The most bits a recipe may ask for.
pub const MOST: usize = KEYS.len() * LANES * 64;

const fn table(start: u64) -> [Lanes; 4] {
    let mut all = [[0; LANES]; 4];
    let mut i = 0;
    while i < 4 * LANES {
        all[i / LANES][i % LANES] = constant(start + i as u64);
        i += 1;
    }
    all
}

const fn odd(mut all: [Lanes; 4]) -> [Lanes; 4] {
    let mut i = 0;
    while i < 4 * LANES {
        all[i / LANES][i % LANES] |= 1;
        i += 1;
    }
    all
}

/// Writes the projection of the tokens (mixed fingerprints) into `words`, 64 bits each.
pub fn project(tokens: &[u64], words: &mut [u64]) {
    for (block, words) in words.chunks_mut(LANES).enumerate() {
        let bits = project_block(tokens, &KEYS[block], &FACTORS[block]);
        words.copy_from_slice(&bits[..words.len()]);
    }
}

fn project_block(tokens: &[u64], keys: &Lanes, factors: &Lanes) -> Lanes {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") {
            // SAFETY: the features were just detected.
            return unsafe { project_avx512(tokens, keys, factors) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the feature was just detected.
            return unsafe { project_avx2(tokens, keys, factors) };
        }
    }
    project_lanes(tokens, keys, factors)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq")]
fn project_avx512(tokens: &[u64], keys: &Lanes, factors: &Lanes) -> Lanes {
    project_lanes(tokens, keys, factors)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn project_avx2(tokens: &[u64], keys: &Lanes, factors: &Lanes) -> Lanes {
    project_lanes(tokens, keys, factors)
}

/// A token's signs: 1 for +1, 0 for −1.
#[inline(always)]
fn signs(token: u64, keys: &Lanes, factors: &Lanes) -> Lanes {
    let mut signs = [0; LANES];
    for lane in 0..LANES {
        let product = (token ^ keys[lane]).wrapping_mul(factors[lane]);
        signs[lane] = product ^ (product >> 32);
    }
    signs
}

/// Adds three planes of the same weight: what stays, and what is carried to the next weight.
#[inline(always)]
fn add(a: Lanes, b: Lanes, c: Lanes) -> (Lanes, Lanes) {
    let (mut sum, mut carry) = ([0; LANES], [0; LANES]);
    for lane in 0..LANES {
        let either = a[lane] ^ b[lane];
        sum[lane] = either ^ c[lane];
        carry[lane] = (a[lane] & b[lane]) | (either & c[lane]);
    }
    (sum, carry)
}

#[inline(always)]
fn project_lanes(tokens: &[u64], keys: &Lanes, factors: &Lanes) -> Lanes {
    let [mut ones, mut twos, mut fours, mut eights] = [[0u64; LANES]; 4];
    let mut planes = [[0u64; LANES]; PLANES];
    let mut height = 0;
    let groups = tokens.chunks_exact(GROUP);
    let rest = groups.remainder();
    for group in groups {
        let s = |i: usize| signs(group[i], keys, factors);
        // Four signs go in, and what is carried to the fours comes out; then the same with eight.
        let four = |ones: &mut Lanes, twos: &mut Lanes, at: usize| {
            let (sum, first) = add(*ones, s(at), s(at + 1));
            let (sum, second) = add(sum, s(at + 2), s(at + 3));
            *ones = sum;
            let (sum, carry) = add(*twos, first, second);
            *twos = sum;
            carry
        };
        let mut eight = |at: usize| {
            let first = four(&mut ones, &mut twos, at);
            let second = four(&mut ones, &mut twos, at + 4);
            let (sum, carry) = add(fours, first, second);
            fours = sum;
            carry
        };
        let (first, second) = (eight(0), eight(8));
        let carry;
        (eights, carry) = add(eights, first, second);
        height = ripple(&mut planes, carry, height);
    }
    // The tree's own planes become the low ones of the counters, and the rest is added singly.
    let mut counters = [[0u64; LANES]; PLANES + 4];
    counters[..4].copy_from_slice(&[ones, twos, fours, eights]);
    counters[4..].copy_from_slice(&planes);
    height += 4;
    for &token in rest {
        height = ripple(&mut counters, signs(token, keys, factors), height);
    }
    majority(&counters[..height], tokens.len() as u64)
}

/// Adds one bit a dimension, carrying upwards; gives the new number of planes used.
#[inline(always)]
fn ripple(planes: &mut [Lanes], mut carry: Lanes, height: usize) -> usize {
    for (at, plane) in planes.iter_mut().enumerate() {
        let mut any = 0;
        for lane in 0..LANES {
            let both = plane[lane] & carry[lane];
            plane[lane] ^= carry[lane];
            carry[lane] = both;
            any |= both;
        }
        if any == 0 {
            return height.max(at + 1);
        }
    }
    planes.len()
}

/// The dimensions in which more than half of n signs are +1: twice the count is above n.
fn majority(counters: &[Lanes], n: u64) -> Lanes {
    let half = n / 2;
    let (mut above, mut equal) = ([0u64; LANES], [u64::MAX; LANES]);
    for at in (0..64).rev() {
        let wanted = (half >> at & 1).wrapping_neg();
        let plane = counters.get(at).unwrap_or(&[0; LANES]);
        for lane in 0..LANES {
            above[lane] |= equal[lane] & plane[lane] & !wanted;
            equal[lane] &= !(plane[lane] ^ wanted);
        }
    }
    above
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprints::mixing::mix;

    fn slow(tokens: &[u64], words: usize) -> Vec<u64> {
        (0..words)
            .map(|word| {
                (0..64).fold(0, |bits, bit| {
                    let sum: i64 = tokens
                        .iter()
                        .map(|&t| {
                            signs(t, &KEYS[word / LANES], &FACTORS[word / LANES])[word % LANES]
                        })
                        .map(|signs| if signs >> bit & 1 == 1 { 1 } else { -1 })
                        .sum();
                    bits | u64::from(sum > 0) << bit
                })
            })
            .collect()
    }

    #[test]
    fn counting_in_planes_is_counting() {
        for n in [0, 1, 2, 3, 15, 16, 17, 31, 32, 33, 100, 1000, 5003] {
            let tokens: Vec<u64> = (0..n).map(|i| mix(i % 700)).collect();
            for words in [1, 6, 8, 13, 32] {
                let mut fast = vec![0; words];
                project(&tokens, &mut fast);
                assert_eq!(fast, slow(&tokens, words), "{n} tokens, {words} words");
            }
        }
    }

    #[test]
    fn every_vector_path_gives_the_same_bits() {
        let tokens: Vec<u64> = (0..999).map(mix).collect();
        let portable = project_lanes(&tokens, &KEYS[0], &FACTORS[0]);
        assert_eq!(project_block(&tokens, &KEYS[0], &FACTORS[0]), portable);
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the feature was just detected.
            assert_eq!(unsafe { project_avx2(&tokens, &KEYS[0], &FACTORS[0]) }, portable);
        }
    }

    #[test]
    fn the_dimensions_look_independent() {
        // Over many tokens each sign is +1 half of the time, and any two agree half of the time.
        let n = 20_000;
        let mut agree = vec![0i64; 384 * 384];
        let all: Vec<Vec<u64>> = (0..n).map(|i| slow(&[mix(i)], 6)).collect();
        for (a, row) in agree.chunks_mut(384).enumerate() {
            for signs in &all {
                let same = signs[a / 64] >> (a % 64) & 1;
                for (word, &bits) in signs.iter().enumerate().take(a / 64 + 1) {
                    let equal = if same == 1 { bits } else { !bits };
                    for bit in 0..64 {
                        row[word * 64 + bit] += (equal >> bit & 1) as i64;
                    }
                }
            }
        }
        // σ = √n / 2 = 71; over 73 536 pairs the largest of independent ones is near 4.5 σ.
        for a in 0..384 {
            for b in 0..a {
                let off = (agree[a * 384 + b] - n as i64 / 2).abs();
                assert!(off < 430, "dimensions {a} and {b} agree {off} too often or too seldom");
            }
        }
    }
}
