//! `explain`: the declared queries and the far sides of relations, as the server runs the reads.

use futures_util::{FutureExt, future::BoxFuture};
use serde_json::{Value, json};

use crate::{
    ExplainedQuery, Schema,
    cli::{
        exit::Exit,
        failure::{Failure, repeated},
        session::{Job, Report, Reported, Session},
        stop::Stop,
    },
    definition::ModelDefinition,
    explain_queries, explain_relations,
    manage::queries::is_name,
};

/// Explain declared queries and far sides of relations on the server, with values of stored documents
#[derive(Clone, Debug, clap::Args)]
pub(in crate::cli) struct ExplainArguments {
    /// The queries and far sides, as `by_name` or `Product::by_name`; by default, all of them
    #[arg(value_name = "READ")]
    reads: Vec<String>,
}

impl Job for ExplainArguments {
    fn run<'a>(&'a self, session: &'a Session, _: Stop) -> BoxFuture<'a, Reported> {
        let run = async move {
            let names: Vec<&str> = self.reads.iter().map(String::as_str).collect();
            refuse_unknown(&names, &session.schema)?;
            let db = session.connect().await?;
            let queries = explain_queries(&session.schema, &names, &db).await?;
            let relations = explain_relations(&session.schema, &names, &db).await?;
            Ok(Box::new(Explained { database: db.name().to_owned(), queries, relations }) as Box<dyn Report>)
        };
        run.boxed()
    }
}

/// Refuses a name that no declared query and no far side of a relation has.
fn refuse_unknown(names: &[&str], schema: &Schema) -> Result<(), Failure> {
    let reads = |model: &'static ModelDefinition| {
        let queries = model.queries.iter().map(|query| query.name);
        queries.chain(model.inverses.iter().map(|inverse| inverse.accessor)).map(move |read| (model, read))
    };
    let all = || schema.models().iter().flat_map(|model| reads(model));
    let is_known = |name: &&&str| all().any(|(model, read)| is_name(name, model, read));
    let Some(unknown) = names.iter().find(|name| !is_known(name)) else { return Ok(()) };
    let list: Vec<String> = all().map(|(model, read)| format!("{}::{read}", model.model)).collect();
    let list = if list.is_empty() { "none".to_owned() } else { list.join(", ") };
    let unknown = repeated(unknown);
    Err(Failure::Usage(format!("no model declares the query or relation `{unknown}`; the declared names: {list}")))
}

struct Explained {
    database: String,
    queries: Vec<ExplainedQuery>,
    relations: Vec<ExplainedQuery>,
}

impl Explained {
    fn all(&self) -> impl Iterator<Item = &ExplainedQuery> {
        self.queries.iter().chain(&self.relations)
    }
}

impl Report for Explained {
    fn exit(&self) -> Exit {
        match self.all().any(ExplainedQuery::has_problems) {
            true => Exit::Findings,
            false => Exit::Done,
        }
    }

    fn text(&self) -> String {
        match self.all().next() {
            None => "no model declares a query or a far side of a relation".to_owned(),
            Some(_) => self.all().map(|read| format!("{read}\n")).collect(),
        }
    }

    fn json(&self) -> Value {
        json!({
            "database": self.database,
            "queries": self.queries.iter().map(read).collect::<Vec<_>>(),
            "relations": self.relations.iter().map(read).collect::<Vec<_>>(),
        })
    }
}

fn read(explained: &ExplainedQuery) -> Value {
    json!({
        "model": explained.model,
        "query": explained.query,
        "stages": explained.stages,
        "keys": explained.keys,
        "documents": explained.documents,
        "returned": explained.returned,
        "why": explained.fault.as_ref().map(ToString::to_string),
    })
}
