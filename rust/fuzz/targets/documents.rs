#![no_main]

use webecho_fuzz::documents;

libfuzzer_sys::fuzz_target!(|data: &[u8]| documents::run(data));
