//! The spans that the crate reports to `tracing` during a test.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, Once, PoisonError},
};

use tracing::{
    Event, Id, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Record},
    subscriber::DefaultGuard,
};
use tracing_subscriber::{
    Layer,
    layer::{Context, SubscriberExt},
    registry::LookupSpan,
};

/// Fields by name, as texts.
pub type Fields = BTreeMap<String, String>;

/// The spans and events of this crate's targets, of every level, on the thread of the test.
#[derive(Clone, Debug, Default)]
pub struct Spans(Arc<Mutex<Recorded>>);

#[derive(Debug, Default)]
struct Recorded {
    spans: Vec<Span>,
    events: Vec<Fields>,
}

/// A span.
#[derive(Clone, Debug, Default)]
pub struct Span {
    /// The name of the span.
    pub name: &'static str,
    /// The name of the parent span.
    pub parent: Option<&'static str>,
    /// The fields of the span.
    pub fields: Fields,
    /// True when the span has ended.
    pub closed: bool,
    id: u64,
}

/// Makes every span of the process known to a subscriber from the start. Without this subscriber, a span that another
/// thread enters first, while this thread begins to collect, counts as a span without a subscriber.
pub(crate) fn enable() {
    static ENABLED: Once = Once::new();
    ENABLED.call_once(|| {
        let set = tracing::subscriber::set_global_default(tracing_subscriber::registry());
        set.expect("no test sets a subscriber of its own for the process");
    });
}

impl Spans {
    /// Begins to collect, until the guard is dropped.
    pub fn collect() -> (Self, DefaultGuard) {
        enable();
        let spans = Spans::default();
        let subscriber = tracing_subscriber::registry().with(spans.clone());
        (spans, tracing::subscriber::set_default(subscriber))
    }

    /// Returns the spans since the last call.
    pub fn take(&self) -> Vec<Span> {
        std::mem::take(&mut self.recorded().spans)
    }

    /// Returns the events up to now.
    pub fn events(&self) -> Vec<Fields> {
        self.recorded().events.clone()
    }

    fn recorded(&self) -> std::sync::MutexGuard<'_, Recorded> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Spans {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let metadata = attributes.metadata();
        if !metadata.target().starts_with("schema_runtime") {
            return;
        }
        let parent = context.span(id).and_then(|span| span.parent()).map(|parent| parent.name());
        let mut span = Span { name: metadata.name(), parent, id: id.into_u64(), ..Span::default() };
        attributes.record(&mut Texts(&mut span.fields));
        self.recorded().spans.push(span);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, _: Context<'_, S>) {
        if let Some(span) = self.recorded().spans.iter_mut().rev().find(|span| span.id == id.into_u64()) {
            values.record(&mut Texts(&mut span.fields));
        }
    }

    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        if event.metadata().target().starts_with("schema_runtime") {
            let mut fields = Fields::new();
            event.record(&mut Texts(&mut fields));
            self.recorded().events.push(fields);
        }
    }

    fn on_close(&self, id: Id, _: Context<'_, S>) {
        if let Some(span) = self.recorded().spans.iter_mut().rev().find(|span| span.id == id.into_u64()) {
            span.closed = true;
        }
    }
}

struct Texts<'a>(&'a mut Fields);

impl Visit for Texts<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}"));
    }
}
