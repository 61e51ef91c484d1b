//! Deletes: refused because of children, or with the whole subtree. May use `protocol`, `world`, `transaction`.

use crate::{
    protocol::{Protocol, Rule, Stored},
    transaction::{Stage, Transaction, with_prefix_in_place},
    world::{Id, Mark, World},
};

/// A delete that is under way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Delete {
    /// The nodes that are left to delete, the next node last.
    nodes: Vec<Id>,
    step: Step,
    /// True for the delete of another client: afterwards the client's own operation begins again.
    others: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Step {
    Mark,
    /// Looks for children, after the mark is set.
    Look,
    /// `Pass(true)`: the node has no children. `Pass(false)`: the node has children.
    Pass(bool),
    /// Takes the children too.
    Take,
    /// Deletes the node, which has no children.
    Drop,
}

impl Delete {
    /// Begins with the first look for children.
    pub(crate) fn begin(node: Id, world: &World, protocol: &Protocol) -> Transaction {
        let refused = protocol.rule == Rule::Restrict && world.has_children(node);
        match world.node(node) {
            Some(_) if !refused => Delete { nodes: vec![node], step: Step::Mark, others: false }.read(),
            _ => Transaction::none(Stage::Done),
        }
    }

    /// Goes on with the delete of another client.
    pub(crate) fn recover(node: Id, world: &World, protocol: &Protocol) -> Transaction {
        Delete { nodes: vec![node], step: Step::Mark, others: true }.after_mark(world.mark(node), protocol).read()
    }

    fn read(self) -> Transaction {
        Transaction::none(Stage::Delete(self))
    }

    fn at(&self, step: Step) -> Delete {
        Delete { step, ..self.clone() }
    }

    fn ended(&self) -> Stage {
        if self.others { Stage::Begin } else { Stage::Done }
    }

    /// Returns the stage without the last node. In a cascade, the node above is looked at again.
    fn without_last(&self) -> Stage {
        let mut left = self.at(Step::Take);
        left.nodes.pop();
        if left.nodes.is_empty() { self.ended() } else { Stage::Delete(left) }
    }

    fn after_mark(&self, mark: Option<Mark>, protocol: &Protocol) -> Delete {
        match (protocol.rule, mark) {
            (Rule::Cascade, _) => self.at(Step::Take),
            (Rule::Restrict, Some(Mark::Passed)) => self.at(Step::Drop),
            (Rule::Restrict, _) if !protocol.look_after_mark => self.at(Step::Pass(true)),
            (Rule::Restrict, _) => self.at(Step::Look),
        }
    }

    /// Returns the possible next transactions.
    pub(crate) fn next(&self, world: &World, protocol: &Protocol) -> Vec<Transaction> {
        let Some(id) = self.nodes.last().copied() else { return vec![Transaction::none(self.ended())] };
        let (Some(node), mark) = (world.node(id), world.mark(id)) else {
            return vec![Transaction::none(self.without_last())];
        };
        let marked = |mark| node.marked(mark);
        match (self.step, mark) {
            (Step::Mark, None) => {
                let mark = if protocol.rule == Rule::Cascade { Mark::Passed } else { Mark::Set };
                let then = Transaction::none(Stage::Delete(self.after_mark(Some(mark), protocol)));
                vec![then.write(id, Some(marked(Some(mark))))]
            }
            (Step::Mark, mark) => vec![self.after_mark(mark, protocol).read()],
            // Another client has removed the mark.
            (Step::Look | Step::Pass(_) | Step::Drop, None) if protocol.rule == Rule::Restrict => {
                vec![Transaction::none(if self.others { Stage::Begin } else { Stage::Done })]
            }
            (Step::Look, _) => vec![self.at(Step::Pass(!world.has_children(id))).read()],
            (Step::Pass(true), Some(Mark::Set)) => {
                vec![self.at(Step::Drop).read().write(id, Some(marked(Some(Mark::Passed))))]
            }
            (Step::Pass(true), _) => vec![self.at(Step::Drop).read()],
            (Step::Pass(false), Some(Mark::Set)) => {
                vec![Transaction::none(self.ended()).write(id, Some(marked(None)))]
            }
            (Step::Pass(false), _) => vec![Transaction::none(self.ended())],
            // The mark belongs to another delete, which may be refused.
            (Step::Drop, Some(Mark::Set)) => vec![self.after_mark(mark, protocol).read()],
            // The node was deleted, and inserted again.
            (Step::Take | Step::Drop, None) => vec![Transaction::none(self.without_last())],
            (Step::Take, _) => self.take(id, world, protocol),
            (Step::Drop, _) => vec![drop(Transaction::none(self.without_last()), id, world, protocol)],
        }
    }

    /// Marks all children and deletes the node, in one transaction; or marks one child, and the node stays until no
    /// child is left.
    fn take(&self, id: Id, world: &World, protocol: &Protocol) -> Vec<Transaction> {
        let children = world.children(id);
        if children.is_empty() {
            return vec![self.at(Step::Drop).read()];
        }
        let mark = |transaction: Transaction, child: &Id| {
            let is_new = protocol.mark_children && world.mark(*child).is_none();
            if is_new { transaction.edit(*child, world, |node| node.marked(Some(Mark::Passed))) } else { transaction }
        };
        let mut all = self.clone();
        all.nodes.pop();
        all.nodes.extend(&children);
        let all = children.iter().fold(drop(all.read(), id, world, protocol), mark);
        let mut one = self.clone();
        one.nodes.push(children[0]);
        vec![all, mark(one.read(), &children[0])]
    }
}

/// Deletes the node, and writes the rest of the node's large move in the same transaction.
fn drop(mut transaction: Transaction, id: Id, world: &World, protocol: &Protocol) -> Transaction {
    let moving = world.node(id).and_then(|node| node.moving.as_ref());
    let rewrites = protocol.rule == Rule::Cascade && protocol.rewrite_before_delete && protocol.stored == Stored::Path;
    if let (true, Some(old), Some(new)) = (rewrites, moving, world.path_under(Some(id))) {
        for below in world.with_prefix(old) {
            transaction = transaction.edit(below, world, |node| with_prefix_in_place(node, old, &new));
        }
    }
    transaction.write(id, None)
}
