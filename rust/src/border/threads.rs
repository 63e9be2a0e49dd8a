//! Threads of one's own: as many as the caller asked for, whatever else runs. While they work the caller
//! listens for signals, and a Ctrl-C has them stop.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use pyo3::prelude::*;

use super::errors::Result;
use crate::interrupts::{Stop, listen};

/// How long a signal waits at most to be heard.
const LISTENING: Duration = Duration::from_millis(50);

/// Threads, and whether they are to stop.
pub struct Threads {
    pool: rayon::ThreadPool,
    stop: Stop,
}

pub fn threads_of(threads: usize) -> Result<Threads> {
    let stop = Stop::default();
    let theirs = Arc::clone(&stop);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .start_handler(move |_| listen(Arc::clone(&theirs)))
        .build()?;
    Ok(Threads { pool, stop })
}

/// The error that a signal becomes, if one has come.
fn signal(py: Python<'_>) -> PyResult<()> {
    py.check_signals()
}

impl Threads {
    /// What some work gives that is soon done.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.pool.install(work)
    }

    /// What some work gives that is done on the threads, without Python's lock; or the error that a
    /// signal became, which ends the work as soon as it heeds that.
    pub fn run<R: Send>(&self, py: Python<'_>, work: impl FnOnce() -> R + Send) -> PyResult<R> {
        let (left, heard) = py.detach(|| {
            let (done, waiting) = sync_channel(1);
            self.pool.in_place_scope(|scope| {
                scope.spawn(move |_| {
                    let left = catch_unwind(AssertUnwindSafe(work));
                    // Whoever waits does so until this comes.
                    let _ = done.send(left);
                });
                let mut heard = None;
                loop {
                    match waiting.recv_timeout(LISTENING) {
                        Ok(left) => return (Some(left), heard),
                        Err(RecvTimeoutError::Disconnected) => return (None, heard),
                        Err(RecvTimeoutError::Timeout) => {}
                    }
                    if heard.is_none() {
                        heard = Python::attach(signal).err();
                        self.stop.store(heard.is_some(), Relaxed);
                    }
                }
            })
        });
        self.stop.store(false, Relaxed);
        match (left, heard) {
            // The work may have ended meanwhile: the signal counts all the same.
            (_, Some(error)) => Err(error),
            (Some(Ok(made)), None) => Ok(made),
            (Some(Err(payload)), None) => resume_unwind(payload),
            (None, None) => unreachable!("work that is done is told of"),
        }
    }
}
