//! Sends a command: plainly, or in the session of a transaction. `context` has the commands.

/// Sends a command in a span, plainly or in the session. In a session the command runs on a separate task: after a
/// caller is dropped, the command runs to the end instead of stopping half sent.
macro_rules! send {
    ($context:expr, $span:expr, |$database:ident| $action:expr) => {
        send!($context, $span, [], |$database| $action)
    };
    ($context:expr, $span:expr, [$($plainly:tt)*], |$database:ident| $action:expr) => {{
        let $database = $context.database.clone();
        let sent = pin!(async {
            match $context.session.clone() {
                None => {
                    $($plainly)*
                    $action.await
                }
                Some(session) => {
                    let command = async move {
                        let mut inside = lock(&session).await?;
                        let result = $action.session(&mut inside.session).await;
                        inside.noted(result)
                    };
                    on_a_task(command).await
                }
            }
        });
        $span.run(sent).await
    }};
}

/// Sends a write command as `send` does; outside of a transaction the write first waits for a turn beside the
/// transactions, at most until the deadline of the operation.
macro_rules! send_write {
    ($context:expr, $collection:expr, $overdue:expr, $span:expr, |$database:ident| $action:expr) => {
        send!(
            $context,
            $span,
            [let _turn = plainly::write(&$context.database, $collection, $overdue).await?;],
            |$database| $action
        )
    };
}
