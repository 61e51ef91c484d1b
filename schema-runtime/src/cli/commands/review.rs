//! `review`: the reads and the writes of the application, beside the facts of a server.

use std::path::PathBuf;

use futures_util::{FutureExt, future::BoxFuture};
use serde_json::{Value, json};

use crate::{
    cli::{
        exit::Exit,
        file,
        session::{Job, Report, Reported, Session},
        stop::Stop,
    },
    diagram::{DiagramOptions, report},
    review::{CopyReview, IndexReview, ModelReview, ReadReview, Review, WriteReview},
};

/// Review the declared reads and writes; needs no server without `--live`
#[derive(Clone, Debug, clap::Args)]
pub(in crate::cli) struct ReviewArguments {
    /// Add the facts of the server: sizes, the use of indexes, missing and undeclared indexes
    #[arg(long)]
    live: bool,
    /// The memory of the server for documents and indexes, in bytes, to compare with the data of a day's reads
    #[arg(long, value_name = "BYTES", requires = "live")]
    memory: Option<u64>,
    /// Write the review as a page, with the diagram of the schema
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl Job for ReviewArguments {
    fn run<'a>(&'a self, session: &'a Session, _: Stop) -> BoxFuture<'a, Reported> {
        let run = async move {
            let schema = &session.schema;
            let mut review = match self.live {
                true => schema.review_on(&session.connect().await?).await?,
                false => schema.review(),
            };
            if let Some(memory) = self.memory {
                review = review.with_memory(memory);
            }
            if let Some(html) = &self.html {
                file::write(html, &report(&schema.snapshot()?, &review, &DiagramOptions::new())?)?;
            }
            let file = self.html.as_ref().map(|html| html.to_string_lossy().into_owned());
            Ok(Box::new(Reviewed { review, file }) as Box<dyn Report>)
        };
        run.boxed()
    }
}

struct Reviewed {
    review: Review,
    /// The written page.
    file: Option<String>,
}

impl Report for Reviewed {
    fn exit(&self) -> Exit {
        if self.review.notes().is_empty() { Exit::Done } else { Exit::Findings }
    }

    fn text(&self) -> String {
        match &self.file {
            Some(file) => format!("the review is in {file}"),
            None => self.review.to_string(),
        }
    }

    fn json(&self) -> Value {
        json!({
            "file": self.file,
            "models": self.review.models.iter().map(model).collect::<Vec<_>>(),
            "undeclared": self.review.undeclared,
            "working_set": self.review.working_set(),
            "notes": texts(&self.review.notes()),
        })
    }
}

fn model(model: &ModelReview) -> Value {
    let stored = model.stored.as_ref().map(|stored| {
        json!({
            "documents": stored.documents,
            "bytes": stored.bytes,
            "largest_sampled": stored.largest_sampled,
            "index_bytes": stored.index_bytes,
            "undeclared": stored.undeclared,
        })
    });
    json!({
        "model": model.model,
        "collection": model.collection,
        "reads": model.reads.iter().map(read).collect::<Vec<_>>(),
        "writes": model.writes.iter().map(write).collect::<Vec<_>>(),
        "indexes": model.indexes.iter().map(index).collect::<Vec<_>>(),
        "copies": model.copies.iter().map(copy).collect::<Vec<_>>(),
        "transactions": texts(&model.transactions),
        "deletes": model.deletes.iter().map(|chain| texts(chain)).collect::<Vec<_>>(),
        "stored": stored,
    })
}

fn read(read: &ReadReview) -> Value {
    json!({
        "name": read.name,
        "collection": read.collection,
        "per_day": read.per_day,
        "documents": read.documents,
        "index": read.index,
    })
}

fn write(write: &WriteReview) -> Value {
    let cost = &write.cost;
    json!({
        "field": cost.field,
        "per_day": write.per_day,
        "commands": cost.commands(0),
        "documents": cost.documents(),
    })
}

fn index(index: &IndexReview) -> Value {
    json!({
        "name": index.name,
        "asked_by": texts(&index.asked_by),
        "used": index.stored.map(|stored| stored.used),
        "bytes": index.stored.map(|stored| stored.bytes),
    })
}

fn copy(copy: &CopyReview) -> Value {
    json!({
        "path": copy.path,
        "source": copy.source,
        "from": copy.from,
        "reads": copy.reads,
        "writes": copy.writes,
        "holders": copy.fan_out,
    })
}

fn texts<T: ToString>(all: &[T]) -> Vec<String> {
    all.iter().map(ToString::to_string).collect()
}
