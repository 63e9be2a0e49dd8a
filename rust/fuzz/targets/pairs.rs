#![no_main]

use webecho_fuzz::pairs;

libfuzzer_sys::fuzz_target!(|data: &[u8]| pairs::run(data));
