#![no_main]

use webecho_fuzz::differences;

libfuzzer_sys::fuzz_target!(|data: &[u8]| differences::run(data));
