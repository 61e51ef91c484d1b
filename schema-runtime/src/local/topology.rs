//! The servers of a deployment, and their addresses. Pure.

/// The servers of a local deployment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Topology {
    /// A single server outside of a replica set: no transactions, no change streams.
    Standalone,
    /// A replica set.
    ReplicaSet {
        /// The number of servers: 1 to 7 (a replica set has at most 7 voting members). A single server is enough for
        /// transactions and change streams, three servers for a failover.
        members: usize,
    },
    /// A config server and shards, each a replica set of a single member, that know of each other, without a router
    /// (`mongos`). The connection string is for the first shard alone. [`Server::ports`](super::Server::ports) has the
    /// port of the config server first, then the ports of the shards.
    Shards {
        /// The number of shards: 1 to 6.
        shards: usize,
    },
}

/// The role of a server in the topology.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Standalone,
    Member,
    ConfigServer,
    /// The shard of this number.
    Shard(usize),
}

impl Role {
    /// Returns the name of the replica set of the server; `None` for a standalone.
    pub(super) fn set(self) -> Option<String> {
        match self {
            Role::Standalone => None,
            Role::Member => Some(SET_NAME.to_owned()),
            Role::ConfigServer => Some("config".to_owned()),
            Role::Shard(number) => Some(format!("shard{number}")),
        }
    }
}

impl Default for Topology {
    /// Returns a replica set of a single member.
    fn default() -> Self {
        Topology::ReplicaSet { members: 1 }
    }
}

/// The name of every local replica set.
pub(super) const SET_NAME: &str = "schema";

impl Topology {
    /// Returns the number of servers.
    pub(super) fn members(self) -> usize {
        match self {
            Topology::Standalone => 1,
            Topology::ReplicaSet { members } => members,
            Topology::Shards { shards } => shards.saturating_add(1),
        }
    }

    /// Returns the role of each server.
    pub(super) fn roles(self) -> Vec<Role> {
        match self {
            Topology::Standalone => vec![Role::Standalone],
            Topology::ReplicaSet { members } => vec![Role::Member; members],
            Topology::Shards { shards } => {
                [Role::ConfigServer].into_iter().chain((0..shards).map(Role::Shard)).collect()
            }
        }
    }

    /// Returns whether MongoDB supports the topology.
    pub(super) fn is_valid(self) -> bool {
        let least = if matches!(self, Topology::Shards { .. }) { 2 } else { 1 };
        (least..=7).contains(&self.members())
    }

    /// Returns the connection string of the servers at these ports.
    pub(super) fn uri(self, ports: &[u16]) -> String {
        let hosts = ports.iter().map(|port| address(*port)).collect::<Vec<_>>().join(",");
        match self {
            Topology::Standalone => format!("mongodb://{hosts}/?directConnection=true"),
            Topology::ReplicaSet { .. } => format!("mongodb://{hosts}/?replicaSet={SET_NAME}"),
            Topology::Shards { .. } => Topology::Standalone.uri(ports.get(1..2).unwrap_or_default()),
        }
    }
}

/// Returns the address of the server at a port.
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
        let shards = Topology::Shards { shards: 2 };
        assert_eq!(shards.uri(&[1, 2, 3]), "mongodb://127.0.0.1:2/?directConnection=true");
    }

    #[test]
    fn a_set_has_one_to_seven_members() {
        assert!(Topology::default().is_valid());
        assert!(Topology::Standalone.is_valid());
        assert!(!Topology::ReplicaSet { members: 0 }.is_valid());
        assert!(Topology::ReplicaSet { members: 7 }.is_valid());
        assert!(!Topology::ReplicaSet { members: 8 }.is_valid());
        assert!(!Topology::Shards { shards: 0 }.is_valid());
        assert!(Topology::Shards { shards: 2 }.is_valid());
    }
}
