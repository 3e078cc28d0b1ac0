//! What `recrash analyze` found out ahead about the program that is starting, if anything.

use crate::jvm::Jvmti;
use crate::log;
use crate::options::Options;
use recrash_advice::Advice;
use recrash_weave::Strategy;
use std::path::Path;
use std::sync::Arc;

/// For every entry of the class path that an analysis began with.
pub fn advice(jvmti: Jvmti, options: &Options) -> Arc<[Advice]> {
    let folder = match &options.advice {
        Some(folder) if options.strategy == Strategy::Auto && options.look.is_none() => folder,
        _ => return Arc::default(),
    };
    let class_path = jvmti.property(c"java.class.path").unwrap_or_default();
    let entries = class_path.split(':').filter(|entry| !entry.is_empty());
    entries
        .map(|entry| Advice::file(folder, Path::new(entry)))
        .filter_map(|file| read(&file))
        .collect()
}

fn read(file: &Path) -> Option<Advice> {
    let bytes = std::fs::read(file).ok()?;
    let advice = Advice::decode(&bytes);
    match &advice {
        Some(advice) => log::detail(|| {
            let classes = advice.classes();
            format!(
                "{}: what callees change, for {classes} classes",
                file.display()
            )
        }),
        None => log::say(&format!(
            "{} is damaged or of another version and does not count; recrash analyze writes it anew",
            file.display()
        )),
    }
    advice
}
