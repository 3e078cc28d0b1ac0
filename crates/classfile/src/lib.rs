//! Class files, versions 45 to 69: read, patch, write back without loss; jars
