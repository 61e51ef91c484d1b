//! What is stored: the nodes of a tree. May use `protocol`.

use crate::protocol::Stored;

pub(crate) type Id = usize;

/// Ids of ancestors, root first.
pub(crate) type Path = Vec<Id>;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Node {
    pub(crate) parent: Option<Id>,
    /// Its own id is not in it. Empty where paths are not stored.
    pub(crate) path: Path,
    /// `_moving`: the path that its children had before its large move. Its own id is the last one.
    pub(crate) moving: Option<Path>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct World {
    pub(crate) nodes: Vec<Option<Node>>,
}

/// The parents of the nodes at the start, without those that are not there.
pub(crate) type Start = [Option<Option<Id>>];

impl World {
    pub(crate) fn new(start: &Start, stored: Stored) -> World {
        let node = |parent| Node { parent, path: Path::new(), moving: None };
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

    /// The path of a child of this node, if there is one: that of the node and its id. Of no node: the path of a root.
    pub(crate) fn path_under(&self, parent: Option<Id>) -> Option<Path> {
        let Some(id) = parent else { return Some(Path::new()) };
        Some([&self.node(id)?.path[..], &[id]].concat())
    }

    pub(crate) fn has_children(&self, id: Id) -> bool {
        self.all().any(|(_, node)| node.parent == Some(id))
    }

    /// One range of the index on the path.
    pub(crate) fn with_prefix(&self, prefix: &[Id]) -> Vec<Id> {
        self.all().filter(|(_, node)| node.path.starts_with(prefix)).map(|(id, _)| id).collect()
    }

    /// The nodes with `_moving`.
    pub(crate) fn pending(&self) -> impl Iterator<Item = (Id, &Node, &Path)> {
        self.all().filter_map(|(id, node)| Some((id, node, node.moving.as_ref()?)))
    }

    /// The ancestors by `parent`, root first: none if they are a cycle, or one is not there.
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

    /// A node and its ancestors by `parent`, nearest first. In a cycle, as many as there are nodes.
    pub(crate) fn walk_up(&self, from: Option<Id>) -> Path {
        let next = |id: &Id| self.node(*id)?.parent;
        std::iter::successors(from, next).take(self.nodes.len()).collect()
    }

    pub(crate) fn has_no_orphan(&self) -> bool {
        self.all().all(|(_, node)| node.parent.is_none_or(|parent| self.node(parent).is_some()))
    }

    pub(crate) fn has_no_cycle(&self) -> bool {
        self.all().all(|(id, _)| self.walk_up(Some(id)).len() < self.nodes.len() || self.chain(id).is_some())
    }

    pub(crate) fn is_right(&self) -> bool {
        self.all().all(|(id, node)| node.moving.is_none() && self.chain(id).as_ref() == Some(&node.path))
    }

    /// Each path is the chain of parents. Below a node with `_moving` it may begin with that instead of with the node's path and id.
    pub(crate) fn is_as_the_invariant_says(&self) -> bool {
        self.all().all(|(id, node)| {
            let Some(chain) = self.chain(id) else { return false };
            let is_old = |(place, above): (usize, &Id)| {
                let old = self.node(*above).and_then(|above| above.moving.as_ref());
                old.is_some_and(|old| node.path == [&old[..], &chain[place + 1..]].concat())
            };
            node.path == chain || chain.iter().enumerate().any(is_old)
        })
    }

    /// No node with `_moving` has another one above it, where it is or where it was.
    pub(crate) fn is_not_nested(&self) -> bool {
        let is_above = |above: Id, (id, node, old): (Id, &Node, &Path)| {
            above != id && (node.path.contains(&above) || old.contains(&above))
        };
        self.pending().all(|(above, ..)| !self.pending().any(|below| is_above(above, below)))
    }
}
