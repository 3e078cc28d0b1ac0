use serde::{Deserialize, Serialize};

/// The owner of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Whose {
    /// Those who wrote the application.
    Application,
    Library,
    /// Nobody: proxies, mocks and glue that a library made while the program was built or ran.
    Generated,
    /// Of the packaged application alone: what a packer put into the jar to start it, or what was generated into a jar
    /// beside it. The build of the application does not know these classes.
    Packaging,
    Jdk,
}
