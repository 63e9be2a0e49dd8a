#![no_main]

use webecho_fuzz::graph;

libfuzzer_sys::fuzz_target!(|data: &[u8]| graph::run(data));
