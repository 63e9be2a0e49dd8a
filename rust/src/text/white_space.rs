//! White space as a reader sees it: how long a run of it is, and of which characters, shows nowhere.

/// Bytes that are looked at together.
const BLOCK: usize = 1024;

/// The text with each run of white space (Unicode's property of that name) as one space, and none at
/// its ends. It is made in the buffer, which only grows.
pub fn folded<'a>(text: &str, buffer: &'a mut Vec<u8>) -> &'a [u8] {
    if buffer.len() < text.len() {
        buffer.resize(text.len(), 0);
    }
    let mut out = Folding { bytes: buffer, end: 0, after_space: true };
    let mut rest = text;
    while !rest.is_empty() {
        let (block, after) = rest.split_at(boundary(rest));
        rest = after;
        if has_wide_space(block.as_bytes()) {
            out.characters(block);
        } else {
            out.bytes(block.as_bytes());
        }
    }
    let end = out.end.saturating_sub(usize::from(out.after_space));
    &buffer[..end]
}

/// Where the first block of a text ends: not within a character.
fn boundary(text: &str) -> usize {
    let end = text.len().min(BLOCK);
    (0..=end).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(end)
}

struct Folding<'a> {
    /// At least as many as are read in all.
    bytes: &'a mut [u8],
    end: usize,
    after_space: bool,
}

impl Folding<'_> {
    /// Takes in bytes among which only ASCII ones are white space, without a choice at any of them.
    #[inline(always)]
    fn bytes(&mut self, block: &[u8]) {
        let out = &mut self.bytes[self.end..];
        let (mut end, mut after_space) = (0, self.after_space);
        for &byte in block {
            let space = byte == b' ' || byte.wrapping_sub(b'\t') < 5;
            out[end] = if space { b' ' } else { byte };
            end += usize::from(!(space & after_space));
            after_space = space;
        }
        self.end += end;
        self.after_space = after_space;
    }

    fn characters(&mut self, block: &str) {
        for character in block.chars() {
            let space = character.is_whitespace();
            if !(space && self.after_space) {
                let shown = if space { ' ' } else { character };
                self.end += shown.encode_utf8(&mut self.bytes[self.end..]).len();
            }
            self.after_space = space;
        }
    }
}

/// Whether any white space among these whole characters is not ASCII.
fn has_wide_space(bytes: &[u8]) -> bool {
    if bytes.is_ascii() {
        return false;
    }
    // No choice at any byte, so that many are looked at at a time.
    let mut found = false;
    for pair in bytes.windows(2) {
        found |= pair[0] == 0xC2 && (pair[1] == 0x85 || pair[1] == 0xA0);
    }
    for three in bytes.windows(3) {
        let (first, second, third) = (three[0], three[1], three[2]);
        // U+2000 to U+200A, U+2028, U+2029 and U+202F.
        let spaces = third <= 0x8A || third == 0xA8 || third == 0xA9 || third == 0xAF;
        found |= first == 0xE2 && second == 0x80 && spaces;
        found |= first == 0xE2 && second == 0x81 && third == 0x9F;
        found |= first == 0xE1 && second == 0x9A && third == 0x80;
        found |= first == 0xE3 && second == 0x80 && third == 0x80;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprints::mixing::mix;

    fn slow(text: &str) -> String {
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn check(text: &str) {
        let mut buffer = vec![b'x'; 7];
        let found = folded(text, &mut buffer);
        assert_eq!(std::str::from_utf8(found), Ok(&*slow(text)), "{text:?}");
    }

    #[test]
    fn each_character_alone_and_between_others() {
        for character in (0..0x4000).chain(0xFE00..0xFFFF).filter_map(char::from_u32) {
            for text in [
                character.to_string(),
                format!("a{character}b"),
                format!(" {character} é{character}{character}"),
            ] {
                check(&text);
            }
        }
    }

    #[test]
    fn runs_of_any_length_wherever_blocks_end() {
        let alphabet =
            [' ', '\n', '\t', 'a', 'Z', '<', 'é', '\u{A0}', '漢', '\u{3000}', '\u{2009}'];
        for seed in 0..200u64 {
            // Long stretches without wide spaces, too.
            let kinds = if seed % 2 == 0 { 7 } else { alphabet.len() as u64 };
            let letter = |i: u64| alphabet[(mix(seed << 20 | i) % kinds) as usize];
            check(&(0..40 * seed).map(letter).collect::<String>());
        }
        for length in BLOCK - 5..BLOCK + 5 {
            check(&format!("{}\u{3000}\u{A0} b", "a".repeat(length)));
            check(&format!("{} \n", "é".repeat(length)));
            check(&" ".repeat(length));
        }
    }
}
