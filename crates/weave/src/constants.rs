//! The constants that passes add to a class, and those that every stack map names.

use recrash_classfile::{Error, Kind, PoolAppender, PoolMark, VerificationType};

/// The pool of a class under rewriting.
#[derive(Debug)]
pub struct Constants<'c> {
    pub pool: PoolAppender<'c>,
    object: Option<u16>,
    throwable: Option<u16>,
}

impl<'c> Constants<'c> {
    pub(crate) fn new(pool: PoolAppender<'c>) -> Self {
        Constants {
            pool,
            object: None,
            throwable: None,
        }
    }

    /// `java.lang.Object` in a frame.
    pub fn object(&mut self) -> Result<VerificationType, Error> {
        let index = remember(&mut self.object, b"java/lang/Object", &mut self.pool)?;
        Ok(VerificationType::Object(index))
    }

    /// `java.lang.Throwable` in a frame.
    pub fn throwable(&mut self) -> Result<VerificationType, Error> {
        let index = remember(&mut self.throwable, b"java/lang/Throwable", &mut self.pool)?;
        Ok(VerificationType::Object(index))
    }

    /// What a frame says of a variable of this kind: references are plain objects.
    pub fn kept_as(&mut self, kind: Kind) -> Result<VerificationType, Error> {
        Ok(match kind {
            Kind::Int => VerificationType::Integer,
            Kind::Long => VerificationType::Long,
            Kind::Float => VerificationType::Float,
            Kind::Double => VerificationType::Double,
            Kind::Reference => self.object()?,
        })
    }

    /// How far the constants are, for [`Self::rewind`].
    pub(crate) fn mark(&self) -> PoolMark {
        self.pool.mark()
    }

    /// Takes back what was added since, for a method that stays as it is.
    pub(crate) fn rewind(&mut self, mark: PoolMark) {
        self.pool.rewind(mark);
        (self.object, self.throwable) = (None, None);
    }
}

/// The Class entry of that name, looked up once.
pub(crate) fn remember(
    known: &mut Option<u16>,
    name: &[u8],
    pool: &mut PoolAppender<'_>,
) -> Result<u16, Error> {
    match *known {
        Some(index) => Ok(index),
        None => Ok(*known.insert(pool.class(name)?)),
    }
}
