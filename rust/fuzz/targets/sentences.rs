#![no_main]

use webecho_fuzz::sentences;

libfuzzer_sys::fuzz_target!(|data: &[u8]| sentences::run(data));
