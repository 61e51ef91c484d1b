//! Which servers belong together, and their addresses. Pure.

/// What an embedded server consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Topology {
    /// One server outside of a replica set: no transactions, no change streams.
    Standalone,
    /// A replica set.
    ReplicaSet {
        /// How many servers it has: 1 to 7 (a replica set has 7 voting members at most). One is enough for transactions
        /// and change streams, three for a failover.
        members: usize,
    },
}

impl Default for Topology {
    /// A replica set of one.
    fn default() -> Self {
        Topology::ReplicaSet { members: 1 }
    }
}

/// The name of every embedded replica set.
pub(super) const SET_NAME: &str = "schema";

impl Topology {
    /// How many servers it has.
    pub(super) fn members(self) -> usize {
        match self {
            Topology::Standalone => 1,
            Topology::ReplicaSet { members } => members,
        }
    }

    /// Whether MongoDB can have it.
    pub(super) fn is_valid(self) -> bool {
        (1..=7).contains(&self.members())
    }

    /// The connection string of the servers at these ports.
    pub(super) fn uri(self, ports: &[u16]) -> String {
        let hosts = ports.iter().map(|port| address(*port)).collect::<Vec<_>>().join(",");
        match self {
            Topology::Standalone => format!("mongodb://{hosts}/?directConnection=true"),
            Topology::ReplicaSet { .. } => format!("mongodb://{hosts}/?replicaSet={SET_NAME}"),
        }
    }
}

/// The address of the server at a port.
pub(super) fn address(port: u16) -> String {
    format!("127.0.0.1:{port}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connection_strings() {
        assert_eq!(Topology::Standalone.uri(&[1]), "mongodb://127.0.0.1:1/?directConnection=true");
        let three = Topology::ReplicaSet { members: 3 };
        assert_eq!(three.uri(&[1, 2, 3]), "mongodb://127.0.0.1:1,127.0.0.1:2,127.0.0.1:3/?replicaSet=schema");
    }

    #[test]
    fn a_set_has_one_to_seven_members() {
        assert!(Topology::default().is_valid());
        assert!(Topology::Standalone.is_valid());
        assert!(!Topology::ReplicaSet { members: 0 }.is_valid());
        assert!(Topology::ReplicaSet { members: 7 }.is_valid());
        assert!(!Topology::ReplicaSet { members: 8 }.is_valid());
    }
}
