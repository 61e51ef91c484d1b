//! Handlers of the driver's events, with work before an earlier handler.

use mongodb::event::EventHandler;

/// Returns a handler that shows each event to `first`, and then does the work of the earlier handler.
pub(crate) fn observed<T: Send + Sync + 'static>(
    earlier: Option<EventHandler<T>>,
    first: impl Fn(&T) + Send + Sync + 'static,
) -> EventHandler<T> {
    match earlier {
        Some(EventHandler::Callback(earlier)) => EventHandler::callback(move |event| {
            first(&event);
            earlier(event);
        }),
        Some(EventHandler::AsyncCallback(earlier)) => EventHandler::async_callback(move |event| {
            first(&event);
            earlier(event)
        }),
        Some(EventHandler::TokioMpsc(sender)) => EventHandler::async_callback(move |event| {
            first(&event);
            let sender = sender.clone();
            Box::pin(async move { drop(sender.send(event).await) })
        }),
        _ => EventHandler::callback(move |event| first(&event)),
    }
}
