use super::account::Account;
use super::made::report;
use super::settings;
use crate::arguments::TestsArguments;
use crate::console::Console;
use crate::exit;
use std::io::Write;
use std::process::ExitCode;

pub fn tests(typed: &TestsArguments, console: &Console) -> anyhow::Result<ExitCode> {
    // Read first: a bad file needs neither JDK nor cache to be refused.
    let mut manifests = Vec::new();
    for file in &typed.files {
        manifests.push(recrash_heap::Snapshot::read(file)?.manifest);
    }
    let mut account = Account::new(&typed.report, typed.json)?;
    let bundle = recrash_bundle::unpack()?;
    let options_for = settings::generation(&typed.generation, &bundle)?;
    let (mut reproduced, mut failed) = (0, Vec::new());
    let mut out = std::io::stdout().lock();
    for (file, manifest) in typed.files.iter().zip(manifests) {
        console.begin();
        let made = recrash_capture::tests(&options_for(file.clone(), typed.out.clone()), console);
        console.clear();
        match made {
            Ok(made) => {
                reproduced += made.verdicts.reproduced();
                if account.is_text() {
                    write!(out, "{}", report(&made, console.style()))?;
                }
                account.add(file, manifest, Some(made))?;
            }
            Err(error) => {
                failed.push(anyhow::Error::from(error));
                account.add(file, manifest, None)?;
            }
        }
    }
    out.write_all(&account.finish()?)?;
    out.flush()?;
    // The last one is told by whoever prints errors; what could be made is made.
    let last = failed.pop();
    for error in failed {
        exit::failure(&error);
    }
    match last {
        Some(error) => Err(error),
        None if reproduced == 0 => Ok(ExitCode::from(exit::NOT_REPRODUCED)),
        None => Ok(ExitCode::SUCCESS),
    }
}
