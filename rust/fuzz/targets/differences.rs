//! Two sequences of few different tokens: what they have in common is there, and none has more.

#![no_main]

use _core::differences::difference::{Run, common_runs, difference};
use _core::differences::equal_words::equal_words;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: (&[u8], &[u8])| {
    let [left, right] = [data.0, data.1].map(|side| {
        side.iter().map(|&byte| u64::from(byte % 16)).collect::<Vec<_>>()
    });
    let runs = common_runs(&left, &right);
    check(&runs, &left, &right);
    check(&difference(&left, &right), &left, &right);
    let found = equal_words(&left, &right, 0).expect("nothing is asked for");
    let in_runs: usize = runs.iter().map(|run| run.length).sum();
    assert!(in_runs <= found.count || !found.exact);
    if left.len().min(right.len()) <= 64 {
        assert!(found.exact);
        assert_eq!(found.count, longest_common(&left, &right));
    }
});

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
