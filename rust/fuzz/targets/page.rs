#![no_main]

use webecho_fuzz::page;

libfuzzer_sys::fuzz_target!(|data: &[u8]| page::run(data));
