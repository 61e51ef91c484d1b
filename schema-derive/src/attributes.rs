//! The table of attributes: the name, the places, the excluded attributes, the words and an example of each attribute.
//! Every list of attributes or of words comes from this table.

mod excluded;
mod place;
mod reasons;
pub(crate) mod words;

pub(crate) use place::Place;
use place::{
    OF_DOCUMENTS, OF_EMBEDDED, OF_FIELDS, OF_MODELS, OF_NAMED_VALUES, OF_OPAQUE_VALUES, OF_READS, OF_STORED_TYPES,
    OF_VALUES,
};
pub(crate) use reasons::Reason;
use reasons::{
    A_COPY, A_SLUG_IS_VERSIONED, A_TREE_IS_VERSIONED, DERIVED_IS_UNVERSIONED, EVERY_WRITE, FLAT, HIDDEN_HAS_OWN_FORM,
    HIDDEN_IS_GIVEN, HIDDEN_IS_KNOWN, HIDDEN_REFERENCE, IN_ONE, KEEPS_ITSELF, KEPT_BY_A_TREE, MADE_BY_AN_INSERT,
    NEW_AND_SINGLE, NO_COPIES, NO_COPIES_OF_A_HISTORY, NO_COPIES_OF_A_TREE, NO_COPIES_OF_HIDDEN, NO_FIELD,
    NO_REFERENCE, NOT_PROPAGATED, OF_A_TREE, OF_CHILDREN, ONE_OF_CHILDREN, ONE_SHARD_KEY, ONE_STORAGE,
    ONE_STORAGE_OF_A_TYPE, SET_AND_HIDDEN, SET_BESIDE_THE_VERSION, SET_BY_THE_CRATE, SET_BY_TWO, SET_ONCE,
    SLUG_IS_TEXT, TWO_NEW_VALUES,
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
        Patch = "patch",
        Relation = "relation",
        Reference = "reference",
        Bound = "bound",
        Opaque = "opaque",
        StoredAs = "stored_as",
        Version = Managed::Version.word(),
        CreatedAt = Managed::CreatedAt.word(),
        UpdatedAt = Managed::UpdatedAt.word(),
        Unversioned = "unversioned",
        Denormalize = "denormalize",
        CopiedTo = "copied_to",
        Changes = "changes",
        Subset = "subset",
        Computed = "computed",
        History = "history",
        Slug = "slug",
        Tree = "tree",
        Json = "json",
        Auto = "auto",
        Default = "default",
        Extra = "extra",
        Hidden = "hidden",
    }
}

/// The row of an attribute in the table.
pub(crate) struct Row {
    pub(crate) places: &'static [Place],
    /// True when the attribute may stand several times on the same item.
    pub(crate) repeats: bool,
    /// The attributes that cannot stand beside this attribute, and why. A pair is in the row of either attribute, not
    /// in both rows.
    pub(crate) excludes: &'static [(&'static [Attribute], Reason)],
    /// The words of the attribute, beside names of fields and models.
    pub(crate) words: &'static [&'static [Word]],
    /// An example of the attribute, and a field that may have the attribute.
    pub(crate) example: (&'static str, &'static str),
}

impl Attribute {
    /// Returns the attribute with this path; `None` for an attribute of another crate.
    pub(crate) fn of(path: &syn::Path) -> Option<Attribute> {
        Attribute::ALL.iter().copied().find(|attribute| path.is_ident(attribute.word()))
    }

