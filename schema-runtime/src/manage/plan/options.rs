//! Compares the kind and the options of a collection with the kind and the options of a model. Pure.

mod compare;
mod listed;
mod wanted;

use mongodb::bson::{Bson, Document, doc};

use crate::{
    definition::Granularity,
    indexes::{Index, same_index},
};

pub(crate) use compare::{Compared, agrees, compare, same_option};
pub(crate) use listed::listed_options;
pub(super) use listed::{is_true, number, without_version};
pub(crate) use wanted::wanted_options;

/// The word of `collMod` that takes a time to live away.
const OFF: &str = "off";

/// The options of a collection, on a server or of a model, in one form.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct StoredOptions {
    pub(crate) kind: StoredKind,
    /// True when change streams see documents before and after a change.
    pub(crate) images: bool,
    /// The compression, when the collection has a compression of its own.
    pub(crate) compression: Option<String>,
    /// The rules by which the collection compares texts, without the version of the server's library; `None` for the
    /// comparison by bytes.
    pub(crate) collation: Option<Document>,
}

/// The kind of a collection.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum StoredKind {
    #[default]
    Plain,
    Capped {
        bytes: i64,
        /// `None` for no limit.
        documents: Option<i64>,
    },
    Clustered {
        expire_after_seconds: Option<i64>,
    },
    TimeSeries {
        time: String,
        meta: Option<String>,
        /// `None` for a granularity that this crate does not know.
        granularity: Option<&'static str>,
        expire_after_seconds: Option<i64>,
    },
    View {
        on: String,
        pipeline: Vec<Document>,
    },
}

impl StoredOptions {
    /// Returns whether the collection is a view, which has neither indexes nor documents.
    pub(crate) fn is_view(&self) -> bool {
        matches!(self.kind, StoredKind::View { .. })
    }

    /// Returns whether the server itself makes the index: since 6.3, a new time series has an index of the meta field
    /// and the time.
    pub(super) fn is_made_by_server(&self, index: &Index) -> bool {
        let StoredKind::TimeSeries { time, meta: Some(meta), .. } = &self.kind else { return false };
        same_index(index, &Index { keys: doc! { meta: 1, time: 1 }, ..Index::default() })
    }

    /// Returns the options as fields of the command `create`.
    pub(crate) fn for_create(&self) -> Document {
        let mut create = match &self.kind {
            StoredKind::Plain => Document::new(),
            StoredKind::Capped { bytes, documents } => {
                let mut create = doc! { "capped": true, "size": *bytes };
                create.extend(documents.map(|documents| ("max".to_owned(), Bson::from(documents))));
                create
            }
            StoredKind::Clustered { .. } => doc! { "clusteredIndex": { "key": { "_id": 1 }, "unique": true } },
            StoredKind::TimeSeries { time, meta, granularity, .. } => {
                let mut series = doc! { "timeField": time };
                series.extend(meta.iter().map(|meta| ("metaField".to_owned(), Bson::from(meta.as_str()))));
                series.extend(granularity.map(|granularity| ("granularity".to_owned(), Bson::from(granularity))));
                doc! { "timeseries": series }
            }
            StoredKind::View { on, pipeline } => doc! { "viewOn": on, "pipeline": pipeline.clone() },
        };
        create.extend(self.kind.expiry().map(|seconds| ("expireAfterSeconds".to_owned(), Bson::from(seconds))));
        if self.images {
            create.extend(images(true));
        }
        if let Some(compression) = &self.compression {
            let settings = format!("{COMPRESSOR}{compression}");
            create.insert("storageEngine", doc! { "wiredTiger": { "configString": settings } });
        }
        create.extend(self.collation.iter().map(|collation| ("collation".to_owned(), collation.clone().into())));
        create
    }

    /// Returns the options that `collMod` can change, each as fields of the command. Two collections of one kind have
    /// the same list.
    pub(crate) fn for_coll_mod(&self) -> Vec<Document> {
        let expires = || {
            let seconds = self.kind.expiry().map_or_else(|| Bson::from(OFF), Bson::from);
            doc! { "expireAfterSeconds": seconds }
        };
        match &self.kind {
            StoredKind::Plain => vec![images(self.images)],
            StoredKind::Capped { bytes, documents } => vec![
                doc! { "cappedSize": *bytes },
                doc! { "cappedMax": documents.unwrap_or(NO_LIMIT) },
                images(self.images),
            ],
            StoredKind::Clustered { .. } => vec![expires(), images(self.images)],
            StoredKind::TimeSeries { granularity, .. } => {
                vec![doc! { "timeseries": { "granularity": granularity.unwrap_or_default() } }, expires()]
            }
            StoredKind::View { on, pipeline } => vec![doc! { "viewOn": on, "pipeline": pipeline.clone() }],
        }
    }
}

impl StoredKind {
    /// Returns the time to live of the documents, in seconds.
    fn expiry(&self) -> Option<i64> {
        match self {
            StoredKind::Clustered { expire_after_seconds } | StoredKind::TimeSeries { expire_after_seconds, .. } => {
                *expire_after_seconds
            }
            StoredKind::Plain | StoredKind::Capped { .. } | StoredKind::View { .. } => None,
        }
    }
}

/// The `cappedMax` of a collection without a limit of documents.
const NO_LIMIT: i64 = 0;

/// The greatest `max` of a capped collection. The server lists this number for a limit that was taken away.
const MOST_DOCUMENTS: i64 = i32::MAX as i64;

/// The setting of WiredTiger that holds the compression.
const COMPRESSOR: &str = "block_compressor=";

/// The granularities of a time series, from fine to coarse.
const GRANULARITIES: [&str; 3] = [Granularity::Seconds.word(), Granularity::Minutes.word(), Granularity::Hours.word()];

fn images(enabled: bool) -> Document {
    doc! { "changeStreamPreAndPostImages": { "enabled": enabled } }
}
