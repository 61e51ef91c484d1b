//! The compile times of a model and a declared query: `cargo check` of 200 generated models of ten fields and three
//! relations, compared with the same structs with serde's derives alone, and with the same models with four queries
//! each, in turn: declared, and as hand-written methods and indexes. Then schemas of 10 to 500 models in several
//! shapes, compared with the same structs with serde's derives alone. Run the bench with
//! `cargo bench -p schema-tests --bench compile`.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

use schema_tests::large_schemas::{self, SHAPES, Shape};

const MODELS: usize = 200;
const ROUNDS: usize = 5;

/// A query of each kind: by a field, by a range in an order, in pages, by a field of an embedded struct.
const QUERIES: [&str; 4] = [
    "#[query(by_name(name), one)]",
    "#[query(priced(between(price)), order = asc(price), limit = 20, per_day = 1_000)]",
    "#[query(noted(note), order = desc(created), page = 50)]",
    "#[query(in_city(inner.city as String))]",
];

/// The hand-written indexes for the same queries.
const INDEXES: [&str; 4] =
    ["#[index(name)]", "#[index(price)]", "#[index(note, desc(created), desc(id))]", "#[index(inner.city)]"];

/// The hand-written methods for the same queries.
const METHODS: &str = "
    pub fn by_name(name: impl IntoValue<String>) -> Find<Self> { Self::find(Self::F.name.eq(name)).limit(1) }
    pub fn priced<V: IntoValue<i64> + Clone>(price: impl std::ops::RangeBounds<V>) -> Find<Self> {
        Self::find(Self::F.price.between(price)).sort([Self::F.price.asc()]).limit(20)
    }
    pub fn noted(note: impl IntoValue<Option<String>>) -> FindPage<'static, Self> {
        Self::find(Self::F.note.eq(note)).sort([Self::F.created.desc()]).paginate(50)
    }
    pub fn in_city(city: impl IntoValue<String>) -> Find<Self> { Self::find(Self::F.inner.city.eq(city)) }
";

/// The derives of the structs.
#[derive(Clone, Copy, PartialEq)]
enum Derived {
    Serde,
    Model,
    ModelWithQueries,
    /// A model with the same queries as hand-written methods and indexes.
    ModelWithMethods,
}

fn main() {
    let bench = Bench::new();
    bench.check("");
    let (mut plain, mut derived, mut queried, mut by_hand) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        plain.push(bench.check(&source(round, Derived::Serde)));
        derived.push(bench.check(&source(round, Derived::Model)));
        by_hand.push(bench.check(&source(round, Derived::ModelWithMethods)));
        queried.push(bench.check(&source(round, Derived::ModelWithQueries)));
    }
    let each = |less: &[f64], more: &[f64], count: usize| -> Vec<f64> {
        less.iter().zip(more).map(|(less, more)| (more - less) * 1_000.0 / count as f64).collect()
    };
    println!("cargo check of {MODELS} models, {ROUNDS} rounds, seconds (min, median, max)");
    println!("  with serde alone:   {}", spread(&plain));
    println!("  with Model as well: {}", spread(&derived));
    println!("  with {} queries on each: {}", QUERIES.len(), spread(&queried));
    println!("  milliseconds that one model adds: {}", spread(&each(&plain, &derived, MODELS)));
    let queries = MODELS * QUERIES.len();
    println!("  with the same methods and indexes by hand: {}", spread(&by_hand));
    println!("  milliseconds that one query adds: {}", spread(&each(&derived, &queried, queries)));
    println!(
        "  milliseconds that one adds to what is written by hand: {}   goal 1",
        spread(&each(&by_hand, &queried, queries))
    );
    measure_schemas(&bench);
}

/// The numbers of models of the schemas.
const SIZES: [usize; 5] = [10, 30, 60, 120, 240];

/// A size for the check that rustc does not report a constant with a long evaluation.
const LARGEST: usize = 500;

/// Measures the seconds of schemas of several shapes and sizes, less the seconds of an empty crate.
fn measure_schemas(bench: &Bench) {
    println!("schemas: seconds with serde alone, with the models in `schema![..]`, and the ratio   goal 3");
    let empty = bench.check("// empty");
    for shape in SHAPES {
        let largest = matches!(shape, Shape::Ring | Shape::Five | Shape::Cascades).then_some(LARGEST);
        for count in SIZES.into_iter().chain(largest) {
            let check = |is_derived| {
                let source = large_schemas::source(shape, count, is_derived);
                bench.check(&format!("{HEAD}{source}")) - empty
            };
            let (serde, derived) = (check(false), check(true));
            println!("  {shape:?} of {count}: {serde:.2} {derived:.2} {:.2}", derived / serde);
        }
    }
}

