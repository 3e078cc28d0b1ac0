//! Constants of one kind, with their names for the Java side.

macro_rules! constants {
    ($(#[$about:meta])* $module:ident { $($(#[$each:meta])* $name:ident = $value:literal,)* }) => {
        $(#[$about])*
        pub mod $module {
            $($(#[$each])* pub const $name: u8 = $value;)*
            pub(crate) const ALL: &[(&str, u8)] = &[$((stringify!($name), $value)),*];
        }
    };
}
