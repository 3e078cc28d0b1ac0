//! What travels between recrash and the JVM that keeps a compiler warm. Each message follows its length.

use crate::record::record;

/// Both sides name it; a jar of another build is refused.
pub const VERSION: u32 = 1;
/// The messages in errors.
pub const WHAT: &str = "a message of the compiler";

record! {
    /// One run of the compiler, with the arguments that it takes on its command line.
    pub struct Compile {
        pub version: u32,
        pub arguments: Vec<String>,
    }
}

record! {
    /// The compiler's exit status and everything it printed.
    pub struct Compiled {
        pub version: u32,
        pub status: i32,
        pub output: String,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Wire;

    #[test]
    fn messages_read_as_they_were_written() {
        let compile = Compile {
            version: VERSION,
            arguments: vec!["-d".to_owned(), "Größe".to_owned()],
        };
        assert_eq!(Compile::decode(WHAT, &compile.encode()), Ok(compile));
        let compiled = Compiled {
            version: VERSION,
            status: -1,
            output: "error: é".to_owned(),
        };
        assert_eq!(Compiled::decode(WHAT, &compiled.encode()), Ok(compiled));
    }
}
