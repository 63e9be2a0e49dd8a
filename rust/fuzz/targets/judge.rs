#![no_main]

use webecho_fuzz::warc;

libfuzzer_sys::fuzz_target!(|data: &[u8]| warc::judged(data));
