#![no_main]

use webecho_fuzz::addresses;

libfuzzer_sys::fuzz_target!(|data: &[u8]| addresses::run(data));
