//! `META-INF/MANIFEST.MF`: its main section read, and one attribute added.

pub(crate) const NAME: &str = "META-INF/MANIFEST.MF";

/// The value of an attribute of the main section. Long lines go on in the next one, after a space.
pub(crate) fn attribute(manifest: &[u8], name: &str) -> Option<String> {
    let text = String::from_utf8_lossy(manifest)
        .replace("\r\n", "\n")
        .replace('\r', "\n");
    let joined = text.replace("\n ", "");
    joined
        .lines()
        .take_while(|line| !line.is_empty())
        .find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name)
                .then(|| value.trim().to_owned())
        })
}

/// The manifest with one more attribute, which must be short, at the end of the main section.
pub(crate) fn with_attribute(manifest: &[u8], name: &str, value: &str) -> Vec<u8> {
    let mut main_section = 0;
    for line in manifest.split_inclusive(|&byte| byte == b'\n') {
        if line.trim_ascii().is_empty() {
            break;
        }
        main_section += line.len();
    }
    let (head, tail) = manifest.split_at(main_section);
    let mut out = head.to_vec();
    if !head.is_empty() && !head.ends_with(b"\n") {
        out.extend_from_slice(b"\r\n");
    }
    out.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
    out.extend_from_slice(tail);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &[u8] =
        b"Manifest-Version: 1.0\r\nMain-Class: com.acme.\r\n Main\r\n\r\nName: x\r\nMain-Class: no\r\n";

    #[test]
    fn an_attribute_may_be_broken_over_lines_and_other_sections_do_not_count() {
        assert_eq!(
            attribute(MANIFEST, "main-class").as_deref(),
            Some("com.acme.Main")
        );
        assert_eq!(attribute(MANIFEST, "Name"), None);
    }

    #[test]
    fn an_attribute_is_added_to_the_main_section() {
        let added = with_attribute(MANIFEST, "A", "b");
        assert_eq!(attribute(&added, "A").as_deref(), Some("b"));
        assert!(added.ends_with(b"\r\n\r\nName: x\r\nMain-Class: no\r\n"));
        let unfinished = with_attribute(b"Manifest-Version: 1.0", "A", "b");
        assert_eq!(unfinished, b"Manifest-Version: 1.0\r\nA: b\r\n");
    }
}
