//! The stored documents: the nodes of a tree. May use `protocol`.

use crate::protocol::Stored;

pub(crate) type Id = usize;

/// Ids of ancestors, root first.
pub(crate) type Path = Vec<Id>;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Node {
    pub(crate) parent: Option<Id>,
    /// The ids of the ancestors, without the node's own id. Empty when paths are not stored.
    pub(crate) path: Path,
    /// `_moving`: the children's path before the node's large move. The node's own id is the last id.
    pub(crate) moving: Option<Path>,
    /// `_deleting`.
    pub(crate) deleting: Option<Mark>,
}

/// The mark of a node with a delete under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Mark {
    Set,
    /// Nothing keeps the node any more.
    Passed,
}

impl Node {
    pub(crate) fn new(parent: Option<Id>, path: Path) -> Node {
        Node { parent, path, moving: None, deleting: None }
    }

    pub(crate) fn marked(&self, deleting: Option<Mark>) -> Node {
        Node { deleting, ..self.clone() }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct World {
    pub(crate) nodes: Vec<Option<Node>>,
}

/// The parents of the nodes at the start; `None` for a missing node.
pub(crate) type Start = [Option<Option<Id>>];

impl World {
    pub(crate) fn new(start: &Start, stored: Stored) -> World {
        let node = |parent| Node::new(parent, Path::new());
        let mut world = World { nodes: start.iter().map(|is_there| is_there.map(node)).collect() };
        if stored == Stored::Path {
            let paths: Vec<_> = (0..start.len()).map(|id| world.chain(id)).collect();
            for (node, path) in world.nodes.iter_mut().zip(paths) {
                node.iter_mut().zip(path).for_each(|(node, path)| node.path = path);
            }
        }
        world
    }

    pub(crate) fn node(&self, id: Id) -> Option<&Node> {
        self.nodes[id].as_ref()
    }

    fn all(&self) -> impl Iterator<Item = (Id, &Node)> {
        self.nodes.iter().enumerate().filter_map(|(id, node)| Some((id, node.as_ref()?)))
    }

    /// Returns the path of a child of this node, if the node is stored: the path and the id of the node. Without a
    /// node: the path of a root.
    pub(crate) fn path_under(&self, parent: Option<Id>) -> Option<Path> {
        let Some(id) = parent else { return Some(Path::new()) };
        Some([&self.node(id)?.path[..], &[id]].concat())
    }

    pub(crate) fn children(&self, id: Id) -> Vec<Id> {
        self.all().filter(|(_, node)| node.parent == Some(id)).map(|(id, _)| id).collect()
    }

    pub(crate) fn has_children(&self, id: Id) -> bool {
        !self.children(id).is_empty()
    }

    pub(crate) fn mark(&self, id: Id) -> Option<Mark> {
        self.node(id)?.deleting
    }

    /// Returns the nodes with a delete under way.
    pub(crate) fn marked(&self) -> impl Iterator<Item = Id> {
        self.all().filter(|(_, node)| node.deleting.is_some()).map(|(id, _)| id)
    }

    /// Returns the nodes with the prefix: one range of the index on the path.
    pub(crate) fn with_prefix(&self, prefix: &[Id]) -> Vec<Id> {
        self.all().filter(|(_, node)| node.path.starts_with(prefix)).map(|(id, _)| id).collect()
    }

    /// Returns the nodes with `_moving`.
    pub(crate) fn pending(&self) -> impl Iterator<Item = (Id, &Node, &Path)> {
        self.all().filter_map(|(id, node)| Some((id, node, node.moving.as_ref()?)))
    }

    /// Returns the ancestors by `parent`, root first; `None` for a cycle, or when an ancestor is missing.
    pub(crate) fn chain(&self, id: Id) -> Option<Path> {
        let (mut chain, mut at) = (Path::new(), self.node(id)?.parent);
        while let Some(id) = at {
            if chain.len() == self.nodes.len() {
                return None;
            }
            chain.insert(0, id);
            at = self.node(id)?.parent;
        }
        Some(chain)
    }

    /// Returns a node and the node's ancestors by `parent`, nearest first. In a cycle, the list is as long as the
    /// number of nodes.
    pub(crate) fn walk_up(&self, from: Option<Id>) -> Path {
        let next = |id: &Id| self.node(*id)?.parent;
        std::iter::successors(from, next).take(self.nodes.len()).collect()
    }

    fn is_orphan(&self, node: &Node) -> bool {
        node.parent.is_some_and(|parent| self.node(parent).is_none())
    }

    /// Returns whether only marked nodes are orphans. A cascade leaves marked orphans between the levels of the
    /// cascade.
    pub(crate) fn has_no_orphan_but_marked(&self) -> bool {
        self.all().all(|(_, node)| node.deleting.is_some() || !self.is_orphan(node))
    }

    pub(crate) fn has_no_cycle(&self) -> bool {
        self.all().all(|(id, _)| self.walk_up(Some(id)).len() < self.nodes.len() || self.chain(id).is_some())
    }

    pub(crate) fn is_right(&self) -> bool {
        self.has_all_chains()
            && self.all().all(|(id, node)| node.moving.is_none() && self.chain(id).as_ref() == Some(&node.path))
    }

    /// Returns whether no node is an orphan, and no node has a delete under way.
    pub(crate) fn has_all_chains(&self) -> bool {
        self.all().all(|(id, node)| node.deleting.is_none() && self.chain(id).is_some())
    }

    /// Returns whether each path is the chain of parents. Below a node with `_moving` the path may begin with `_moving`
    /// instead of the node's path and id.
    pub(crate) fn is_as_the_invariant_says(&self) -> bool {
        self.all().all(|(id, node)| {
            let Some(chain) = self.chain(id) else { return self.is_as_an_orphan_above_says(id, node) };
            let is_old = |(place, above): (usize, &Id)| {
                let old = self.node(*above).and_then(|above| above.moving.as_ref());
                old.is_some_and(|old| node.path == [&old[..], &chain[place + 1..]].concat())
            };
            node.path == chain || chain.iter().enumerate().any(is_old)
        })
    }

    /// Returns whether a path below an orphan begins with the orphan's path: either path may still have the old prefix
    /// of a node that is moving.
    fn is_as_an_orphan_above_says(&self, id: Id, node: &Node) -> bool {
        let mut walked = self.walk_up(Some(id));
        walked.retain(|id| self.node(*id).is_some());
        let Some(orphan) = walked.last().and_then(|orphan| self.node(*orphan)) else { return false };
        let below = walked.iter().skip(1).rev().copied();
        let said: Path = orphan.path.iter().copied().chain(below).collect();
        let moved = |path: &Path| {
            let old = self.pending().find(|(.., old)| path.starts_with(old));
            let new = old.and_then(|(id, _, old)| Some([&self.path_under(Some(id))?[..], &path[old.len()..]].concat()));
            new.unwrap_or_else(|| path.clone())
        };
        moved(&said) == moved(&node.path)
    }

    /// Returns whether no node with `_moving` has another node with `_moving` above, in the new place or in the old
    /// place.
    pub(crate) fn is_not_nested(&self) -> bool {
        let is_above = |above: Id, (id, node, old): (Id, &Node, &Path)| {
            above != id && (node.path.contains(&above) || old.contains(&above))
        };
        self.pending().all(|(above, ..)| !self.pending().any(|below| is_above(above, below)))
    }
}
