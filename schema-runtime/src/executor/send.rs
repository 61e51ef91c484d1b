//! How one command is sent: plainly, or in the session of a transaction. `context` has the commands.

/// Sends one command in its span, plainly or in the session. In a session it runs on a task of its own: a caller that is
/// dropped leaves a command that ends, not one that is half sent.
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
                        let mut inside = session.lock().await;
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

/// The same of a write, which waits for its turn beside the transactions where it is in none.
macro_rules! send_write {
    ($context:expr, $collection:expr, $span:expr, |$database:ident| $action:expr) => {
        send!(
            $context,
            $span,
            [let _turn = plainly::write(&$context.database, $collection).await?;],
            |$database| $action
        )
    };
}
