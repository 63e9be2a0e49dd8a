//! Threads of one's own: as many as the caller asked for, whatever else runs.

use super::errors::Result;

pub fn threads_of(threads: usize) -> Result<rayon::ThreadPool> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(threads).build()?)
}
