//! Constructors of definitions that name a model: derived code calls the constructors with the user's types.

use super::{Model, RelationOfRows};
use crate::definition::{
    AggregateDefinition, ChangeRate, ChildrenDefinition, CollectionOptions, CopiedTo, CopyDefinition, CopyMode,
    FieldDefinition, IndexDefinition, ModelDefinition, QueryDefinition, RelationDefinition, RollupDefinition,
    RollupKind, Source, Target, ValueDefinition,
};
use crate::field::Record;

impl ModelDefinition {
    /// The definition of `M`, with the indexes; the options are the server's defaults.
    pub const fn of<M: Model>(collection: &'static str, all_indexes: &'static [IndexDefinition]) -> Self {
        ModelDefinition {
            name: M::NAME,
            model: M::STRUCT,
            collection,
            fields: M::FIELDS,
            variants: None,
            relations: M::RELATIONS,
            inverses: M::INVERSES,
            mirrors: M::MIRRORS,
            copies: M::COPIES,
            copied_to: M::COPIED_TO,
            rollups: M::ROLLUPS,
            queries: M::QUERIES,
            shard_key: M::SHARD_KEY,
            all_indexes,
            options: CollectionOptions::DEFAULT,
            read_only: false,
            insert_only: false,
            allows: &[],
            whole: true,
            bucket: None,
            extra: M::EXTRA,
            strict: false,
            search_indexes: &[],
            document_rules: &[],
            document: None,
        }
    }

    /// The definition of the buckets that hold the values of `M`: documents with these fields.
    pub const fn of_buckets_of<M: Model>(
        collection: &'static str,
        fields: &'static [FieldDefinition],
        relations: &'static [RelationDefinition],
        all_indexes: &'static [IndexDefinition],
    ) -> Self {
        ModelDefinition { fields, relations, copies: &[], ..ModelDefinition::of::<M>(collection, all_indexes) }
    }
}

impl RelationDefinition {
    /// The relation, with the target `T` and the model `C` that stores the relation.
    pub const fn refers<T: Model, C: Model>(self) -> Self {
        let to = self.to(Target::of::<T>()).deleted_by(T::INVERSES, T::MIRRORS, C::NAME);
        if self.storage.may_be_rolled_up() { to.rolled_up(T::ROLLUPS, C::NAME) } else { to }
    }
}

impl Target {
    /// The model `T`, as a target.
    pub const fn of<T: Model>() -> Self {
        Target { name: T::NAME, definition: definition_of::<T> }
    }
}

fn definition_of<T: Model>() -> &'static ModelDefinition {
    T::DEFINITION
}

impl CopyDefinition {
    /// A copy that the writes of the source propagate.
    pub const fn new<S: Model>(
        (field, name): (&'static str, &'static str),
        (reference, reference_name): (&'static str, &'static str),
        from: &'static [&'static str],
    ) -> Self {
        let (copied_to, copyable, relations) = (S::COPIED_TO, S::COPYABLE, S::RELATIONS);
        let source = Source { target: Target::of::<S>(), copied_to, copyable, relations };
        CopyDefinition {
            field,
            name,
            reference,
            reference_name,
            from,
            source,
            mode: CopyMode::Synced,
            given: false,
            allows: &[],
        }
    }
}

impl CopiedTo {
    /// The copy of `field` of the source in `holder_field` of `H`.
    pub const fn new<H: Model>(field: &'static str, holder_field: &'static str) -> Self {
        CopiedTo {
            field,
            holder: Target::of::<H>(),
            holder_field,
            fan_out: None,
            changes: ChangeRate::Sometimes,
            allows: &[],
        }
    }
}

impl RollupDefinition {
    /// The rollup in `field` of a parent: the value of `kind` over the `C` that refer to the parent by `reference`.
    pub const fn new<C: Model>(
        (field, name): (&'static str, &'static str),
        reference: &'static str,
        kind: RollupKind,
    ) -> Self {
        RollupDefinition { field, name, child: Target::of::<C>(), reference, kind }
    }
}

impl ChildrenDefinition {
    /// The values over the children that refer to a parent by `reference`, of relation number `AT`.
    pub const fn new<R: RelationOfRows<AT>, const AT: usize>(
        reference: &'static str,
        values: &'static [ValueDefinition],
    ) -> Self {
        let child = Target::of::<R::Child>();
        ChildrenDefinition { child, reference, values: AggregateDefinition::new(&[], &[], values) }
    }
}

impl QueryDefinition {
    /// The query, read into `P`.
    pub const fn select<P: Record>(self) -> Self {
        QueryDefinition { select: Some(P::FIELDS), ..self }
    }
}
