//! A model: one collection and what is in it.

use super::{
    BucketDefinition, CollectionOptions, CopiedTo, Copies, CopyDefinition, DeleteRule, Direction, FieldDefinition,
    IndexDefinition, IndexOrigin, InverseDefinition, ManagedFields, MirrorDefinition, QueryDefinition,
    RelationDefinition, ResolvedPath, RollupDefinition, ShardKeyDefinition, ValidationAction, ValidationLevel,
    Variants, copy::hold, find, find_relation, find_stored, path, str_eq,
};

/// Everything a derive says about one model.
#[derive(Clone, Copy, Debug)]
pub struct ModelDefinition {
    /// The full name, `module::path::Struct`: two models may share the last part.
    pub name: &'static str,
    /// The struct's own name, for messages.
    pub model: &'static str,
    /// The collection.
    pub collection: &'static str,
    /// The stored fields, in the order of the struct.
    pub fields: &'static [FieldDefinition],
    /// The variants of an enum; `fields` are those of all of them.
    pub variants: Option<&'static Variants>,
    /// The relations that this model stores.
    pub relations: &'static [RelationDefinition],
    /// The relations that other models store and this one reads back.
    pub inverses: &'static [InverseDefinition],
    /// Its fields that mirror relations of other models.
    pub mirrors: &'static [MirrorDefinition],
    /// Its own fields that are copies; those of embedded structs are in their shapes.
    pub copies: &'static [CopyDefinition],
    /// Where its fields are copied to.
    pub copied_to: &'static [CopiedTo],
    /// Its fields that the writes of its children keep.
    pub rollups: &'static [RollupDefinition],
    /// How the application says that it reads it.
    pub queries: &'static [QueryDefinition],
    /// By what its documents are spread over shards.
    pub shard_key: Option<&'static ShardKeyDefinition>,
    /// The indexes, declared and emitted; [`ModelDefinition::indexes`] leaves out what is not needed.
    pub all_indexes: &'static [IndexDefinition],
    /// The collection's options.
    pub options: CollectionOptions,
    /// Whether this application never writes the collection (`read_only`): a plan leaves it as it is.
    pub read_only: bool,
    /// Whether a stored document is never changed or deleted (`insert_only`).
    pub insert_only: bool,
    /// The rules it may break, with the reasons.
    pub allows: &'static [Allow],
    /// Whether the derive found no mistake. The checks of other models stay silent about one that is not whole.
    pub whole: bool,
    /// How its values are stored in buckets, if they are; of a bucket what it holds.
    pub bucket: Option<&'static BucketDefinition>,
    /// The definition of the documents, where a document is not one value.
    pub document: Option<&'static ModelDefinition>,
}

/// A rule that the user has silenced, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allow {
    /// The rule's id.
    pub rule: &'static str,
    /// The user's reason.
    pub reason: &'static str,
}

impl Allow {
    /// Whether this rule is among them.
    pub const fn any(allows: &[Allow], rule: &str) -> bool {
        let mut at = 0;
        while at < allows.len() {
            if str_eq(allows[at].rule, rule) {
                return true;
            }
            at += 1;
        }
        false
    }

    /// A silenced rule and the user's reason.
    pub const fn new(rule: &'static str, reason: &'static str) -> Self {
        Allow { rule, reason }
    }
}

impl ModelDefinition {
    /// The same with these options.
    pub const fn validation(self, validation_level: ValidationLevel, validation_action: ValidationAction) -> Self {
        ModelDefinition { options: CollectionOptions { validation_level, validation_action }, ..self }
    }

    /// The same, of a collection that this application never writes.
    pub const fn read_only(self) -> Self {
        ModelDefinition { read_only: true, ..self }
    }

    /// The same, of documents that are never changed or deleted.
    pub const fn insert_only(self) -> Self {
        ModelDefinition { insert_only: true, ..self }
    }

    /// The same, of an enum.
    pub const fn variants(self, variants: &'static Variants) -> Self {
        ModelDefinition { variants: Some(variants), ..self }
    }

