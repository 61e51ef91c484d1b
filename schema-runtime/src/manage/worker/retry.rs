//! The errors that end a worker, and the waits after all other errors. Pure, but for the random numbers.

use std::{
    hash::{BuildHasher, RandomState},
    time::Duration,
};

use mongodb::error::ErrorKind as DriverErrorKind;

use crate::error::{Error, ErrorKind, code};

/// The shortest and the longest wait after an error.
const WAITS: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(10));

/// Returns whether an error stays until somebody changes the setup: the definitions, the rights, the credentials or the
/// server.
pub(super) fn is_final(error: &Error) -> bool {
    match error {
        Error::CopiesPending { source, .. } | Error::InsertMany { source, .. } | Error::Bulk { source, .. } => {
            is_final(source)
        }
        Error::OutsideTransaction => true,
        Error::Driver(error) => {
            code::server_code(error).is_some_and(|number| code::REFUSED_USERS.contains(&number))
                || matches!(
                    error.kind.as_ref(),
                    DriverErrorKind::Authentication { .. }
                        | DriverErrorKind::InvalidTlsConfig { .. }
                        | DriverErrorKind::IncompatibleServer { .. }
                )
        }
        error => matches!(error.kind(), ErrorKind::Setup | ErrorKind::Schema),
    }
}

/// The waits of one job after errors in a row.
#[derive(Debug, Default)]
pub(super) struct Backoff {
    failures: u32,
}

impl Backoff {
    /// Notes a success: the next error is the first of a row.
    pub(super) fn reset(&mut self) {
        self.failures = 0;
    }

    /// Notes an error. Returns the number of errors in a row, and the wait before the next attempt.
    pub(super) fn next(&mut self) -> (u32, Duration) {
        let longest = (WAITS.0 * 2_u32.saturating_pow(self.failures.min(16))).min(WAITS.1);
        self.failures = self.failures.saturating_add(1);
        (self.failures, longest.mul_f64(0.5 + random() / 2.0))
    }
}

/// Returns the time times a random number between 0.75 and 1.25.
pub(super) fn about(time: Duration) -> Duration {
    // The longest time of a `Duration` times 1.25 is no `Duration`.
    time.min(Duration::from_secs(u32::MAX.into())).mul_f64(0.75 + random() / 2.0)
}

/// Returns a random number from 0 up to 1.
fn random() -> f64 {
    let bits = RandomState::new().hash_one(0_u8) >> 11;
    bits as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{Limit, StoredDocument};

    fn refused(number: i32) -> Error {
        code::tests::error_of_code(number).into()
    }

    #[test]
    fn only_an_error_of_the_setup_is_final() {
        let (collection, message) = (String::new(), String::new());
        let lost = || Error::Connection { address: String::new(), message: String::new(), sent: true };
        let pending = |source| Error::CopiesPending {
            collection: "c",
            document: StoredDocument::default(),
            source: Box::new(source),
        };
        for error in [
            Error::NotReplicaSet,
            Error::NotAuthorized { action: "find", collection: String::new() },
            Error::DefinitionConflict { collection, message },
            Error::OutsideTransaction,
            pending(Error::NotReplicaSet),
            refused(13),
            refused(18),
        ] {
            assert!(is_final(&error), "{error:?}");
        }
        let message = "the document of `schema_watch` was deleted during the read";
        for error in [
            lost(),
            pending(lost()),
            Error::WriteConflict,
            Error::TimedOut { limit: Limit::Network },
            Error::Query { message },
            refused(10107),
            refused(237),
            refused(286),
            refused(8),
        ] {
            assert!(!is_final(&error), "{error:?}");
        }
    }

    #[test]
    fn waits_grow_to_a_bound_and_begin_again_after_a_success() {
        let mut backoff = Backoff::default();
        for (failures, longest) in
            (1..=100).zip([100, 200, 400, 800, 1_600, 3_200, 6_400].into_iter().chain([10_000; 93]))
        {
            let (count, wait) = backoff.next();
            let longest = Duration::from_millis(longest);
            assert!(count == failures && wait >= longest / 2 && wait <= longest, "{failures}: {wait:?}");
        }
        backoff.reset();
        assert_eq!(backoff.next().0, 1);
    }

    #[test]
    fn waits_between_recoveries_differ() {
        let minute = Duration::from_secs(60);
        let waits: Vec<Duration> = (0..100).map(|_| about(minute)).collect();
        assert!(waits.iter().all(|wait| (minute * 3 / 4..=minute * 5 / 4).contains(wait)), "{waits:?}");
        assert!(waits.iter().any(|wait| *wait < minute) && waits.iter().any(|wait| *wait > minute), "{waits:?}");
        assert!(about(Duration::MAX) > Duration::from_secs(1_000_000));
    }
}
