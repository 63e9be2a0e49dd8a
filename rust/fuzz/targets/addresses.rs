//! Any text as an address: its normal form is its own, has the same key, and its site is a part of it.

#![no_main]

use _core::addresses::normal_form::{Base, Resolver, folder_key, normal, page_key};
use _core::addresses::sites::registered;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: (&str, &str)| {
    let (address, other) = data;
    folder_key(address);
    let site = registered(address);
    assert!(address.ends_with(site));
    if let Some(form) = normal(address, None) {
        assert_eq!(normal(&form, None).as_deref(), Some(form.as_str()));
        if address.len().max(form.len()) < 60_000 {
            assert_eq!(page_key(&form), page_key(address));
        }
    }
    if let Some(seen) = normal(other, Some(address)) {
        assert_eq!(normal(&seen, None), Some(seen));
    }
    let base = Base::of_page(address);
    Resolver::default().key(other, base.as_ref());
    Resolver::base(base.as_ref(), other);
});
