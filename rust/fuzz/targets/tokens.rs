#![no_main]

use webecho_fuzz::tokens;

libfuzzer_sys::fuzz_target!(|data: &[u8]| tokens::run(data));
