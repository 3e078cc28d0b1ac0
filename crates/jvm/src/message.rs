//! What travels between recrash and its worker JVM (java/worker): big-endian, strings as length and UTF-8.

use std::path::PathBuf;
use std::time::Duration;

use recrash_trace::TraceLine;

use crate::error::{Error, Result};

/// Both sides name it in their greeting; a jar of another version is refused.
pub(crate) const PROTOCOL: u32 = 2;

/// One candidate to run: restore a frame of a snapshot and call its method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    pub snapshot: PathBuf,
    /// Index into the snapshot's frames.
    pub frame: u32,
    /// Bits of `recrash.junit.Native.plan`: what to leave out.
    pub flags: u32,
    pub class_path: Vec<PathBuf>,
    pub limit: Duration,
    /// Bytes of stack for the thread that runs the candidate; 0 for the JVM's default.
    pub stack_size: u64,
    pub loader: Loader,
    /// A restore plan to execute instead of the one the snapshot's file gives; `flags` have no meaning then.
    pub plan: Option<Vec<u8>>,
}

/// Which class loader has the candidate's classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loader {
    /// One made for this request: static state is as class initialisation leaves it.
    Own,
    /// The worker's own system class loader; the worker must have been started with the program's class path.
    System,
    /// One that stays for further requests of the same class path. Faster by far, but what earlier candidates did to
    /// static state that no plan replaces is still done.
    Kept,
    /// As `Kept`, but a new one takes the place of the old.
    KeptAnew,
}

impl Loader {
    fn code(self) -> u8 {
        match self {
            Loader::Own => 0,
            Loader::System => 1,
            Loader::Kept => 2,
            Loader::KeptAnew => 3,
        }
    }
}

/// What became of a candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Returned,
    /// The throwable and its causes, outermost first.
    Threw(Vec<Thrown>),
    /// The frame could not be brought to life; a sentence.
    NotRestored(String),
    /// Where it was when its time was up.
    TimedOut {
        at: Option<String>,
    },
    /// `System.exit` or the like, and who called it.
    Exited {
        by: Option<String>,
    },
    /// The worker JVM died; what is known about it.
    Died(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Thrown {
    pub class: String,
    /// `class` was read from a printed trace, where a program's own `toString` may have put something else.
    pub printed: bool,
    pub message: Option<String>,
    /// Its own methods fail when it is to be printed: a test that throws it could not be reported.
    pub unprintable: bool,
    pub trace: Vec<TraceLine>,
}

/// A message of the worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Message {
    Ready {
        protocol: u32,
    },
    Done {
        outcome: Outcome,
        restart: bool,
        output: String,
    },
}

pub(crate) fn encode(request: &Request) -> Vec<u8> {
    let mut bytes = vec![1];
    put_string(&mut bytes, &request.snapshot.to_string_lossy());
    bytes.extend(request.frame.to_be_bytes());
    bytes.extend(request.flags.to_be_bytes());
    bytes.extend((request.class_path.len() as u32).to_be_bytes());
    for entry in &request.class_path {
        put_string(&mut bytes, &entry.to_string_lossy());
    }
    bytes.extend((request.limit.as_millis() as u64).to_be_bytes());
    bytes.extend(request.stack_size.to_be_bytes());
    bytes.push(request.loader.code());
    let plan = request.plan.as_deref();
    bytes.push(u8::from(plan.is_some()));
    if let Some(plan) = plan {
        bytes.extend((plan.len() as u32).to_be_bytes());
        bytes.extend(plan);
    }
    bytes
}

fn put_string(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend((text.len() as u32).to_be_bytes());
    bytes.extend(text.as_bytes());
}

pub(crate) fn decode(bytes: &[u8]) -> Result<Message> {
    let mut reader = Reader { bytes };
    let kind = reader.byte()?;
    if kind == 0 {
        return Ok(Message::Ready {
            protocol: reader.int()?,
        });
    }
    let outcome = match kind {
        1 => Outcome::Returned,
        2 => Outcome::Threw(reader.list(Reader::thrown)?),
        3 => Outcome::NotRestored(reader.string()?),
        4 => Outcome::TimedOut {
            at: reader.optional()?,
        },
        5 => Outcome::Exited {
            by: reader.optional()?,
        },
        other => return Err(Error::Protocol(format!("message of unknown kind {other}"))),
    };
    Ok(Message::Done {
        outcome,
        restart: reader.byte()? != 0,
        output: reader.string()?,
    })
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self
            .bytes
            .split_at_checked(count)
            .ok_or_else(|| Error::Protocol("message ends too early".to_owned()))?;
        self.bytes = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8> {
        Ok(self.take(1)?.iter().copied().fold(0, |_, byte| byte))
    }

    fn int(&mut self) -> Result<u32> {
        Ok(self
            .take(4)?
            .iter()
            .fold(0, |value, byte| value << 8 | u32::from(*byte)))
    }

    fn string(&mut self) -> Result<String> {
        let length = self.int()? as usize;
        Ok(String::from_utf8_lossy(self.take(length)?).into_owned())
    }

    fn optional(&mut self) -> Result<Option<String>> {
        if self.byte()? == 0 {
            Ok(None)
        } else {
            self.string().map(Some)
        }
    }

    /// Grows as it reads: a count alone reserves nothing.
    fn list<T>(&mut self, item: fn(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let count = self.int()?;
        let mut items = Vec::new();
        for _ in 0..count {
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn thrown(&mut self) -> Result<Thrown> {
        Ok(Thrown {
            class: self.string()?,
            printed: false,
            message: self.optional()?,
            unprintable: self.byte()? == 0,
            trace: self.list(Reader::trace_line)?,
        })
    }

    fn trace_line(&mut self) -> Result<TraceLine> {
        Ok(TraceLine {
            class: self.string()?,
            method: self.string()?,
            file: self.optional()?,
            line: self.int()? as i32,
            module: self.optional()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_cut_anywhere_is_an_error_and_never_a_panic() {
        let mut bytes = vec![2, 0, 0, 0, 1];
        put_string(&mut bytes, "java.lang.Error");
        bytes.extend([0, 1]);
        bytes.extend([0, 0, 0, 0]);
        bytes.push(1);
        put_string(&mut bytes, "tail");
        let whole = decode(&bytes).unwrap();
        let thrown = Thrown {
            class: "java.lang.Error".into(),
            ..Thrown::default()
        };
        assert_eq!(
            whole,
            Message::Done {
                outcome: Outcome::Threw(vec![thrown]),
                restart: true,
                output: "tail".into()
            }
        );
        for end in 0..bytes.len() {
            decode(&bytes[..end]).unwrap_err();
        }
    }

    #[test]
    fn a_huge_count_reserves_nothing() {
        decode(&[2, 0xff, 0xff, 0xff, 0xff]).unwrap_err();
    }
}
