//! Any text as an address: its normal form is its own and has the same key, and its site is a part of it.

use _core::addresses::normal_form::{Base, Resolver, folder_key, normal, page_key};
use _core::addresses::sites::registered;
use _core::text::image_terms::term;

use super::input::{Input, text};

/// Longer ones are no base, whatever their normal form is.
const SHORT: usize = 60_000;

pub fn run(data: &[u8]) {
    let (address, other) = Input(data).two();
    let (address, other) = (&*text(address), &*text(other));
    folder_key(address);
    assert!(address.ends_with(registered(address)));
    let site = registered(address);
    assert_eq!(registered(site), site);
    if let Some(form) = normal(address, None) {
        assert_eq!(normal(&form, None).as_deref(), Some(&*form));
        assert!(form.is_ascii());
        if address.len().max(form.len()) < SHORT {
            assert_eq!(page_key(&form), page_key(address));
        }
    }
    if let Some(seen) = normal(other, Some(address)) {
        assert_eq!(normal(&seen, None).as_ref(), Some(&seen));
    }
    let base = Base::of_page(address);
    Resolver::default().key(other, base.as_ref());
    Resolver::base(base.as_ref(), other);
    term(other, Some(address));
    term(address, None);
}
