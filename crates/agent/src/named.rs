//! What `--on` names: exceptions that are captured even if they are caught.

use recrash_weave::matches;

/// Whether a type, by its binary name, is named.
pub fn is_type(named: &[String], class: &str) -> bool {
    named.iter().any(|glob| matches(glob, class))
}

/// Whether exceptions from this method are named, by it or by its class.
pub fn is_place(named: &[String], class: &str, method: &str) -> bool {
    named.iter().any(|glob| match glob.split_once('#') {
        Some((of_class, of_method)) => matches(of_class, class) && matches(of_method, method),
        None => matches(glob, class),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_packages_and_methods_are_named() {
        let named = [
            "java.lang.IllegalStateException".to_owned(),
            "com.acme.*".to_owned(),
            "org.x.Y#run".to_owned(),
        ];
        assert!(is_type(&named, "java.lang.IllegalStateException"));
        assert!(is_type(&named, "com.acme.OrderException"));
        assert!(!is_type(&named, "java.lang.Exception"));
        assert!(is_place(&named, "com.acme.Order", "total"));
        assert!(is_place(&named, "org.x.Y", "run") && !is_place(&named, "org.x.Y", "stop"));
    }
}
