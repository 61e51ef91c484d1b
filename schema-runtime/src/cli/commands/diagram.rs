//! `diagram`: the schema as a picture.

use std::path::PathBuf;

use futures_util::{FutureExt, future::BoxFuture};

use crate::{
    cli::{
        file,
        session::{Job, Report, Reported, Session},
        stop::Stop,
        written::Written,
    },
    diagram::{DiagramFormat, DiagramOptions, draw},
};

/// Draw the collections and the relations of the schema; needs no server
#[derive(Clone, Debug, clap::Args)]
pub(in crate::cli) struct DiagramArguments {
    /// The form of the diagram [default: the form that the name of the file ends with, otherwise mermaid]
    #[arg(long)]
    format: Option<Format>,
    /// The file; without a file, the diagram goes to the standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Show these models or collections, with the neighbors
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// The number of lines from a model of `--only` to the farthest shown neighbor [default: 1]
    #[arg(long, value_name = "NUMBER", requires = "only")]
    depth: Option<u32>,
    /// Group the collections
    #[arg(long, value_name = "BY")]
    group_by: Option<Grouping>,
    /// Leave out parts
    #[arg(long, value_name = "PARTS", value_delimiter = ',')]
    hide: Vec<Part>,
}

/// The form of the diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// An `erDiagram` of Mermaid, for Markdown
    Mermaid,
    /// A graph of Graphviz
    Dot,
    /// A picture
    Svg,
    /// A page with the picture and a search
    Html,
}

/// The groups of collections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Grouping {
    /// The modules of the structs
    Module,
}

/// A part of a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// The lines of copies
    Copies,
    /// The indexes
    Indexes,
}

impl DiagramArguments {
    fn format(&self) -> DiagramFormat {
        let of_file = || match file::extension(self.out.as_ref()).as_deref() {
            Some("dot" | "gv") => Format::Dot,
            Some("svg") => Format::Svg,
            Some("html" | "htm") => Format::Html,
            _ => Format::Mermaid,
        };
        match self.format.unwrap_or_else(of_file) {
            Format::Mermaid => DiagramFormat::Mermaid,
            Format::Dot => DiagramFormat::Dot,
            Format::Svg => DiagramFormat::Svg,
            Format::Html => DiagramFormat::Html,
        }
    }

    fn options(&self) -> DiagramOptions {
        let mut options = self.only.iter().fold(DiagramOptions::new(), DiagramOptions::only);
        if let Some(depth) = self.depth {
            options = options.depth(depth);
        }
        if self.group_by == Some(Grouping::Module) {
            options = options.group_by_module();
        }
        self.hide.iter().fold(options, |options, part| match part {
            Part::Copies => options.hide_copies(),
            Part::Indexes => options.hide_indexes(),
        })
    }
}

impl Job for DiagramArguments {
    fn run<'a>(&'a self, session: &'a Session, _: Stop) -> BoxFuture<'a, Reported> {
        let run = async move {
            let diagram = draw(&session.schema.snapshot()?, self.format(), &self.options())?;
            let written = Written::to(self.out.as_ref(), "the diagram", diagram)?;
            Ok(Box::new(written) as Box<dyn Report>)
        };
        run.boxed()
    }
}
