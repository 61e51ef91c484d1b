//! `recover`: walks the parents left closed, then the children with a mark. May use `bring`, `world`, `protocol`.

use crate::{
    actors::Step,
    bring::{Bring, Progress},
    protocol::Protocol,
    world::{Id, Ids, World},
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Recover {
    /// Each parent that is closed ..
    Parent {
        parent: usize,
        ids: Ids,
    },
    /// .. is recomputed.
    BringParent {
        parent: usize,
        bring: Bring,
    },
    /// Each child with marks: ..
    Child {
        child: usize,
        ids: Ids,
    },
    /// .. a parent that it left is recomputed, ..
    Left {
        child: usize,
        mark: Id,
        bring: Bring,
    },
    Pull {
        child: usize,
        left: (usize, Id),
        ids: Ids,
    },
    /// .. then its own.
    Bring {
        child: usize,
        mark: Option<Id>,
        bring: Bring,
    },
    Clear {
        child: usize,
        parent: usize,
        mark: Option<Id>,
        ids: Ids,
    },
    Delete {
        child: usize,
        parent: usize,
        epoch: Option<Id>,
        ids: Ids,
    },
}

impl Recover {
    pub(crate) fn start(ids: Ids) -> Recover {
        Recover::Parent { parent: 0, ids }
    }

    pub(crate) fn steps(&self, world: &World) -> Vec<Step> {
        match self {
            Recover::BringParent { bring, .. } | Recover::Left { bring, .. } | Recover::Bring { bring, .. } => {
                bring.actions(world).into_iter().map(Step::Bring).collect()
            }
            _ => vec![Step::Own],
        }
    }

    pub(crate) fn next(self, step: Step, world: &mut World, protocol: &Protocol) -> Option<Recover> {
        match (self, step) {
            (Recover::Parent { parent, ids }, _) => match &world.parents[parent] {
                Some(of) if of.closed.is_some() => {
                    Some(Recover::BringParent { parent, bring: Bring::own(parent, ids) })
                }
                _ => Some(Recover::after_parent(parent, ids)),
            },
            (Recover::BringParent { parent, bring }, Step::Bring(step)) => match bring.next(step, world, protocol) {
                Progress::On(bring) => Some(Recover::BringParent { parent, bring }),
                Progress::Done { ids, .. } => Some(Recover::after_parent(parent, ids)),
            },
            (Recover::Child { child, ids }, _) => match &world.children[child] {
                Some(of) if !of.left.is_empty() => {
                    let (from, mark) = of.left[0];
                    Some(Recover::Left { child, mark, bring: Bring::own(from, ids) })
                }
                Some(of) if of.mark.is_some() || of.gone => {
                    Some(Recover::Bring { child, mark: of.mark, bring: Bring::own(of.parent, ids) })
                }
                _ => Recover::after_child(child, ids, world),
            },
            (Recover::Left { child, mark, bring }, Step::Bring(step)) => {
                let from = bring.parent;
                match bring.next(step, world, protocol) {
                    Progress::On(bring) => Some(Recover::Left { child, mark, bring }),
                    Progress::Done { ids, .. } => Some(Recover::Pull { child, left: (from, mark), ids }),
                }
            }
            (Recover::Pull { child, left, ids }, _) => {
                world.pull(child, left, protocol);
                Some(Recover::Child { child, ids })
            }
            (Recover::Bring { child, mark, bring }, Step::Bring(step)) => {
                let parent = bring.parent;
                match bring.next(step, world, protocol) {
                    Progress::On(bring) => Some(Recover::Bring { child, mark, bring }),
                    Progress::Done { ids, epoch, parent_is_there: true } => {
                        Recover::after_bring(child, parent, epoch, ids, world)
                    }
                    Progress::Done { ids, .. } => Some(Recover::Clear { child, parent, mark, ids }),
                }
            }
            (Recover::Clear { child, parent, mark, ids }, _) => {
                world.clear(child, mark, protocol);
                Recover::after_bring(child, parent, None, ids, world)
            }
            (Recover::Delete { child, parent, epoch, ids }, _) => {
                world.delete(child, parent, epoch, protocol);
                Recover::after_child(child, ids, world)
            }
            _ => unreachable!("a step of another state"),
        }
    }

    fn after_parent(parent: usize, ids: Ids) -> Recover {
        if parent == 0 { Recover::Parent { parent: 1, ids } } else { Recover::Child { child: 0, ids } }
    }

    /// `deleteMany(children of this parent that are gone and that it does not have)`, of one child.
    fn after_bring(child: usize, parent: usize, epoch: Option<Id>, ids: Ids, world: &World) -> Option<Recover> {
        match &world.children[child] {
            Some(of) if of.gone => Some(Recover::Delete { child, parent, epoch, ids }),
            _ => Recover::after_child(child, ids, world),
        }
    }

    fn after_child(child: usize, ids: Ids, world: &World) -> Option<Recover> {
        let next = child + 1;
        (next < world.children.len()).then_some(Recover::Child { child: next, ids })
    }
}
