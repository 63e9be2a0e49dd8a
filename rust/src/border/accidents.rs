//! *Accident*: a library gives up, by a panic, on bytes that are not in order. Then they are not in
//! order: that is an error like others, and nothing is printed of it.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
}
static QUIET: Once = Once::new();

/// What the work gives, or nothing where it gave up. The work is not gone on with after that.
pub fn without_accident<R>(work: impl FnOnce() -> R) -> Option<R> {
    QUIET.call_once(|| {
        let told = take_hook();
        set_hook(Box::new(move |accident| {
            if !EXPECTED.get() {
                told(accident);
            }
        }));
    });
    let before = EXPECTED.replace(true);
    let found = catch_unwind(AssertUnwindSafe(work));
    EXPECTED.set(before);
    found.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_gives_up_gives_nothing() {
        let none: &[u32] = &[];
        assert_eq!(without_accident(|| 1), Some(1));
        assert_eq!(without_accident(|| 7 / none.len()), None);
        assert!(!EXPECTED.get());
        assert!(catch_unwind(|| 7 / none.len()).is_err());
    }
}
