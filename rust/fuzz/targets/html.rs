#![no_main]

use webecho_fuzz::html;

libfuzzer_sys::fuzz_target!(|data: &[u8]| html::run(data));
