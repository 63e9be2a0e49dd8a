//! *Spilled* memory: where memory is short, each large piece of it lies in a file without a name that
//! is mapped, so that the system can write it out and drop it. Whatever holds some bytes for every page
//! is such a piece when pages are many: places on the shelf, keys, forests, orders. What allocates it
//! need not know.
//!
//! Where there is no room for a file, or none can be mapped, memory is taken as ever, and that is counted. A forked process shares
//! the pieces that are there with its parent, and may only read them; it spills none of its own.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ffi::{CStr, CString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering};

/// Pieces of so many bytes are spilled. What a page takes on its way is mostly smaller, and many pieces that
/// are a little smaller are still few megabytes.
pub const LARGE: usize = 1 << 20;
/// The most pieces that are spilled at once.
const MOST: usize = 1024;
/// Whole pages are mapped, which begin at multiples of this.
const ALIGNED: usize = 4096;

pub struct Spilling;

#[global_allocator]
static ALLOCATOR: Spilling = Spilling;

/// The beginning of the files' names; none where nothing is spilled. It is never freed: another thread
/// may be about to use it.
static FOLDER: AtomicPtr<CString> = AtomicPtr::new(ptr::null_mut());
/// The process that spills.
static PROCESS: AtomicU32 = AtomicU32::new(0);
/// Where the pieces begin that are spilled, 0 where there is none.
static SPILLED: [AtomicUsize; MOST] = [const { AtomicUsize::new(0) }; MOST];

/// How many pieces were to be spilled, and found no room.
static UNSPILLED: AtomicUsize = AtomicUsize::new(0);

/// Lets large pieces of memory lie in files of this folder from now on, or with none no more; those
/// that are there stay where they are.
pub fn spill_into(folder: Option<&Path>) {
    let file =
        |folder: &Path| CString::new(folder.join("webecho-XXXXXX").as_os_str().as_bytes()).ok();
    let name = folder.and_then(file);
    PROCESS.store(std::process::id(), Ordering::Release);
    let known = name.map_or(ptr::null_mut(), |name| Box::into_raw(Box::new(name)));
    FOLDER.store(known, Ordering::Release);
}

/// How many pieces are spilled.
pub fn spilled_pieces() -> usize {
    SPILLED.iter().filter(|place| place.load(Ordering::Relaxed) != 0).count()
}

/// How many pieces could not be spilled for want of room, since the process began.
pub fn unspilled_pieces() -> usize {
    UNSPILLED.load(Ordering::Relaxed)
}

fn is_on() -> bool {
    !FOLDER.load(Ordering::Relaxed).is_null()
}

/// A mapped piece, all of it 0, or nothing where that cannot be.
fn spilled(layout: Layout) -> Option<*mut u8> {
    let folder = FOLDER.load(Ordering::Acquire);
    let is_other = || PROCESS.load(Ordering::Acquire) != std::process::id();
    if folder.is_null() || layout.align() > ALIGNED || is_other() {
        return None;
    }
    // SAFETY: what is stored there is never freed.
    let Some(found) = (unsafe { mapped_file(&*folder, layout.size()) }) else {
        UNSPILLED.fetch_add(1, Ordering::Relaxed);
        return None;
    };
    let free = |place: &AtomicUsize| {
        let taken = place.compare_exchange(0, found as usize, Ordering::AcqRel, Ordering::Relaxed);
        taken.is_ok()
    };
    if !SPILLED.iter().any(free) {
        // SAFETY: it was mapped above, and nobody has it.
        unsafe { libc::munmap(found.cast(), layout.size()) };
        return None;
    }
    Some(found)
}

