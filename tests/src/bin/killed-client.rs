//! A client that is killed. The client writes sources, holders, children, buckets, trees or all of a domain until then.
//! The arguments are the connection string, the database, the kind of work and the number of the client; the finished
//! work goes to the standard output, a line each.

use std::{
    env,
    io::{self, Write as _},
    process::ExitCode,
};

use mongodb::{Client, options::ClientOptions};
use schema_runtime::{Result, Throttle, prelude::*};
use schema_tests::{
    buckets,
    copies::{Item, Owner, Place},
    domain::{self, Ledger, Work},
    ends,
    rollups::{LogMsg, message},
    trees::TREES,
};

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [uri, name, what, number] = &arguments[..] else { return ExitCode::FAILURE };
    let number: i64 = number.parse().unwrap_or_default();
    match run(uri, name, what, number).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("error {error}"));
            ExitCode::FAILURE
        }
    }
}

async fn run(uri: &str, name: &str, what: &str, number: i64) -> Result<()> {
    let mut options = ClientOptions::parse(uri).await?;
    // A test finds the leftovers of the client on the server by this name.
    options.app_name = Some(name.to_owned());
    let db = Client::with_options(options)?.database(name);
    Owner::find(Filter::all()).count(&db).await?;
    say("ready");
    match what {
        // A single write with many copies.
        "propagate" => {
            let throttle = Throttle::new().chunk(1_000);
            Owner::update_by_id(number).inc(Owner::F.count, 1).throttle(throttle).execute(&db).await?;
            say("done");
        }
        // Inserts children, and changes, moves and deletes some of the children; then prints the stored and the deleted
        // children.
        "children" => {
            for id in (number..).step_by(10) {
                let host = 1 + id / 10 % 2;
                LogMsg::insert(&db, &message(id, host)).await?;
                let many: Vec<LogMsg> = (1..6).map(|at| message(id + at, 1 + at % 2)).collect();
                LogMsg::insert_many(&db, &many).await?;
                LogMsg::update_by_id(id).set(LogMsg::F.bytes, 1_000).execute(&db).await?;
                LogMsg::update_by_id(id + 1).set(LogMsg::F.host, Ref::new(host)).execute(&db).await?;
                LogMsg::delete_by_id(&db, &(id + 2)).await?;
                LogMsg::delete_many(&db, LogMsg::F.id.gt(id + 2).and(LogMsg::F.id.lt(id + 5))).await?;
                for at in [0, 1, 5] {
                    say(&format!("inserted {}", id + at));
                }
                for at in [2, 3, 4] {
                    say(&format!("deleted {}", id + at));
                }
            }
        }
        // Writes both ends of links, and documents with delete rules; each answered write is a line.
        "ends" => {
            for seed in (number as u64).. {
                match ends::Work::of(seed).run(&db).await {
                    Err(error) if !ends::is_expected(&error) => say(&format!("error {seed}: {error}")),
                    _ => say(&format!("ended {seed}")),
                }
            }
        }
        // Does all work of a domain; each work is printed before its begin, and its result after its end.
        "domain" => {
            for seed in (number as u64 * 1_000_003).. {
                say(&format!("begins {seed}"));
                let (work, mut ledger) = (Work::of(seed), Ledger::default());
                match work.run(&db, &mut ledger).await {
                    Err(error) if !domain::is_refused(&error) && !work.may_be_invalid() => {
                        say(&format!("error in {work:?}: {error}"));
                    }
                    _ => say(&format!("ended {}", ledger.line())),
                }
                ledger.wrong.iter().for_each(|wrong| say(&format!("error: {wrong}")));
            }
        }
        // Writes children into buckets, with eight concurrent writers.
        "buckets" => buckets::write(&db, number, say).await?,
        // Moves documents into buckets, or back.
        "migrate" => {
            let moved = buckets::migrate(&db, number > 0).await?;
            say(&format!("done {moved}"));
        }
        // Writes documents of a tree, as four concurrent clients.
        "trees" => {
            let seed = number.unsigned_abs();
            TREES[seed as usize % TREES.len()].write(&db, seed, say).await;
        }
        "recover" => {
            domain::schema().recover(&db, &Throttle::new()).await?;
            say("done");
        }
        // Inserts holders in sequence, and some in a batch.
        _ => {
            for id in number.. {
                let place = Place(id);
                let title = format!("item {id}");
                let item = |id| Item {
                    id,
                    title: title.clone(),
                    tags: Vec::new(),
                    owner: Ref::new(1),
                    label: "?".to_owned(),
                    count: -1,
                    backup: Some(Ref::new(2)),
                    backup_label: None,
                };
                if id % 5 == 0 {
                    let items: Vec<Item> = (0..60).map(|at| item(place.id(at))).collect();
                    Item::insert_many(&db, &items).await?;
                } else {
                    Item::insert(&db, &item(place.id(0))).await?;
                }
                say(&place.id(0).to_string());
            }
        }
    }
    Ok(())
}

fn say(line: &str) {
    println!("{line}");
    // A pipe is written at a full buffer or at a flush.
    let _ = io::stdout().flush();
}
