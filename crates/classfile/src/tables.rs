//! The code attributes that speak of pcs, rewritten after code has moved.

use crate::Error;
use crate::bytes::Bytes;
use crate::relocate::PcMap;

/// Writes the attribute's new content; the old one where its meaning does not depend on pcs (so far as we know it).
pub(crate) fn relocate_attribute(
    name: &[u8],
    info: &[u8],
    map: &PcMap,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    match name {
        b"LineNumberTable" => line_numbers(info, map, out),
        b"LocalVariableTable" | b"LocalVariableTypeTable" => local_variables(info, map, out),
        b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
            type_annotations(info, map, out)
        }
        _ => {
            out.extend_from_slice(info);
            Ok(())
        }
    }
}

/// Code inserted before a line's first instruction belongs to that line.
fn line_numbers(info: &[u8], map: &PcMap, out: &mut Vec<u8>) -> Result<(), Error> {
    let mut bytes = Bytes::new(info, 0);
    out.extend_from_slice(&bytes.u2()?.to_be_bytes());
    while !bytes.is_at_end() {
        let (start, line) = (bytes.u2()?, bytes.u2()?);
        out.extend_from_slice(&(map.boundary(start as usize)? as u16).to_be_bytes());
        out.extend_from_slice(&line.to_be_bytes());
    }
    Ok(())
}

fn local_variables(info: &[u8], map: &PcMap, out: &mut Vec<u8>) -> Result<(), Error> {
    let mut bytes = Bytes::new(info, 0);
    out.extend_from_slice(&bytes.u2()?.to_be_bytes());
    while !bytes.is_at_end() {
        range(&mut bytes, map, out)?;
        // Name, descriptor or signature, index.
        out.extend_from_slice(bytes.take(6)?);
    }
    Ok(())
}

/// `start_pc` and `length`. Parameters are there from pc 0 on, so a range takes in what is inserted at its start.
fn range(bytes: &mut Bytes<'_>, map: &PcMap, out: &mut Vec<u8>) -> Result<(), Error> {
    let (start, length) = (bytes.u2()? as usize, bytes.u2()? as usize);
    let new_start = map.boundary(start)?;
    let new_end = map.boundary(start + length)?;
    out.extend_from_slice(&(new_start as u16).to_be_bytes());
    out.extend_from_slice(&((new_end - new_start) as u16).to_be_bytes());
    Ok(())
}

/// JVMS 4.7.20. Everything but the target is copied; it has to be walked through to find the next annotation.
fn type_annotations(info: &[u8], map: &PcMap, out: &mut Vec<u8>) -> Result<(), Error> {
    let mut bytes = Bytes::new(info, 0);
    let count = bytes.u2()?;
    out.extend_from_slice(&count.to_be_bytes());
    for _ in 0..count {
        let target = bytes.u1()?;
        out.push(target);
        match target {
            // localvar_target
            0x40 | 0x41 => {
                let ranges = bytes.u2()?;
                out.extend_from_slice(&ranges.to_be_bytes());
                for _ in 0..ranges {
                    range(&mut bytes, map, out)?;
                    out.extend_from_slice(bytes.take(2)?);
                }
            }
            // catch_target: an index of the exception table, where entries are only ever added at the end.
            0x42 => out.extend_from_slice(bytes.take(2)?),
            // offset_target
            0x43..=0x46 => offset(&mut bytes, map, out)?,
            // type_argument_target
            0x47..=0x4b => {
                offset(&mut bytes, map, out)?;
                out.push(bytes.u1()?);
            }
            _ => return Err(Error::BadTypeAnnotation { target }),
        }
        let path = bytes.u1()?;
        out.push(path);
        out.extend_from_slice(bytes.take(2 * path as usize)?);
        let annotation = bytes;
        annotation_end(&mut bytes, 0)?;
        let length = bytes.offset() - annotation.offset();
        out.extend_from_slice({ annotation }.take(length)?);
    }
    bytes.finish()
}

fn offset(bytes: &mut Bytes<'_>, map: &PcMap, out: &mut Vec<u8>) -> Result<(), Error> {
    let new = map.instruction(bytes.u2()? as usize)?;
    out.extend_from_slice(&(new as u16).to_be_bytes());
    Ok(())
}

/// Deeper nesting than any compiler writes, so that hostile input cannot exhaust our stack.
const DEEPEST_ANNOTATION: usize = 64;

/// Steps over `type_index` and the element-value pairs.
fn annotation_end(bytes: &mut Bytes<'_>, depth: usize) -> Result<(), Error> {
    bytes.take(2)?;
    for _ in 0..bytes.u2()? {
        bytes.take(2)?;
        element_end(bytes, depth + 1)?;
    }
    Ok(())
}

fn element_end(bytes: &mut Bytes<'_>, depth: usize) -> Result<(), Error> {
    let tag = bytes.u1()?;
    if depth > DEEPEST_ANNOTATION {
        return Err(Error::BadTypeAnnotation { target: tag });
    }
    match tag {
        b'e' => bytes.take(4).map(|_| ()),
        b'@' => annotation_end(bytes, depth),
        b'[' => {
            for _ in 0..bytes.u2()? {
                element_end(bytes, depth + 1)?;
            }
            Ok(())
        }
        _ => bytes.take(2).map(|_| ()),
    }
}
