//! The numbers in the heap part of a snapshot; what stands where is told in the crate that reads it.

pub const MAGIC: [u8; 4] = *b"RCHP";
pub const VERSION: u32 = 1;
/// Bytes before the class section.
pub const HEADER: usize = 24;

/// Set in a tag behind which the object's identity hash follows.
pub const HAS_HASH: u8 = 0x80;

constants! {
    /// What an object's record holds.
    tag {
        INSTANCE = 1,
        OBJECT_ARRAY = 2,
        PRIMITIVE_ARRAY = 3,
        STRING = 4,
        BOXED = 5,
        ENUM = 6,
        CLASS = 7,
        WELL_KNOWN = 8,
        STAND_IN = 9,
        MEMBER = 10,
        CUT = 11,
    }
}

constants! {
    /// What a row of the class table stands for.
    class_kind {
        PLAIN = 0,
        ARRAY = 1,
        LAMBDA = 2,
        PROXY = 3,
        OPAQUE = 4,
    }
}

macro_rules! reasons {
    ($($name:ident, $java:literal = $code:literal, $text:literal;)*) => {
        /// Why an object is only represented: its state lives outside the Java heap or belongs to the running JVM.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum StandInReason {
            $($name,)*
        }

        impl StandInReason {
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Names on the Java side, and codes.
            pub(crate) const NAMES: &[(&str, u8)] = &[$(($java, $code)),*];

            pub fn of_code(code: u8) -> Option<Self> {
                match code {
                    $($code => Some(Self::$name),)*
                    _ => None,
                }
            }

            pub fn code(self) -> u8 {
                match self {
                    $(Self::$name => $code,)*
                }
            }

            /// The reason as a noun phrase for reports.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }
    };
}

reasons! {
    CrashingThread, "CRASHING_THREAD" = 1, "the thread that failed";
    OtherThread, "OTHER_THREAD" = 2, "another thread";
    ThreadGroup, "THREAD_GROUP" = 3, "a thread group";
    ClassLoader, "CLASS_LOADER" = 4, "a class loader";
    Module, "MODULE" = 5, "a module";
    Logger, "LOGGER" = 6, "a logger";
    Stream, "STREAM" = 7, "an open file";
    Socket, "SOCKET" = 8, "a socket";
    Channel, "CHANNEL" = 9, "a channel";
    Process, "PROCESS" = 10, "a process";
    NativeMemory, "NATIVE_MEMORY" = 11, "native memory";
    MethodHandle, "METHOD_HANDLE" = 12, "a method handle";
    HiddenClass, "HIDDEN_CLASS" = 13, "an instance of a hidden class";
    Security, "SECURITY" = 14, "a security object of the running JVM";
    Executor, "EXECUTOR" = 15, "a pool of running threads";
    JvmInternal, "JVM_INTERNAL" = 16, "an internal object of the running JVM";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_is_found_by_its_code() {
        for reason in StandInReason::ALL {
            assert_eq!(StandInReason::of_code(reason.code()), Some(*reason));
        }
        assert_eq!(StandInReason::of_code(0), None);
    }

    #[test]
    fn no_two_constants_of_a_kind_are_the_same() {
        for all in [tag::ALL, class_kind::ALL, StandInReason::NAMES] {
            let mut codes: Vec<u8> = all.iter().map(|(_, code)| *code).collect();
            codes.dedup();
            assert_eq!(codes.len(), all.len());
            assert!(all.iter().all(|(_, code)| code & HAS_HASH == 0));
        }
    }
}
