//! The directory of one mongod: the only thing that a supervisor may remove, so it can only be made here.

use std::path::Path;

use super::source::failure;
use crate::error::Result;

/// How the name of every such directory begins. The supervisor's script looks for it before it removes one.
pub(super) const PREFIX: &str = "schema-mongod-";

/// A new, empty directory among the temporary ones, readable for its owner only. Nothing removes it by itself.
#[derive(Clone, Debug)]
pub(super) struct DataDirectory(std::path::PathBuf);

impl DataDirectory {
    /// Makes one.
    pub(super) fn new() -> Result<Self> {
        let directory = tempfile::Builder::new().prefix(PREFIX).tempdir();
        let directory = directory.map_err(|error| failure(format!("no temporary directory can be made: {error}")))?;
        Ok(DataDirectory(directory.keep()))
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}
