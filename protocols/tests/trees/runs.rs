//! The runs: the groups of clients that meet. Nodes are A to G. May use everything.

mod any;
mod cascades;
mod converges;
mod needed;

use schema_protocols::Explore;

use crate::{
    client::Client,
    model::Trees,
    moves::{Move, Size},
    operation::Operation,
    protocol::{CASCADE, CASCADE_PARENT_ALONE, CHOSEN, PARENT_ALONE, Protocol},
    world::{Id, World},
};

const A: Id = 0;
const B: Id = 1;
const C: Id = 2;
const D: Id = 3;
const E: Id = 4;
const F: Id = 5;
const G: Id = 6;

/// Nodes with parents, separated by blanks: `"A AB AC"` is A, and B and C under A.
type Tree = &'static str;

fn small(node: Id, to: Id) -> Operation {
    Operation::Move(Move { node, to: Some(to), size: Size::Small })
}

fn large(node: Id, to: Id) -> Operation {
    Operation::Move(Move { node, to: Some(to), size: Size::Large })
}

/// Makes a root of a node, by a large move.
fn large_to_root(node: Id) -> Operation {
    Operation::Move(Move { node, to: None, size: Size::Large })
}

fn insert(node: Id, parent: Id) -> Operation {
    Operation::Insert { node, parent: Some(parent) }
}

fn insert_root(node: Id) -> Operation {
    Operation::Insert { node, parent: None }
}

fn delete(node: Id) -> Operation {
    Operation::Delete { node }
}

/// Makes a recover that runs beside the clients. A last recover, alone, ends every run.
fn recover() -> Operation {
    Operation::Recover
}

fn run(protocol: Protocol, tree: Tree, operations: &[Operation]) -> Trees {
    let id = |letter: u8| Id::from(letter - b'A');
    let mut start = [None; 7];
    for node in tree.split(' ').map(str::as_bytes) {
        match node {
            [root] => start[id(*root)] = Some(None),
            [parent, node] => start[id(*node)] = Some(Some(id(*parent))),
            _ => panic!("a node has one parent"),
        }
    }
    let clients = vec![operations.iter().copied().map(Client::new).collect()];
    Trees { protocol, world: World::new(&start, protocol.stored), clients }
}

fn chosen(tree: Tree, operations: &[Operation]) -> Trees {
    run(CHOSEN, tree, operations)
}

/// Makes every group of `number` clients, each client with any of these operations.
fn any(number: usize, tree: Tree, operations: &[Operation], protocol: Protocol) -> Trees {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..number {
        let from = |chosen: &Vec<usize>| chosen.last().copied().unwrap_or_default()..operations.len();
        let and = |chosen: &Vec<usize>, one| [&chosen[..], &[one]].concat();
        all = all.iter().flat_map(|chosen| from(chosen).map(move |one| and(chosen, one))).collect();
    }
    let client = |one: &usize| Client::new(operations[*one]);
    let clients = all.iter().map(|chosen| chosen.iter().map(client).collect()).collect();
    Trees { clients, ..run(protocol, tree, &[]) }
}

/// Returns every move of a node of a tree, under another node or to the root.
fn moves(tree: Tree, sizes: &[Size]) -> Vec<Operation> {
    let nodes = ids(tree);
    let to = || nodes.iter().copied().map(Some).chain([None]);
    let pairs = nodes.iter().flat_map(|node| to().filter(|to| *to != Some(*node)).map(|to| (*node, to)));
    pairs.flat_map(|(node, to)| sizes.iter().map(move |size| Operation::Move(Move { node, to, size: *size }))).collect()
}

/// Returns every move of the tree, every insert of G, every delete of a node of a tree, and recover.
fn operations(tree: Tree, sizes: &[Size]) -> Vec<Operation> {
    let others = ids(tree).into_iter().flat_map(|node| [insert(G, node), delete(node)]);
    moves(tree, sizes).into_iter().chain(others).chain([recover()]).collect()
}

fn ids(tree: Tree) -> Vec<Id> {
    tree.split(' ').filter_map(|node| node.bytes().last()).map(|last| Id::from(last - b'A')).collect()
}

fn parent_alone(tree: Tree, operations: &[Operation]) -> Trees {
    run(PARENT_ALONE, tree, operations)
}

fn cascade(tree: Tree, operations: &[Operation]) -> Trees {
    run(CASCADE, tree, operations)
}
