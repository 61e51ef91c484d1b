//! The table of attributes: what each is called, where it may stand, what it excludes, the words inside it, an example. Every list
//! of attributes or of their words comes from here.

mod reasons;
pub(crate) mod words;

pub(crate) use reasons::Reason;
use reasons::{
    A_COPY, A_SLUG_IS_VERSIONED, A_TREE_IS_VERSIONED, DERIVED_IS_UNVERSIONED, EVERY_WRITE, IN_ONE, KEEPS_ITSELF,
    KEPT_BY_A_TREE, NEVER_AGAIN, NO_COPIES, NO_COPIES_OF_A_HISTORY, NO_COPIES_OF_A_TREE, NO_REFERENCE, NOT_PROPAGATED,
    NOT_SYNCED, OF_A_TREE, OF_CHILDREN, OFTEN_OR_RARELY, ONE_OF_CHILDREN, ONE_SHARD_KEY, ONE_STORAGE,
    SET_BESIDE_THE_VERSION, SET_BY_THE_CRATE, SET_BY_TWO, SET_ONCE, SLUG_IS_TEXT, TWICE,
};

use crate::{model::Managed, parse::Word, words::words};

words! {
    /// An attribute of this crate.
    pub(crate) enum Attribute {
        Model = "model",
        Inverse = "inverse",
        Query = "query",
        Index = "index",
        ShardKey = "shard_key",
        Embed = "embed",
        Projection = "projection",
        Relation = "relation",
        Reference = "reference",
        Bound = "bound",
        Opaque = "opaque",
        Version = Managed::Version.word(),
        CreatedAt = Managed::CreatedAt.word(),
        UpdatedAt = Managed::UpdatedAt.word(),
        Unversioned = "unversioned",
        Denormalize = "denormalize",
        CopiedTo = "copied_to",
        Volatile = "volatile",
        RarelyChanges = "rarely_changes",
        Written = "written",
        Subset = "subset",
        Computed = "computed",
        History = "history",
        Slug = "slug",
        Tree = "tree",
    }
}

/// Where an attribute stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// A struct with `#[derive(Model)]`.
    Model,
    /// One of its fields.
    ModelField,
    /// The one that is stored as `_id`.
    Id,
    /// A struct with `#[derive(Embed)]`.
    Embed,
    EmbedField,
    /// A tuple struct of one value with `#[derive(Embed)]`.
    Newtype,
    /// Its value.
    NewtypeField,
    /// An enum with `#[derive(Embed)]`.
    Enum,
    Variant,
    /// A field of one of its variants.
    VariantField,
    /// The struct that one of its variants holds.
    VariantValue,
    /// A variant of an enum with `#[derive(Model)]`.
    ModelVariant,
    /// One of its fields.
    ModelVariantField,
    /// A struct with `#[derive(Projection)]`.
    Projection,
    ProjectionField,
}

impl Place {
    /// Whether it is a field of what is stored inside of a model, or of one shape of a model.
    pub(crate) fn is_inside(self) -> bool {
        matches!(self, Place::EmbedField | Place::VariantField | Place::ModelVariantField)
    }
}

/// What is known of one attribute.
pub(crate) struct Row {
    pub(crate) places: &'static [Place],
    /// Whether several may stand beside each other.
    pub(crate) repeats: bool,
    /// What cannot stand beside it, and why. A pair is in one of its two rows.
    pub(crate) excludes: &'static [(&'static [Attribute], Reason)],
    /// The words inside it, beside names of fields and models.
    pub(crate) words: &'static [&'static [Word]],
    /// The attribute, and the field that it may stand on.
    pub(crate) example: (&'static str, &'static str),
}

const OF_FIELDS: &[Place] =
    &[Place::ModelField, Place::Id, Place::EmbedField, Place::VariantField, Place::ModelVariantField];
