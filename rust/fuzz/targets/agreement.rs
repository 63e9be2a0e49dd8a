#![no_main]

use webecho_fuzz::groups;

libfuzzer_sys::fuzz_target!(|data: &[u8]| groups::agreement(data));