    /// Returns the row of the attribute in the table.
    pub(crate) const fn row(self) -> Row {
        use Attribute::{
            Bound, Changes, Computed, CopiedTo, CreatedAt, Denormalize, History, Opaque, Reference, Relation, Slug,
            StoredAs, Subset, Tree, Unversioned, UpdatedAt, Version,
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
                places: OF_EMBEDDED,
                repeats: false,
                excludes: &[(
                    &[
                        Attribute::Index,
                        Attribute::Auto,
                        Attribute::Default,
                        Relation,
                        Reference,
                        Bound,
                        StoredAs,
                        Opaque,
                        Version,
                        CreatedAt,
                        UpdatedAt,
                        Unversioned,
                        Denormalize,
                        Subset,
                        Computed,
                        History,
                        Slug,
                        Tree,
                        Attribute::Json,
                        Attribute::Hidden,
                    ],
                    FLAT,
                )],
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
            Attribute::Patch => Row {
                places: &[Place::Patch, Place::PatchField],
                repeats: false,
                excludes: &[],
                words: &[words::OF_PATCH],
                example: ("#[patch(Post)]", ""),
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
                excludes: &[(&[CopiedTo], NO_COPIES)],
                words: &[words::OF_OPAQUE],
                example: ("#[opaque(max_bytes = 1_000)]", "settings: Settings"),
            },
            StoredAs => Row {
                places: OF_STORED_TYPES,
                repeats: false,
                excludes: &[
                    (&[Relation, Opaque], ONE_STORAGE_OF_A_TYPE),
                    (&[Version], SET_BY_THE_CRATE),
                    (&[Subset, Computed], OF_CHILDREN),
                    (&[History], KEEPS_ITSELF),
                    (&[Slug], SLUG_IS_TEXT),
                    (&[Tree], OF_A_TREE),
                    (&[Reference], NO_REFERENCE),
                ],
                words: &[],
                example: ("#[stored_as(String)]", "email: Email"),
            },
            Version => Row {
                places: OF_MODELS,
                repeats: false,
                excludes: &[
                    (&[Relation, Bound, Opaque], SET_BY_THE_CRATE),
                    (&[CreatedAt, UpdatedAt], SET_ONCE),
                    (&[Denormalize, Subset, Computed], SET_BY_TWO),
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
            Changes => Row {
                places: OF_MODELS,
                repeats: false,
                excludes: &[(&[Changes], IN_ONE), (&[Version, UpdatedAt], EVERY_WRITE)],
                words: &[words::OF_CHANGES],
                example: ("#[changes(seldom)]", "ipaddr: String"),
            },
            Subset => Row {
                places: OF_MODELS,
                repeats: false,
                excludes: &[
                    (&[Relation, Bound, Opaque, Denormalize], OF_CHILDREN),
                    (&[Computed], ONE_OF_CHILDREN),
                    (&[CopiedTo], NOT_PROPAGATED),
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
            Attribute::Json => Row {
                places: OF_NAMED_VALUES,
                repeats: false,
                excludes: &[(&[Attribute::Json], IN_ONE)],
                words: &[words::OF_JSON],
                example: ("#[json(rename = \"label\")]", "name: String"),
            },
            Attribute::Auto => Row {
                places: OF_DOCUMENTS,
                repeats: false,
                excludes: &[
                    (&[Relation, Reference, History], NEW_AND_SINGLE),
                    (&[Version, CreatedAt, UpdatedAt], SET_BY_THE_CRATE),
                    (&[Denormalize, Subset, Computed], SET_BY_TWO),
                    (&[Slug, Tree], MADE_BY_AN_INSERT),
                    (&[Attribute::Default], TWO_NEW_VALUES),
                ],
                words: &[words::OF_AUTO],
                example: ("#[auto(sequence)]", "number: i64"),
            },
            Attribute::Default => Row {
                places: OF_DOCUMENTS,
                repeats: false,
                excludes: &[
                    (&[Version, CreatedAt, UpdatedAt], SET_BY_THE_CRATE),
                    (&[Denormalize, Subset, Computed], SET_BY_TWO),
                    (&[Slug, Tree], MADE_BY_AN_INSERT),
                ],
                words: &[],
                example: ("#[default(0)]", "views: i64"),
            },
            Attribute::Extra => Row {
                places: OF_MODELS,
                repeats: false,
                excludes: &[(
                    &[
                        Attribute::Index,
                        Attribute::Embed,
                        Attribute::Auto,
                        Attribute::Default,
                        Relation,
                        Reference,
                        Bound,
                        Opaque,
                        Version,
                        CreatedAt,
                        UpdatedAt,
                        Unversioned,
                        Denormalize,
                        CopiedTo,
                        Changes,
                        Subset,
                        Computed,
                        History,
                        Slug,
                        Tree,
                        Attribute::Json,
                        Attribute::Hidden,
                    ],
                    NO_FIELD,
                )],
                words: &[words::OF_EXTRA],
                example: ("#[extra(max_bytes = 4_000)]", "rest: Document"),
            },
            Attribute::Hidden => Row {
                places: OF_READS,
                repeats: false,
                excludes: &[
                    (&[Reference, Tree], HIDDEN_REFERENCE),
                    (&[Opaque], HIDDEN_IS_KNOWN),
                    (&[Attribute::StoredAs], HIDDEN_HAS_OWN_FORM),
                    (&[Version, CreatedAt, UpdatedAt, Slug, History, Subset, Computed, Denormalize], SET_AND_HIDDEN),
                    (&[CopiedTo], NO_COPIES_OF_HIDDEN),
                    (&[Attribute::Auto, Attribute::Default], HIDDEN_IS_GIVEN),
                ],
                words: &[],
                example: ("#[hidden]", "password: Hidden<String>"),
            },
        }
    }

    /// Returns whether a model is the only place of the attribute.
    pub(crate) fn is_of_models(self) -> bool {
        matches!(self.row().places, [Place::Model])
    }

    pub(crate) fn may_stand(self, place: Place) -> bool {
        self.row().places.contains(&place)
    }

    /// Returns the words of the attribute.
    pub(crate) fn words(self) -> Vec<Word> {
        self.row().words.concat()
    }

    /// Returns whether the attribute takes words in parentheses.
    pub(crate) fn takes_words(self) -> bool {
        self.row().example.0.contains('(')
    }

    /// Returns the attribute as text: `#[version]`, `#[relation(..)]`.
    pub(crate) fn text(self) -> String {
        let words = if self.takes_words() { "(..)" } else { "" };
        format!("#[{}{words}]", self.word())
    }
}