const OF_VALUES: &[Place] = &[
    Place::ModelField,
    Place::Id,
    Place::EmbedField,
    Place::VariantField,
    Place::ModelVariantField,
    Place::NewtypeField,
];
const OF_OPAQUE_VALUES: &[Place] = &[
    Place::ModelField,
    Place::Id,
    Place::EmbedField,
    Place::VariantField,
    Place::ModelVariantField,
    Place::NewtypeField,
    Place::ProjectionField,
];
const OF_MODELS: &[Place] = &[Place::ModelField];

impl Attribute {
    /// The attribute of this path.
    pub(crate) fn of(path: &syn::Path) -> Option<Attribute> {
        Attribute::ALL.iter().copied().find(|attribute| path.is_ident(attribute.word()))
    }

    /// Its row of the table.
    pub(crate) const fn row(self) -> Row {
        use Attribute::{
            Bound, Computed, CopiedTo, CreatedAt, Denormalize, History, Opaque, RarelyChanges, Reference, Relation,
            Slug, Subset, Tree, Unversioned, UpdatedAt, Version, Volatile, Written,
        };
        match self {
            Attribute::Model => Row {
                places: &[Place::Model],
                repeats: false,
                excludes: &[(&[Attribute::Model], IN_ONE)],
                words: &[words::OF_MODEL],
                example: ("#[model(collection = \"people\")]", ""),
            },
            Attribute::Inverse => Row {
                places: &[Place::Model],
                repeats: true,
                excludes: &[],
                words: &[words::OF_INVERSE],
                example: ("#[inverse(logmsgs = LogMsg::host)]", ""),
            },
            Attribute::Query => Row {
                places: &[Place::Model],
                repeats: true,
                excludes: &[],
                words: &[words::OF_QUERY],
                example: ("#[query(named(name), limit = 100)]", ""),
            },
            Attribute::Index => Row {
                places: &[Place::Model, Place::ModelField, Place::Id, Place::ModelVariant, Place::ModelVariantField],
                repeats: true,
                excludes: &[],
                words: &[words::OF_INDEX, words::DIRECTIONS],
                example: ("#[index(unique)]", "email: String"),
            },
            Attribute::ShardKey => Row {
                places: &[Place::Model],
                repeats: false,
                excludes: &[(&[Attribute::ShardKey], ONE_SHARD_KEY)],
                words: &[words::OF_SHARD_KEY],
                example: ("#[shard_key(hashed(id))]", ""),
            },
            Attribute::Embed => Row {
                places: &[Place::Embed, Place::Newtype, Place::Enum],
                repeats: false,
                excludes: &[],
                words: &[words::OF_EMBED],
                example: ("#[embed(crate = odm)]", ""),
            },
            Attribute::Projection => Row {
                places: &[Place::Projection],
                repeats: false,
                excludes: &[],
                words: &[words::OF_PROJECTION],
                example: ("#[projection(of = Part)]", ""),
            },
            Relation => Row {
                places: OF_FIELDS,
                repeats: false,
                excludes: &[(&[Bound, Opaque], ONE_STORAGE)],
                words: &[words::CARDINALITIES, words::STORAGES, words::APART, words::OF_RELATION],
                example: ("#[relation(one_to_few, embed, max = 20)]", "addresses: Vec<Address>"),
            },
            Reference => Row {
                places: &[Place::ModelField, Place::EmbedField],
                repeats: false,
                excludes: &[(
                    &[Bound, Opaque, Version, CreatedAt, UpdatedAt, Denormalize, Subset, Computed],
                    NO_REFERENCE,
                )],
                words: &[words::OF_REFERENCE],
                example: ("#[reference(may_dangle)]", "part: Ref<Part>"),
            },
            Bound => Row {
                places: OF_VALUES,
                repeats: false,
                excludes: &[(&[Opaque], ONE_STORAGE)],
                words: &[words::OF_BOUND],
                example: ("#[bound(max_len = 60)]", "name: String"),
            },
            Opaque => Row {
                places: OF_OPAQUE_VALUES,
                repeats: false,
                excludes: &[(&[CopiedTo, Volatile, RarelyChanges], NO_COPIES)],
                words: &[words::OF_OPAQUE],
                example: ("#[opaque(max_bytes = 1_000)]", "settings: Settings"),
            },
            Version => Row {
                places: OF_MODELS,
                repeats: false,
                excludes: &[
                    (&[Relation, Bound, Opaque], SET_BY_THE_CRATE),
                    (&[CreatedAt, UpdatedAt], SET_ONCE),
                    (&[Denormalize, Subset, Computed], SET_BY_TWO),
                    (&[Volatile, RarelyChanges], EVERY_WRITE),
                ],
                words: &[],
                example: ("#[version]", "version: i64"),
            },
            CreatedAt => Row {
                places: OF_MODELS,
                repeats: false,
                excludes: &[
                    (&[Relation, Bound, Opaque], SET_BY_THE_CRATE),
                    (&[UpdatedAt], SET_ONCE),
                    (&[Denormalize, Subset, Computed], SET_BY_TWO),
                    (&[Volatile], NEVER_AGAIN),
                ],
                words: &[],
                example: ("#[created_at]", "created: DateTime"),
            },
            UpdatedAt => Row {
                places: OF_MODELS,
                repeats: false,
                excludes: &[
                    (&[Relation, Bound, Opaque], SET_BY_THE_CRATE),
                    (&[Denormalize, Subset, Computed], SET_BY_TWO),
                    (&[Volatile, RarelyChanges], EVERY_WRITE),
                ],
                words: &[],
                example: ("#[updated_at]", "updated: DateTime"),
            },
            Unversioned => Row {
                places: OF_MODELS,
                repeats: false,
                excludes: &[
                    (&[Version, CreatedAt, UpdatedAt], SET_BESIDE_THE_VERSION),
                    (&[Denormalize, Subset, Computed], DERIVED_IS_UNVERSIONED),
                    (&[Slug], A_SLUG_IS_VERSIONED),
                    (&[Tree], A_TREE_IS_VERSIONED),
                ],
                words: &[],
                example: ("#[unversioned]", "stock: i32"),
            },
            Denormalize => Row {
                places: &[Place::ModelField, Place::EmbedField],
                repeats: false,
                excludes: &[(&[Relation, Opaque], A_COPY)],
                words: &[words::OF_DENORMALIZE],
                example: ("#[denormalize(from = host.ipaddr)]", "ipaddr: String"),
            },
            CopiedTo => Row {
                places: OF_MODELS,
                repeats: true,
                excludes: &[],
                words: &[words::OF_COPIED_TO],
                example: ("#[copied_to(Product::parts)]", "name: String"),
            },
            Volatile => Row {
                places: OF_MODELS,
                repeats: false,
                excludes: &[(&[RarelyChanges], OFTEN_OR_RARELY)],
                words: &[],
                example: ("#[volatile]", "qty: i32"),
            },
            RarelyChanges => Row {
                places: OF_MODELS,
                repeats: false,
                excludes: &[],
                words: &[],
                example: ("#[rarely_changes]", "ipaddr: String"),
            },
            Written => Row {
                places: OF_MODELS,
                repeats: false,
                excludes: &[(&[Version, UpdatedAt], EVERY_WRITE), (&[CreatedAt], NEVER_AGAIN)],
                words: &[words::OF_WRITTEN],
                example: ("#[written(per_day = 3)]", "ipaddr: String"),
            },
            Subset => Row {
                places: OF_MODELS,
                repeats: false,
                excludes: &[
                    (&[Relation, Bound, Opaque, Denormalize], OF_CHILDREN),
                    (&[Computed], ONE_OF_CHILDREN),
                    (&[CopiedTo], NOT_PROPAGATED),
                    (&[RarelyChanges], NOT_SYNCED),
                ],
                words: &[words::OF_SUBSET],
                example: ("#[subset(of = LogMsg::host, keep = 1_000, order = desc(time))]", "recent: Vec<LogLine>"),
            },
            Computed => Row {
                places: OF_MODELS,
                repeats: false,
                excludes: &[
                    (&[Relation, Bound, Opaque, Denormalize], OF_CHILDREN),
                    (&[Computed], ONE_OF_CHILDREN),
                    (&[CopiedTo], NOT_PROPAGATED),
                    (&[RarelyChanges], NOT_SYNCED),
                ],
                words: &[words::OF_COMPUTED],
                example: ("#[computed(count(LogMsg::host))]", "messages: i64"),
            },
            History => Row {
                places: OF_MODELS,
                repeats: false,
                excludes: &[
                    (&[Relation, Bound, Opaque], KEEPS_ITSELF),
                    (&[Version, CreatedAt, UpdatedAt], SET_BY_THE_CRATE),
                    (&[Denormalize, Subset, Computed], SET_BY_TWO),
                    (&[CopiedTo], NO_COPIES_OF_A_HISTORY),
                    (&[Reference], NO_REFERENCE),
                ],
                words: &[words::OF_HISTORY],
                example: ("#[history(keep = 50, order = desc(at))]", "prices: Vec<Price>"),
            },
            Slug => Row {
                places: OF_MODELS,
                repeats: false,
                excludes: &[
                    (&[Relation, Bound, Opaque, History], SLUG_IS_TEXT),
                    (&[Version, CreatedAt, UpdatedAt], SET_BY_THE_CRATE),
                    (&[Denormalize, Subset, Computed], SET_BY_TWO),
                    (&[Reference], NO_REFERENCE),
                ],
                words: &[words::OF_SLUG],
                example: ("#[slug(from = title, max_len = 80)]", "slug: String"),
            },
            Tree => Row {
                places: OF_MODELS,
                repeats: false,
                excludes: &[
                    (&[Relation, Bound, Opaque, History, Slug], OF_A_TREE),
                    (&[Version, CreatedAt, UpdatedAt], SET_BY_THE_CRATE),
                    (&[Denormalize, Subset, Computed], SET_BY_TWO),
                    (&[CopiedTo], NO_COPIES_OF_A_TREE),
                    (&[Reference], KEPT_BY_A_TREE),
                ],
                words: &[words::TREE_ROLES, words::OF_PARENT, words::OF_ANCESTORS],
                example: ("#[tree(parent, max_depth = 16)]", "parent: Option<Ref<Category>>"),
            },
        }
    }

    /// Whether it stands on a model, and nowhere else.
    pub(crate) fn is_of_models(self) -> bool {
        matches!(self.row().places, [Place::Model])
    }

    pub(crate) fn may_stand(self, place: Place) -> bool {
        self.row().places.contains(&place)
    }

    /// The words inside it.
    pub(crate) fn words(self) -> Vec<Word> {
        self.row().words.concat()
    }

    /// Whether it is more than its name.
    pub(crate) fn takes_words(self) -> bool {
        self.row().example.0.contains('(')
    }

    /// It as text: `#[version]`, `#[relation(..)]`.
    pub(crate) fn text(self) -> String {
        let words = if self.takes_words() { "(..)" } else { "" };
        format!("#[{}{words}]", self.word())
    }

    /// Why the two cannot stand on one field, if they cannot.
    pub(crate) fn excludes(self, other: Attribute) -> Option<Reason> {
        let of = |one: Attribute, other: Attribute| {
            let mut excluded = one.row().excludes.iter();
            excluded.find(|(others, _)| others.contains(&other)).map(|(_, why)| *why)
        };
        let twice = || (self == other && !self.row().repeats).then_some(TWICE);
        of(self, other).or_else(|| of(other, self)).or_else(twice)
    }
}
