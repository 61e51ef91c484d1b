//! A model: one collection and its contents.

use super::{
    BucketDefinition, CollectionOptions, CopiedTo, Copies, CopyDefinition, DeleteRule, Direction, DocumentRule,
    ExtraFields, FieldDefinition, IndexDefinition, IndexOrigin, InverseDefinition, ManagedFields, MirrorDefinition,
    QueryDefinition, RelationDefinition, ResolvedPath, RollupDefinition, SearchIndexDefinition, ShardKeyDefinition,
    ValidationAction, ValidationLevel, Variants, copy::hold, each, find, find_relation, find_stored, path, str_eq,
};

/// Everything that a derive declares about one model.
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
    /// The variants of an enum. The `fields` of an enum are the fields of all variants.
    pub variants: Option<&'static Variants>,
    /// The relations that this model stores.
    pub relations: &'static [RelationDefinition],
    /// The relations that other models store and this model reads back.
    pub inverses: &'static [InverseDefinition],
    /// The fields of the model that mirror relations of other models.
    pub mirrors: &'static [MirrorDefinition],
    /// The fields of the model that are copies. The copies in embedded structs are in the shapes of the structs.
    pub copies: &'static [CopyDefinition],
    /// The places of the copies of the model's fields.
    pub copied_to: &'static [CopiedTo],
    /// The fields of the model that the writes of its children keep.
    pub rollups: &'static [RollupDefinition],
    /// The declared reads of the model.
    pub queries: &'static [QueryDefinition],
    /// The key that spreads the documents of the model over shards.
    pub shard_key: Option<&'static ShardKeyDefinition>,
    /// The indexes, declared and emitted; [`ModelDefinition::indexes`] leaves out the indexes that are not needed.
    pub all_indexes: &'static [IndexDefinition],
    /// The search indexes and the vector indexes.
    pub search_indexes: &'static [SearchIndexDefinition],
    /// The collection's options.
    pub options: CollectionOptions,
    /// True when this application never writes the collection (`read_only`): a plan leaves the collection unchanged.
    pub read_only: bool,
    /// True when a stored document is never changed or deleted (`insert_only`).
    pub insert_only: bool,
    /// The rules that the model may break, with the reasons.
    pub allows: &'static [Allow],
    /// True when the derive found no mistake. The checks of other models stay silent about a model that is not whole.
    pub whole: bool,
    /// For a model in buckets, the storage of its values; for a bucket, the contents of the bucket.
    pub bucket: Option<&'static BucketDefinition>,
    /// The effect of fields that the struct does not have.
    pub extra: ExtraFields,
    /// True when serde refuses to read fields that the struct does not have (`deny_unknown_fields`).
    pub strict: bool,
    /// The rules about several fields.
    pub document_rules: &'static [DocumentRule],
    /// The definition of the documents, when a document is not one value of the model.
    pub document: Option<&'static ModelDefinition>,
}

/// A rule that the user has silenced, and the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allow {
    /// The rule's id.
    pub rule: &'static str,
    /// The user's reason.
    pub reason: &'static str,
}

impl Allow {
    /// Returns whether this rule is among the silenced rules.
    pub const fn any(allows: &[Allow], rule: &str) -> bool {
        each!(for allow in allows {
            if str_eq(allow.rule, rule) {
                return true;
            }
        });
        false
    }

    /// Creates a silenced rule with the user's reason.
    pub const fn new(rule: &'static str, reason: &'static str) -> Self {
        Allow { rule, reason }
    }
}

impl ModelDefinition {
    /// Sets the validation options of the collection.
    pub const fn validation(self, validation_level: ValidationLevel, validation_action: ValidationAction) -> Self {
        ModelDefinition { options: CollectionOptions { validation_level, validation_action, ..self.options }, ..self }
    }

    /// Declares that this application never writes the collection.
    pub const fn read_only(self) -> Self {
        ModelDefinition { read_only: true, ..self }
    }

    /// Declares that documents are never changed or deleted.
    pub const fn insert_only(self) -> Self {
        ModelDefinition { insert_only: true, ..self }
    }

    /// Sets the variants of an enum.
    pub const fn variants(self, variants: &'static Variants) -> Self {
        ModelDefinition { variants: Some(variants), ..self }
    }

    /// Sets the rules about several fields.
    pub const fn document_rules(self, document_rules: &'static [DocumentRule]) -> Self {
        ModelDefinition { document_rules, ..self }
    }

