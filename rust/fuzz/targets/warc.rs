//! Any bytes as an archive, flat or in members, however they come: the swift reader ends, and gives
//! records in order.

#![no_main]

use _core::archives::warc::{Flat, Judge, Members, Swift};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: (bool, u8, &[u8])| {
    let (members, step, bytes) = data;
    let mut left = bytes.to_vec();
    let step = usize::from(step) * 64 + 1;
    let read = Box::new(move || {
        let rest = left.split_off(step.min(left.len()));
        std::mem::replace(&mut left, rest)
    });
    let judge = Judge { statuses: vec![200], types: vec!["*/*".into()], longest: 1 << 20 };
    let mut reader = Swift::new(if members {
        Box::new(Members::new(read, 0))
    } else {
        Box::new(Flat::new(read, 0))
    });
    let mut last = None;
    while let Some(record) = reader.read(&judge) {
        assert!(last < Some(record.place));
        last = Some(record.place);
    }
});
