//! The texts behind paragraphs with equal fingerprints, compared, so that no two different ones count
//! as the same. The text of a paragraph that comes first is kept in a temporary file without a name;
//! of those that come later with the same fingerprint, any that differs gets a value that none has.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use rayon::prelude::*;

use crate::fingerprints::mixing::{STEP, mix};

/// Where a text lies in the file.
#[derive(Clone, Copy, Debug, Default)]
struct Kept {
    start: u64,
    length: u32,
}

#[derive(Debug)]
pub struct ParagraphTexts {
    /// All values, ascending.
    values: Vec<u64>,
    /// Those that occur more than once, ascending, and the first text of each.
    repeated: Vec<u64>,
    first: Vec<Option<Kept>>,
    /// The texts that have the same fingerprint as another, and their own values.
    others: HashMap<u64, Vec<(Kept, u64)>>,
    mended: Vec<(usize, u64)>,
    file: File,
    written: u64,
    /// Texts that are yet to be written.
    waiting: Vec<u8>,
}

impl ParagraphTexts {
    /// For paragraphs with these fingerprints; the file is in this folder.
    pub fn new(paragraphs: &[u64], folder: &Path) -> io::Result<ParagraphTexts> {
        let mut values = paragraphs.to_vec();
        values.par_sort_unstable();
        let repeated: Vec<u64> =
            values.chunk_by(|a, b| a == b).filter(|same| same.len() > 1).map(|s| s[0]).collect();
        Ok(ParagraphTexts {
            first: vec![None; repeated.len()],
            values,
            repeated,
            others: HashMap::new(),
            mended: Vec::new(),
            file: tempfile::tempfile_in(folder)?,
            written: 0,
            waiting: Vec::new(),
        })
    }

    /// Whether more than one paragraph has this fingerprint.
    pub fn is_repeated(&self, value: u64) -> bool {
        self.repeated.binary_search(&value).is_ok()
    }

    /// Takes in the text of the paragraph at a place among all, which has this fingerprint.
    pub fn compare(&mut self, place: usize, value: u64, text: &[u8]) -> io::Result<()> {
        let Ok(at) = self.repeated.binary_search(&value) else { return Ok(()) };
        let Some(first) = self.first[at] else {
            self.first[at] = Some(self.keep(text));
            return Ok(());
        };
        if self.is_kept(first, text)? {
            return Ok(());
        }
        for &(kept, own) in self.others.get(&value).map_or(&[][..], |others| others) {
            if self.is_kept(kept, text)? {
                self.mended.push((place, own));
                return Ok(());
            }
        }
        let own = self.unused(value);
        let kept = self.keep(text);
        self.others.entry(value).or_default().push((kept, own));
        self.mended.push((place, own));
        Ok(())
    }

    /// Writes what waits; to be called now and then.
    pub fn flush(&mut self) -> io::Result<()> {
        self.file.write_all_at(&self.waiting, self.written)?;
        self.written += self.waiting.len() as u64;
        self.waiting.clear();
        Ok(())
    }

    /// Where paragraphs are that had another's fingerprint, and what they have instead.
    pub fn mended(&self) -> &[(usize, u64)] {
        &self.mended
    }

    fn keep(&mut self, text: &[u8]) -> Kept {
        let start = self.written + self.waiting.len() as u64;
        self.waiting.extend_from_slice(text);
        Kept { start, length: text.len() as u32 }
    }

    fn is_kept(&self, kept: Kept, text: &[u8]) -> io::Result<bool> {
        if kept.length as usize != text.len() {
            return Ok(false);
        }
        if kept.start >= self.written {
            let start = (kept.start - self.written) as usize;
            return Ok(self.waiting[start..start + text.len()] == *text);
        }
        let mut found = vec![0; text.len()];
        self.file.read_exact_at(&mut found, kept.start)?;
        Ok(found == text)
    }

    fn unused(&self, value: u64) -> u64 {
        let given = self.others.values().flatten().map(|(_, own)| *own).collect::<Vec<_>>();
        let mut own = value;
        loop {
            own = mix(own.wrapping_add(STEP));
            if self.values.binary_search(&own).is_err() && !given.contains(&own) {
                return own;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_texts_with_one_fingerprint_get_values_of_their_own() {
        let values = [7, 7, 8, 7, 7, 9, 7];
        let texts = ["a", "a", "b", "c", "dd", "e", "c"];
        for flushed in [false, true] {
            let mut found = ParagraphTexts::new(&values, &std::env::temp_dir()).unwrap();
            assert!(found.is_repeated(7) && !found.is_repeated(8));
            for (place, (value, text)) in values.into_iter().zip(texts).enumerate() {
                found.compare(place, value, text.as_bytes()).unwrap();
                if flushed {
                    found.flush().unwrap();
                }
            }
            let [(3, c), (4, d), (6, again)] = found.mended()[..] else { panic!("{found:?}") };
            assert_eq!(c, again);
            assert!(c != d && !values.contains(&c) && !values.contains(&d));
        }
    }
}
