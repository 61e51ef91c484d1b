//! The words of each attribute, with the form of each word. Lists of words come from this file.

use crate::{
    model::{Apart, Cardinality, Direction, Storage, TreeRole},
    parse::{Form, Word, flags, word},
};

const OF_VALIDATION: &[Word] =
    &[word("level", Form::Name, "level = moderate"), word("action", Form::Name, "action = warn")];

const OF_CAPPED: &[Word] = &[word("size", Form::Text, "size = \"64MiB\""), word("max", Form::Number, "max = 10_000")];

const OF_CLUSTERED: &[Word] = &[word("ttl", Form::Text, "ttl = \"30d\"")];

const OF_TIME_SERIES: &[Word] = &[
    word("time", Form::Name, "time = at"),
    word("meta", Form::Name, "meta = sensor"),
    word("granularity", Form::Name, "granularity = minutes"),
    word("ttl", Form::Text, "ttl = \"90d\""),
];

const OF_VIEW: &[Word] = &[
    word("of", Form::Path, "of = Product"),
    word("filter", Form::List, "filter(lt(price, 100))"),
    word("aggregate", Form::Path, "aggregate = CustomerMonth"),
    word("from", Form::List, "from(label = name)"),
];

const OF_BUCKET: &[Word] = &[word("size", Form::Number, "size = 50"), word("by", Form::Call, "by = day(time)")];

/// The path of the runtime crate; every derive takes this word.
const CRATE: Word = word("crate", Form::Path, "crate = odm");

/// The words of an embedded type, and of a flat field.
pub(super) const OF_EMBED: &[Word] = &[CRATE, word("flat", Form::Flag, "flat")];

pub(super) const OF_MODEL: &[Word] = &[
    word("collection", Form::Text, "collection = \"people\""),
    CRATE,
    word("validation", Form::Words(OF_VALIDATION), "validation(level = moderate, action = warn)"),
    word("read_only", Form::Flag, "read_only"),
    word("insert_only", Form::Flag, "insert_only"),
    word("capped", Form::Words(OF_CAPPED), "capped(size = \"64MiB\")"),
    word("clustered", Form::Optional(&Form::Words(OF_CLUSTERED)), "clustered(ttl = \"30d\")"),
    word("time_series", Form::Words(OF_TIME_SERIES), "time_series(time = at)"),
    word("view", Form::Words(OF_VIEW), "view(of = Product)"),
    word("pre_and_post_images", Form::Flag, "pre_and_post_images"),
    word("compression", Form::Name, "compression = zstd"),
    COLLATION,
    word("new", Form::Optional(&Form::List), "new(Debug, Clone)"),
    word("unknown_fields", Form::Name, "unknown_fields = refuse"),
    word("check", Form::List, "check(lt(starts, ends))"),
    word("bucket", Form::Words(OF_BUCKET), "bucket(size = 50)"),
    word(
        "allow",
        Form::Allow(&[
            "bucket_size",
            "copies_of_most",
            "reference_cycle",
            "subset_not_read",
            "unindexed_reference",
            "unused_index",
        ]),
        "allow(unused_index, reason = \"..\")",
    ),
];

/// The options of an inverse, beside the accessor.
pub(crate) const OF_INVERSE: &[Word] = &[
    word("one_to_one", Form::Flag, "one_to_one"),
    word("on_delete", Form::Name, "on_delete = cascade"),
    word("at_most", Form::Number, "at_most = 20"),
    word("per_day", Form::Number, "per_day = 20"),
    word("allow", Form::Allow(&["delete_rule"]), "allow(delete_rule, reason = \"..\")"),
];

/// The options of a collation, in the order of the server.
pub(crate) const OF_COLLATION: &[Word] = &[
    word("locale", Form::Text, "locale = \"nb\""),
    word("case_level", Form::Switch, "case_level"),
    word("case_first", Form::Name, "case_first = upper"),
    word("strength", Form::Number, "strength = 2"),
    word("numeric_ordering", Form::Switch, "numeric_ordering"),
    word("alternate", Form::Name, "alternate = shifted"),
    word("max_variable", Form::Name, "max_variable = space"),
    word("normalization", Form::Switch, "normalization"),
    word("backwards", Form::Switch, "backwards"),
];

const CASE_INSENSITIVE: Word = word("case_insensitive", Form::Flag, "case_insensitive");
const COLLATION: Word = word("collation", Form::Words(OF_COLLATION), "collation(locale = \"nb\", strength = 2)");

/// The options of a query, beside the name and the conditions.
pub(crate) const OF_QUERY: &[Word] = &[
    word("order", Form::Order, "order = desc(time)"),
    word("limit", Form::Number, "limit = 20"),
    word("page", Form::Number, "page = 20"),
    word("one", Form::Flag, "one"),
    word("select", Form::Path, "select = Card"),
    word("aggregate", Form::Path, "aggregate = CustomerMonth"),
    word("hint", Form::Text, "hint = \"by_time\""),
    word("per_day", Form::Number, "per_day = 20"),
    CASE_INSENSITIVE,
    COLLATION,
];

