//! The pass over classes of the JDK whose writes count: they take notes, and get no handlers.

use recrash_classfile::{ClassFile, Error};

use crate::constants::Constants;
use crate::find::constructor;
use crate::find::heights::Heights;
use crate::find::method::Method;
use crate::journal::notes::Journal;
use crate::journal::write::NoteWriter;
use crate::pass::Pass;
use crate::plan::Plan;
use crate::reason::SkipReason;
use crate::runtime::Runtime;
use crate::site::table::SiteTable;

/// Notes of one class.
pub(crate) struct JdkNotes {
    pub(crate) fields: SiteTable,
    runtime: Runtime,
    heights: Heights,
    /// Whether the method at hand has to do without.
    gives_up: bool,
}

impl JdkNotes {
    /// Fields are numbered from `first` on.
    pub(crate) fn new(class: &ClassFile<'_>, first: u32) -> Self {
        JdkNotes {
            fields: SiteTable::new(class.name, first),
            runtime: Runtime::default(),
            heights: Heights::default(),
            gives_up: false,
        }
    }
}

impl Pass for JdkNotes {
    fn wants(&mut self, _method: &Method<'_>) -> bool {
        self.gives_up = false;
        true
    }

    fn plan<'c>(&mut self, method: &Method<'c>, plan: &mut Plan<'c>) -> Result<(), SkipReason> {
        if self.gives_up {
            return Ok(());
        }
        let super_call = if method.is_constructor {
            Some(constructor::find(method, None, &mut self.heights)?)
        } else {
            None
        };
        let journal = Journal::of_jdk(method, super_call, &mut self.heights)?;
        if journal.is_empty() {
            return Ok(());
        }
        plan.stay_compilable();
        let mut writer = NoteWriter {
            runtime: &mut self.runtime,
            sites: &mut self.fields,
        };
        Ok(writer.alone(method, &journal, plan)?)
    }

    fn undo(&mut self, _method: &Method<'_>, why: &SkipReason) -> Option<SkipReason> {
        self.runtime = Runtime::default();
        self.gives_up = *why == SkipReason::TooLongToCompile;
        self.gives_up.then_some(SkipReason::TooLongToKeepWrites)
    }

    fn finish(&mut self, _constants: &mut Constants<'_>) -> Result<(), Error> {
        self.fields.shrink();
        Ok(())
    }
}
