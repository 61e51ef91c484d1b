//! The settings of a mongod at the start.

use std::path::PathBuf;

use super::topology::Topology;

/// The settings of each member of a server.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) topology: Topology,
    pub(super) fail_points: bool,
    pub(super) cache_gigabytes: f64,
    pub(super) oplog_megabytes: u32,
    pub(super) data_in: Option<PathBuf>,
    pub(super) arguments: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            topology: Topology::default(),
            fail_points: false,
            cache_gigabytes: 0.25,
            oplog_megabytes: 512,
            data_in: None,
            arguments: Vec::new(),
        }
    }
}