/// The options of an index, beside the keys.
pub(crate) const OF_INDEX: &[Word] = &[
    word("unique", Form::Flag, "unique"),
    word("sparse", Form::Flag, "sparse"),
    word("name", Form::Text, "name = \"by_time\""),
    word("ttl", Form::Text, "ttl = \"30d\""),
    word("partial", Form::List, "partial(gt(qty, 0))"),
    word("hidden", Form::Flag, "hidden"),
    word("weights", Form::List, "weights(title = 10)"),
    word("language", Form::Text, "language = \"norwegian\""),
    word("language_field", Form::Name, "language_field = lang"),
    word("only", Form::List, "only(attributes, tags)"),
    word("except", Form::List, "except(body)"),
    word("bits", Form::Number, "bits = 26"),
    word("min", Form::Limit, "min = -180"),
    word("max", Form::Limit, "max = 180"),
    CASE_INSENSITIVE,
    COLLATION,
];

/// The options of a search index, beside the fields.
pub(crate) const OF_SEARCH_INDEX: &[Word] =
    &[word("name", Form::Text, "name = \"products\""), word("dynamic", Form::Flag, "dynamic")];

/// The words of a field of a search index with `text(..)`.
pub(crate) const OF_SEARCH_TEXT: &[Word] = &[
    word("analyzer", Form::Text, "analyzer = \"lucene.norwegian\""),
    word("search_analyzer", Form::Text, "search_analyzer = \"lucene.norwegian\""),
];

/// The options of a vector index, beside the field.
pub(crate) const OF_VECTOR_INDEX: &[Word] = &[
    word("name", Form::Text, "name = \"by_meaning\""),
    word("dimensions", Form::Number, "dimensions = 768"),
    word("similarity", Form::Name, "similarity = cosine"),
    word("filter", Form::List, "filter(brand)"),
];

pub(super) const DIRECTIONS: &[Word] = &flags::<{ Direction::WORDS.len() }>(Direction::WORDS);

const OF_WORKLOAD: &[Word] = &[
    word("inserts", Form::Percentage, "inserts = 90"),
    word("updates", Form::Percentage, "updates = 9.9"),
    word("queries", Form::Percentage, "queries = 0.1"),
];

/// The options of a shard key, beside the fields.
pub(crate) const OF_SHARD_KEY: &[Word] = &[
    word("unique", Form::Flag, "unique"),
    word("distinct", Form::List, "distinct(userid = 50_000)"),
    word("shards", Form::Number, "shards = 20"),
    word("chunks", Form::Number, "chunks = 20"),
    word("workload", Form::Words(OF_WORKLOAD), "workload(inserts = 90, updates = 9.9, queries = 0.1)"),
    word(
        "allow",
        Form::Allow(&[
            "shard_key_copies",
            "shard_key_hot_read",
            "shard_key_locality",
            "shard_key_low_cardinality",
            "shard_key_monotonic",
            "shard_key_scatter",
        ]),
        "allow(shard_key_scatter, reason = \"..\")",
    ),
];

pub(super) const OF_AUTO: &[Word] = &[
    word("with", Form::Path, "with = new_code"),
    word("sequence", Form::Optional(&Form::Text), "sequence = \"invoices\""),
];
pub(super) const OF_EXTRA: &[Word] = &[word("max_bytes", Form::Number, "max_bytes = 4_000")];

pub(super) const OF_JSON: &[Word] =
    &[word("skip", Form::Flag, "skip"), word("rename", Form::Text, "rename = \"label\"")];

pub(super) const OF_PROJECTION: &[Word] = &[word("of", Form::Path, "of = Part"), CRATE];

/// The words of a patch, and of a field of a patch.
pub(crate) const OF_PATCH: &[Word] = &[CRATE, word("field", Form::Field, "field = title")];

/// The word `allow` of `#[aggregate(..)]`.
pub(crate) const ALLOW_OF_AGGREGATE: Word =
    word("allow", Form::Allow(&["aggregate_kept"]), "allow(aggregate_kept, reason = \"..\")");

pub(super) const CARDINALITIES: &[Word] = &flags::<{ Cardinality::WORDS.len() }>(Cardinality::WORDS);
pub(super) const STORAGES: &[Word] = &flags::<{ Storage::WORDS.len() }>(Storage::WORDS);
pub(super) const APART: &[Word] = &flags::<{ Apart::WORDS.len() }>(Apart::WORDS);

