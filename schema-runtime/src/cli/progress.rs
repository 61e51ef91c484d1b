//! Progress on the standard error: a bar on a terminal, otherwise a line at most every 10 seconds.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::output::{is_live, say};
use crate::report::printable;

/// The form of progress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum ProgressForm {
    /// A bar on a terminal, lines elsewhere
    #[default]
    Auto,
    /// A bar, without color
    Bar,
    /// A line at most every 10 seconds
    Lines,
    /// No progress
    None,
}

/// The shortest time between two lines of progress.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// The progress of one command.
pub(super) enum Progress {
    Bar(ProgressBar),
    Lines { verb: &'static str, total: u64, done: u64, next: Instant },
    Silent,
}

impl Progress {
    /// Begins the progress of `total` parts: `applying` is shown with the number of done parts.
    pub(super) fn new(form: ProgressForm, verb: &'static str, total: u64) -> Self {
        let is_bar = form == ProgressForm::Bar || form == ProgressForm::Auto && is_live();
        match form {
            _ if is_bar => {
                let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
                bar.set_style(style(total));
                bar.set_prefix(verb);
                bar.enable_steady_tick(Duration::from_millis(200));
                Progress::Bar(bar)
            }
            ProgressForm::None => Progress::Silent,
            _ => Progress::Lines { verb, total, done: 0, next: Instant::now() + BETWEEN_LINES },
        }
    }

    /// Begins a part; all parts before are done.
    pub(super) fn begin(&mut self, part: u64, name: &str) {
        match self {
            Progress::Bar(bar) => {
                bar.set_position(part);
                bar.set_message(printable(name));
            }
            Progress::Lines { verb, total, done, next } => {
                *done = part;
                if Instant::now() >= *next {
                    say(&format!("{verb}: {done} of {total} done; now {name}"));
                    *next = Instant::now() + BETWEEN_LINES;
                }
            }
            Progress::Silent => {}
        }
    }

    /// Shows the number of done parts, of a total that becomes known on the way.
    pub(super) fn reach(&mut self, parts: u64, of: Option<u64>) {
        match self {
            Progress::Bar(bar) => {
                let total = of.unwrap_or(parts).max(parts);
                if bar.length() == Some(0) {
                    bar.set_style(style(total));
                }
                bar.set_length(total);
                bar.set_position(parts);
            }
            Progress::Lines { verb, total, done, next } => {
                (*done, *total) = (parts, of.unwrap_or_default());
                if Instant::now() >= *next {
                    match of {
                        Some(total) => say(&format!("{verb}: {parts} of {total} done")),
                        None => say(&format!("{verb}: {parts} done")),
                    }
                    *next = Instant::now() + BETWEEN_LINES;
                }
            }
            Progress::Silent => {}
        }
    }
}

/// Returns the form of a bar. A total that is not known yet has no numbers.
fn style(total: u64) -> ProgressStyle {
    let template = match total {
        0 => "{prefix} {spinner} {wide_msg}",
        _ => "{prefix} [{bar:10}] {pos}/{len} {wide_msg}",
    };
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ")
        .tick_chars("|/-\\ ")
}

impl Drop for Progress {
    /// Removes the bar from the terminal.
    fn drop(&mut self) {
        if let Progress::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
