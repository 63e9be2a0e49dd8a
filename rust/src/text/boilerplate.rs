//! *Block*: a line of a page's text, what stands between two elements that break lines.
//! *Boilerplate*: the blocks that stand on many pages of a site, such as its menus and its footers.
//! Henzinger 2006, section 4 expects that pairs on one site get better without them.

use xxhash_rust::xxh3::xxh3_64;

use crate::fingerprints::mixing::mix;

/// The blocks that are left out, by their keys, ascending.
#[derive(Debug)]
pub struct Boilerplate {
    keys: Vec<u64>,
}

impl Boilerplate {
    pub fn new(mut keys: Vec<u64>) -> Boilerplate {
        keys.sort_unstable();
        Boilerplate { keys }
    }

    /// Whether a block is boilerplate of this site.
    pub fn has(&self, site: &str, block: &str) -> bool {
        self.keys.binary_search(&key(site, block)).is_ok()
    }
}

/// What tells a block of a site from all others.
fn key(site: &str, block: &str) -> u64 {
    mix(xxh3_64(site.as_bytes()).wrapping_add(mix(xxh3_64(block.trim().as_bytes()))))
}

/// The keys of the different blocks of a text, ascending.
pub fn keys(site: &str, text: &str) -> Vec<u64> {
    let blocks = text.lines().filter(|block| !block.trim().is_empty());
    let mut keys: Vec<u64> = blocks.map(|block| key(site, block)).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_lines_and_belong_to_a_site() {
        let text = "Home | News\n\n  a story \nHome | News\nanother";
        let found = keys("a.example", text);
        assert_eq!(found.len(), 3);
        assert!(found.iter().all(|key| !keys("b.example", text).contains(key)));
        let boilerplate = Boilerplate::new(keys("a.example", "Home | News"));
        assert!(boilerplate.has("a.example", " Home | News\n"));
        assert!(!boilerplate.has("a.example", "a story"));
        assert!(!boilerplate.has("b.example", "Home | News"));
    }
}
