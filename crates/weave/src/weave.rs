//! From a class to a woven class: what the policy asks for, and what the JDK's classes do for it.

use recrash_classfile::{ClassFile, PoolAppender};

use crate::journal::jdk::JdkNotes;
use crate::pass::Pass;
use crate::policy::Policy;
use crate::reason::{Reason, Skipped};
use crate::record::recorder::Recorder;
use crate::rewrite::rewrite_class;
use crate::runtime::Runtime;
use crate::site::table::SiteTable;

/// The result of weaving one class. A class that cannot be woven safely is a value, not an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Woven {
    Changed {
        bytes: Vec<u8>,
        /// What the site ids in the code mean; they count up from the `first_site` given.
        sites: SiteTable,
        /// Methods that would be monitored but had to stay as they are.
        skipped: Vec<Skipped>,
    },
    Untouched(Reason),
}

/// Weaves one class. Site ids count up from `first_site`.
pub fn weave(class: &[u8], first_site: u32, policy: &Policy) -> Woven {
    weave_with(class, first_site, policy, &mut [])
}

/// The same together with other passes, whose code comes behind that of the handlers' frames, and whose own handlers see
/// exceptions first.
pub fn weave_with(
    class: &[u8],
    first_site: u32,
    policy: &Policy,
    others: &mut [&mut dyn Pass],
) -> Woven {
    match weave_class(class, first_site, policy, others) {
        Ok(woven) => woven,
        Err(reason) => Woven::Untouched(reason),
    }
}

fn weave_class(
    bytes: &[u8],
    first_site: u32,
    policy: &Policy,
    others: &mut [&mut dyn Pass],
) -> Result<Woven, Reason> {
    let class = ClassFile::read(bytes)?;
    if !policy.wants(&class.binary_name()) {
        return Err(Reason::Excluded);
    }
    let pool = PoolAppender::new(&class.pool);
    // A second look goes on top: what was woven offline sleeps meanwhile.
    if Runtime::is_used_by(&pool) && policy.look.is_none() {
        return Err(Reason::AlreadyWoven);
    }
    let mut recorder = Recorder::new(&class, bytes, first_site, policy);
    let mut passes: Vec<&mut dyn Pass> = vec![&mut recorder];
    for other in others {
        passes.push(&mut **other);
    }
    let rewritten = rewrite_class(&class, pool, &mut passes)?;
    Ok(Woven::Changed {
        bytes: rewritten.bytes,
        sites: recorder.sites,
        skipped: rewritten.skipped,
    })
}

/// Makes a class of the JDK note what it writes, see [`crate::keeps_writes`]. The fields count up from `first`.
pub fn weave_jdk(class: &[u8], first: u32) -> Woven {
    match weave_jdk_class(class, first) {
        Ok(woven) => woven,
        // Nobody counts on methods of the JDK.
        Err(Reason::AllSkipped { .. }) => Woven::Untouched(Reason::NothingToMonitor),
        Err(reason) => Woven::Untouched(reason),
    }
}

fn weave_jdk_class(bytes: &[u8], first: u32) -> Result<Woven, Reason> {
    let class = ClassFile::read(bytes)?;
    let pool = PoolAppender::new(&class.pool);
    let mut notes = JdkNotes::new(&class, first);
    let rewritten = rewrite_class(&class, pool, &mut [&mut notes])?;
    Ok(Woven::Changed {
        bytes: rewritten.bytes,
        sites: notes.fields,
        skipped: rewritten.skipped,
    })
}
