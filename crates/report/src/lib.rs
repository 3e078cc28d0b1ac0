//! Shows a snapshot as text and JSON
