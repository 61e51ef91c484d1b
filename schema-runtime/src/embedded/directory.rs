//! The directory of one mongod: the only thing that a supervisor may remove, so it can only be made here.

use std::{
    env,
    path::{self, Path, PathBuf},
};

use super::source::failure;
use crate::error::Result;

/// How the name of every such directory begins. The supervisor's script looks for it before it removes one.
const PREFIX: &str = "schema-mongod-";

/// A new, empty directory, readable for its owner only. Nothing removes it by itself.
#[derive(Clone, Debug)]
pub(super) struct DataDirectory(PathBuf);

impl DataDirectory {
    /// Makes a directory inside this one, or among the temporary ones.
    pub(super) fn new(inside: Option<&Path>) -> Result<Self> {
        let inside = inside.map_or_else(env::temp_dir, Path::to_owned);
        // Absolute, also where TMPDIR is not: the script removes nothing else.
        let made = path::absolute(inside).and_then(|all| tempfile::Builder::new().prefix(PREFIX).tempdir_in(all));
        let made = made.map_err(|error| failure(format!("no directory of data can be made: {error}")))?;
        Ok(DataDirectory(made.keep()))
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}
