//! Rabin's fingerprints over GF(2), degree 64 (Rabin 1981, as Fetterly 2004 and Henzinger 2006 use
//! them).
//!
//! A bit string A is read as a polynomial A(t); its fingerprint is A(t)·t⁶⁴ mod P(t) for a primitive
//! polynomial P of degree 64. The factor t⁶⁴ matters: without it every string of up to 64 bits
//! would be its own fingerprint, and the 84 functions of Fetterly 2004 would all be the identity.
//! On 64-bit values the function is one-to-one, because t⁶⁴ has an inverse modulo P.

use std::sync::LazyLock;

use super::mixing::{STEP, mix};

/// The prime factors of 2⁶⁴ − 1, which decide whether t generates the whole field.
const PRIMES: [u64; 7] = [3, 5, 17, 257, 641, 65_537, 6_700_417];

/// A polynomial of degree 64; bit i of `low` is the coefficient of tⁱ, that of t⁶⁴ is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Polynomial {
    low: u64,
}

impl Polynomial {
    /// a·t modulo the polynomial.
    fn times_t(self, a: u64) -> u64 {
        (a << 1) ^ (self.low & (a >> 63).wrapping_neg())
    }

    fn multiply(self, a: u64, b: u64) -> u64 {
        (0..64)
            .rev()
            .fold(0, |product, bit| self.times_t(product) ^ (a & (b >> bit & 1).wrapping_neg()))
    }

    fn power(self, mut base: u64, mut exponent: u64) -> u64 {
        let mut result = 1;
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = self.multiply(result, base);
            }
            base = self.multiply(base, base);
            exponent >>= 1;
        }
        result
    }

    /// Whether t has order 2⁶⁴ − 1 modulo the polynomial; only then is it primitive.
    fn is_primitive(self) -> bool {
        let t = 2;
        // An even constant term means divisible by t; an odd number of terms below t⁶⁴ plus t⁶⁴
        // itself makes an even number of terms, that is divisible by t + 1.
        if self.low & 1 == 0 || self.low.count_ones() % 2 == 1 {
            return false;
        }
        self.power(t, u64::MAX) == 1 && PRIMES.iter().all(|p| self.power(t, u64::MAX / p) != 1)
    }

    /// Primitive polynomial number `n` of a fixed sequence. Each number has a pseudo-random walk of
    /// its own, whose first primitive polynomial it is, so that one is had without those before it.
    /// Nothing but a test says that two of them differ.
    pub fn nth(n: u64) -> Polynomial {
        let mut state = mix(n.wrapping_add(1).wrapping_mul(STEP));
        loop {
            state = mix(state.wrapping_add(STEP));
            let candidate = Polynomial { low: state };
            if candidate.is_primitive() {
                return candidate;
            }
        }
    }
}

/// Multiplication of any 64-bit value by a fixed power of t modulo P, eight table look-ups.
#[derive(Debug)]
pub struct Shift {
    tables: Box<[[u64; 256]; 8]>,
}

impl Shift {
    /// Multiplication by t to the power of `bits`.
    pub fn new(polynomial: Polynomial, bits: u64) -> Shift {
        let factor = polynomial.power(2, bits);
        let mut tables = Box::new([[0u64; 256]; 8]);
        // The map is linear, so every entry is the sum of those of its single bits.
        let mut image = factor;
        for bit in 0..64 {
            let table = &mut tables[bit / 8];
            let one = 1usize << (bit % 8);
            for rest in 0..one {
                table[one | rest] = table[rest] ^ image;
            }
            image = polynomial.times_t(image);
        }
        Shift { tables }
    }

    #[inline(always)]
    pub fn apply(&self, value: u64) -> u64 {
        let bytes = value.to_le_bytes();
        let mut sum = 0;
        for (table, byte) in self.tables.iter().zip(bytes) {
            sum ^= table[byte as usize];
        }
        sum
    }
}