    /// The same with rules it may break.
    pub const fn allows(self, allows: &'static [Allow]) -> Self {
        ModelDefinition { allows, ..self }
    }

    /// The same, of a struct in which the derive found a mistake.
    pub const fn not_whole(self) -> Self {
        ModelDefinition { whole: false, ..self }
    }

    /// What stands in for a model whose derive found a mistake.
    pub const fn broken(model: &'static str) -> Self {
        ModelDefinition {
            name: model,
            model,
            collection: "",
            fields: &[],
            variants: None,
            relations: &[],
            inverses: &[],
            mirrors: &[],
            copies: &[],
            copied_to: &[],
            rollups: &[],
            queries: &[],
            shard_key: None,
            all_indexes: &[],
            options: CollectionOptions::DEFAULT,
            read_only: false,
            insert_only: false,
            allows: &[],
            whole: false,
            bucket: None,
            document: None,
        }
    }

    /// The indexes that the collection needs: all that are declared, and those emitted for relations and queries that no declared one
    /// and no longer one serves.
    pub fn indexes(&self) -> impl Iterator<Item = &'static IndexDefinition> + '_ {
        let all = self.all_indexes;
        all.iter().filter(move |index| {
            let is_declared = |index: &IndexDefinition| index.origin == IndexOrigin::Declared;
            let serves = |other: &&IndexDefinition| {
                (is_declared(other) || other.keys.len() > index.keys.len())
                    && serves(other, index)
                    && !self.leaves_out_nulls(other)
                    && (index.origin != IndexOrigin::ShardKey || self.is_plain(other))
            };
            is_declared(index) || index.unique || !all.iter().any(|other| serves(&other))
        })
    }

    /// Whether no key is in an array or `geo`: the server takes no other index for a shard key.
    fn is_plain(&self, index: &IndexDefinition) -> bool {
        index.keys.iter().all(|key| {
            key.direction != Direction::Sphere
                && self.resolve_of(index, key.path).is_some_and(|path| path.array_at == 0)
        })
    }

    /// Whether it may leave documents out: a unique index over what may be null holds those that have a value.
    fn leaves_out_nulls(&self, index: &IndexDefinition) -> bool {
        index.unique && index.keys.iter().any(|key| self.resolve_of(index, key.path).is_none_or(|path| path.optional))
    }

    /// The fields that this crate sets.
    pub const fn managed(&self) -> ManagedFields {
        ManagedFields::among(self.fields)
    }

