//! The stored documents: two parents, three children, and deltas. May use nothing.

pub(crate) const PARENTS: usize = 2;
pub(crate) const CHILDREN: usize = 3;
/// The ids of a client, and the members of all groups.
pub(crate) const OF_CLIENT: u8 = 10;
pub(crate) const MEMBERS: usize = 6;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Parent {
    pub(crate) count: i8,
    pub(crate) sum: i8,
    /// Stands for minimum, maximum and subset.
    pub(crate) min: Option<u8>,
    /// The last write that set the parent by the children.
    pub(crate) corrected: u8,
    /// The last apply or fold that changed nothing else. A write without an effect conflicts with no write.
    pub(crate) last: u8,
    /// A field of the application.
    pub(crate) own: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Child {
    pub(crate) parent: usize,
    pub(crate) value: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Delta {
    pub(crate) id: u8,
    pub(crate) parent: usize,
    pub(crate) count: i8,
    pub(crate) sum: i8,
    pub(crate) extremes: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct World {
    pub(crate) parents: [Option<Parent>; PARENTS],
    pub(crate) children: [Option<Child>; CHILDREN],
    /// Sorted by id.
    pub(crate) deltas: Vec<Delta>,
    /// No document: the number of children that each member of a group has written.
    pub(crate) done: [u8; MEMBERS],
}

/// A set of documents, a bit for each document.
pub(crate) type Documents = u64;

pub(crate) fn parent_bit(parent: usize) -> Documents {
    1 << parent
}

pub(crate) fn child_bit(child: usize) -> Documents {
    1 << (PARENTS + child)
}

pub(crate) fn delta_bit(id: u8) -> Documents {
    1 << (PARENTS + CHILDREN + usize::from(id))
}

impl Delta {
    pub(crate) fn sum<'a>(deltas: impl IntoIterator<Item = &'a Delta>, parent: usize) -> Delta {
        let none = Delta { id: 0, parent, count: 0, sum: 0, extremes: false };
        deltas.into_iter().fold(none, |all, delta| Delta {
            count: all.count + delta.count,
            sum: all.sum + delta.sum,
            extremes: all.extremes || delta.extremes,
            ..none
        })
    }
}

impl World {
    /// Makes both parents, and the children with parents and values.
    pub(crate) fn new(children: &[Option<(usize, u8)>]) -> World {
        let mut world =
            World { parents: [None; PARENTS], children: [None; CHILDREN], deltas: Vec::new(), done: [0; MEMBERS] };
        for (child, of) in children.iter().enumerate() {
            world.children[child] = of.map(|(parent, value)| Child { parent, value });
        }
        world.parents = [0, 1].map(|parent| Some(world.count(parent)));
        world
    }

    /// Returns the parent computed from the children.
    pub(crate) fn count(&self, parent: usize) -> Parent {
        let values = || self.children.iter().flatten().filter(|child| child.parent == parent).map(|child| child.value);
        let (count, sum) = values().fold((0, 0), |(count, sum), value| (count + 1, sum + value as i8));
        Parent { count, sum, min: values().min(), ..Parent::default() }
    }

    pub(crate) fn deltas_of(&self, parent: usize) -> impl Iterator<Item = &Delta> {
        self.deltas.iter().filter(move |delta| delta.parent == parent)
    }

    /// Returns the sum of the deltas of this parent. The id has no meaning.
    pub(crate) fn left(&self, parent: usize) -> Delta {
        Delta::sum(self.deltas_of(parent), parent)
    }

    pub(crate) fn leave(&mut self, delta: Delta) {
        self.deltas.push(delta);
        self.deltas.sort_unstable();
    }

    pub(crate) fn delete_deltas(&mut self, parent: usize) {
        self.deltas.retain(|delta| delta.parent != parent);
    }

    /// Returns the documents that differ. An update without an effect writes nothing.
    pub(crate) fn differs(&self, other: &World) -> Documents {
        let parents = (0..PARENTS).filter(|parent| self.parents[*parent] != other.parents[*parent]).map(parent_bit);
        let children = (0..CHILDREN).filter(|child| self.children[*child] != other.children[*child]).map(child_bit);
        let only = |one: &World, two: &World| {
            let deltas = one.deltas.iter().filter(|delta| !two.deltas.contains(delta));
            deltas.fold(0, |all, delta| all | delta_bit(delta.id))
        };
        parents.chain(children).sum::<Documents>() | only(self, other) | only(other, self)
    }

    /// Takes these documents from another world.
    pub(crate) fn take(&mut self, documents: Documents, other: &World) {
        for parent in (0..PARENTS).filter(|parent| documents & parent_bit(*parent) != 0) {
            self.parents[parent] = other.parents[parent];
        }
        for child in (0..CHILDREN).filter(|child| documents & child_bit(*child) != 0) {
            self.children[child] = other.children[child];
        }
        self.deltas.retain(|delta| documents & delta_bit(delta.id) == 0);
        let taken = other.deltas.iter().filter(|delta| documents & delta_bit(delta.id) != 0);
        self.deltas.extend(taken);
        self.deltas.sort_unstable();
        for (done, others) in self.done.iter_mut().zip(other.done) {
            *done = others.max(*done);
        }
    }

    /// Returns whether counts and sums of each stored parent, with the deltas, are right.
    pub(crate) fn counts_are_right(&self) -> bool {
        self.each_parent(|world, number, parent| {
            let (left, children) = (world.left(number), world.count(number));
            parent.count + left.count == children.count && parent.sum + left.sum == children.sum
        })
    }

    /// Returns whether the extremes are right, unless a delta says `extremes`.
    pub(crate) fn extremes_are_right(&self) -> bool {
        self.each_parent(|world, number, parent| parent.min == world.count(number).min || world.left(number).extremes)
    }

    /// Returns whether no delta is left, and each stored parent is right.
    pub(crate) fn is_exact(&self) -> bool {
        self.deltas.is_empty() && self.counts_are_right() && self.extremes_are_right()
    }

    fn each_parent(&self, is_right: impl Fn(&World, usize, &Parent) -> bool) -> bool {
        let mut parents = self.parents.iter().enumerate();
        parents.all(|(number, parent)| parent.as_ref().is_none_or(|parent| is_right(self, number, parent)))
    }
}