/// A new file of so many bytes, mapped. It has its blocks beforehand, as far as the file system gives
/// them: where a file has holes the disk may be full when they are filled, and then the process would be
/// killed.
///
/// # Safety
///
/// `name` ends with the six letters that `mkstemp` asks for.
unsafe fn mapped_file(name: &CStr, size: usize) -> Option<*mut u8> {
    let mut path = [0u8; libc::PATH_MAX as usize];
    let bytes = name.to_bytes_with_nul();
    path.get_mut(..bytes.len())?.copy_from_slice(bytes);
    let length = libc::off_t::try_from(size).ok()?;
    // SAFETY: the path ends with a 0 and may be written to, and what is mapped is as long as the file.
    unsafe {
        let file = libc::mkostemp(path.as_mut_ptr().cast(), libc::O_CLOEXEC);
        if file < 0 {
            return None;
        }
        libc::unlink(path.as_ptr().cast());
        let found = if libc::posix_fallocate(file, 0, length) == 0 {
            let access = libc::PROT_READ | libc::PROT_WRITE;
            libc::mmap(ptr::null_mut(), size, access, libc::MAP_SHARED, file, 0)
        } else {
            libc::MAP_FAILED
        };
        libc::close(file);
        (found != libc::MAP_FAILED).then_some(found.cast())
    }
}

fn is_spilled(piece: *mut u8) -> bool {
    SPILLED.iter().any(|place| place.load(Ordering::Relaxed) == piece as usize)
}

/// Whether this piece was spilled; then it is so no more.
fn forgotten(piece: *mut u8) -> bool {
    // Only who has the piece frees it, and no other has its address meanwhile.
    let place = SPILLED.iter().find(|place| place.load(Ordering::Relaxed) == piece as usize);
    place.is_some_and(|place| {
        place.store(0, Ordering::Release);
        true
    })
}

// SAFETY: pieces are the system's, or mapped for whoever asked, as long and aligned as that, and freed
// in the way in which they were made.
unsafe impl GlobalAlloc for Spilling {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() >= LARGE
            && let Some(found) = spilled(layout)
        {
            return found;
        }
        // SAFETY: as the caller says.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if layout.size() >= LARGE
            && let Some(found) = spilled(layout)
        {
            return found;
        }
        // SAFETY: as the caller says.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, piece: *mut u8, layout: Layout) {
        if layout.size() >= LARGE && forgotten(piece) {
            // SAFETY: it was mapped with this size.
            unsafe { libc::munmap(piece.cast(), layout.size()) };
            return;
        }
        // SAFETY: as the caller says.
        unsafe { System.dealloc(piece, layout) }
    }

    unsafe fn realloc(&self, piece: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let moves = (size >= LARGE && is_on()) || (layout.size() >= LARGE && is_spilled(piece));
        // SAFETY: as the caller says; a new piece has room for what is copied.
        unsafe {
            if !moves {
                return System.realloc(piece, layout, size);
            }
            let found = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !found.is_null() {
                ptr::copy_nonoverlapping(piece, found, layout.size().min(size));
                self.dealloc(piece, layout);
            }
            found
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_pieces_are_mapped_while_that_is_wanted_and_hold_what_they_are_given() {
        let folder = tempfile::tempdir().unwrap();
        spill_into(Some(folder.path()));
        let zeros = vec![0u64; LARGE / 8];
        let mut grown: Vec<u64> = Vec::new();
        grown.extend(0..3 * LARGE as u64 / 8);
        assert!(is_spilled(zeros.as_ptr() as *mut u8) && is_spilled(grown.as_ptr() as *mut u8));
        assert!(zeros.iter().all(|&value| value == 0));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "it has no name");
        // Other tests have pieces of their own.
        let address = zeros.as_ptr() as *mut u8;
        drop(zeros);
        assert!(!is_spilled(address));
        spill_into(None);
        let held = vec![7u8; LARGE];
        assert!(!is_spilled(held.as_ptr().cast_mut()));
        grown.truncate(10);
        grown.shrink_to_fit();
        assert!(!is_spilled(grown.as_ptr() as *mut u8));
        assert_eq!(grown, (0..10).collect::<Vec<u64>>());
        // Where no file can be made there is memory all the same.
        let before = unspilled_pieces();
        spill_into(Some(Path::new("/nowhere at all")));
        let held = vec![7u8; LARGE];
        assert!(unspilled_pieces() > before);
        spill_into(None);
        assert!(!is_spilled(held.as_ptr().cast_mut()) && held.iter().all(|&value| value == 7));
    }
}
