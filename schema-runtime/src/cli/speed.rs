//! The speed of commands that write many documents, and the progress of these commands.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use super::{duration, progress::Progress};
use crate::Throttle;

/// The arguments of the speed: the words of `Throttle`.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct SpeedArguments {
    /// The most documents in one command to the server
    #[arg(long, value_name = "DOCUMENTS", value_parser = clap::value_parser!(u32).range(1..))]
    chunk: Option<u32>,
    /// The pause after each command to the server, as `50ms` or `2s`
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    pause: Option<Duration>,
    /// The most documents in a second, as `5000/s`: a pause after each command to the server
    #[arg(long, value_name = "DOCUMENTS/s", value_parser = per_second, conflicts_with = "pause")]
    throttle: Option<u32>,
}

impl SpeedArguments {
    /// Returns the throttle without progress.
    pub(super) fn throttle(&self) -> Throttle {
        let throttle = self.chunk.map_or_else(Throttle::new, |documents| Throttle::new().chunk(documents));
        match self.throttle {
            Some(documents) => throttle.at_most(documents),
            None => throttle.pause(self.pause.unwrap_or_default()),
        }
    }

    /// Returns the throttle with the progress. Progress that nobody sees counts no documents.
    pub(super) fn throttle_with(&self, progress: Progress) -> Throttle {
        if let Progress::Silent = progress {
            return self.throttle();
        }
        let progress = Mutex::new(progress);
        self.throttle().progress(move |now| {
            progress.lock().unwrap_or_else(PoisonError::into_inner).reach(now.done, now.total);
        })
    }
}

/// Parses a number of documents in a second.
fn per_second(text: &str) -> Result<u32, String> {
    let number = text.strip_suffix("/s").filter(|number| number.bytes().all(|digit| digit.is_ascii_digit()));
    let number = number.and_then(|number| number.parse().ok()).filter(|number| *number > 0);
    number.ok_or_else(|| "a speed is a whole number of documents in a second: 5000/s".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speed_is_a_number_of_documents_in_a_second() {
        assert_eq!(per_second("5000/s"), Ok(5_000));
        assert_eq!(per_second("1/s"), Ok(1));
        for wrong in ["", "/s", "5000", "0/s", "-1/s", "+1/s", "1.5/s", "5000/m", "5000/ s", "99999999999/s"] {
            assert!(per_second(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_chunk_at_a_speed_has_its_pause() {
        let speed = |chunk, throttle| SpeedArguments { chunk, pause: None, throttle }.throttle();
        let debug = |throttle: Throttle| format!("{throttle:?}");
        let paused = |chunk, milliseconds| Throttle::new().chunk(chunk).pause(Duration::from_millis(milliseconds));
        assert_eq!(debug(speed(Some(100), Some(1_000))), debug(paused(100, 100)));
        assert_eq!(debug(speed(None, Some(5_000))), debug(paused(5_000, 1_000)));
        assert_eq!(debug(speed(None, None)), debug(Throttle::new()));
    }
}
