//! A write that others overtake is tried again: after a pause, and not for ever.

use std::{
    hash::{BuildHasher, RandomState},
    time::Duration,
};

use crate::error::{Error, Result};

/// How often one write is tried.
const MOST: u32 = 1_000;

/// How often a write was tried again.
#[derive(Debug, Default)]
pub(crate) struct Attempts {
    again: u32,
}

impl Attempts {
    /// Waits before the next attempt, at random: up to 2, 4, 8 .. 512 milliseconds. Of two clients that overtake each other, one gets on
    /// while the other waits. How many attempts were made before.
    ///
    /// # Errors
    /// [`Error::WriteConflict`] after a thousand.
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
