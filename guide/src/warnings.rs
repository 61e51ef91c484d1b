//! The warnings of mdBook.

use std::{
    fmt::{Debug, Write},
    sync::{Arc, Mutex},
};

use tracing::{
    Event, Level, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::layer::{Context, Layer};

/// Collects the warnings and errors that mdBook logs.
#[derive(Clone, Debug, Default)]
pub struct Warnings(Arc<Mutex<Vec<String>>>);

impl Warnings {
    /// Returns the collected texts, and forgets the texts.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().expect("no panic holds the lock"))
    }
}

impl<S: Subscriber> Layer<S> for Warnings {
    fn on_event(&self, event: &Event<'_>, _context: Context<'_, S>) {
        if *event.metadata().level() <= Level::WARN {
            let mut text = Text(format!("mdBook ({}):", event.metadata().target()));
            event.record(&mut text);
            self.0.lock().expect("no panic holds the lock").push(text.0);
        }
    }
}

/// The fields of an event, as text.
struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let name = field.name();
        let written = match name {
            "message" => write!(self.0, " {value:?}"),
            _ => write!(self.0, " {name}={value:?}"),
        };
        written.expect("a String takes any text");
    }
}
