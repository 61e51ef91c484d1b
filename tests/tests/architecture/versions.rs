//! The sources of the crate name no command, stage or operator that is newer than the oldest supported server.

use std::{collections::BTreeSet, fs, path::Path};

use proc_macro2::{TokenStream, TokenTree};

use crate::{names::sources, root};

/// Names that came after 6.0: the version, the names, the page of MongoDB with the names.
const NEWER: &[(&str, &[&str], &str)] = &[
    (
        "6.3",
        &["$bitAnd", "$bitOr", "$bitXor", "$bitNot", "bucketMaxSpanSeconds", "bucketRoundingSeconds"],
        "https://www.mongodb.com/docs/manual/release-notes/6.3/",
    ),
    (
        "7.0",
        &[
            "$median",
            "$percentile",
            "$changeStreamSplitLargeEvent",
            "$listSampledQueries",
            "$$USER_ROLES",
            "analyzeShardKey",
            "configureQueryAnalyzer",
            "checkMetadataConsistency",
            "mergeAllChunksOnShard",
        ],
        "https://www.mongodb.com/docs/manual/release-notes/7.0/",
    ),
    (
        "8.0",
        &[
            "$toUUID",
            "$querySettings",
            "$queryStats",
            "autoCompact",
            "bulkWrite",
            "moveCollection",
            "removeQuerySettings",
            "setQuerySettings",
            "unshardCollection",
        ],
        "https://www.mongodb.com/docs/manual/release-notes/8.0/",
    ),
    (
        "8.1",
        &["$rankFusion", "$scoreFusion", "$minMaxScaler", "$sigmoid"],
        "https://www.mongodb.com/docs/manual/reference/operator/aggregation/rankFusion/",
    ),
];

/// The names of search indexes. The files of search send these names only to a server that has a search.
const SEARCH: &[&str] = &[
    "$listSearchIndexes",
    "$rankFusion",
    "$searchMeta",
    "$vectorSearch",
    "createSearchIndexes",
    "dropSearchIndex",
    "updateSearchIndex",
];

/// Adds the texts of all literals, also inside of macros.
fn add_literals(tokens: TokenStream, found: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => add_literals(group.stream(), found),
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                found.extend(text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).map(str::to_owned));
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}

fn literals(file: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(file).expect("a source");
    let mut found = BTreeSet::new();
    add_literals(text.parse().expect("a source is Rust"), &mut found);
    found
}

#[test]
fn no_command_needs_a_newer_server() {
    let mut files = Vec::new();
    for folder in ["schema-runtime/src", "schema-derive/src"] {
        sources(&root().join(folder), &mut files);
    }
    let mut all = BTreeSet::new();
    for file in &files {
        let found = literals(file);
        for (version, names, page) in NEWER {
            for name in *names {
                assert!(!found.contains(*name), "{}: `{name}` came with {version}, see {page}", file.display());
            }
        }
        let of_search = file.to_string_lossy().contains("search");
        for name in SEARCH {
            assert!(of_search || !found.contains(*name), "{}: `{name}` needs a server with a search", file.display());
        }
        all.extend(found);
    }
    for known in ["$group", "$setWindowFields", "collMod", "createIndexes", "findAndModify", "aggregate"] {
        assert!(all.contains(known), "the test reads the literals: {known}");
    }
}
