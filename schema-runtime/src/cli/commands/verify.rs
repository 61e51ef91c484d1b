//! `verify`: the faults in the documents.

use futures_util::{FutureExt, future::BoxFuture};
use serde_json::{Value, json};

use crate::{
    cli::{
        exit::Exit,
        maintained::ValuesArgument,
        selected::SelectedModels,
        session::{Job, Report, Reported, Session},
        stop::Stop,
    },
    verify::{ArrayNearBound, DanglingReference, FanOutExceeded, Finding, SequenceBehind, VerifyReport},
};

/// Find faults in the documents, and change nothing; reads every document
#[derive(Clone, Debug, clap::Args)]
pub(in crate::cli) struct VerifyArguments {
    #[command(flatten)]
    models: SelectedModels,
    #[command(flatten)]
    values: ValuesArgument,
}

impl Job for VerifyArguments {
    fn run<'a>(&'a self, session: &'a Session, _: Stop) -> BoxFuture<'a, Reported> {
        let run = async move {
            self.models.check(session.schema)?;
            let db = session.connect().await?;
            let report = session.schema.verify_some(&db, |model| self.models.has(model)).await?;
            Ok(Box::new(Verified { database: db.name().to_owned(), report, values: self.values }) as Box<dyn Report>)
        };
        run.boxed()
    }
}

struct Verified {
    database: String,
    report: VerifyReport,
    values: ValuesArgument,
}

impl Report for Verified {
    fn exit(&self) -> Exit {
        if self.report.findings().is_empty() { Exit::Done } else { Exit::Findings }
    }

    fn text(&self) -> String {
        self.report.to_string()
    }

    fn json(&self) -> Value {
        let findings = self.report.findings().iter().map(|finding| json_of(finding, self.values));
        let pending = self.report.pending().iter().map(|pending| self.values.entry(pending));
        json!({
            "database": self.database,
            "findings": findings.collect::<Vec<_>>(),
            "pending": pending.collect::<Vec<_>>(),
        })
    }
}

fn json_of(finding: &Finding, values: ValuesArgument) -> Value {
    match finding {
        Finding::DanglingReference(DanglingReference {
            model,
            collection,
            field,
            target,
            references,
            documents,
            examples,
            ..
        }) => {
            let examples = examples
                .iter()
                .map(|example| json!({ "id": values.id(&example.id), "reference": values.id(&example.reference) }));
            json!({
                "kind": "dangling_reference", "model": model, "collection": collection, "field": field,
                "target": target, "references": references, "documents": documents,
                "examples": examples.collect::<Vec<_>>(),
            })
        }
        Finding::ArrayNearBound(ArrayNearBound { model, collection, field, bound, over, near, examples, .. }) => {
            let examples = examples.iter().map(|example| json!({ "id": values.id(&example.id), "size": example.size }));
            json!({
                "kind": "array_near_bound", "model": model, "collection": collection, "field": field, "bound": bound,
                "over": over, "near": near, "examples": examples.collect::<Vec<_>>(),
            })
        }
        Finding::FanOutExceeded(FanOutExceeded {
            model,
            collection,
            reference,
            source,
            fan_out,
            sources,
            examples,
        }) => {
            let examples =
                examples.iter().map(|example| json!({ "id": values.id(&example.id), "holders": example.holders }));
            json!({
                "kind": "fan_out_exceeded", "model": model, "collection": collection, "reference": reference,
                "source": source, "fan_out": fan_out, "sources": sources, "examples": examples.collect::<Vec<_>>(),
            })
        }
        Finding::SequenceBehind(SequenceBehind { model, collection, field, sequence, last, largest, documents }) => {
            json!({
                "kind": "sequence_behind", "model": model, "collection": collection, "field": field,
                "sequence": sequence, "last": last, "largest": largest, "documents": documents,
            })
        }
        Finding::Derived(entry) => values.entry(entry),
    }
}
