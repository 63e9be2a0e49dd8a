//! *Interrupt*: whoever waits for a kernel wants it to end. A kernel that may take long says `heed` every
//! so often; on threads that were told to stop it leaves from there, by unwinding, and whoever started
//! it catches that. So no kernel needs to hand a flag down to its innermost loop, or back a half result.

use std::cell::OnceCell;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Whether the threads that share it are to stop.
pub type Stop = Arc<AtomicBool>;

/// What a kernel leaves with.
#[derive(Debug)]
pub struct Interrupted;

thread_local! {
    static STOP: OnceCell<Stop> = const { OnceCell::new() };
}

/// Has this thread, which is new, listen.
pub fn listen(stop: Stop) {
    STOP.with(|own| {
        let _ = own.set(stop);
    });
}

/// Leaves if this thread is to stop. Costs next to nothing.
#[inline]
pub fn heed() {
    if STOP.with(|own| own.get().is_some_and(|stop| stop.load(Relaxed))) {
        // Without the message that a panic prints.
        resume_unwind(Box::new(Interrupted));
    }
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;
    use std::sync::atomic::AtomicUsize;

    use rayon::prelude::*;

    use super::*;

    #[test]
    fn only_threads_that_listen_leave() {
        let stop = Stop::default();
        let theirs = Arc::clone(&stop);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(2)
            .start_handler(move |_| listen(Arc::clone(&theirs)))
            .build()
            .unwrap();
        let done = AtomicUsize::new(0);
        let work = || {
            (0..100_000usize).into_par_iter().for_each(|each| {
                stop.fetch_or(each == 500, Relaxed);
                heed();
                done.fetch_add(1, Relaxed);
            });
        };
        let left = catch_unwind(std::panic::AssertUnwindSafe(|| pool.install(work)));
        assert!(left.unwrap_err().is::<Interrupted>());
        assert!(done.load(Relaxed) < 100_000);
        heed();
        stop.store(false, Relaxed);
        pool.install(heed);
    }
}
