//! Files that a command reads and writes, with the path in each failure.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use super::failure::Failure;

/// Reads a text.
pub(super) fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| failure(path, &error.to_string()))
}

/// Writes a text, whole or not at all: the text first goes to a new file in the same folder.
pub(super) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let fails = |error: std::io::Error| failure(path, &error.to_string());
    if path.exists() && !path.is_file() {
        // A device or a pipe: no new file takes the place.
        return fs::write(path, text).map_err(fails);
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let new = path.with_file_name(name);
    let written =
        fs::File::create(&new).and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()));
    written.and_then(|()| fs::rename(&new, path)).map_err(|error| {
        let _ = fs::remove_file(&new);
        fails(error)
    })
}

/// Returns the last part of a file's name, in small letters: `svg` of `schema.svg`.
pub(super) fn extension(path: Option<&PathBuf>) -> Option<String> {
    path?.extension().map(|extension| extension.to_string_lossy().to_lowercase())
}

/// Returns the failure of a file.
pub(super) fn failure(path: &Path, reason: &str) -> Failure {
    let shown = path.to_string_lossy();
    // A path with an address is a connection string in the wrong place.
    let shown = if shown.contains(":/") { "the file" } else { &*shown };
    Failure::File(format!("{shown}: {reason}"))
}
