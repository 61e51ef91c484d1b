//! Logging: the commands as spans of `tracing`.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
};

use schema_runtime::{prelude::*, schema};
use tracing::Level;
use tracing_subscriber::{
    filter::{LevelFilter, Targets},
    fmt::{self, MakeWriter, format::FmtSpan},
    layer::SubscriberExt,
};

use crate::database;

// ANCHOR: subscriber
/// Writes each command of the crate as a line, with the time of the command.
fn subscriber(to: impl for<'a> MakeWriter<'a> + Send + Sync + 'static) -> impl tracing::Subscriber + Send + Sync {
    let lines = fmt::layer().with_writer(to).with_ansi(false).with_span_events(FmtSpan::CLOSE);
    let levels = std::env::var("RUST_LOG").unwrap_or_default().parse::<Targets>().unwrap_or_default();
    // The second target has events with values, if the feature `log-values` is on.
    let levels =
        levels.with_target("schema_runtime", Level::DEBUG).with_target("schema_runtime::values", LevelFilter::OFF);
    tracing_subscriber::registry().with(levels).with(lines)
}
// ANCHOR_END: subscriber

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: i32,
    name: String,
}

/// The lines of the log.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("the lines").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_command_is_a_line_without_values() -> Result<()> {
    let db = database(&schema![Part]).await;
    let lines = Lines::default();
    let to = lines.clone();
    let guard = tracing::subscriber::set_default(subscriber(move || to.clone()));
    Part::insert(&db, &Part { id: 1, name: "secret".to_owned() }).await?;
    let found = Part::find(Part::F.name.eq("secret")).fetch_all(&db).await?;
    drop(guard);
    assert_eq!(found.len(), 1);
    let text = String::from_utf8(lines.0.lock().expect("the lines").clone()).expect("a text");
    for part in ["insert parts", "find parts", "db.response.returned_rows=1", "time.busy="] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    assert!(!text.contains("secret"), "a value is in\n{text}");
    Ok(())
}
