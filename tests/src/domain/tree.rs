//! A tree: a node is a child of nodes, their parent, the source of copies in its children and a holder of one itself.

use schema_runtime::prelude::*;

/// A node, at the root if it has no parent. It may come to be its own.
#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "nodes")]
pub struct Node {
    /// Chosen by the program.
    #[serde(rename = "_id")]
    pub id: i64,
    /// Both the parent of rollups and the source of a copy.
    #[relation(one_to_many, parent_ref)]
    pub parent: Option<Ref<Node>>,
    /// The parent's name.
    #[denormalize(from = parent.name)]
    pub parent_name: Option<String>,
    /// Never the same twice.
    #[copied_to(Node::parent_name)]
    pub name: String,
    /// What a parent keeps of it.
    pub size: i64,
    /// How many children.
    #[computed(count(Node::parent))]
    pub children: i64,
    /// The sum of the children's.
    #[computed(sum(Node::parent, size))]
    pub below: i64,
    /// The greatest of the children's.
    #[computed(max(Node::parent, size))]
    pub largest: Option<i64>,
    /// The first in an order; the name is copied elsewhere.
    #[subset(of = Node::parent, keep = 2, order = asc(size))]
    pub smallest: Vec<NodeLine>,
}

/// What a node keeps of a child.
#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct NodeLine {
    /// That of the child.
    #[serde(rename = "_id")]
    pub id: i64,
    /// That of the child.
    pub size: i64,
    /// That of the child.
    pub name: String,
}
