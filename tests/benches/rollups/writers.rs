//! Writers that write for a while, each writer a write after another, in this process or in four processes.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use schema_runtime::prelude::*;

use crate::{data::BOOKS, link, one, side::Side};

/// The argument of a second process.
const ARGUMENT: &str = "writers-of-a-row";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    Insert,
    Increment,
}

/// The writers of a row, and the time of the writing.
#[derive(Clone, Copy)]
pub(crate) struct Load {
    pub(crate) work: Work,
    pub(crate) side: Side,
    pub(crate) writers: u64,
    /// The greatest parent of the written children; the least parent is 1.
    pub(crate) parents: i64,
    pub(crate) time: Duration,
}

/// The writes that a load did.
#[derive(Default)]
pub(crate) struct Done {
    /// The number of writes that ended in time.
    pub(crate) writes: u64,
    /// The time of each write, in microseconds.
    pub(crate) micros: Vec<u32>,
}

impl Done {
    fn add(&mut self, other: Done) {
        self.writes += other.writes;
        self.micros.extend(other.micros);
    }
}

/// A process of writers with a separate client.
#[derive(Clone)]
pub(crate) struct Writers {
    db: Database,
    next: Arc<AtomicI64>,
}

impl Writers {
    pub(crate) async fn new(uri: &str, name: &str) -> Self {
        let first = (i64::from(fastrand::u32(1 << 10..1 << 30))) << 32;
        Writers { db: link::database(uri, name).await, next: Arc::new(AtomicI64::new(first)) }
    }

    pub(crate) async fn run(&self, load: Load) -> Done {
        let end = Instant::now() + load.time;
        let tasks: Vec<_> = (0..load.writers).map(|_| tokio::spawn(self.clone().write(load, end))).collect();
        let mut done = Done::default();
        for task in tasks {
            done.add(task.await.expect("a writer ends"));
        }
        done
    }

    async fn write(self, load: Load, end: Instant) -> Done {
        let mut done = Done::default();
        while Instant::now() < end {
            let begun = Instant::now();
            match load.work {
                Work::Insert => {
                    let id = self.next.fetch_add(1, Ordering::Relaxed);
                    one::insert(&self.db, load.side, id, fastrand::i64(1..=load.parents)).await;
                }
                Work::Increment => one::increment(&self.db, load.side, fastrand::i64(0..BOOKS)).await,
            }
            done.micros.push(begun.elapsed().as_micros() as u32);
            done.writes += u64::from(Instant::now() <= end);
        }
        done
    }
}

/// Second processes with concurrent writers.
pub(crate) struct Processes(Vec<(Child, ChildStdin, BufReader<ChildStdout>)>);

impl Processes {
    pub(crate) fn start(count: usize, uri: &str, name: &str) -> Self {
        let start = |_| {
            let mut child = Command::new(std::env::current_exe().expect("this binary"))
                .args([ARGUMENT, uri, name])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .expect("the process starts");
            let ends = (child.stdin.take().expect("its input"), child.stdout.take().expect("its output"));
            (child, ends.0, BufReader::new(ends.1))
        };
        Processes((0..count).map(start).collect())
    }

    /// Runs the load. Each process does an equal part.
    pub(crate) fn run(&mut self, load: Load) -> Done {
        let Load { work, side, writers, parents, time } = load;
        let writers = writers / self.0.len() as u64;
        for (_, input, _) in &mut self.0 {
            let time = time.as_millis();
            writeln!(input, "{work:?} {} {writers} {parents} {time}", side.name()).expect("the process reads");
        }
        let mut done = Done::default();
        // The link to the server runs in this process: the remaining tasks must go on.
        tokio::task::block_in_place(|| {
            for (_, _, output) in &mut self.0 {
                let mut line = String::new();
                output.read_line(&mut line).expect("the process answers");
                let mut numbers = line.split_whitespace().map(|number| number.parse::<u32>().expect("a number"));
                let writes = u64::from(numbers.next().expect("the process says how many writes ended"));
                done.add(Done { writes, micros: numbers.collect() });
            }
        });
        done
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        for (mut child, input, _) in self.0.drain(..) {
            // The process ends at the end of its input.
            drop(input);
            let _ = child.wait();
        }
    }
}

/// In a second process: does the loads that the first process sends, a load a line, and returns true. Returns false in
/// the first process.
pub(crate) async fn is_second() -> bool {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [argument, uri, name] = &arguments[..] else { return false };
    if argument != ARGUMENT {
        return false;
    }
    let writers = Writers::new(uri, name).await;
    loop {
        let mut line = String::new();
        let read = tokio::task::block_in_place(|| std::io::stdin().read_line(&mut line)).expect("a line");
        if read == 0 {
            return true;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let [work, side, count, parents, time] = words[..] else { panic!("{line}") };
        let load = Load {
            work: if work == "Insert" { Work::Insert } else { Work::Increment },
            side: Side::named(side).expect("a side"),
            writers: count.parse().expect("a number"),
            parents: parents.parse().expect("a number"),
            time: Duration::from_millis(time.parse().expect("a number")),
        };
        let done = writers.run(load).await;
        let micros: Vec<String> = done.micros.iter().map(u32::to_string).collect();
        println!("{} {}", done.writes, micros.join(" "));
    }
}
