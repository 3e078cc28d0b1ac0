//! Where text goes: lines and progress to standard error, results to standard output.

use recrash_capture::Listener;
use recrash_report::{Style, printable};
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Nobody wants to hear about what is over at once.
const PATIENCE: Duration = Duration::from_secs(2);

/// Without a terminal one plain line of progress in this time is enough.
const SPARINGLY: Duration = Duration::from_secs(15);

pub struct Console {
    error_is_terminal: bool,
    output_is_terminal: bool,
    /// When the current work started, and what was last said about it.
    progress: Mutex<Progress>,
}

struct Progress {
    since: Instant,
    told: Instant,
    shown: bool,
}

impl Console {
    pub fn new() -> Self {
        let now = Instant::now();
        Console {
            error_is_terminal: std::io::stderr().is_terminal(),
            output_is_terminal: std::io::stdout().is_terminal(),
            progress: Mutex::new(Progress {
                since: now,
                told: now,
                shown: false,
            }),
        }
    }

    /// For text on standard output.
    pub fn style(&self) -> Style {
        Style {
            color: self.output_is_terminal && colors_wanted(),
            width: width(),
        }
    }

    /// For text on standard error.
    pub fn error_style(&self) -> Style {
        Style {
            color: self.error_is_terminal && colors_wanted(),
            width: width(),
        }
    }

    /// Several lines on standard error, as they are.
    pub fn block(&self, text: &str) {
        self.clear();
        let _ = write!(std::io::stderr(), "{text}");
    }

    /// New work begins: progress is counted from here.
    pub fn begin(&self) {
        if let Ok(mut progress) = self.progress.lock() {
            let now = Instant::now();
            *progress = Progress {
                since: now,
                told: now,
                shown: false,
            };
        }
    }

    /// Takes the line of progress off the terminal.
    pub fn clear(&self) {
        if let Ok(mut progress) = self.progress.lock()
            && progress.shown
        {
            progress.shown = false;
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

impl Listener for Console {
    fn line(&self, text: &str) {
        self.clear();
        let _ = writeln!(std::io::stderr(), "recrash: {}", printable(text));
    }

    fn progress(&self, text: &str) {
        let Ok(mut progress) = self.progress.lock() else {
            return;
        };
        if progress.since.elapsed() < PATIENCE {
            return;
        }
        if self.error_is_terminal {
            let room = width().saturating_sub(10);
            let short: String = printable(text).chars().take(room).collect();
            let _ = write!(std::io::stderr(), "\r\x1b[Krecrash: {short}");
            let _ = std::io::stderr().flush();
            progress.shown = true;
        } else if progress.told.elapsed() >= SPARINGLY {
            progress.told = Instant::now();
            let _ = writeln!(std::io::stderr(), "recrash: {}", printable(text));
        }
    }
}

/// https://no-color.org: any value but the empty one turns colours off.
fn colors_wanted() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

fn width() -> usize {
    const USUAL: usize = 100;
    let told = std::env::var("COLUMNS")
        .ok()
        .and_then(|columns| columns.parse().ok());
    told.or_else(|| {
        let size = rustix::termios::tcgetwinsize(std::io::stderr()).ok()?;
        (size.ws_col > 0).then_some(usize::from(size.ws_col))
    })
    .map_or(USUAL, |columns: usize| columns.clamp(60, 200))
}