pub(super) const OF_RELATION: &[Word] = &[
    word("max", Form::Number, "max = 20"),
    word("order", Form::Order, "order = desc(time)"),
    word("inverse", Form::Name, "inverse = books"),
    word("of", Form::Path, "of = Task::owner"),
    word("on_delete", Form::Name, "on_delete = cascade"),
    word("by", Form::Name, "by = id"),
    word(
        "allow",
        Form::Allow(&["embed_favored", "embedded_array_too_large", "reference_array_too_large", "two_way_undeclared"]),
        "allow(embedded_array_too_large, reason = \"..\")",
    ),
];

pub(super) const OF_REFERENCE: &[Word] = &[word("may_dangle", Form::Flag, "may_dangle")];

pub(super) const OF_BOUND: &[Word] = &[
    word("max_items", Form::Number, "max_items = 20"),
    word("max_len", Form::Number, "max_len = 20"),
    word("max_bytes", Form::Number, "max_bytes = 1_000"),
    word("allow", Form::Allow(&["scalar_array_too_large"]), "allow(scalar_array_too_large, reason = \"..\")"),
];

pub(super) const OF_OPAQUE: &[Word] = &[word("max_bytes", Form::Number, "max_bytes = 1_000")];

pub(super) const OF_DENORMALIZE: &[Word] = &[
    word("from", Form::Field, "from = host.ipaddr"),
    word("snapshot", Form::Flag, "snapshot"),
    word("given", Form::Flag, "given"),
    word("external", Form::Flag, "external"),
    word(
        "allow",
        Form::Allow(&["copy_not_read", "copy_of_volatile", "copy_to_squillions"]),
        "allow(copy_not_read, reason = \"..\")",
    ),
];

pub(super) const OF_COPIED_TO: &[Word] = &[
    word("fan_out", Form::Number, "fan_out = 20"),
    word(
        "allow",
        Form::Allow(&["copy_of_volatile", "copy_ratio", "copy_to_squillions"]),
        "allow(copy_ratio, reason = \"..\")",
    ),
];

pub(super) const OF_CHANGES: &[Word] = &[
    word("often", Form::Flag, "often"),
    word("seldom", Form::Flag, "seldom"),
    word("per_day", Form::Number, "per_day = 3"),
];

pub(super) const OF_SUBSET: &[Word] = &[
    word("of", Form::Path, "of = LogMsg::host"),
    word("keep", Form::Number, "keep = 20"),
    word("order", Form::Order, "order = desc(time)"),
];

pub(super) const OF_COMPUTED: &[Word] = &[
    word("count", Form::List, "count(LogMsg::host)"),
    word("sum", Form::List, "sum(LogMsg::host, bytes)"),
    word("avg", Form::List, "avg(LogMsg::host, bytes)"),
    word("min", Form::List, "min(LogMsg::host, bytes)"),
    word("max", Form::List, "max(LogMsg::host, bytes)"),
];

pub(super) const OF_HISTORY: &[Word] = &[
    word("keep", Form::Number, "keep = 50"),
    word("order", Form::Order, "order = desc(date_start)"),
    word("interval", Form::List, "interval(date_start, date_end)"),
];

pub(super) const OF_SLUG: &[Word] = &[
    word("from", Form::Field, "from = name"),
    word("max_len", Form::Number, "max_len = 80"),
    word("follow", Form::Flag, "follow"),
    word("keep_old", Form::Number, "keep_old = 20"),
];

pub(super) const TREE_ROLES: &[Word] = &flags::<{ TreeRole::WORDS.len() }>(TreeRole::WORDS);

/// The options of the parent in a tree.
pub(crate) const OF_PARENT: &[Word] = &[
    word("max_depth", Form::Number, "max_depth = 16"),
    word("order", Form::Order, "order = asc(name)"),
    word("on_delete", Form::Name, "on_delete = cascade"),
];

pub(super) const OF_ANCESTORS: &[Word] = &[word("by", Form::Name, "by = id")];

/// The words of `#[check(..)]`.
pub(crate) const OF_CHECK: &[Word] = &[
    word("min", Form::Limit, "min = 0"),
    word("max", Form::Limit, "max = 100"),
    word("more_than", Form::Limit, "more_than = 0"),
    word("less_than", Form::Limit, "less_than = 100"),
    word("multiple_of", Form::Limit, "multiple_of = 5"),
    word("min_len", Form::Number, "min_len = 1"),
    word("not_empty", Form::Flag, "not_empty"),
    word("pattern", Form::Text, "pattern = \"[A-Z]{3}\""),
    word("email", Form::Flag, "email"),
    word("url", Form::Flag, "url"),
    word("one_of", Form::Values, "one_of(\"new\", \"paid\")"),
    word("min_items", Form::Number, "min_items = 1"),
    word("unique_items", Form::Flag, "unique_items"),
    word("with", Form::Path, "with = is_code"),
    word("required_if", Form::List, "required_if(state = \"paid\")"),
];
