//! Repeats a write after a conflict with another client: after a pause, and with a limit.

use std::{
    hash::{BuildHasher, RandomState},
    time::Duration,
};

use crate::error::{Error, Result};

/// The limit of the attempts of a write.
const MOST: u32 = 1_000;

/// The counter of repeated attempts.
#[derive(Debug, Default)]
pub(crate) struct Attempts {
    again: u32,
}

impl Attempts {
    /// Waits before the next attempt, at random: up to 2, 4, 8 .. 512 milliseconds. When two clients overtake each
    /// other, the first client gets on while the second client waits. Returns the number of attempts made before.
    ///
    /// # Errors
    /// [`Error::WriteConflict`] after a thousand attempts.
    pub(crate) async fn again(&mut self) -> Result<u32> {
        self.again += 1;
        if self.again == MOST {
            return Err(Error::WriteConflict);
        }
        let longest = 2_u64 << (self.again - 1).min(8);
        let random = RandomState::new().hash_one(self.again) % (longest * 1_000);
        tokio::time::sleep(Duration::from_micros(random)).await;
        Ok(self.again)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn they_end() {
        let mut attempts = Attempts { again: MOST - 2 };
        assert_eq!(attempts.again().await.unwrap(), MOST - 1);
        assert!(matches!(attempts.again().await, Err(Error::WriteConflict)));
    }
}