/// Fingerprints of strings of bytes and of 64-bit words under one polynomial.
#[derive(Debug)]
pub struct Rabin {
    polynomial: Polynomial,
    word: Shift,
}

impl Rabin {
    pub fn new(polynomial: Polynomial) -> Rabin {
        Rabin { polynomial, word: Shift::new(polynomial, 64) }
    }

    /// Fingerprint of bytes, the first byte holding the highest powers.
    #[inline]
    pub fn bytes(&self, bytes: &[u8]) -> u64 {
        // f(A·t⁸ + b) = f(A)·t⁸ + b·t⁶⁴, and the byte that f(A)·t⁸ pushes out of the register
        // comes back as itself times t⁶⁴: one look-up does both.
        let table = &self.word.tables[0];
        let mut value = 0u64;
        for &byte in bytes {
            value = (value << 8) ^ table[((value >> 56) as u8 ^ byte) as usize];
        }
        value
    }

    /// Fingerprint of a string of 64-bit words.
    pub fn words(&self, words: &[u64]) -> u64 {
        words.iter().fold(0, |value, &word| self.word.apply(value ^ word))
    }

    /// f(x) for one 64-bit value: one-to-one.
    #[inline(always)]
    pub fn value(&self, x: u64) -> u64 {
        self.word.apply(x)
    }

    /// The part that the first of `n` words has in their fingerprint.
    pub fn part_of_first(&self, n: usize) -> Shift {
        Shift::new(self.polynomial, 64 * n as u64)
    }
}

/// The polynomial of tokens and shingles.
pub static SHINGLES: LazyLock<Rabin> = LazyLock::new(|| Rabin::new(Polynomial::nth(0)));
/// The polynomial of supershingles: "yet another fingerprinting function" (Henzinger 2006).
pub static SUPERSHINGLES: LazyLock<Rabin> = LazyLock::new(|| Rabin::new(Polynomial::nth(1)));
/// The number of the first of the polynomials that pick the features.
pub const FEATURES: u64 = 2;

#[cfg(test)]
mod tests {
    use super::*;

    /// A(t)·t⁶⁴ mod P by long division, bit after bit.
    fn slow(polynomial: Polynomial, bytes: &[u8]) -> u64 {
        let mut rest = 0u64;
        for &byte in bytes.iter().chain(&[0u8; 8]) {
            for bit in (0..8).rev() {
                rest = polynomial.times_t(rest) ^ u64::from(byte >> bit & 1);
            }
        }
        rest
    }

    #[test]
    fn a_known_primitive_polynomial_is_recognised_and_a_reducible_one_is_not() {
        // t⁶⁴ + t⁴ + t³ + t + 1 is the classic primitive polynomial of degree 64.
        assert!(Polynomial { low: 0b11011 }.is_primitive());
        // Divisible by t, and by t + 1.
        assert!(!Polynomial { low: 0b11010 }.is_primitive());
        assert!(!Polynomial { low: 0b1 }.is_primitive());
    }

    #[test]
    fn fingerprints_are_those_of_long_division() {
        let polynomial = Polynomial::nth(7);
        let rabin = Rabin::new(polynomial);
        for text in ["", "a", "web", "shingles", "a longer string of bytes than eight"] {
            assert_eq!(rabin.bytes(text.as_bytes()), slow(polynomial, text.as_bytes()), "{text}");
        }
        let words = [1u64, u64::MAX, 0x0123_4567_89AB_CDEF];
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
        assert_eq!(rabin.words(&words), slow(polynomial, &bytes));
        assert_eq!(rabin.value(42), slow(polynomial, &42u64.to_be_bytes()));
    }

    #[test]
    fn the_functions_have_different_polynomials() {
        // Those of shingles and supershingles, and one for each of the papers' 84 features.
        let used = FEATURES + 84;
        let mut all: Vec<u64> = (0..used).map(|n| Polynomial::nth(n).low).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), used as usize);
    }
}