    /// The fields whose changes do not count for the version.
    pub(crate) fn unversioned(&self) -> impl Iterator<Item = &'static FieldDefinition> + use<> {
        self.fields.iter().filter(|field| field.unversioned)
    }

    /// Whether there is such a field.
    pub const fn has_unversioned(&self) -> bool {
        let mut at = 0;
        while at < self.fields.len() {
            if self.fields[at].unversioned {
                return true;
            }
            at += 1;
        }
        false
    }

    /// Whether its documents hold copies that follow their source, or are copied themselves.
    pub const fn has_copies(&self) -> bool {
        !self.copied_to.is_empty() || hold(self.copies, self.fields, Copies::Following)
    }

    /// Whether the field of this stored name holds copies or a reference beside one, or is copied itself.
    pub(crate) fn has_copies_at(&self, name: &str) -> bool {
        let Some(field) = find_stored(self.fields, name) else { return false };
        self.copied_to.iter().any(|copied| copied.field == field.rust_name)
            || self.copies.iter().any(|copy| copy.name == name || copy.reference_name == name)
            || hold(&[], std::slice::from_ref(field), Copies::Following)
    }

    /// Whether its documents keep something of their children, or are children of whom something is rolled_up.
    pub const fn has_rollups(&self) -> bool {
        let mut rolled_up = !self.rollups.is_empty();
        let mut at = 0;
        while at < self.relations.len() {
            rolled_up = rolled_up || self.relations[at].rolled_up;
            at += 1;
        }
        rolled_up
    }

    /// Whether its documents are at an end of a `two_way`.
    pub const fn has_links(&self) -> bool {
        let mut mirrored = !self.mirrors.is_empty();
        let mut at = 0;
        while at < self.relations.len() {
            mirrored = mirrored || self.relations[at].is_mirrored();
            at += 1;
        }
        mirrored
    }

    /// Whether a delete of its documents does something to others, or a delete of others to them, by a relation that is stored at one end.
    pub const fn has_delete_rules(&self) -> bool {
        let (mut ruled, mut at) = (false, 0);
        while at < self.inverses.len() {
            ruled = ruled || is_rule(self.inverses[at].on_delete);
            at += 1;
        }
        let mut at = 0;
        while at < self.relations.len() {
            let relation = &self.relations[at];
            ruled = ruled || !relation.is_mirrored() && is_rule(relation.on_delete);
            at += 1;
        }
        ruled
    }

    /// Whether an insert makes a field from another one.
    pub const fn has_slugs(&self) -> bool {
        let (mut slugs, mut at) = (false, 0);
        while at < self.fields.len() {
            slugs = slugs || self.fields[at].slug.is_some();
            at += 1;
        }
        slugs
    }

    /// Whether its documents form trees.
    pub const fn has_tree(&self) -> bool {
        let (mut tree, mut at) = (false, 0);
        while at < self.fields.len() {
            tree = tree || self.fields[at].tree.is_some();
            at += 1;
        }
        tree
    }

    /// Whether something is derived from its documents, or they hold what is: then a write has more to do than itself.
    pub const fn derives(&self) -> bool {
        self.has_copies()
            || self.has_rollups()
            || self.has_links()
            || self.has_delete_rules()
            || self.has_slugs()
            || self.has_tree()
    }

    /// Whether one of its queries reads this field, by its names in Rust and as stored.
    pub const fn reads(&self, field: &str, stored: &str) -> bool {
        let mut at = 0;
        while at < self.queries.len() {
            if self.queries[at].reads(field, stored) {
                return true;
            }
            at += 1;
        }
        false
    }

    /// How often a day its queries read this field; `None` where one of them does not say how often it runs, or there is none.
    pub const fn reads_per_day(&self, field: &str, stored: &str) -> Option<u64> {
        let (mut all, mut at) = (0_u64, 0);
        while at < self.queries.len() {
            let query = &self.queries[at];
            match query.per_day {
                Some(often) if query.reads(field, stored) => all = all.saturating_add(often),
                Some(_) => {}
                None => return None,
            }
            at += 1;
        }
        if self.queries.is_empty() { None } else { Some(all) }
    }

    /// The relation that this Rust field stores.
    pub fn relation(&self, field: &str) -> Option<&'static RelationDefinition> {
        find_relation(self.relations, field)
    }

    /// The field of this Rust name.
    pub fn field(&self, rust_name: &str) -> Option<&'static FieldDefinition> {
        find(self.fields, rust_name)
    }

    /// The stored path of a path in the names of Rust (`["addresses", "city"]`), joined by dots.
    ///
    /// # Panics
    /// When there is no such field, which the compile-time checks of a model rule out for its own paths.
    pub fn stored_path(&self, path: &[&str]) -> String {
        path::stored_path(self.fields, path)
            .unwrap_or_else(|| panic!("`{}` has no field `{}`", self.model, path.join(".")))
    }

    /// What a path in the names of Rust leads to.
    pub fn resolve(&self, path: &[&str]) -> Option<ResolvedPath> {
        path::resolve(self.fields, path)
    }
}

const fn is_rule(rule: Option<DeleteRule>) -> bool {
    !matches!(rule, None | Some(DeleteRule::NoAction))
}

/// Whether `declared` begins with the keys of `needed`, which holds every document.
fn serves(declared: &IndexDefinition, needed: &IndexDefinition) -> bool {
    declared.partial.is_empty()
        && !declared.sparse
        && declared.keys.len() >= needed.keys.len()
        && needed
            .keys
            .iter()
            .zip(declared.keys)
            .all(|(needed, declared)| needed.path == declared.path && needed.direction == declared.direction)
}
