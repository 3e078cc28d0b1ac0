//! Progress that outlives the process: the best state so far, beside the file that is being made.

use recrash_heap::Snapshot;
use recrash_heap::manifest::Shrunk;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::{Error, Result};
use crate::progress::Progress;

pub(crate) struct Store {
    path: PathBuf,
    objects_before: u32,
    frames: Vec<usize>,
}

impl Store {
    pub(crate) fn new(out: &Path, objects_before: u32, frames: Vec<usize>) -> Self {
        Store {
            path: path_for(out),
            objects_before,
            frames,
        }
    }

    pub(crate) fn objects_before(&self) -> u32 {
        self.objects_before
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The snapshot with the note of what was done to it.
    pub(crate) fn noted(&self, state: &Snapshot, progress: &Progress, minimal: bool) -> Snapshot {
        let mut noted = state.clone();
        noted.manifest.shrunk = Some(Shrunk {
            objects_before: self.objects_before,
            objects: noted.heap.len(),
            trials: progress.trials,
            milliseconds: progress.elapsed.as_millis() as u64,
            frames: self.frames.clone(),
            minimal,
        });
        noted
    }

    pub(crate) fn save(&self, state: &Snapshot, progress: &Progress) -> Result<()> {
        Ok(self.noted(state, progress, false).write(&self.path)?)
    }

    /// What an earlier sitting saved of the same work: the state, the trials and the time it took.
    pub(crate) fn load(&self, original: &Snapshot) -> Result<(Snapshot, u64, Duration)> {
        let saved = Snapshot::read(&self.path)?;
        let (of, wanted) = (&saved.manifest, &original.manifest);
        match &of.shrunk {
            Some(shrunk)
                if shrunk.frames == self.frames
                    && shrunk.objects_before == self.objects_before
                    && of.fingerprint == wanted.fingerprint
                    && of.captured_at == wanted.captured_at =>
            {
                let took = Duration::from_millis(shrunk.milliseconds);
                let trials = shrunk.trials;
                Ok((saved, trials, took))
            }
            _ => Err(Error::OtherProgress(self.path.clone())),
        }
    }

    /// The work is done.
    pub(crate) fn remove(&self) -> Result<()> {
        match std::fs::remove_file(&self.path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::io(&self.path)(error))
            }
            _ => Ok(()),
        }
    }
}

/// `crash-shrunk.recrash.unfinished` for `crash-shrunk.recrash`.
pub(crate) fn path_for(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".unfinished");
    name.into()
}
