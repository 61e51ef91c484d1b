//! Reads the options of a collection from a document of `listCollections`.

use mongodb::bson::{Bson, Document};

use super::{COMPRESSOR, GRANULARITIES, MOST_DOCUMENTS, StoredKind, StoredOptions};

/// Returns the options of a collection of this type (`collection`, `view`, `timeseries`).
pub(crate) fn listed_options(of_type: &str, options: &Document) -> StoredOptions {
    let images = options.get_document("changeStreamPreAndPostImages").ok();
    StoredOptions {
        kind: kind(of_type, options),
        images: images.is_some_and(|images| is_true(images.get("enabled"))),
        compression: compression(options),
        collation: options.get_document("collation").ok().cloned().map(without_version),
    }
}

fn kind(of_type: &str, options: &Document) -> StoredKind {
    let expire_after_seconds = options.get("expireAfterSeconds").map(number);
    match of_type {
        "view" => StoredKind::View {
            on: options.get_str("viewOn").unwrap_or_default().to_owned(),
            pipeline: options
                .get_array("pipeline")
                .map(|stages| stages.iter().filter_map(Bson::as_document).cloned().collect())
                .unwrap_or_default(),
        },
        "timeseries" => {
            let empty = Document::new();
            let series = options.get_document("timeseries").unwrap_or(&empty);
            let word = series.get_str("granularity").unwrap_or_default();
            StoredKind::TimeSeries {
                time: series.get_str("timeField").unwrap_or_default().to_owned(),
                meta: series.get_str("metaField").ok().map(str::to_owned),
                granularity: GRANULARITIES.into_iter().find(|known| *known == word),
                expire_after_seconds,
            }
        }
        _ if is_true(options.get("capped")) => StoredKind::Capped {
            bytes: options.get("size").map_or(0, number),
            documents: options.get("max").map(number).filter(|most| (1..MOST_DOCUMENTS).contains(most)),
        },
        _ if options.get("clusteredIndex").is_some() => StoredKind::Clustered { expire_after_seconds },
        _ => StoredKind::Plain,
    }
}

/// Returns the compression that was given when the collection was made.
fn compression(options: &Document) -> Option<String> {
    let engine = options.get_document("storageEngine").ok()?.get_document("wiredTiger").ok()?;
    let settings = engine.get_str("configString").ok()?;
    settings.split(',').find_map(|setting| setting.trim().strip_prefix(COMPRESSOR)).map(str::to_owned)
}

/// Returns a collation of the server without the version of the server's library.
pub(crate) fn without_version(mut collation: Document) -> Document {
    collation.remove("version");
    collation
}

/// Returns whether an option is on. The server keeps options as given, and older clients gave `1` for `true`.
pub(crate) fn is_true(option: Option<&Bson>) -> bool {
    match option {
        Some(Bson::Boolean(value)) => *value,
        Some(Bson::Int32(number)) => *number != 0,
        Some(Bson::Int64(number)) => *number != 0,
        Some(Bson::Double(number)) => *number != 0.0,
        _ => false,
    }
}

/// Returns a number of seconds, bytes or documents. A value that is not a number becomes -1, less than any number.
pub(crate) fn number(value: &Bson) -> i64 {
    match value {
        Bson::Int32(number) => i64::from(*number),
        Bson::Int64(number) => *number,
        Bson::Double(number) if number.is_finite() => *number as i64,
        _ => -1,
    }
}
