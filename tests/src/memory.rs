//! Where the data of a test server are: in memory where there is room. A collection or an index takes several files, and a disk takes longer for the
//! files than the rest of a test.

use std::process::Command;

use schema_runtime::embedded::{Builder, Server};

/// The file system in memory that Linux has.
const MEMORY: &str = "/dev/shm";

/// The room that the servers of a test binary have at least, in KiB. What a whole run of the tests stores is less.
const ROOM: u64 = 4 * 1024 * 1024;

/// How to start a server whose data are in memory where there is room, or among the temporary files.
pub fn builder() -> Builder {
    let builder = Server::builder();
    if room().is_some_and(|room| room >= ROOM) { builder.data_in(MEMORY) } else { builder }
}

/// The free room in memory, in KiB.
fn room() -> Option<u64> {
    let output = Command::new("df").args(["-P", "-k", MEMORY]).output().ok()?;
    free(&String::from_utf8(output.stdout).ok()?)
}

/// The fourth column of the second line.
fn free(table: &str) -> Option<u64> {
    table.lines().nth(1)?.split_whitespace().nth(3)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_room_is_that_of_the_table() {
        let table = "Filesystem     1024-blocks  Used Available Capacity Mounted on\ntmpfs             24673224  1200  24672024       1% /dev/shm\n";
        assert_eq!(free(table), Some(24_672_024));
        assert_eq!(free("df: /dev/shm: No such file or directory\n"), None);
    }
}
