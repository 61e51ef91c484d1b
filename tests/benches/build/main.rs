//! The cost to build a user's own crate: a generated program of 20 models and 200 calls on this crate, compared with
//! the same program by hand on the driver, in turn. The dependencies are built before and not counted; the single build
//! of this crate itself is printed too. The processor time is the time of cargo, rustc and the linker, as Linux counts
//! the time.
//!
//! `cargo bench -p schema-tests --bench build`; `-- release`, `-- check` or `-- dev` measures a single way, and a
//! number sets the number of rounds. `-- cli` measures only the processor time that the feature `cli` adds to a release
//! build of all dependencies.

mod program;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use program::{CALLS, MODELS, Side, program};

const ROUNDS: usize = 3;

/// The seconds of processor time that the feature `cli` may add to a release build.
const OF_CLI: f64 = 15.0;

/// A way to build, with the most that the program on this crate may cost in relation to the program by hand.
struct Way {
    name: &'static str,
    arguments: &'static [&'static str],
    /// The folder of the built program.
    folder: Option<&'static str>,
    goal: f64,
}

const WAYS: [Way; 3] = [
    Way { name: "release", arguments: &["build", "--release"], folder: Some("release"), goal: 1.2 },
    Way { name: "check", arguments: &["check"], folder: None, goal: 1.5 },
    Way { name: "dev", arguments: &["build"], folder: Some("debug"), goal: 1.5 },
];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let rounds = words.iter().find_map(|word| word.parse().ok()).unwrap_or(ROUNDS);
    let chosen = |way: &&Way| {
        words.iter().all(|word| word.parse::<usize>().is_ok()) || words.iter().any(|word| word == way.name)
    };
    let bench = Bench::new();
    if words.iter().any(|word| word == "cli") {
        let (without, with) = (bench.build_all(&[]), bench.build_all(&["--features", "cli"]));
        println!("release with the feature cli: {with:.1} s, without: {without:.1} s");
        println!("the feature adds {:.1} s of processor time, goal {OF_CLI} s", with - without);
        return;
    }
    println!("a program of {MODELS} models and {CALLS} calls, median of {rounds} rounds, dependencies not counted");
    println!("{:<24} {:>10} {:>10} {:>7}", "", "ours", "by hand", "ratio");
    for way in WAYS.iter().filter(chosen) {
        bench.build_dependencies(way);
        let (mut ours, mut by_hand) = (Vec::new(), Vec::new());
        for round in 0..rounds {
            ours.push(bench.build(way, Side::Ours, round));
            by_hand.push(bench.build(way, Side::ByHand, round));
        }
        let (ours, by_hand) = (median(ours), median(by_hand));
        let goal = way.goal;
        println!(
            "{:<24} {ours:>10.2} {by_hand:>10.2} {:>7.2}   goal {goal}",
            format!("{}, seconds", way.name),
            ours / by_hand
        );
        if let Some(folder) = way.folder {
            let (ours, by_hand) = (bench.megabytes(folder, Side::Ours), bench.megabytes(folder, Side::ByHand));
            println!(
                "{:<24} {ours:>10.2} {by_hand:>10.2} {:>7.2}   goal {goal}",
                format!("{}, MB", way.name),
                ours / by_hand
            );
        }
        println!(
            "{:<24} {:>10.2}   once, not counted above",
            format!("{}, this crate", way.name),
            bench.build_runtime(way)
        );
    }
}

/// A package outside the workspace with both programs, and a separate target folder.
struct Bench {
    root: PathBuf,
}

impl Bench {
    fn new() -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("build-bench");
        fs::create_dir_all(root.join("src/bin")).expect("a folder");
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
        let manifest = format!(
            "[package]\nname = \"build-bench\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n[features]\ncli = [\"schema-runtime/cli\"]\n[dependencies]\n\
             schema-runtime = {{ path = {:?} }}\n\
             mongodb = {{ version = \"3\", default-features = false, features = [\"rustls-tls\", \"dns-resolver\", \"bson-2\", \"compat-3-0-0\"] }}\n\
             serde = {{ version = \"1\", features = [\"derive\"] }}\n\
             tokio = {{ version = \"1\", features = [\"macros\", \"rt-multi-thread\"] }}\n\
             futures-util = {{ version = \"0.3\", default-features = false, features = [\"std\"] }}\n",
            workspace.join("schema-runtime"),
        );
        fs::write(root.join("Cargo.toml"), manifest).expect("a manifest");
        fs::copy(workspace.join("Cargo.lock"), root.join("Cargo.lock")).expect("the workspace's lock file");
        Bench { root }
    }

    /// Returns the seconds of processor time of a release build of an empty program with all dependencies.
    fn build_all(&self, features: &[&str]) -> f64 {
        fs::write(self.source(Side::Ours), "fn main() {}\n").expect("the source");
        self.cargo(&["clean", "--release"], &[]);
        self.cargo(&["build", "--release", "--bin", name(Side::Ours)], features)
    }

    fn build_dependencies(&self, way: &Way) {
        for side in [Side::Ours, Side::ByHand] {
            fs::write(self.source(side), "fn main() {}\n").expect("the source");
            self.cargo(way.arguments, &["--bin", name(side)]);
        }
    }

    /// Returns the seconds of processor time of a build of this program.
    fn build(&self, way: &Way, side: Side, round: usize) -> f64 {
        fs::write(self.source(side), program(side, round)).expect("the source");
        self.cargo(way.arguments, &["--bin", name(side)])
    }

    /// Returns the seconds of processor time of a build of this crate, without its dependencies.
    fn build_runtime(&self, way: &Way) -> f64 {
        let folder = if way.arguments.contains(&"--release") { &["--release"][..] } else { &[] };
        self.cargo(&["clean", "--package", "schema-runtime", "--package", "schema-derive"], folder);
        self.cargo(way.arguments, &["--package", "schema-runtime"])
    }

    fn megabytes(&self, folder: &str, side: Side) -> f64 {
        let program = self.root.join("target").join(folder).join(name(side));
        fs::metadata(program).expect("the program").len() as f64 / 1e6
    }

    fn source(&self, side: Side) -> PathBuf {
        self.root.join(format!("src/bin/{}.rs", name(side)))
    }

    fn cargo(&self, arguments: &[&str], more: &[&str]) -> f64 {
        let before = seconds_of_children();
        let status = Command::new(env!("CARGO"))
            .args(arguments)
            .args(more)
            .arg("--quiet")
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", self.root.join("target"))
            .env("CARGO_INCREMENTAL", "0")
            .stdin(Stdio::null())
            .status()
            .expect("cargo runs");
        assert!(status.success(), "the generated program does not build");
        seconds_of_children() - before
    }
}

fn name(side: Side) -> &'static str {
    match side {
        Side::Ours => "ours",
        Side::ByHand => "by_hand",
    }
}

/// Returns the processor time of all ended child processes of this process, and of the children of the child processes.
fn seconds_of_children() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").expect("Linux");
    // The name of the program, in brackets, may have spaces. The times are the 16th and the 17th field, in hundredths.
    let (_, fields) = stat.rsplit_once(')').expect("a name in brackets");
    let ticks = fields.split_whitespace().skip(13).take(2).map(|field| field.parse::<f64>().expect("a number"));
    ticks.sum::<f64>() / 100.0
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
