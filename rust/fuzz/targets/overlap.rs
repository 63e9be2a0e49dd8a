#![no_main]

use webecho_fuzz::overlap;

libfuzzer_sys::fuzz_target!(|data: &[u8]| overlap::run(data));
