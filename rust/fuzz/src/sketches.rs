//! Any numbers as tokens: shingles, features and projections are what their definitions give.

use std::sync::LazyLock;

use _core::fingerprints::mixing::{mix, sequence};
use _core::sketches::features::Picker;
use _core::sketches::projection::project;
use _core::sketches::shingles::{Shingler, number_repeated};

use super::input::Input;

const M: usize = 84;
static PICKERS: LazyLock<[Picker; 2]> = LazyLock::new(|| [Picker::rounds(M), Picker::rabin(M)]);

pub fn run(data: &[u8]) {
    let mut input = Input(data);
    let (k, bits) = (input.below(20) + 1, input.byte());
    let picker = &PICKERS[usize::from(bits & 1)];
    let (left, right) = input.two();
    let [left, right] =
        [left, right].map(|side| side.iter().map(|&byte| mix(u64::from(byte))).collect::<Vec<_>>());
    for wrap in [false, true] {
        let mut found = Vec::new();
        Shingler::fast(k, wrap).shingle(&left, &mut found);
        let windows: Vec<u64> = windows(&left, k, wrap).iter().map(|each| sequence(each)).collect();
        assert_eq!(found, windows);
        Shingler::rabin(k, wrap).shingle(&left, &mut found);
        assert_eq!(found.len(), windows.len());
    }
    let mut numbered = left.clone();
    number_repeated(&mut numbered);
    numbered.sort_unstable();
    numbered.dedup();
    assert_eq!(numbered.len(), left.len());
    // A feature of both together is a feature of one of them, and whose order it is says nothing.
    if !left.is_empty() && !right.is_empty() {
        let [one, other] = [&left, &right].map(|side| features(picker, side));
        let mut both = [&*left, &*right].concat();
        let together = features(picker, &both);
        for at in 0..M {
            assert!(together[at] == one[at] || together[at] == other[at]);
        }
        let projected = projection(&both);
        both.reverse();
        assert_eq!(features(picker, &both), together);
        assert_eq!(projection(&both), projected);
        // As often as before, and so in all.
        assert_eq!(projection(&[&*both, &*both].concat()), projected);
    }
}

fn features(picker: &Picker, shingles: &[u64]) -> [u64; M] {
    let mut found = [0; M];
    picker.pick(shingles, &mut found);
    found
}

fn projection(tokens: &[u64]) -> [u64; 6] {
    let mut words = [0; 6];
    project(tokens, &mut words);
    words
}

/// All runs of k tokens, or all tokens where there are fewer; wrapping, one from each token on.
fn windows(tokens: &[u64], k: usize, wrap: bool) -> Vec<Vec<u64>> {
    if tokens.is_empty() {
        return Vec::new();
    }
    if wrap {
        let from = |start: usize| tokens.iter().cycle().skip(start).take(k).copied().collect();
        return (0..tokens.len()).map(from).collect();
    }
    tokens.windows(k.min(tokens.len())).map(<[u64]>::to_vec).collect()
}
