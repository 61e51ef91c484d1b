//! Writes a page with the diagram and a review: findings, sizes, reads, writes and indexes. Pure.

use std::fmt::Write as _;

use super::{DiagramError, DiagramOptions, html, picture, select};
use crate::manage::{
    describe::{FactTable, escape, grouped, write_table},
    review::{ModelReview, Review},
    schema_file::SchemaFile,
};

/// Writes a page of HTML with the diagram of a schema, the facts of each collection, and a review: the findings, sizes,
/// reads, writes, indexes and copies. [`Schema::review`](crate::Schema::review) reviews the definitions alone;
/// [`Schema::review_on`](crate::Schema::review_on) also gives the sizes and the use of indexes. The page needs no
/// network.
///
/// # Errors
/// [`UnknownName`](DiagramError::UnknownName) for a name that the schema does not have.
pub fn report(file: &SchemaFile, review: &Review, options: &DiagramOptions) -> Result<String, DiagramError> {
    let picture = select::select(picture::picture(file, options), options)?;
    let mut rest = "<main>\n<h2>Findings</h2>\n".to_owned();
    let notes = review.notes();
    match notes.is_empty() {
        true => rest.push_str("<p>Nothing stands out.</p>\n"),
        false => {
            let items: String = notes.iter().map(|note| format!("<li>{}</li>\n", escape(&note.to_string()))).collect();
            let _ = writeln!(rest, "<ul>\n{items}</ul>");
        }
    }
    if let Some(bytes) = review.working_set() {
        let _ = writeln!(rest, "<p>Working set of a day's reads: {} bytes.</p>", grouped(bytes));
    }
    let models = &review.models;
    let tables = [
        table("Sizes", &["collection", "documents", "bytes", "largest of a sample", "bytes of indexes"], models, sizes),
        table("Reads", &["collection", "read", "a day", "documents", "index"], models, reads),
        table("Writes", &["collection", "field", "a day", "commands", "documents"], models, writes),
        table("Use of indexes", &["collection", "index", "asked by", "used", "bytes"], models, indexes),
        table("Copies", &["collection", "copy", "source", "read a day", "written a day"], models, copies),
        table("Transactions", &["collection", "write"], models, transactions),
        table("Deletes", &["collection", "effect"], models, deletes),
    ];
    tables.iter().filter(|table| !table.rows.is_empty()).for_each(|table| write_table(&mut rest, table));
    rest.push_str("</main>\n");
    Ok(html::page("Schema report", &picture, file, &rest))
}

/// Makes a table with the rows of each model, each row after the collection.
fn table(
    title: &'static str,
    header: &[&'static str],
    models: &[ModelReview],
    rows: impl Fn(&ModelReview) -> Vec<Vec<String>>,
) -> FactTable {
    let of_model = |model: &ModelReview| {
        let rows = rows(model).into_iter();
        rows.map(|row| [vec![model.collection.to_owned()], row].concat()).collect::<Vec<Vec<String>>>()
    };
    FactTable { title, header: header.to_vec(), rows: models.iter().flat_map(of_model).collect() }
}

/// Returns a declared number; empty when no attribute states the number.
fn number(number: Option<u64>) -> String {
    number.map(grouped).unwrap_or_default()
}

fn sizes(model: &ModelReview) -> Vec<Vec<String>> {
    let stored = model.stored.iter();
    stored
        .map(|stored| {
            [stored.documents, stored.bytes, stored.largest_sampled, stored.index_bytes].map(grouped).to_vec()
        })
        .collect()
}

fn reads(model: &ModelReview) -> Vec<Vec<String>> {
    let reads = model.reads.iter().map(|read| {
        let name = if read.is_lookup { format!("{} of {}", read.name, read.collection) } else { read.name.to_owned() };
        let index = read.index.clone().unwrap_or_else(|| "none".to_owned());
        vec![name, number(read.per_day), number(read.documents), index]
    });
    reads.collect()
}

fn writes(model: &ModelReview) -> Vec<Vec<String>> {
    let writes = model.writes.iter().map(|write| {
        let cost = &write.cost;
        let documents = cost.documents().map_or_else(|| "any number".to_owned(), grouped);
        vec![cost.field.clone(), number(write.per_day), grouped(cost.commands(0)), documents]
    });
    writes.collect()
}

fn indexes(model: &ModelReview) -> Vec<Vec<String>> {
    let indexes = model.indexes.iter().map(|index| {
        let asked: Vec<String> = index.asked_by.iter().map(ToString::to_string).collect();
        let used = number(index.stored.map(|stored| stored.used));
        vec![index.name.clone(), asked.join(", "), used, number(index.stored.map(|stored| stored.bytes))]
    });
    indexes.collect()
}

fn copies(model: &ModelReview) -> Vec<Vec<String>> {
    let copies = model.copies.iter().map(|copy| {
        let source = format!("{}.{}", copy.source, copy.from);
        vec![copy.path.clone(), source, number(copy.reads), number(copy.writes)]
    });
    copies.collect()
}

fn transactions(model: &ModelReview) -> Vec<Vec<String>> {
    model.transactions.iter().map(|transaction| vec![transaction.to_string()]).collect()
}

fn deletes(model: &ModelReview) -> Vec<Vec<String>> {
    let chains = model.deletes.iter().map(|chain| {
        let steps: Vec<String> = chain.iter().map(ToString::to_string).collect();
        vec![steps.join(", then ")]
    });
    chains.collect()
}
