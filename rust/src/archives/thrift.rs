//! Thrift's compact protocol, read from bytes that may be anything: every length is held against
//! what is left, and nothing is reserved for it.

/// Structures in structures, at the most: those of Parquet need a tenth of that.
const DEEPEST: usize = 64;

/// What is not as the protocol has it.
#[derive(Debug, PartialEq)]
pub struct Malformed;

pub type Result<T> = std::result::Result<T, Malformed>;

pub const LIST: u8 = 9;
pub const STRUCT: u8 = 12;
const BOOLEANS: [u8; 2] = [1, 2];
const BYTE: u8 = 3;
const NUMBERS: [u8; 3] = [4, 5, 6];
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const SET: u8 = 10;
const MAP: u8 = 11;

/// Reads values one after the other.
pub struct Reader<'a> {
    rest: &'a [u8],
    depth: usize,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { rest: bytes, depth: 0 }
    }

    /// How many bytes are left.
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    fn byte(&mut self) -> Result<u8> {
        let (first, rest) = self.rest.split_first().ok_or(Malformed)?;
        self.rest = rest;
        Ok(*first)
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(Malformed)?;
        self.rest = rest;
        Ok(taken)
    }

    fn varint(&mut self) -> Result<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(Malformed)
    }

    fn zigzag(&mut self) -> Result<i64> {
        let value = self.varint()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// A whole number, if the value is one.
    pub fn number(&mut self, kind: u8) -> Result<i64> {
        if NUMBERS.contains(&kind) { self.zigzag() } else { Err(Malformed) }
    }

    /// Bytes, if the value is such.
    pub fn bytes(&mut self, kind: u8) -> Result<&'a [u8]> {
        if kind != BINARY {
            return Err(Malformed);
        }
        let length = self.varint()?;
        self.take(usize::try_from(length).map_err(|_| Malformed)?)
    }

    /// The kind of the elements of a list, and their number, each of which takes a byte at least.
    pub fn list(&mut self, kind: u8) -> Result<(u8, usize)> {
        if kind != LIST && kind != SET {
            return Err(Malformed);
        }
        let header = self.byte()?;
        let count = match header >> 4 {
            15 => usize::try_from(self.varint()?).map_err(|_| Malformed)?,
            few => usize::from(few),
        };
        if count > self.left() { Err(Malformed) } else { Ok((header & 15, count)) }
    }

    /// The fields of a structure: `each` gets their numbers and kinds, and reads the value or says
    /// that it does not want it.
    pub fn fields(
        &mut self,
        mut each: impl FnMut(&mut Reader<'a>, i64, u8) -> Result<bool>,
    ) -> Result<()> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Malformed);
        }
        let mut number: i64 = 0;
        loop {
            let header = self.byte()?;
            let kind = header & 15;
            if kind == 0 {
                break;
            }
            number = match header >> 4 {
                0 => self.zigzag()?,
                step => number.checked_add(i64::from(step)).ok_or(Malformed)?,
            };
            if !each(self, number, kind)? {
                self.skip(kind)?;
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// Goes beyond a value.
    pub fn skip(&mut self, kind: u8) -> Result<()> {
        match kind {
            kind if BOOLEANS.contains(&kind) => Ok(()),
            BYTE => self.byte().map(drop),
            kind if NUMBERS.contains(&kind) => self.varint().map(drop),
            DOUBLE => self.take(8).map(drop),
            BINARY => self.bytes(kind).map(drop),
            LIST | SET => {
                let (inner, count) = self.list(kind)?;
                self.deeper(|reader| (0..count).try_for_each(|_| reader.skip_element(inner)))
            }
            MAP => {
                let count = self.varint()?;
                if count == 0 {
                    return Ok(());
                }
                let kinds = self.byte()?;
                self.deeper(|reader| {
                    (0..count).try_for_each(|_| {
                        reader.skip_element(kinds >> 4)?;
                        reader.skip_element(kinds & 15)
                    })
                })
            }
            STRUCT => self.fields(|_, _, _| Ok(false)),
            _ => Err(Malformed),
        }
    }

    /// In a list a boolean takes a byte.
    fn skip_element(&mut self, kind: u8) -> Result<()> {
        if BOOLEANS.contains(&kind) { self.byte().map(drop) } else { self.skip(kind) }
    }

    fn deeper(&mut self, work: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Malformed);
        }
        work(self)?;
        self.depth -= 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_and_others_passed() {
        // 1: i32 −3, 3: binary "ab", 4: list of two i32, 20: struct with a boolean.
        let bytes = [0x15, 5, 0x28, 2, b'a', b'b', 0x19, 0x25, 2, 4, 0x0c, 40, 0x11, 0, 0];
        let (mut number, mut text) = (0, Vec::new());
        let mut reader = Reader::new(&bytes);
        reader
            .fields(|reader, field, kind| {
                match field {
                    1 => number = reader.number(kind)?,
                    3 => text = reader.bytes(kind)?.to_vec(),
                    _ => return Ok(false),
                }
                Ok(true)
            })
            .unwrap();
        assert_eq!((number, text.as_slice(), reader.left()), (-3, b"ab".as_slice(), 0));
    }

    #[test]
    fn no_length_is_believed() {
        for bytes in [
            [0x18, 0xff, 0xff, 0xff, 0xff, 0x7f].as_slice(),
            &[0x19, 0xf5, 0xff, 0xff, 0xff, 0x7f],
            &[0x1b, 0xff, 0xff, 0xff, 0x7f, 0x55],
            &[0x15, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1],
            &[0x1d],
            &[0x15],
            &[],
        ] {
            assert_eq!(Reader::new(bytes).fields(|_, _, _| Ok(false)), Err(Malformed), "{bytes:?}");
        }
    }

    #[test]
    fn depth_has_an_end() {
        let structures = [0x1c; 10_000];
        assert!(Reader::new(&structures).fields(|_, _, _| Ok(false)).is_err());
        let mut lists = vec![0x19_u8; 10_000];
        lists[0] = 0x19;
        assert!(Reader::new(&lists).fields(|_, _, _| Ok(false)).is_err());
    }
}
