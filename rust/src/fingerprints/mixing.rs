//! The fast fingerprint's arithmetic: a one-to-one mixing of 64 bits.

/// 2⁶⁴ divided by the golden ratio: steps that spread over all 64-bit values.
pub const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// A one-to-one function whose every output bit depends on every input bit (Stafford's variant 13
/// of the MurmurHash3 finaliser).
#[inline(always)]
pub const fn mix(mut x: u64) -> u64 {
    x ^= x >> 30;
    x = x.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x ^= x >> 27;
    x = x.wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// The `n`-th of a fixed sequence of numbers that look random.
pub const fn constant(n: u64) -> u64 {
    mix(STEP.wrapping_mul(n + 1))
}

/// Fingerprint of a sequence of fingerprints, none left out and in this order.
#[inline(always)]
pub fn sequence(values: &[u64]) -> u64 {
    mix(sequence_sum(0, values))
}

/// The sum that `sequence` mixes, of values that follow those with this sum.
#[inline(always)]
pub fn sequence_sum(mut sum: u64, values: &[u64]) -> u64 {
    // Four at a time: each sum waits for the one before it.
    let (fours, rest) = values.as_chunks();
    for [a, b, c, d] in fours {
        let first = a.wrapping_mul(POWERS[3]).wrapping_add(b.wrapping_mul(POWERS[2]));
        let four = first.wrapping_add(c.wrapping_mul(POWERS[1])).wrapping_add(*d);
        sum = sum.wrapping_mul(POWERS[4]).wrapping_add(four);
    }
    for &value in rest {
        sum = sum.wrapping_mul(SEQUENCE).wrapping_add(value);
    }
    sum
}

const POWERS: [u64; 5] =
    [1, SEQUENCE, SEQUENCE.wrapping_pow(2), SEQUENCE.wrapping_pow(3), SEQUENCE.wrapping_pow(4)];

/// The base of the polynomial that `sequence` and the rolling shingles evaluate; odd, so that the
/// earliest value of a long sequence still counts in full.
pub const SEQUENCE: u64 = constant(0) | 1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixing_is_one_to_one_on_a_sample() {
        let mut seen: Vec<u64> = (0..100_000u64).map(mix).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 100_000);
    }

    #[test]
    fn a_sequence_is_a_polynomial_however_long_it_is() {
        let values: Vec<u64> = (0..23).map(constant).collect();
        for count in 0..values.len() {
            let step = |sum: u64, value: &u64| sum.wrapping_mul(SEQUENCE).wrapping_add(*value);
            let sum = values[..count].iter().fold(0, step);
            assert_eq!(sequence(&values[..count]), mix(sum));
        }
    }

    #[test]
    fn a_sequence_depends_on_order_and_on_every_value() {
        assert_ne!(sequence(&[1, 2, 3]), sequence(&[3, 2, 1]));
        assert_ne!(sequence(&[1, 2, 3]), sequence(&[2, 2, 3]));
        assert_ne!(sequence(&[1, 2]), sequence(&[1, 2, 3]));
    }
}