/// The first lines of each schema.
const HEAD: &str = "#![allow(dead_code, unused_imports, missing_docs)]\nuse schema_runtime::prelude::*;\n";

/// A crate outside the workspace, with a separate target folder.
struct Bench {
    root: PathBuf,
}

impl Bench {
    fn new() -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile-bench");
        fs::create_dir_all(root.join("src")).expect("a folder");
        let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("schema-runtime");
        let manifest = format!(
            "[package]\nname = \"compile-bench\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\nschema-runtime = {{ path = {runtime:?} }}\nserde = {{ version = \"1\", features = [\"derive\"] }}\n"
        );
        fs::write(root.join("Cargo.toml"), manifest).expect("a manifest");
        let lock = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("Cargo.lock");
        fs::copy(lock, root.join("Cargo.lock")).expect("the workspace's lock file");
        Bench { root }
    }

    /// Returns the seconds of a `cargo check` of this source.
    fn check(&self, source: &str) -> f64 {
        fs::write(self.root.join("src/lib.rs"), source).expect("the source");
        let start = Instant::now();
        let status = Command::new(env!("CARGO"))
            .args(["check", "--quiet"])
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", self.root.join("target"))
            .env("CARGO_INCREMENTAL", "0")
            .stdin(Stdio::null())
            .status()
            .expect("cargo runs");
        assert!(status.success(), "the generated models do not compile");
        start.elapsed().as_secs_f64()
    }
}

fn source(round: usize, derives: Derived) -> String {
    let derived = derives != Derived::Serde;
    let queries = match derives {
        Derived::ModelWithQueries => QUERIES.join("\n"),
        Derived::ModelWithMethods => INDEXES.join("\n"),
        Derived::Serde | Derived::Model => String::new(),
    };
    let mut code = format!(
        "// round {round}\n#![allow(dead_code, unused_imports)]\nuse schema_runtime::{{field::IntoValue, operation::{{Find, FindPage}}, prelude::*}};\n"
    );
    if !derived {
        code.push_str("#[derive(Serialize, Deserialize)]\n#[serde(bound = \"\")]\npub struct Ref<T>(ObjectId, std::marker::PhantomData<fn() -> T>);\n");
    }
    for at in 0..MODELS {
        let next = (at + 1) % MODELS;
        let (model, embed) = if derived { ("Model, ", "Embed, ") } else { ("", "") };
        let attribute = |text: &str| if derived { text.to_owned() } else { String::new() };
        write!(
            code,
            "#[derive({embed}Serialize, Deserialize)]\npub struct Inner{at} {{ pub street: String, pub city: String }}\n\
             #[derive({model}Serialize, Deserialize)]\n{collection}\npub struct Outer{at} {{\n\
             #[serde(rename = \"_id\")] pub id: ObjectId,\npub name: String,\npub price: i64,\npub created: DateTime,\n\
             pub stock: i32,\npub note: Option<String>,\npub weight: f64,\n\
             {embedded} pub inner: Vec<Inner{at}>,\n{children} pub children: Vec<Ref<Outer{next}>>,\n\
             {parent} pub parent: Ref<Outer{next}>,\n}}\n",
            collection = attribute(&format!("#[model(collection = \"outer_{at}\")]\n{queries}")),
            embedded = attribute("#[relation(one_to_few, embed, max = 5)]"),
            children = attribute("#[relation(one_to_many, child_refs, max = 100)]"),
            parent = attribute("#[relation(one_to_squillions, parent_ref, order = desc(created))]"),
        )
        .expect("a string takes all");
        if derives == Derived::ModelWithMethods {
            writeln!(code, "impl Outer{at} {{ {METHODS} }}").expect("a string takes all");
        }
    }
    code
}

fn spread(figures: &[f64]) -> String {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    format!("{:.2} {:.2} {:.2}", sorted[0], sorted[sorted.len() / 2], sorted[sorted.len() - 1])
}
