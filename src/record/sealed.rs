//! Plain data as bytes that reveal damage: a checksum of 128 bits, and the data in the format of `postcard`.

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;
use twox_hash::XxHash3_128;

/// Bytes of the checksum.
const SEAL: usize = 16;

/// Bytes that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SealError {
    /// They are not as they were written.
    #[error("the bytes are damaged: their checksum is another one")]
    Damaged,
    /// They are as they were written, but of something else.
    #[error("the bytes are those of something else, or of another version of carom")]
    Foreign,
}

/// Writes a snapshot, or other plain data, as bytes that [`unsealed`] reads.
///
/// # Panics
/// When the data cannot be written in the format of `postcard`. A snapshot can.
pub fn sealed<T: Serialize>(data: &T) -> Vec<u8> {
    let mut bytes = Vec::new();
    seal_into(data, &mut bytes);
    bytes
}

/// The same into a buffer, whose content is replaced.
pub(super) fn seal_into<T: Serialize>(data: &T, buffer: &mut Vec<u8>) {
    buffer.clear();
    buffer.resize(SEAL, 0);
    *buffer = postcard::to_extend(data, std::mem::take(buffer)).expect("plain data can be written");
    let (seal, content) = buffer.split_at_mut(SEAL);
    seal.copy_from_slice(&XxHash3_128::oneshot(content).to_le_bytes());
}

/// Reads the bytes that [`sealed`] has written.
///
/// # Errors
/// [`SealError`] when a byte has changed, is missing or was added, or when they are not the bytes of a `T`. Bytes of
/// another type that are also those of a `T`, such as numbers of two sizes, are not told apart.
///
/// ```
/// use carom::record::{SealError, sealed, unsealed};
/// use carom::{Body, Settings, Snapshot, World};
///
/// let world = World::new(Settings::default(), [("ball", Body::sphere(0.1, 1.0)?)])?;
/// let mut bytes = sealed(&world.snapshot());
/// assert_eq!(unsealed::<Snapshot>(&bytes)?, world.snapshot());
/// bytes[20] ^= 1;
/// assert_eq!(unsealed::<Snapshot>(&bytes), Err(SealError::Damaged));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub fn unsealed<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, SealError> {
    let (data, rest) = begin(opened(bytes)?)?;
    if rest.is_empty() { Ok(data) } else { Err(SealError::Foreign) }
}

/// The content of sealed bytes.
pub(super) fn opened(bytes: &[u8]) -> Result<&[u8], SealError> {
    let (seal, content) = bytes.split_at_checked(SEAL).ok_or(SealError::Damaged)?;
    if XxHash3_128::oneshot(content).to_le_bytes() != *seal {
        return Err(SealError::Damaged);
    }
    Ok(content)
}

/// Reads the first data of a content, and returns the rest.
pub(super) fn begin<T: DeserializeOwned>(content: &[u8]) -> Result<(T, &[u8]), SealError> {
    postcard::take_from_bytes(content).map_err(|_| SealError::Foreign)
}
