//! What the fuzzers try (`rust/fuzz`), without a fuzzer: the seeds, what once failed, and some changes of
//! both. `make soak` lets cargo-fuzz find millions more.

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

use _core::fingerprints::mixing::mix;

#[path = "../fuzz/src/lib.rs"]
mod fuzz;

/// Changes of each seed.
const CHANGES: u64 = 60;

#[test]
fn what_is_kept_and_changes_of_it_keep_what_is_promised() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds");
    for (name, run) in fuzz::TARGETS {
        let mut files: Vec<_> = fs::read_dir(seeds.join(name))
            .unwrap_or_else(|error| panic!("{name} has no seeds: {error}"))
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        assert!(!files.is_empty(), "{name} has no seeds");
        for file in files {
            let seed = fs::read(&file).unwrap();
            for number in 0..=CHANGES {
                let data = changed(&seed, number);
                let held = catch_unwind(|| run(&data)).is_ok();
                assert!(held, "{name}: change {number} of {}: {data:?}", file.display());
            }
        }
    }
}

#[test]
fn no_bytes_at_all_are_fine_too() {
    fuzz::TARGETS.iter().for_each(|(_, run)| run(b""));
}

/// A seed of which some bytes are others, gone, or there twice; the first is the seed itself.
fn changed(seed: &[u8], number: u64) -> Vec<u8> {
    let mut data = seed.to_vec();
    let mut state = mix(number);
    let mut below = |limit: usize| {
        state = mix(state);
        (state % limit.max(1) as u64) as usize
    };
    for _ in 0..number % 4 + u64::from(number > 0) {
        let at = below(data.len() + 1);
        let end = data.len().min(at + below(8) + 1);
        match below(4) {
            0 => drop(data.drain(at..end)),
            1 => data.extend_from_within(at..end),
            2 => data[at..end].iter_mut().for_each(|byte| *byte = below(256) as u8),
            _ => data[at..end].iter_mut().for_each(|byte| *byte ^= 1 << below(8)),
        }
    }
    data
}
