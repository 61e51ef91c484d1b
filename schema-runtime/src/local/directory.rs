//! The directory of one mongod. A supervisor may remove no other directory, so only this file can make a
//! `DataDirectory`.

use std::{
    env,
    path::{self, Path, PathBuf},
};

use super::source::failure;
use crate::error::Result;

/// The prefix of the name of every data directory. The script of the supervisor checks the prefix before the script
/// removes a directory.
const PREFIX: &str = "schema-mongod-";

/// A new, empty directory, readable only by the owner. A drop does not remove the directory.
#[derive(Clone, Debug)]
pub(super) struct DataDirectory(PathBuf);

impl DataDirectory {
    /// Makes a directory inside the given directory, or inside the directory for temporary files.
    pub(super) fn new(inside: Option<&Path>) -> Result<Self> {
        let inside = inside.map_or_else(env::temp_dir, Path::to_owned);
        // An absolute path, even when TMPDIR is relative: the script removes only absolute paths.
        let made = path::absolute(inside).and_then(|all| tempfile::Builder::new().prefix(PREFIX).tempdir_in(all));
        let made = made.map_err(|error| failure(format!("no directory of data can be made: {error}")))?;
        Ok(DataDirectory(made.keep()))
    }

    /// Returns the path of the directory.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}
