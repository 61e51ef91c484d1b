//! The place of the data of a test server: in memory when the memory has enough free space. A collection or an index
//! takes several files, and a disk takes longer for the files than the rest of a test.

use std::process::Command;

use schema_runtime::local::{Builder, Server};

/// The in-memory file system of Linux.
const MEMORY: &str = "/dev/shm";

/// The least free space for the servers of a test binary, in KiB. A whole run of the tests stores less.
const LEAST_FREE: u64 = 4 * 1024 * 1024;

/// Returns the builder of a server with data in memory when the memory has enough free space, and among the temporary
/// files otherwise.
pub fn builder() -> Builder {
    let builder = Server::builder();
    if free_space().is_some_and(|free| free >= LEAST_FREE) { builder.data_in(MEMORY) } else { builder }
}

/// Returns the free space in memory, in KiB.
fn free_space() -> Option<u64> {
    let output = Command::new("df").args(["-P", "-k", MEMORY]).output().ok()?;
    free(&String::from_utf8(output.stdout).ok()?)
}

/// Returns the fourth column of the second line.
fn free(table: &str) -> Option<u64> {
    table.lines().nth(1)?.split_whitespace().nth(3)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_free_space_is_that_of_the_table() {
        let table = "Filesystem     1024-blocks  Used Available Capacity Mounted on\ntmpfs             24673224  1200  24672024       1% /dev/shm\n";
        assert_eq!(free(table), Some(24_672_024));
        assert_eq!(free("df: /dev/shm: No such file or directory\n"), None);
    }
}
