//! A tree: a node is a child of a node, a parent of nodes, the source of copies in its children, and the holder of a
//! copy.

use schema_runtime::prelude::*;

/// A node, at the root if the node has no parent. A node may become its own parent.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "nodes")]
pub struct Node {
    /// Chosen by the program.
    #[serde(rename = "_id")]
    pub id: i64,
    /// The reference to the parent of the rollups and the source of the copy.
    #[relation(one_to_many, parent_ref)]
    pub parent: Option<Ref<Node>>,
    /// The parent's name.
    #[denormalize(from = parent.name)]
    pub parent_name: Option<String>,
    /// A name that never repeats.
    #[copied_to(Node::parent_name)]
    pub name: String,
    /// The size that the parent keeps.
    pub size: i64,
    /// The number of children.
    #[computed(count(Node::parent))]
    pub children: i64,
    /// The sum of the sizes of the children.
    #[computed(sum(Node::parent, size))]
    pub below: i64,
    /// The greatest size of the children.
    #[computed(max(Node::parent, size))]
    pub largest: Option<i64>,
    /// The two smallest children; the name of a child is also copied to the children of the child.
    #[subset(of = Node::parent, keep = 2, order = asc(size))]
    pub smallest: Vec<NodeLine>,
}

/// The part of a child that a node keeps.
#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct NodeLine {
    /// The `_id` of the child.
    #[serde(rename = "_id")]
    pub id: i64,
    /// The size of the child.
    pub size: i64,
    /// The name of the child.
    pub name: String,
}
