//! Describes a schema for people, from a schema file: `facts` finds the facts as tables, `markdown` and `page` write
//! the tables. Pure.

mod escape;
mod facts;
mod markdown;
mod page;
mod types;

use crate::manage::schema_file::SchemaFile;

pub(crate) use escape::{escape, printable};
pub(crate) use facts::{FactTable, Facts, facts, kind_of, wide_indexes};
pub(crate) use page::{Page, write_facts, write_table};
pub(crate) use types::{grouped, plain, type_text};

/// A format of a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DescribeFormat {
    /// Markdown with tables.
    Markdown,
    /// A page of HTML, without a network.
    Html,
}

/// Describes each model: the fields with the cost of a write, the relations in both directions, and derived data. The
/// indexes with their users, the declared queries and the silenced rules with the reasons follow. The same schema gives
/// the same bytes.
///
/// # Examples
/// ```
/// use schema_runtime::{
///     describe::{DescribeFormat, describe},
///     prelude::*,
/// };
///
/// #[derive(Model, Serialize, Deserialize)]
/// #[model(collection = "users")]
/// struct User {
///     #[serde(rename = "_id")]
///     id: ObjectId,
///     name: String,
/// }
///
/// let text = describe(&schema![User].snapshot()?, DescribeFormat::Markdown);
/// assert!(text.contains("## users"));
/// # Ok::<(), schema_runtime::Error>(())
/// ```
pub fn describe(file: &SchemaFile, format: DescribeFormat) -> String {
    let all = facts(file);
    match format {
        DescribeFormat::Markdown => markdown::write(&all),
        DescribeFormat::Html => {
            let mut body = "<main>\n<h1>Schema</h1>\n".to_owned();
            for (number, facts) in all.iter().enumerate() {
                write_facts(&mut body, number, facts);
            }
            body.push_str("</main>\n");
            Page { title: "Schema", body: &body, styles: &[], script: None }.write()
        }
    }
}
