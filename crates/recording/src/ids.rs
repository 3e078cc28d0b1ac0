//! Numbers of rows and events.

macro_rules! numbers {
    ($($(#[$about:meta])* $name:ident;)*) => {
        $(
            $(#[$about])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub struct $name(pub u32);

            impl $name {
                pub fn index(self) -> usize {
                    self.0 as usize
                }
            }
        )*
    };
}

numbers! {
    /// A row of [`crate::Recording::objects`].
    ObjectId;
    /// A row of [`crate::Recording::texts`].
    TextId;
    /// A row of [`crate::Recording::types`].
    TypeId;
    /// A row of [`crate::Recording::methods`].
    MethodId;
    /// A row of [`crate::Recording::fields`].
    FieldId;
    /// A row of [`crate::Recording::sites`].
    SiteId;
    /// A place in [`crate::Recording::events`].
    EventId;
}
