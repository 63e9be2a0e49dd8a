#![no_main]

use webecho_fuzz::charset;

libfuzzer_sys::fuzz_target!(|data: &[u8]| charset::run(data));
