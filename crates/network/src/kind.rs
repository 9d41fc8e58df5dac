use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

use super::{Backend, NetworkError, error::MAX_FILE_BYTES};

/// A kind of network. Some networks of a kind are built into the program; others are ONNX files.
pub trait NetworkKind: Sized {
    /// The built-in ones: names and contents.
    const EMBEDDED: &'static [(&'static str, &'static [u8])];
    /// The name of the built-in one that is used by default.
    const DEFAULT: &'static str;

    /// Reads an ONNX model and runs it once, so that a network that loads also works.
    ///
    /// # Errors
    /// [`NetworkError::Model`] or [`NetworkError::Shape`].
    fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self, NetworkError>;

    /// The same network, run by `backend`.
    ///
    /// # Errors
    /// [`NetworkError::Backend`] if this build has no such backend, [`NetworkError::Model`] if it cannot run the
    /// network.
    fn on(&self, backend: Backend) -> Result<Self, NetworkError>;

    /// The content of the embedded network of that name.
    fn embedded(name: &str) -> Option<&'static [u8]> {
        Self::EMBEDDED.iter().find(|(other, _)| *other == name).map(|(_, bytes)| *bytes)
    }

    /// The embedded network of that name, or else the file at that path.
    ///
    /// # Errors
    /// [`NetworkError`] if the file does not exist or is not a network of this kind.
    fn open(name_or_path: &str) -> Result<Self, NetworkError> {
        match Self::embedded(name_or_path) {
            Some(bytes) => Self::from_bytes(name_or_path, bytes),
            None => Self::load(Path::new(name_or_path)),
        }
    }

    /// Loads an ONNX file.
    ///
    /// # Errors
    /// [`NetworkError`] if it cannot be read or is not a network of this kind.
    fn load(path: &Path) -> Result<Self, NetworkError> {
        Self::from_bytes(&path.display().to_string(), &read_network(path)?)
    }
}

/// Reads the bytes of a network file, without checking that they are a network.
///
/// # Errors
/// [`NetworkError::File`] if it cannot be read, [`NetworkError::TooLarge`] if it is too large.
pub fn read_network(path: &Path) -> Result<Vec<u8>, NetworkError> {
    let file_error = |error| NetworkError::File { path: path.to_owned(), error };
    // A pipe without a writer would block the session forever.
    let kind = fs::metadata(path).map_err(file_error)?.file_type();
    if !kind.is_file() {
        let found = if kind.is_dir() { "a folder" } else { "a pipe or a device" };
        return Err(file_error(io::Error::other(format!("expected a file, found {found}"))));
    }
    File::open(path)
        .and_then(|file| read_at_most(file, MAX_FILE_BYTES))
        .map_err(file_error)?
        .ok_or_else(|| NetworkError::TooLarge { path: path.to_owned() })
}

/// Everything in `source`; `None` if that is more than `most` bytes. A file may grow while it is read.
fn read_at_most(source: impl Read, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let read = source.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((read as u64 <= most).then_some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Policy, SatisfactionNetwork, error::OWN_NETWORKS};

    #[test]
    fn the_error_for_a_missing_network_lists_the_built_in_ones() {
        let embedded = Policy::EMBEDDED.iter().chain(SatisfactionNetwork::EMBEDDED);
        assert!(embedded.map(|(name, _)| *name).eq(OWN_NETWORKS));
        let error = Policy::open("goal-polcy").unwrap_err().to_string();
        let hint = "; the built-in networks are goal-policy, human-policy, thesis-1, thesis-2; did you mean 'goal-policy'?";
        assert!(error.ends_with(hint), "{error}");
        let error = Policy::open("no/such/goal-polcy.onnx").unwrap_err().to_string();
        assert!(!error.contains("built-in"), "{error}");
    }

    #[test]
    fn reading_stops_at_the_limit() {
        assert_eq!(read_at_most(&b"abc"[..], 3).unwrap().unwrap(), b"abc");
        assert_eq!(read_at_most(&b"abcd"[..], 3).unwrap(), None);
        assert_eq!(read_at_most(io::repeat(0), 3).unwrap(), None, "an endless stream");
    }

    #[cfg(unix)]
    #[test]
    fn only_files_are_opened() {
        for (path, found) in [("/dev/zero", "a pipe or a device"), ("/", "a folder")] {
            let error = read_network(Path::new(path)).unwrap_err().to_string();
            assert_eq!(error, format!("network {path}: expected a file, found {found}"));
        }
    }
}
