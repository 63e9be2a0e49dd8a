//! *Digest*: 128 bits that stand for bytes, or for a sequence of fingerprints.

use xxhash_rust::xxh3::xxh3_128;

/// 128 bits of some bytes.
pub fn digest(bytes: &[u8]) -> [u8; 16] {
    xxh3_128(bytes).to_be_bytes()
}

/// 128 bits of a sequence of tokens, or of other fingerprints.
pub fn sequence_digest(tokens: &[u64]) -> [u8; 16] {
    #[cfg(target_endian = "little")]
    {
        // SAFETY: any initialised u64 slice may be viewed as bytes.
        let bytes = unsafe {
            std::slice::from_raw_parts(tokens.as_ptr().cast::<u8>(), size_of_val(tokens))
        };
        digest(bytes)
    }
    #[cfg(not(target_endian = "little"))]
    {
        let bytes: Vec<u8> = tokens.iter().flat_map(|token| token.to_le_bytes()).collect();
        digest(&bytes)
    }
}
