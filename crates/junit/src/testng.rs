//! TestNG, as the program has it: started without its command line, which needs a library that may not be there.

use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// The class that starts it.
pub(crate) const RUNNER: &str = "RecrashTestNg";

const SOURCE: &str = r"
public final class RecrashTestNg {
    public static void main(String[] arguments) throws Exception {
        Class<?>[] tests = new Class<?>[arguments.length - 1];
        for (int i = 0; i < tests.length; i++) {
            tests[i] = Class.forName(arguments[i + 1]);
        }
        org.testng.TestNG runner = new org.testng.TestNG();
        runner.setOutputDirectory(arguments[0]);
        runner.setVerbose(0);
        runner.setTestClasses(tests);
        runner.run();
    }
}
";

/// Puts the source of [`RUNNER`] into a folder.
pub(crate) fn write_runner(folder: &Path) -> Result<PathBuf> {
    let path = folder.join(format!("{RUNNER}.java"));
    std::fs::write(&path, SOURCE).map_err(|source| Error::Io {
        path: path.clone(),
        source,
    })?;
    Ok(path)
}

/// Where the results of a class are, in the form of JUnit's.
pub(crate) fn report(folder: &Path, class: &str) -> PathBuf {
    folder
        .join("junitreports")
        .join(format!("TEST-{class}.xml"))
}

/// Stack traces lose the blanks before each line in its reports.
pub(crate) fn as_printed(report: &str) -> String {
    report
        .replace("\nat ", "\n\tat ")
        .replace("\n... ", "\n\t... ")
}