    /// Sets the search indexes and the vector indexes.
    pub const fn search_indexes(self, search_indexes: &'static [SearchIndexDefinition]) -> Self {
        ModelDefinition { search_indexes, ..self }
    }

    /// Sets the rules that the model may break.
    pub const fn allows(self, allows: &'static [Allow]) -> Self {
        ModelDefinition { allows, ..self }
    }

    /// Declares that serde refuses to read fields that the struct does not have.
    pub const fn strict(self) -> Self {
        ModelDefinition { strict: true, ..self }
    }

    /// Marks a struct in which the derive found a mistake.
    pub const fn not_whole(self) -> Self {
        ModelDefinition { whole: false, ..self }
    }

    /// Creates the definition that stands in for a model whose derive found a mistake.
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
            search_indexes: &[],
            options: CollectionOptions::DEFAULT,
            read_only: false,
            insert_only: false,
            allows: &[],
            whole: false,
            bucket: None,
            extra: ExtraFields::Drop,
            strict: false,
            document_rules: &[],
            document: None,
        }
    }

    /// Returns the indexes that the collection needs: all declared indexes, and each index emitted for a relation or a
    /// query that no declared index and no longer index serves.
    pub fn indexes(&self) -> impl Iterator<Item = &'static IndexDefinition> + '_ {
        let all = self.all_indexes;
        all.iter().filter(move |index| {
            let is_declared = |index: &IndexDefinition| index.origin == IndexOrigin::Declared;
            let serves = |other: &&IndexDefinition| {
                (is_declared(other) || other.keys.len() > index.keys.len())
                    && self.serves(other, index)
                    && !self.leaves_out_nulls(other)
                    && (index.origin != IndexOrigin::ShardKey || self.is_plain(other))
            };
            is_declared(index) || index.unique || !all.iter().any(|other| serves(&other))
        })
    }

    /// True when `declared` begins with the keys of `needed`, holds every document, serves reads and compares texts
    /// alike.
    fn serves(&self, declared: &IndexDefinition, needed: &IndexDefinition) -> bool {
        declared.partial.is_empty()
            && !declared.sparse
            && !declared.hidden
            && self.index_collation(declared) == self.index_collation(needed)
            && declared.keys.len() >= needed.keys.len()
            && needed
                .keys
                .iter()
                .zip(declared.keys)
                .all(|(needed, declared)| needed.path == declared.path && needed.direction == declared.direction)
    }

    /// True when each key is ascending, descending or hashed, and in no array: the server takes no other index for a
    /// shard key.
    fn is_plain(&self, index: &IndexDefinition) -> bool {
        index.keys.iter().all(|key| {
            matches!(key.direction, Direction::Ascending | Direction::Descending | Direction::Hashed)
                && self.resolve_of(index, key.path).is_some_and(|path| path.array_at == 0)
        })
    }

    /// True when the index may leave documents out: a unique index over a path that may be null holds only the
    /// documents with a value.
    fn leaves_out_nulls(&self, index: &IndexDefinition) -> bool {
        index.unique && index.keys.iter().any(|key| self.resolve_of(index, key.path).is_none_or(|path| path.optional))
    }

    /// Returns the fields that this crate sets.
    pub const fn managed(&self) -> ManagedFields {
        ManagedFields::among(self.fields)
    }

    /// Returns the fields whose changes do not count for the version.
    pub(crate) fn unversioned(&self) -> impl Iterator<Item = &'static FieldDefinition> + use<> {
        self.fields.iter().filter(|field| field.unversioned)
    }

    /// Returns whether a field of the model is `#[unversioned]`.
    pub const fn has_unversioned(&self) -> bool {
        each!(for field in self.fields {
            if field.unversioned {
                return true;
            }
        });
        false
    }

    /// Returns the fields that only an insert sets.
    pub(crate) fn immutable(&self) -> impl Iterator<Item = &'static FieldDefinition> + use<> {
        self.fields.iter().filter(|field| field.immutable)
    }

    /// Returns the fields that a read gets only by name.
    pub(crate) fn hidden(&self) -> impl Iterator<Item = &'static FieldDefinition> + use<> {
        self.fields.iter().filter(|field| field.hidden)
    }

    /// Returns whether a field of the model is `#[hidden]`.
    pub const fn has_hidden(&self) -> bool {
        each!(for field in self.fields {
            if field.hidden {
                return true;
            }
        });
        false
    }

    /// True when the documents of the model hold copies that follow their source, or are copied themselves.
    pub const fn has_copies(&self) -> bool {
        !self.copied_to.is_empty() || hold(self.copies, self.fields, Copies::Following)
    }

    /// True when the field of this stored name holds copies or a reference beside a copy, or is copied itself.
    pub(crate) fn has_copies_at(&self, name: &str) -> bool {
        let Some(field) = find_stored(self.fields, name) else { return false };
        self.copied_to.iter().any(|copied| copied.field == field.outer_name())
            || self.copies.iter().any(|copy| copy.name == name || copy.reference_name == name)
            || hold(&[], std::slice::from_ref(field), Copies::Following)
    }

    /// True when the documents of the model keep values of their children, or are children whose values a parent keeps.
    pub const fn has_rollups(&self) -> bool {
        let mut rolled_up = !self.rollups.is_empty();
        each!(for relation in self.relations {
            rolled_up = rolled_up || relation.rolled_up;
        });
        rolled_up
    }

    /// Returns the first relation whose parents keep values of the documents.
    pub(crate) fn rolled_up_relation(&self) -> Option<&'static RelationDefinition> {
        self.relations.iter().find(|relation| relation.rolled_up)
    }

    /// True when the documents of the model are at an end of a `two_way`.
    pub const fn has_links(&self) -> bool {
        let mut mirrored = !self.mirrors.is_empty();
        each!(for relation in self.relations {
            mirrored = mirrored || relation.is_mirrored();
        });
        mirrored
    }

    /// True when a relation that is stored at one end has a delete rule for this model: a delete of a document of the
    /// model acts on referring documents, or a delete of a referenced document acts on the documents of the model.
    pub const fn has_delete_rules(&self) -> bool {
        let mut ruled = false;
        each!(for inverse in self.inverses {
            ruled = ruled || is_rule(inverse.on_delete);
        });
        each!(for relation in self.relations {
            ruled = ruled || !relation.is_mirrored() && is_rule(relation.on_delete);
        });
        ruled
    }

    /// True when an insert makes a field from another field.
    pub const fn has_slugs(&self) -> bool {
        let mut slugs = false;
        each!(for field in self.fields {
            slugs = slugs || field.slug.is_some();
        });
        slugs
    }

    /// True when the documents of the model form trees.
    pub const fn has_tree(&self) -> bool {
        let mut tree = false;
        each!(for field in self.fields {
            tree = tree || field.tree.is_some();
        });
        tree
    }

    /// True when values are derived from the documents of the model, or the documents hold derived values: a write then
    /// has more to do than the write itself.
    pub const fn derives(&self) -> bool {
        self.has_copies()
            || self.has_rollups()
            || self.has_links()
            || self.has_delete_rules()
            || self.has_slugs()
            || self.has_tree()
    }

    /// Returns whether a query of the model reads this field, by the field's names in Rust and as stored.
    pub const fn reads(&self, field: &str, stored: &str) -> bool {
        each!(for query in self.queries {
            if query.reads(field, stored) {
                return true;
            }
        });
        false
    }

    /// Returns how often a day the queries of the model read this field; `None` when a query does not say how often the
    /// query runs, or the model has no queries.
    pub const fn reads_per_day(&self, field: &str, stored: &str) -> Option<u64> {
        let mut all = 0_u64;
        each!(for query in self.queries {
            match query.per_day {
                Some(often) if query.reads(field, stored) => all = all.saturating_add(often),
                Some(_) => {}
                None => return None,
            }
        });
        if self.queries.is_empty() { None } else { Some(all) }
    }

    /// Returns the relation that this Rust field stores.
    pub fn relation(&self, field: &str) -> Option<&'static RelationDefinition> {
        find_relation(self.relations, field)
    }

    /// Returns the field of this Rust name.
    pub fn field(&self, rust_name: &str) -> Option<&'static FieldDefinition> {
        find(self.fields, rust_name)
    }

    /// Returns the stored path of a path in the names of Rust (`["addresses", "city"]`), joined by dots.
    ///
    /// # Panics
    /// When the path names no field. The compile-time checks of a model rule the panic out for the model's own paths.
    pub fn stored_path(&self, path: &[&str]) -> String {
        path::stored_path(self.fields, path)
            .unwrap_or_else(|| panic!("`{}` has no field `{}`", self.model, path.join(".")))
    }

    /// Resolves a path in the names of Rust.
    pub fn resolve(&self, path: &[&str]) -> Option<ResolvedPath> {
        path::resolve(self.fields, path)
    }
}

const fn is_rule(rule: Option<DeleteRule>) -> bool {
    !matches!(rule, None | Some(DeleteRule::NoAction))
}
