//! The models of a schema, found by name, for the rules that compare models. A schema has a single index, which is
//! evaluated once: each rule then costs as much as the model that the rule judges.

use crate::definition::{Allow, DeleteRule, ModelDefinition, RelationDefinition, find, is_tree, str_eq};

/// The mark for no model.
const NONE: usize = usize::MAX;

/// The models of a schema, with the facts that several rules ask of all models.
pub struct SchemaIndex<const N: usize> {
    pub(super) models: [&'static ModelDefinition; N],
    by_name: NameTable<N>,
    by_collection: NameTable<N>,
    /// True when cascades lead in a circle.
    pub(super) has_cascade_circle: bool,
    /// True when required references lead in a circle.
    pub(super) has_reference_circle: bool,
}

/// A relation between models that rules follow from one model to the next.
#[derive(Clone, Copy)]
pub(super) enum Edge {
    /// A delete of the model deletes documents of the other model.
    Cascade,
    /// Each document of the model refers to a document of the other model.
    Need,
}

/// The result of step `number` from a model.
pub(super) enum Step {
    /// The step leads to the model at this position.
    To(usize),
    /// The step leads nowhere.
    Nowhere,
    /// The model has no more steps.
    End,
}

impl<const N: usize> SchemaIndex<N> {
    /// Creates the index of these models.
    pub const fn new(models: [&'static ModelDefinition; N]) -> Self {
        let (mut names, mut collections) = ([""; N], [""; N]);
        let mut at = 0;
        while at < N {
            names[at] = models[at].name;
            collections[at] = models[at].collection;
            at += 1;
        }
        let index = SchemaIndex {
            models,
            by_name: NameTable::new(names),
            by_collection: NameTable::new(collections),
            has_cascade_circle: false,
            has_reference_circle: false,
        };
        SchemaIndex {
            has_cascade_circle: index.has_circle(Edge::Cascade),
            has_reference_circle: index.has_circle(Edge::Need),
            ..index
        }
    }

    /// Returns the position of the first model of this full name.
    pub(super) const fn find(&self, name: &str) -> Option<usize> {
        let at = self.by_name.first(name);
        if at == NONE { None } else { Some(at) }
    }

    /// Returns the first model of the collection after position `after`, in the order of the schema; from the start
    /// without a position.
    pub(super) const fn next_of_collection(&self, collection: &str, after: Option<usize>) -> Option<usize> {
        let at = match after {
            None => self.by_collection.first(collection),
            Some(after) => self.by_collection.next(collection, after),
        };
        if at == NONE { None } else { Some(at) }
    }

    pub(super) const fn step(&self, edge: Edge, from: usize, number: usize) -> Step {
        match edge {
            Edge::Cascade => self.cascade(from, number),
            Edge::Need => self.need(from, number),
        }
    }

    /// Returns cascade number `number` of a model: first the cascades of the inverses, then the cascades of the
    /// mirrors.
    const fn cascade(&self, from: usize, number: usize) -> Step {
        let model = self.models[from];
        let (rule, child) = if number < model.inverses.len() {
            let inverse = &model.inverses[number];
            // A tree leads back to its own model, and in no circle.
            if str_eq(inverse.child.name, model.name) && is_tree(model.fields, inverse.field) {
                return Step::Nowhere;
            }
            (inverse.on_delete, inverse.child.name)
        } else if number - model.inverses.len() < model.mirrors.len() {
            let mirror = &model.mirrors[number - model.inverses.len()];
            (mirror.on_delete, mirror.child.name)
        } else {
            return Step::End;
        };
        match self.find(child) {
            Some(to) if matches!(rule, Some(DeleteRule::Cascade)) => Step::To(to),
            _ => Step::Nowhere,
        }
    }

    /// Returns the required reference number `number` of a model, to another model without `allow`.
    const fn need(&self, from: usize, number: usize) -> Step {
        let model = self.models[from];
        if number >= model.relations.len() || Allow::any(model.allows, "reference_cycle") {
            return Step::End;
        }
        let relation = &model.relations[number];
        if let Some(target) = &relation.target
            && is_needed(model, relation)
            && let Some(to) = self.find(target.name)
            && to != from
            && !Allow::any(self.models[to].allows, "reference_cycle")
        {
            return Step::To(to);
        }
        Step::Nowhere
    }

    /// Returns whether edges of this kind lead from a model back to the model, by a depth-first search of all models.
    const fn has_circle(&self, edge: Edge) -> bool {
        let (mut states, mut path, mut steps) = ([State::New; N], [0; N], [0; N]);
        let mut start = 0;
        while start < N {
            if matches!(states[start], State::New) {
                let mut length = 1;
                path[0] = start;
                states[start] = State::Open;
                while length > 0 {
                    let from = path[length - 1];
                    let number = steps[from];
                    steps[from] += 1;
                    match self.step(edge, from, number) {
                        Step::To(to) => match states[to] {
                            State::New => {
                                states[to] = State::Open;
                                path[length] = to;
                                length += 1;
                            }
                            State::Open => return true,
                            State::Done => {}
                        },
                        Step::Nowhere => {}
                        Step::End => {
                            states[from] = State::Done;
                            length -= 1;
                        }
                    }
                }
            }
            start += 1;
        }
        false
    }
}

/// True when every document of the model has this reference, and the referenced document must exist.
pub(super) const fn is_needed(model: &ModelDefinition, relation: &RelationDefinition) -> bool {
    let Some(field) = find(model.fields, relation.field) else { return false };
    !relation.is_array() && field.required && !field.may_dangle
}

/// The progress of the search with a model.
#[derive(Clone, Copy)]
enum State {
    New,
    /// The model is on the path that the search follows.
    Open,
    Done,
}

/// A hash table of names: the first position of each hash, and for each position the next position of the same hash.
struct NameTable<const N: usize> {
    names: [&'static str; N],
    first: [usize; N],
    next: [usize; N],
}

impl<const N: usize> NameTable<N> {
    const fn new(names: [&'static str; N]) -> Self {
        let (mut first, mut next) = ([NONE; N], [NONE; N]);
        // From the last to the first, so that each chain has the order of the schema.
        let mut at = N;
        while at > 0 {
            at -= 1;
            let slot = slot(names[at], N);
            next[at] = first[slot];
            first[slot] = at;
        }
        NameTable { names, first, next }
    }

    /// Returns the first position of this name, or `NONE`.
    const fn first(&self, name: &str) -> usize {
        if N == 0 {
            return NONE;
        }
        self.skip(name, self.first[slot(name, N)])
    }

    /// Returns the first position of this name after `at`, or `NONE`.
    const fn next(&self, name: &str, at: usize) -> usize {
        self.skip(name, self.next[at])
    }

    const fn skip(&self, name: &str, mut at: usize) -> usize {
        while at != NONE && !str_eq(self.names[at], name) {
            at = self.next[at];
        }
        at
    }
}

/// Returns the slot of a name among `slots`: FNV-1a of the length and the last 16 bytes of the name.
const fn slot(name: &str, slots: usize) -> usize {
    let bytes = name.as_bytes();
    let mut hash = 0xcbf2_9ce4_8422_2325 ^ bytes.len() as u64;
    let mut at = bytes.len().saturating_sub(16);
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u64).wrapping_mul(0x0100_0000_01b3);
        at += 1;
    }
    (hash % slots as u64) as usize
}
