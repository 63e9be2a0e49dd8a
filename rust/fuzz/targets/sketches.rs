#![no_main]

use webecho_fuzz::sketches;

libfuzzer_sys::fuzz_target!(|data: &[u8]| sketches::run(data));
