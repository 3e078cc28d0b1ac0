//! What travels between recrash and its worker JVM (java/worker): big-endian, strings as length and UTF-8.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use recrash_trace::TraceLine;

use crate::error::{Error, Result};

/// Both sides name it in their greeting; a jar of another version is refused.
pub(crate) const PROTOCOL: u32 = 3;

/// One candidate to run: restore a frame by a plan and call its method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    pub subject: Arc<Subject>,
    pub class_path: Vec<PathBuf>,
    pub limit: Duration,
    /// Bytes of stack for the thread that runs the candidate; 0 for the JVM's default.
    pub stack_size: u64,
    pub loader: Loader,
    /// The restore plan, which says what the method is called with.
    pub plan: Vec<u8>,
}

/// The method that is called, and what is around the call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Subject {
    /// What sentences call it: `frame 2 of X.recrash`.
    pub name: String,
    /// The class of the method, in dots.
    pub class: String,
    pub method: String,
    pub descriptor: String,
    /// Access flags of the method.
    pub access: u32,
    /// The label of the capture point that the call has to reach, where it is one.
    pub capture_point: Option<String>,
    /// The name of the thread that calls.
    pub thread: String,
    pub surroundings: Surroundings,
}

/// What the JVM that calls takes over of the one that was recorded.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Surroundings {
    pub locale: String,
    pub time_zone: String,
    pub charset: String,
    pub system_properties: Vec<(String, String)>,
    pub jvm_arguments: Vec<String>,
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

impl Request {
    /// The request as it travels, its length first.
    pub fn message(&self) -> Vec<u8> {
        let payload = encode(self);
        let mut bytes = Vec::with_capacity(payload.len() + 4);
        bytes.extend((payload.len() as u32).to_be_bytes());
        bytes.extend(payload);
        bytes
    }
}

fn encode(request: &Request) -> Vec<u8> {
    let mut bytes = vec![1];
    put_subject(&mut bytes, &request.subject);
    bytes.extend((request.class_path.len() as u32).to_be_bytes());
    for entry in &request.class_path {
        put_string(&mut bytes, &entry.to_string_lossy());
    }
    bytes.extend((request.limit.as_millis() as u64).to_be_bytes());
    bytes.extend(request.stack_size.to_be_bytes());
    bytes.push(request.loader.code());
    bytes.extend((request.plan.len() as u32).to_be_bytes());
    bytes.extend(&request.plan);
    bytes
}

fn put_subject(bytes: &mut Vec<u8>, subject: &Subject) {
    let (method, descriptor) = (&subject.method, &subject.descriptor);
    for text in [&subject.name, &subject.class, method, descriptor] {
        put_string(bytes, text);
    }
    bytes.extend(subject.access.to_be_bytes());
    bytes.push(u8::from(subject.capture_point.is_some()));
    if let Some(label) = &subject.capture_point {
        put_string(bytes, label);
    }
    put_string(bytes, &subject.thread);
    let around = &subject.surroundings;
    for text in [&around.locale, &around.time_zone, &around.charset] {
        put_string(bytes, text);
    }
    bytes.extend((around.system_properties.len() as u32).to_be_bytes());
    for (name, value) in &around.system_properties {
        put_string(bytes, name);
        put_string(bytes, value);
    }
    bytes.extend((around.jvm_arguments.len() as u32).to_be_bytes());
    for argument in &around.jvm_arguments {
        put_string(bytes, argument);
    }
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
