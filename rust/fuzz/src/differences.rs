//! Two sequences of few different tokens: what they have in common is there, and what is counted is
//! what the table of the textbook gives.

use _core::differences::difference::{Run, common_runs, difference};
use _core::differences::equal_words::{equal_words, least_equal};
use _core::differences::lost_words::lost_words;
use _core::differences::term_difference::{Difference, term_difference};
use _core::groups::resemblance::{least_shared, shared};
use _core::sketches::shingle_sets::Sets;

use super::input::{Input, flat};

/// Longer ones take the table too long.
const SHORT: usize = 300;

pub fn run(data: &[u8]) {
    let mut input = Input(data);
    let (different, most) = (u64::from(input.byte() | 1), usize::from(input.byte()));
    let (left, right) = input.two();
    let [left, right] =
        [left, right].map(|side| side.iter().map(|&byte| u64::from(byte) % different).collect());
    both(&left, &right, most);
}

fn both(left: &Vec<u64>, right: &Vec<u64>, most: usize) {
    let runs = common_runs(left, right);
    check(&runs, left, right);
    check(&difference(left, right), left, right);
    let found = equal_words(left, right, 0).expect("nothing is asked for");
    let in_runs: usize = runs.iter().map(|run| run.length).sum();
    assert!(in_runs <= found.count || !found.exact);
    let total = left.len() + right.len();
    if left.len().max(right.len()) <= SHORT {
        let longest = longest_common(left, right);
        assert!(found.exact && found.count == longest);
        let changes = total - 2 * longest;
        let expected =
            if changes <= most { Difference::Changes(changes) } else { Difference::Above };
        assert_eq!(term_difference(left, right, most), expected);
        let least = least_equal(left.len(), right.len(), most as f64 / 255.0);
        assert_eq!(equal_words(left, right, least).is_some(), longest >= least);
    }
    let sets = [left, right].map(|side| {
        let mut set = side.clone();
        set.sort_unstable();
        set.dedup();
        set
    });
    let common = sets[0].iter().filter(|value| sets[1].contains(value)).count();
    let (values, starts, ends) = flat(&sets);
    let all = Sets { values: &values, starts: &starts, ends: &ends };
    assert!(all.are_valid());
    assert_eq!(lost_words(all, &[(0, 1)]), [Some(sets[0].len() - common)]);
    let least = least_shared(sets[0].len(), sets[1].len(), most as f64 / 255.0);
    assert_eq!(shared(&sets[0], &sets[1], least), Some(common).filter(|&all| all >= least));
}

fn check(runs: &[Run], left: &[u64], right: &[u64]) {
    let mut ends = (0, 0);
    for run in runs {
        assert!(run.left >= ends.0 && run.right >= ends.1);
        ends = (run.left + run.length, run.right + run.length);
        assert_eq!(left[run.left..ends.0], right[run.right..ends.1]);
    }
}

/// The length of the longest common subsequence, by the table of the textbook.
fn longest_common(left: &[u64], right: &[u64]) -> usize {
    let mut row = vec![0; right.len() + 1];
    for a in left {
        let mut before = 0;
        for (place, b) in right.iter().enumerate() {
            let above = row[place + 1];
            row[place + 1] = if a == b { before + 1 } else { above.max(row[place]) };
            before = above;
        }
    }
    row[right.len()]
}
